"""Which items got worse or better from the baseline to the candidate."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.results import ItemTable

# Means of repeats that are equal on paper may differ by rounding.
_TOLERANCE = 1e-12
_NOT_PAIRED = frozenset({"lost", "changed", "new"})


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item's scores in the two runs; ``loss`` is how much worse the candidate is, in the metric's unit."""

    id: str
    baseline: float
    candidate: float
    loss: float


@dataclass(frozen=True, slots=True)
class Changes:
    """How many items got worse, better or neither, and the worst of those that got worse.

    Attributes:
        worse: number of items.
        better: number of items.
        same: number of items.
        worst: at most as many as were asked for, the greatest loss first, then by id.
    """

    worse: int
    better: int
    same: int
    worst: tuple[ItemChange, ...]


def find_changes(items: ItemTable, metric: str, *, most: int = 20) -> Changes:
    """Compare the items that have a score in both runs and the same content under the same id.

    Args:
        items: the suite's items.
        metric: the name of one of its metrics.
        most: how many of the worst to name.
    """
    return sum_up(list(pair_items(items, metric)), most=most)


def sum_up(pairs: Sequence[ItemChange], *, most: int) -> Changes:
    """Count the items by what became of them, and name at most ``most`` of the worst."""
    worse = [pair for pair in pairs if pair.loss > 0]
    better = sum(pair.loss < 0 for pair in pairs)
    worst = heapq.nsmallest(most, worse, key=lambda pair: (-pair.loss, pair.id))
    return Changes(len(worse), better, len(pairs) - len(worse) - better, tuple(worst))


def has_changed(items: ItemTable) -> bool:
    """Whether any score or status differs from the baseline's: an item that only one run has or scored counts."""
    return any(
        status in _NOT_PAIRED or (before is None) != (after is None)
        for column in items.metrics.values()
        for before, after, status in zip(column.baseline, column.candidate, column.status, strict=True)
    ) or any(pair.loss for metric in items.metrics for pair in pair_items(items, metric))


def pair_items(items: ItemTable, metric: str) -> Iterator[ItemChange]:
    """Each item that has a score in both runs and the same content under the same id."""
    column = items.metrics[metric]
    sign = 1.0 if column.direction == "lower" else -1.0
    for item, before, after, status in zip(items.ids, column.baseline, column.candidate, column.status, strict=True):
        if before is not None and after is not None and status == "scored":
            loss = sign * (after - before)
            negligible = abs(loss) <= _TOLERANCE * max(1.0, abs(before), abs(after))
            yield ItemChange(item, before, after, 0.0 if negligible else loss)
