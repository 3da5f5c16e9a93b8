"""Which documents of a block hold which n-grams: what all that is told of a corpus rests on."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import Indices
from gate.contamination.ragged import Ragged

_FILTER_BITS = 20
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Held(NamedTuple):
    """Of some rows of n-grams, each asked of a document, those that stand there.

    Attributes:
        counts: int64 (a,), how many, one for each that was asked.
        asked: int64 (h,), the place of its row among those that were asked, for each that stands there; ascending.
        grams: int64 (h,), its number.
    """

    counts: Indices
    asked: Indices
    grams: Indices


class Pairs:
    """Pairs of a document of a block and an n-gram that it holds, each once.

    Attributes:
        documents: int64 (p,), ascending.
        grams: int64 (p,), ascending within a document.
    """

    def __init__(self, cells: Indices, bits: int) -> None:
        """Pairs of a number of documents.

        Args:
            cells: int64 (p,), the document in the upper bits and the n-gram in the lower ones, ascending. A block has
                under 2^22 documents, so that this fits for any table that fits into memory.
            bits: how many are the n-gram's.
        """
        self._cells = cells
        self._bits = bits
        self.documents, self.grams = cells >> bits, cells & ((1 << bits) - 1)

    @cached_property
    def _filter(self) -> NDArray[np.bool_]:
        filled = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
        filled[_slot(self._cells)] = True
        return filled

    def those(self, wanted: NDArray[np.bool_]) -> "Pairs":
        """Some of them only."""
        return Pairs(self._cells[wanted], self._bits)

    def between(self, first: int, last: int) -> "Pairs":
        """Those from one place on up to another, which is not one of them."""
        return Pairs(self._cells[first:last], self._bits)

    def held(self, documents: Indices, rows: Indices, numbers: Ragged) -> Held:
        """Which of its n-grams stand in the document, for each row that is asked of one.

        Args:
            documents: int64 (a,).
            rows: int64 (a,), rows of ``numbers``.
            numbers: n-grams by number.
        """
        asked = np.repeat(np.arange(rows.size), numbers.sizes(rows))
        grams = numbers.values[numbers.places(rows)]
        cells = documents[asked] << self._bits | grams
        # hardly any stand there: a small table of bits says so of most, before the rest is looked up
        likely = np.flatnonzero(self._filter[_slot(cells)])
        place = np.searchsorted(self._cells, cells[likely])
        place[place == self._cells.size] = 0
        stand = likely[self._cells[place] == cells[likely]]
        return Held(np.bincount(asked[stand], minlength=rows.size), asked[stand], grams[stand])


def _slot(cells: Indices) -> Indices:
    """The place of each in the filter."""
    return (cells.view(np.uint64) * _FACTOR >> np.uint64(64 - _FILTER_BITS)).view(np.int64)
