"""Item by item: how many got worse or better, from which score to which, and by how much."""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from gate.reports.axes import Axis
from gate.reports.changes import ItemChange
from gate.reports.html.charts.frame import LEFT, RIGHT, Span, Tick, ticks_of

# Up to so many distinct scores the changes are told as a table of from and to, beyond it as a histogram.
MOST_SCORES = 6

_HALF = 10  # bins on each side of no change
_TOP, _BOTTOM = 18.0, 118.0
_LEVELS = 5


class Part(NamedTuple):
    """A part of the tally: ``worse``, ``same`` or ``better``, its stretch and its number of items."""

    kind: str
    x: float
    length: float
    n: int


class Cell(NamedTuple):
    """How many items went from one score to another: ``kind`` as in Part, ``level`` 0 to 5 for the shade."""

    kind: str
    n: int
    level: int


class Flips(NamedTuple):
    """The table of from (rows) and to (columns)."""

    scores: tuple[float, ...]
    rows: tuple[tuple[float, tuple[Cell, ...]], ...]


class Bin(NamedTuple):
    """A bar of the histogram."""

    kind: str
    x: float
    y: float
    width: float
    height: float


class Histogram(NamedTuple):
    """Differences, positive is better; the middle bin holds those that did not change."""

    bins: tuple[Bin, ...]
    ticks: tuple[Tick, ...]
    most: int
    bottom: float
    middle: float


class PairsPlot(NamedTuple):
    """All of it; one of ``flips`` and ``histogram`` is None."""

    tally: tuple[Part, ...]
    n: int
    flips: Flips | None
    histogram: Histogram | None


def plot_pairs(pairs: Sequence[ItemChange]) -> PairsPlot | None:
    """Draw the items that have a score in both runs; None where there are none."""
    if not pairs:
        return None
    scores = sorted({pair.baseline for pair in pairs} | {pair.candidate for pair in pairs})
    few = len(scores) <= MOST_SCORES
    return PairsPlot(
        _tally(pairs), len(pairs), _flips(pairs, scores) if few else None, None if few else _histogram(pairs)
    )


def _kind(loss: float) -> str:
    return "worse" if loss > 0 else "better" if loss < 0 else "same"


def _tally(pairs: Sequence[ItemChange]) -> tuple[Part, ...]:
    counts = Counter(_kind(pair.loss) for pair in pairs)
    parts, x = [], LEFT
    for kind in ("worse", "same", "better"):
        length = counts[kind] / len(pairs) * (RIGHT - LEFT)
        parts.append(Part(kind, x, length, counts[kind]))
        x += length
    return tuple(parts)


def _flips(pairs: Sequence[ItemChange], scores: Sequence[float]) -> Flips:
    counts = Counter((pair.baseline, pair.candidate) for pair in pairs)
    kinds = {(pair.baseline, pair.candidate): _kind(pair.loss) for pair in pairs}
    most = max(counts.values())
    rows = tuple(
        (
            before,
            tuple(
                Cell(
                    kinds.get((before, after), "same"),
                    counts[before, after],
                    math.ceil(_LEVELS * counts[before, after] / most),
                )
                for after in scores
            ),
        )
        for before in scores
    )
    return Flips(tuple(scores), rows)


def _histogram(pairs: Sequence[ItemChange]) -> Histogram:
    # the difference of two huge scores overflows
    gains = [min(max(-pair.loss, -sys.float_info.max), sys.float_info.max) for pair in pairs]
    reach = max(map(abs, gains)) or 1.0
    slots = Counter(math.copysign(math.ceil(abs(gain / reach) * _HALF), gain) if gain else 0 for gain in gains)
    most = max(slots.values())
    width = (RIGHT - LEFT) / (2 * _HALF + 1)
    bins = []
    for slot in range(-_HALF, _HALF + 1):
        height = slots[slot] / most * (_BOTTOM - _TOP)
        kind = "worse" if slot < 0 else "better" if slot > 0 else "same"
        bins.append(Bin(kind, LEFT + (slot + _HALF) * width + 1, _BOTTOM - height, width - 2, height))
    span = Span(Axis(-reach, reach), LEFT + width / 2, RIGHT - width / 2)
    return Histogram(tuple(bins), ticks_of(span), most, _BOTTOM, (LEFT + RIGHT) / 2)
