"""The line that an interval is drawn on: the whole scale, or round figures around what there is to see."""

import math
import sys
from typing import NamedTuple

from gate.evidence import IntervalEvidence

# An interval that, with its limit, takes less than this share of the scale is drawn on a part of the scale.
_LEAST_SHARE = 1 / 4
_MOST_STEPS = 4


class Axis(NamedTuple):
    """The line's ends, low <= high."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """How far along the line the value stands, 0 to 1; values beyond an end stand at that end."""
        largest = max(abs(self.low), abs(self.high))
        if self.low == self.high or largest == 0:
            return 1 / 2
        # divided first: the difference of two huge ends would overflow
        low, high, at = self.low / largest, self.high / largest, value / largest
        return min(1.0, max(0.0, (at - low) / (high - low)))


def scale_of(evidence: IntervalEvidence) -> Axis:
    """The metric's scale, widened to hold the interval; without end where it is unknown."""
    ends = evidence.axis
    if ends is None or not all(map(math.isfinite, ends)):
        return Axis(-math.inf, math.inf)
    return Axis(min(*ends, evidence.estimate.low), max(*ends, evidence.estimate.high))


def axis_of(evidence: IntervalEvidence, scale: Axis) -> Axis:
    """The whole scale, or round figures around interval and limit where these would crowd on a small part of it."""
    points = [evidence.estimate.low, evidence.estimate.high]
    if evidence.limit is not None and math.isfinite(evidence.limit) and scale.low <= evidence.limit <= scale.high:
        points.append(evidence.limit)
    low, high = min(points), max(points)
    if not math.isfinite(high - low):
        return Axis(low, high)
    if high - low >= _LEAST_SHARE * (scale.high - scale.low):
        return scale
    around = _round_ends(low, high)
    axis = Axis(max(around.low, scale.low), min(around.high, scale.high))
    return axis if all(map(math.isfinite, axis)) else Axis(low, high)


def _round_ends(low: float, high: float) -> Axis:
    """Ends at least half a step beyond ``low`` and ``high``, the step being 1, 2 or 5 times a power of ten."""
    least = (high - low) / _MOST_STEPS
    if least <= sys.float_info.epsilon * max(abs(low), abs(high), 1.0):
        return Axis(low - 1, high + 1)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= least or times == 10)  # noqa: PLR2004
    return Axis(math.floor(low / step - 0.5) * step, math.ceil(high / step + 0.5) * step)
