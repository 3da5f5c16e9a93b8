"""The common measures of the charts, and round figures along an axis."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from gate.reports.axes import Axis

# In units of the drawing; a chart without labels beside it goes from LEFT to RIGHT.
WIDTH = 440
LEFT, RIGHT = 12.0, WIDTH - 12.0
# Of the small drawings in the rows of a table.
STRIP = 160.0
_MOST_TICKS = 6


class Span(NamedTuple):
    """A stretch of the drawing, and the axis that lies on it."""

    axis: Axis
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where the value stands; values beyond an end of the axis stand at that end."""
        return self.start + self.axis.share(value) * (self.end - self.start)


class Tick(NamedTuple):
    """A mark on an axis, and its figure."""

    place: float
    label: str


def path_through(points: Iterable[tuple[float, float]]) -> str:
    """The straight lines from point to point, each an x and a y, as an SVG path has them."""
    return " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(points))


def ticks_of(span: Span, most: int = _MOST_TICKS) -> tuple[Tick, ...]:
    """Round figures on the axis: multiples of 1, 2 or 5 times a power of ten, at most ``most`` of them."""
    low, high = span.axis
    width = high - low
    if not (math.isfinite(width) and width > 0):
        return tuple(Tick(span.place(end), f"{end:.6g}") for end in dict.fromkeys(span.axis))
    power = 10.0 ** (math.floor(math.log10(width)) - 1)
    for step in (times * power for times in (1, 2, 5, 10, 20, 50)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            # adding zero turns -0.0 into 0.0
            values = [index * step + 0.0 for index in range(first, last + 1)]
            return tuple(Tick(span.place(value), f"{value:.6g}") for value in values)
    return ()
