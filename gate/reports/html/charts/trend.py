"""How a mean went from run to run."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from gate.reports.axes import Axis
from gate.reports.html.charts.frame import Span, Tick, ticks_of

_LEFT, _RIGHT = 48.0, 420.0
_TOP, _BOTTOM = 12.0, 92.0
_Z = 1.96
_MOST_TICKS = 4


class TrendPlot(NamedTuple):
    """The line: its points from the oldest on, the last with its interval where the error of its mean is known."""

    points: tuple[tuple[float, float], ...]
    path: str
    interval: tuple[float, float] | None
    ticks: tuple[Tick, ...]
    left: float
    right: float
    bottom: float


def plot_trend(means: Sequence[float], standard_error: float | None = None) -> TrendPlot | None:
    """Draw the means in their order; None where fewer than two are finite.

    Args:
        means: the oldest first, the last is of the run that is judged.
        standard_error: of the last one.
    """
    known = [mean for mean in means if math.isfinite(mean)]
    if len(known) < 2:  # noqa: PLR2004  # a line takes two points
        return None
    reach = _Z * standard_error if standard_error is not None and math.isfinite(standard_error) else 0.0
    low, high = min(*known, known[-1] - reach), max(*known, known[-1] + reach)
    room = (high - low) / 10 or max(abs(high), 1.0) / 10
    up = Span(Axis(low - room, high + room), _BOTTOM, _TOP)
    step = (_RIGHT - _LEFT - 16) / (len(known) - 1)
    points = tuple((_LEFT + 8 + index * step, up.place(mean)) for index, mean in enumerate(known))
    path = " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(points))
    interval = (up.place(known[-1] - reach), up.place(known[-1] + reach)) if reach else None
    return TrendPlot(points, path, interval, ticks_of(up, _MOST_TICKS), _LEFT, _RIGHT, _BOTTOM)
