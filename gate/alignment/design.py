"""How the aligned items hang together: in groups, within strata, with weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from gate.alignment.items import ABSENT, Alignment, rows_of
from gate.errors import AlignmentError, Place
from gate.scores.model import Run
from gate.scores.quoting import quote
from gate.stats.units import Units, gather_units

# One value an item, None where nobody tells it.
_Told = list[str | float | None]


@dataclass(frozen=True, slots=True)
class Design:
    """Which items vary together, and how much each counts; arrays over a suite's items.

    Attributes:
        groups: intp (n,), the number of each item's group; None where every item stands on its own.
        strata: intp (n,), the number of each item's stratum; None where there is but one.
        weights: float64 (n,), > 0; None where all count alike.
        group_names: (g,) by number.
        stratum_names: (h,) by number.
    """

    groups: NDArray[np.intp] | None = None
    strata: NDArray[np.intp] | None = None
    weights: NDArray[np.float64] | None = None
    group_names: tuple[str, ...] = ()
    stratum_names: tuple[str, ...] = ()

    def pick(self, rows: NDArray[np.bool_]) -> "Design":
        """The same for the items that a bool (n,) mask picks."""
        return replace(
            self,
            groups=None if self.groups is None else self.groups[rows],
            strata=None if self.strata is None else self.strata[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def units(self, values: NDArray[np.float64]) -> Units:
        """Float64 (n,) values of the items, gathered to what varies as one."""
        return gather_units(values, groups=self.groups, weights=self.weights, strata=self.strata)


def design_of(alignment: Alignment) -> Design:
    """The design of the aligned items, as the baseline tells it; without one, as the candidate does.

    What only the candidate tells must not decide what its own scores prove: groups alone can hide any drop. An item of
    which the baseline tells no group is a group of its own.

    Raises:
        AlignmentError: where the runs contradict each other, only one of two runs on different items has groups, or a
            group lies in several strata.
    """
    _require_groups_in_both(alignment)
    groups = _numbered(_told(alignment, "groups", "group"))
    strata = _numbered(_told(alignment, "strata", "stratum"))
    if groups.numbers is not None and strata.numbers is not None:
        _require_groups_within_strata(groups, strata, alignment)
    weights = _told(alignment, "weights", "weight")
    return Design(
        groups=groups.numbers,
        strata=strata.numbers,
        weights=None if weights is None else np.array(weights, dtype=np.float64),
        group_names=groups.names,
        stratum_names=strata.names,
    )


def _require_groups_in_both(alignment: Alignment) -> None:
    """Runs on different items have no item whose group one run could tell for the other."""
    reference = alignment.reference
    if reference is not None and (reference.groups is None) != (alignment.candidate.groups is None):
        silent = reference if reference.groups is None else alignment.candidate
        raise AlignmentError(
            "this run does not group its items, and the one it is compared with does",
            where=Place(silent.source.path),
            remedy="write the column of groups into both files, or into neither",
        )


@dataclass(frozen=True, slots=True)
class _Numbered:
    numbers: NDArray[np.intp] | None
    names: tuple[str, ...] = ()


def _numbered(told: _Told | None) -> _Numbered:
    """Names as numbers in the order of the names; each item without one gets a number of its own."""
    if told is None:
        return _Numbered(None)
    known = sorted({name for name in told if isinstance(name, str)})
    number = {name: index for index, name in enumerate(known)}
    alone = count(len(known))
    numbers = [next(alone) if name is None else number[str(name)] for name in told]
    return _Numbered(np.array(numbers, dtype=np.intp), tuple(known))


def _told(alignment: Alignment, attribute: str, what: str) -> _Told | None:
    """Each aligned item's value; None where the run that decides has none."""
    deciding = alignment.candidate if alignment.baseline is None else alignment.baseline
    told = _by_item(deciding, attribute, alignment)
    other = _by_item(alignment.candidate, attribute, alignment)
    if told is not None and other is not None:
        _require_agreement(told, other, alignment, what)
    return told


def _by_item(run: Run, attribute: str, alignment: Alignment) -> _Told | None:
    values = _values(run, attribute)
    if values is None:
        return None
    return [None if row == ABSENT else values[row] or None for row in rows_of(run, alignment.ids).tolist()]


def _values(run: Run, attribute: str) -> Sequence[str | float] | None:
    values: NDArray[np.float64] | Sequence[str] | None = getattr(run, attribute)
    return values.tolist() if isinstance(values, np.ndarray) else values


def _require_agreement(ours: _Told, theirs: _Told, alignment: Alignment, what: str) -> None:
    """Raise AlignmentError where the runs give an item that they have in common two values."""
    for item, common, before, now in zip(alignment.ids, alignment.common.tolist(), ours, theirs, strict=True):
        if common and None not in (before, now) and before != now:
            raise AlignmentError(
                f"item {quote(item)} has the {what} {quote(before)} in the baseline and {quote(now)} in the candidate",
                where=Place(alignment.candidate.source.path),
                remedy=f"write the same {what} into both files, or map another column",
            )


def _require_groups_within_strata(groups: _Numbered, strata: _Numbered, alignment: Alignment) -> None:
    if groups.numbers is None or strata.numbers is None:
        return
    _, first, group = np.unique(groups.numbers, return_index=True, return_inverse=True)
    stray = np.flatnonzero(strata.numbers != strata.numbers[first][group])
    if stray.size:
        item = int(stray[0])
        raise AlignmentError(
            f"the group of item {quote(alignment.ids[item])} lies in several strata",
            where=Place(alignment.candidate.source.path),
            remedy="map a stratum that holds whole groups, or leave one of the two columns out",
        )
