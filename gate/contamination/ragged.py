"""Rows of numbers of different lengths in two arrays: a list of tuples for a tenth of its memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np

from gate.contamination.blocks import Indices


@dataclass(frozen=True, slots=True, eq=False)
class Ragged(Sequence[tuple[int, ...]]):
    """Rows of numbers.

    Attributes:
        values: int64 (v,), the rows one after the other.
        ends: int64 (r + 1,), where each row starts, and at last where the last one ends.
    """

    values: Indices
    ends: Indices

    def __len__(self) -> int:
        return self.ends.size - 1

    @overload
    def __getitem__(self, row: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, row: slice) -> list[tuple[int, ...]]: ...
    def __getitem__(self, row: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:
        if isinstance(row, slice):
            return [self[number] for number in range(len(self))[row]]
        number = range(len(self))[row]
        return tuple(self.values[self.ends[number] : self.ends[number + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (self[row] for row in range(len(self)))

    @property
    def lengths(self) -> Indices:
        """int64 (r,): how many numbers each row has."""
        lengths: Indices = np.diff(self.ends)
        return lengths

    def sizes(self, rows: Indices) -> Indices:
        """How many numbers these rows have: the lengths of all are not reckoned for it."""
        sizes: Indices = self.ends[rows + 1] - self.ends[rows]
        return sizes

    def rows(self) -> Indices:
        """int64 (v,): the row that each value stands in."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def places(self, rows: Indices) -> Indices:
        """Where the values of these rows stand in ``values``, row after row."""
        return spread(self.ends[rows], self.sizes(rows))

    def take(self, rows: Indices) -> "Ragged":
        """These rows only."""
        ends = np.zeros(rows.size + 1, dtype=np.int64)
        np.cumsum(self.sizes(rows), out=ends[1:])
        return Ragged(self.values[self.places(rows)], ends)


def ragged(rows: Indices, values: Indices, count: int) -> Ragged:
    """``count`` rows from values and the row of each, which ascend."""
    ends = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=count), out=ends[1:])
    return Ragged(values, ends)


def spread(starts: Indices, lengths: Indices) -> Indices:
    """For each pair the numbers from its start on, as many as its length says, one pair after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    numbers: Indices = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return numbers


def distinct(values: Indices) -> Indices:
    """Each value once, ascending; sorting does it in a fraction of the time that numpy's hashing takes."""
    return counted(values).values


class Counted(NamedTuple):
    """Distinct numbers, int64 (d,), ascending, and how often each is there, int64 (d,)."""

    values: Indices
    counts: Indices


def counted(values: Indices) -> Counted:
    """Each value once, and how often it is there."""
    values = np.sort(values)
    first = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    return Counted(values[first], np.diff(first, append=values.size))
