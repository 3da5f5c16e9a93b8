"""How much of each tested item stands in the corpus: a histogram against the bar."""

from collections import Counter
from typing import NamedTuple

from gate.evidence import LeakEvidence
from gate.reports.axes import Axis
from gate.reports.html.charts.frame import LEFT, RIGHT, Span, Tick, ticks_of
from gate.wording import limit

_TOP, _BOTTOM = 32.0, 92.0
_BINS = 20


class OverlapBin(NamedTuple):
    """A bar; ``flagged`` where it stands at or over the bar."""

    x: float
    y: float
    width: float
    height: float
    n: int
    flagged: bool


class OverlapPlot(NamedTuple):
    """The drawing."""

    bins: tuple[OverlapBin, ...]
    ticks: tuple[Tick, ...]
    bar: float
    bar_label: str
    bottom: float


def plot_overlaps(evidence: LeakEvidence) -> OverlapPlot | None:
    """Draw the overlaps of the tested items; None where none was tested."""
    if not evidence.overlaps:
        return None
    span = Span(Axis(0.0, 1.0), LEFT, RIGHT)
    slots = Counter(min(int(overlap * _BINS), _BINS - 1) for overlap in evidence.overlaps.values())
    most, width = max(slots.values()), (RIGHT - LEFT) / _BINS
    bins = []
    for slot, count in sorted(slots.items()):
        # a bar of one item among thousands must still be seen
        height = max(count / most * (_BOTTOM - _TOP), 2.0)
        flagged = slot / _BINS >= evidence.bar - 1 / (2 * _BINS)
        bins.append(OverlapBin(LEFT + slot * width + 1, _BOTTOM - height, width - 2, height, count, flagged))
    return OverlapPlot(tuple(bins), ticks_of(span), span.place(evidence.bar), limit(evidence.bar), _BOTTOM)
