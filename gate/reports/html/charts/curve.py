"""pass@k over k: one point for each k that was asked for, with the interval that its check found."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gate.evidence import IntervalEvidence
from gate.reports.axes import Axis
from gate.reports.html.charts.frame import Span, Tick, path_through, ticks_of
from gate.results import CheckResult
from gate.wording import limit, number

_LEFT, _RIGHT = 44.0, 420.0
_TOP, _BOTTOM = 16.0, 176.0
_LEAST_POINTS = 2


class Point(NamedTuple):
    """pass@k at one k, ``y`` upwards less: its place, its interval, its bar where it has one."""

    k: int
    x: float
    y: float
    low: float
    high: float
    bar: float | None
    told: str


class Curve(NamedTuple):
    """The points of one metric and kind of reducer, by k, and the line through them."""

    name: str
    points: tuple[Point, ...]
    path: str
    ticks: tuple[Tick, ...]
    bottom: float
    left: float
    right: float
    n_samples: int


class _Told(NamedTuple):
    name: str
    k: int
    n_samples: int
    evidence: IntervalEvidence


def plot_curves(results: Iterable[CheckResult]) -> tuple[Curve, ...]:
    """A curve for each metric of which two or more k were held against a bar."""
    told: dict[str, dict[int, _Told]] = {}
    for one in filter(None, map(_of_mean, results)):
        told.setdefault(one.name, {})[one.k] = one
    return tuple(
        _curve(name, [by_k[k] for k in sorted(by_k)]) for name, by_k in told.items() if len(by_k) >= _LEAST_POINTS
    )


def _of_mean(result: CheckResult) -> _Told | None:
    evidence, k, n = result.evidence, result.figures.get("k"), result.figures.get("n_samples")
    if not isinstance(evidence, IntervalEvidence) or evidence.value_name != "mean" or result.metric is None:
        return None
    if not isinstance(k, int) or not isinstance(n, int):
        return None
    return _Told(result.metric.removesuffix(f"{k}") + "k", k, n, evidence)


def _curve(name: str, told: Sequence[_Told]) -> Curve:
    first, last = math.log(told[0].k), math.log(told[-1].k)
    across, up = Span(Axis(first, last), _LEFT + 20, _RIGHT - 20), Span(Axis(0.0, 1.0), _BOTTOM, _TOP)
    points = tuple(_point(one, across, up) for one in told)
    path = path_through((point.x, point.y) for point in points)
    return Curve(name, points, path, ticks_of(up), _BOTTOM, _LEFT, _RIGHT, told[0].n_samples)


def _point(told: _Told, across: Span, up: Span) -> Point:
    estimate, bar = told.evidence.estimate, told.evidence.limit
    y, low, high = (up.place(value) for value in (estimate.value, estimate.low, estimate.high))
    x = across.place(math.log(told.k))
    figures = f"{number(estimate.value)} ({number(estimate.low)} to {number(estimate.high)}), n = {estimate.n}"
    if bar is None:
        return Point(told.k, x, y, low, high, None, figures)
    return Point(told.k, x, y, low, high, up.place(bar), f"{figures}, bar {limit(bar)}")
