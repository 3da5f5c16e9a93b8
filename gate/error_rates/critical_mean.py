"""The mean from which scores like these clear a bar."""

import math
from bisect import bisect_left
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.checks.threshold import ThresholdOptions
from gate.scores.model import Scale
from gate.stats.bootstrap import bootstrap_ratio
from gate.stats.dirichlet import exact_p
from gate.stats.units import Units, linearised_variance

# Beyond so many units the mean is normal for all that a rate in percent can show.
_MOST_UNITS = 5000
# The ends of the scale count as so much of a unit, for a score that none has got yet may still come.
_RARE = 0.01
_TILTS = 6000
_TILT_STEP = 0.01


class CriticalMeans(NamedTuple):
    """Where the threshold check turns, in the units' own turn; infinite where it never does.

    Attributes:
        fails_below: means below this fail.
        warns_below: means from there to below this warn.
    """

    fails_below: float
    warns_below: float

    def fails(self, means: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Bool (r,): which of (r,) means fail."""
        below: NDArray[np.bool_] = means < self.fails_below
        return below

    def warns(self, means: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Bool (r,): which of (r,) means warn."""
        between: NDArray[np.bool_] = ~self.fails(means) & (means < self.warns_below)
        return between


NO_BAR = CriticalMeans(-math.inf, -math.inf)


def find_critical_means(units: Units, bar: float, options: ThresholdOptions, scale: Scale) -> CriticalMeans:
    """Move scores like these up and down until the threshold check turns.

    Args:
        units: scores like those that will be held against the bar, higher is better.
        bar: in their turn.
        options: method, alpha and guard.
        scale: in their turn.
    """
    half = options.alpha / 2
    if units.sizes.size > _MOST_UNITS:
        reach = NormalDist().inv_cdf(1 - half) * math.sqrt(linearised_variance(units))
        return CriticalMeans(bar + reach, bar + reach)
    by_exact = _turning_mean(units, scale, lambda moved: exact_p(moved, bar, lowest=scale.low) <= half)
    if options.method == "exact":
        return CriticalMeans(by_exact, by_exact)
    by_bootstrap = _turning_mean(units, scale, lambda moved: bootstrap_ratio(moved).mass_below(bar) <= half)
    if options.guard == "off":
        return CriticalMeans(by_bootstrap, by_bootstrap)
    strictest = max(by_bootstrap, by_exact)
    return CriticalMeans(by_bootstrap if options.guard == "warn" else strictest, strictest)


def _turning_mean(units: Units, scale: Scale, clears: Callable[[Units], bool]) -> float:
    """The smallest mean that clears, less half a step; infinite where all or none do."""
    tilts = range(-_TILTS, _TILTS + 1)
    ladder = _ladder(units, scale)
    found = bisect_left(tilts, True, key=lambda tilt: clears(_tilted(units, ladder, tilt)))
    if found == len(tilts):
        return math.inf
    if found == 0:
        return -math.inf
    return (_tilted(units, ladder, tilts[found]).mean + _tilted(units, ladder, tilts[found - 1]).mean) / 2


class _Ladder(NamedTuple):
    """The scores there are, from the worst to the best, and how usual each is."""

    values: NDArray[np.float64]
    usual: NDArray[np.float64]
    range: float


def _ladder(units: Units, scale: Scale) -> _Ladder:
    """Every unit's score, and the ends of the scale as the rare scores that no unit may have got yet."""
    rising = np.sort(units.values)
    usual = np.concatenate([[_RARE], np.ones(rising.size), [_RARE]])
    return _Ladder(np.concatenate([[scale.low], rising, [scale.high]]), usual, scale.high - scale.low)


def _tilted(units: Units, ladder: _Ladder, tilt: int) -> Units:
    """As many units, with scores as they are likely to be among runs whose mean is so much higher or lower.

    Given its mean, a sample is distributed like its source with every score weighed by an exponential of it (Gibbs'
    conditioning principle; Cover and Thomas, Elements of Information Theory, 2006, section 11.6).
    """
    exponents = tilt * _TILT_STEP * (ladder.values - ladder.values[0]) / ladder.range
    shares = np.cumsum(ladder.usual * np.exp(exponents - exponents.max()))
    count = units.sizes.size
    drawn = ladder.values[np.searchsorted(shares / shares[-1], (np.arange(count) + 0.5) / count)]
    # in the order of the units' own scores, so that each size keeps to scores like its own
    placed = np.empty(count)
    placed[np.argsort(units.values, kind="stable")] = drawn
    return units._replace(totals=placed * units.sizes)
