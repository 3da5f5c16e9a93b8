"""An estimate with its intervals against a limit."""

import math
from typing import NamedTuple

from gate.evidence import IntervalEvidence
from gate.reports.axes import axis_of, scale_of
from gate.reports.html.charts.frame import WIDTH, Span, Tick, ticks_of
from gate.wording import limit

_LEFT, _RIGHT = 76.0, 424.0
_TOP, _ROW = 38.0, 24.0
# The limit's label is centred on its line, but kept inside the drawing.
_LABEL_HALF = 48.0


class Whisker(NamedTuple):
    """One interval: its name, its height, its ends, and its middle where it has one."""

    name: str
    y: float
    low: float
    high: float
    middle: float | None


class Limit(NamedTuple):
    """The limit: where its line and its label stand, and the stretch on its wrong side."""

    place: float
    label: str
    label_place: float
    wrong: tuple[float, float]


class IntervalPlot(NamedTuple):
    """The drawing; ``limit`` is None where there is none, ``bottom`` the height of the axis."""

    height: float
    bottom: float
    left: float
    right: float
    whiskers: tuple[Whisker, ...]
    limit: Limit | None
    ticks: tuple[Tick, ...]


def plot_interval(evidence: IntervalEvidence) -> IntervalPlot | None:
    """Draw the interval of the method in charge and the exact one beside it; None where they are not finite."""
    estimate, exact = evidence.estimate, evidence.exact
    if exact is not None and not (math.isfinite(exact.low) and math.isfinite(exact.high)):
        exact = None
    if not all(map(math.isfinite, (estimate.low, estimate.value, estimate.high))):
        return None
    scale = scale_of(evidence)
    axis = axis_of(evidence, scale)
    if exact is not None:
        # the axis is chosen for the interval in charge: a wider one beside it must not stand at its end as if it did
        axis = axis._replace(low=min(axis.low, exact.low), high=max(axis.high, exact.high))
    span = Span(axis, _LEFT, _RIGHT)
    method = estimate.method.partition(",")[0]
    told: list[tuple[str, float, float, float | None]] = [(method, estimate.low, estimate.high, estimate.value)]
    if exact is not None and estimate.method != "exact":
        told.append(("exact", exact.low, exact.high, None))
    whiskers = tuple(
        Whisker(
            name, _TOP + row * _ROW, span.place(low), span.place(high), None if value is None else span.place(value)
        )
        for row, (name, low, high, value) in enumerate(told)
    )
    bottom = _TOP + len(whiskers) * _ROW
    return IntervalPlot(bottom + 22, bottom, _LEFT, _RIGHT, whiskers, _limit(evidence, span), ticks_of(span))


def _limit(evidence: IntervalEvidence, span: Span) -> Limit | None:
    value = evidence.limit
    if value is None or not math.isfinite(value):
        return None
    place = span.place(value)
    label = evidence.limit_name if evidence.limit_name == "no change" else f"{evidence.limit_name} {limit(value)}"
    if not span.axis.low <= value <= span.axis.high:
        label += ", off the line"
    wrong = (place, span.end) if evidence.limit_name == "ceiling" else (span.start, place)
    return Limit(place, label, min(max(place, span.start + _LABEL_HALF), WIDTH - _LABEL_HALF), wrong)
