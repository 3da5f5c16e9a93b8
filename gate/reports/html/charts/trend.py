"""How a mean went from run to run, and what decline holds the last one against."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from gate.reports.axes import Axis
from gate.reports.html.charts.frame import Span, Tick, path_through, ticks_of
from gate.results.record import Trend
from gate.wording import limit, number

_LEFT, _RIGHT = 48.0, 420.0
# With levels their labels stand to the right of the frame.
_RIGHT_OF_LABELS = 340.0
_TOP, _BOTTOM = 18.0, 110.0
_Z = 1.96
_MOST_TICKS = 4
# Of two levels closer than this the labels would overlap.
_LABEL_ROOM = 13.0


class Run(NamedTuple):
    """A run's place; ``promoted`` where it became the baseline."""

    x: float
    y: float
    promoted: bool


class Level(NamedTuple):
    """A line across: the best promoted run, or how far a decline may reach; its label stands at ``label_y``."""

    y: float
    label: str
    label_y: float
    is_limit: bool


class TrendPlot(NamedTuple):
    """The line: its runs from the oldest on, the last with its interval where the error of its mean is known."""

    runs: tuple[Run, ...]
    path: str
    interval: tuple[float, float] | None
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]
    left: float
    right: float
    bottom: float
    has_unpromoted: bool


def plot_trend(trend: Trend, figures: Mapping[str, object] | None = None) -> TrendPlot | None:
    """Draw the means in their order; None where fewer than two are finite, or they lie too far apart to be drawn.

    Args:
        trend: the runs, the last one is that which is judged.
        figures: of its check decline; None where that did not run.
    """
    known = [point for point in trend.points if math.isfinite(point.mean)]
    if len(known) < 2:  # noqa: PLR2004  # a line takes two points
        return None
    error, last = trend.standard_error, known[-1].mean
    reach = _Z * error if error is not None and math.isfinite(error) else 0.0
    levels = _levels(trend, figures or {})
    values = [*(point.mean for point in known), last - reach, last + reach, *(value for value, _ in levels)]
    low, high = min(values), max(values)
    if not math.isfinite(high - low):
        return None
    room = (high - low) / 10 or max(abs(high), 1.0) / 10
    up = Span(Axis(low - room, high + room), _BOTTOM, _TOP)
    right = _RIGHT_OF_LABELS if levels else _RIGHT
    step = (right - _LEFT - 16) / (len(known) - 1)
    runs = tuple(
        Run(_LEFT + 8 + index * step, up.place(point.mean), point.promoted) for index, point in enumerate(known)
    )
    return TrendPlot(
        runs,
        path_through((run.x, run.y) for run in runs),
        (up.place(last - reach), up.place(last + reach)) if reach else None,
        _placed(levels, up),
        ticks_of(up, _MOST_TICKS),
        _LEFT,
        right,
        _BOTTOM,
        not all(run.promoted for run in runs[:-1]),
    )


def _levels(trend: Trend, figures: Mapping[str, object]) -> list[tuple[float, str]]:
    """The best promoted mean, then with a margin what is still within it."""
    best, margin = figures.get("best"), figures.get("margin")
    if not isinstance(best, int | float) or not math.isfinite(best):
        return []
    found = [(float(best), f"best {number(best)}")]
    if isinstance(margin, int | float):
        tolerable = best - margin if trend.direction == "higher" else best + margin
        found.append((tolerable, f"margin {limit(margin)}"))
    return [(value, label) for value, label in found if math.isfinite(value)]


def _placed(levels: list[tuple[float, str]], up: Span) -> tuple[Level, ...]:
    """Each label stands beside its line; where the two would overlap, they make way for each other."""
    places = [up.place(value) for value, _ in levels]
    crowded = len(places) > 1 and max(places) - min(places) < _LABEL_ROOM
    middle, apart = sum(places) / max(len(places), 1), _LABEL_ROOM / 2
    return tuple(
        Level(y, label, 4 + (y if not crowded else middle + (apart if y == max(places) else -apart)), index > 0)
        for index, (y, (_, label)) in enumerate(zip(places, levels, strict=True))
    )
