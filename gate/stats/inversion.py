"""The bootstrap of a ratio of sums off a lattice: it lies below t where the sum of total - t * size is below zero."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.convolution import MAX_WINDOW, Draws, Sums, sum_within
from gate.stats.distributions import Interval, LatticeDistribution, at_one_point, least_equal
from gate.stats.grid import split_between_neighbours, steps_per_unit
from gate.stats.pairs import Pairs, scale_pairs

# A spread below this share of the largest total is rounding; so is a difference of two ratios.
_ROUNDING = 1e-14
# Few units are resolved more finely: what fills a window of 2**17.
_STEPS_TIMES_ROOT_N = 8_000.0
# The ends of an interval are found up to this share of the standard error.
_TOLERANCE = 1e-7
# The least probability that the search tells from none.
_LEAST = 1e-16
# The longest transform, which is twice what units of like weight need.
_LEAST_WINDOW = 1 << 18
_WINDOW_OVER_ROOT_N = 8_192.0
# Farther away from zero than so many cells, doubles no longer tell where within its cell a contrast lies.
_MAX_CELLS = 2.0**45
_DIGITS = 13
# Steps along the slope, enough where the distribution is smooth, before the search halves what is left.
_QUICK_STEPS = 8


class _Normal(NamedTuple):
    """Where a distribution lies, roughly."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class InvertedDistribution:
    """Ratios of sums of any floats, one convolution for each probability asked.

    On a fixed grid the probability rises with the limit without a jump, so that a root search finds an interval's end.

    Attributes:
        strata: the units, totals and sizes each scaled by a power of two to within [-1, 1].
        exponent: of the power of two that a scaled ratio lacks.
        cell: the grid's step for ``total - t * size``.
        mean: the scaled ratio.
        error: its standard error.
        ends: the lowest and the highest scaled ratio of any unit.
        at_low: the probability of the lowest: that every draw has it.
        at_high: the same of the highest.
    """

    strata: list[Pairs]
    exponent: int
    cell: float
    mean: float
    error: float
    ends: Interval
    at_low: float
    at_high: float

    def mass_below(self, limit: float) -> float:
        """See MeanDistribution."""
        wanted = least_equal(limit, exact=False)
        if wanted <= self._unscaled(self.ends.low):
            return 0.0
        if wanted > self._unscaled(self.ends.high):
            return 1.0
        return self._mass_below(math.ldexp(wanted, -self.exponent))

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        ends = self._low(alpha / 2), 0.0 - self._turned()._low(alpha / 2)
        # the two may be the same ratio, and each known up to the grid
        return Interval(self._unscaled(min(ends)), self._unscaled(max(ends)))

    def _low(self, tail: float) -> float:
        """The largest scaled ratio with at most ``tail`` below it, up to the tolerance."""
        if self.at_low > tail:
            return self.ends.low
        if self._mass_below(self.ends.high) <= tail:
            return self.ends.high
        return _last_within(tail, self._mass_below, self.ends, _Normal(self.mean, self.error))

    def _mass_below(self, t: float) -> float:
        """Of a scaled ratio within the ends, but above the lower."""
        sums = _sum_of_contrasts(_contrasts(self.strata, t), self.strata, self.cell)
        below = max(0, -sums.first[0])
        # where no ratio lies in between, the transform's rounding is no difference
        return min(1.0 - self.at_high, max(self.at_low, round(float(sums.pmf[:below].sum()), _DIGITS)))

    def _turned(self) -> "InvertedDistribution":
        """The distribution of the negative ratios."""
        strata = [own._replace(totals=-own.totals) for own in self.strata]
        ends = Interval(-self.ends.high, -self.ends.low)
        return InvertedDistribution(
            strata, self.exponent, self.cell, -self.mean, self.error, ends, self.at_high, self.at_low
        )

    def _unscaled(self, ratio: float) -> float:
        with np.errstate(over="ignore"):
            return float(np.ldexp(ratio, self.exponent))


def bootstrap_pairs(strata: list[Pairs]) -> InvertedDistribution | LatticeDistribution:
    """The resampling distribution of ``sum(totals) / sum(sizes)``, each stratum resampled on its own.

    Source: Fieller, Some Problems in Interval Estimation (1954), for the ratio as a contrast.
    """
    scaled, exponent = scale_pairs(strata)
    n, size = sum(p.n for p in scaled), sum(float(p.sizes @ p.counts) for p in scaled)
    ratios = np.concatenate([p.totals / p.sizes for p in scaled])
    ends = Interval(float(ratios.min()), float(ratios.max()))
    mean = min(max(sum(float(p.totals @ p.counts) for p in scaled) / size, ends.low), ends.high)
    contrasts = _contrasts(scaled, mean)
    spread = math.sqrt(sum(_spread(z, p.counts) for z, p in zip(contrasts, scaled, strict=True)))
    if spread <= _ROUNDING * math.sqrt(n):
        return at_one_point(Fraction(mean) * Fraction(2) ** exponent)
    sd = spread / math.sqrt(n)
    quartiles = min(
        filter(None, (_quartile_distance(z, p.counts) for z, p in zip(contrasts, scaled, strict=True))), default=0.0
    )
    cell = 1.0 / max(steps_per_unit(n, sd, quartiles), _STEPS_TIMES_ROOT_N / spread)
    at_low, at_high = _mass_at(ends.low, scaled), _mass_at(ends.high, scaled)
    return InvertedDistribution(scaled, exponent, cell, mean, spread / size, ends, at_low, at_high)


def _contrasts(strata: list[Pairs], t: float) -> list[NDArray[np.float64]]:
    return [own.totals - t * own.sizes for own in strata]


def _sum_of_contrasts(contrasts: list[NDArray[np.float64]], strata: list[Pairs], cell: float) -> Sums:
    """In cells about zero, so that draws whose ratio is the limit itself are not below it."""
    n = sum(own.n for own in strata)
    longest = max(_LEAST_WINDOW, min(MAX_WINDOW, int(_WINDOW_OVER_ROOT_N * math.sqrt(n))))
    span = max(float(z.max() - z.min()) for z in contrasts)
    furthest = max(float(np.abs(z).max()) for z in contrasts)
    # far from the mean, where one unit may outweigh all others, the grid is as fine as its window allows
    cell = max(cell, span / longest, furthest / _MAX_CELLS)
    while True:
        sums = sum_within(longest, [_draws(z / cell, own) for z, own in zip(contrasts, strata, strict=True)])
        if sums is not None:
            return sums
        cell *= 2


def _draws(positions: NDArray[np.float64], pairs: Pairs) -> Draws:
    below, upper = split_between_neighbours(positions)
    points, n = np.concatenate([below, below + 1]), pairs.n
    weights = np.concatenate([pairs.counts * (1.0 - upper), pairs.counts * upper])
    return Draws(points[weights > 0, None], weights[weights > 0] / n, n)


def _spread(contrasts: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """The variance of the sum of as many draws as there are."""
    mean = float(contrasts @ counts) / int(counts.sum())
    return float((contrasts - mean) ** 2 @ counts)


def _quartile_distance(contrasts: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    order = np.argsort(contrasts)
    running = np.cumsum(counts[order])
    lower, upper = contrasts[order][np.searchsorted(running, [running[-1] / 4, 3 * running[-1] / 4])].tolist()
    return float(upper - lower)


def _mass_at(end: float, strata: list[Pairs]) -> float:
    """The probability that every draw has this ratio."""
    mass = 1.0
    for own in strata:
        tied = np.abs(own.totals - end * own.sizes) <= _ROUNDING * np.abs(own.totals)
        mass *= (int(own.counts[tied].sum()) / own.n) ** own.n
    return mass


def _normal_score(probability: float) -> float:
    """The normal quantile, up to 0.003: makes a distribution function nearly straight.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.2.22.
    """
    tail = max(_LEAST, min(probability, 1.0 - probability))
    root = math.sqrt(-2.0 * math.log(tail))
    score = root - (2.30753 + 0.27061 * root) / (1.0 + 0.99229 * root + 0.04481 * root**2)
    return math.copysign(score, probability - 0.5)


def _last_within(tail: float, mass_below: Callable[[float], float], ends: Interval, rough: _Normal) -> float:
    """The largest t with ``mass_below(t) <= tail``, up to the tolerance below it: secants of the normal score."""
    low, high = ends
    tolerance = max(_TOLERANCE * rough.error, 4 * math.ulp(max(abs(low), abs(high))))
    wanted, slope = _normal_score(tail), 1.0 / rough.error
    at, last_at, last = rough.mean + rough.error * wanted, math.nan, math.nan
    for step in itertools.count():
        if not low < at < high or step >= _QUICK_STEPS:
            at = low + (high - low) / 2
        mass = mass_below(at)
        low, high = (at, high) if mass <= tail else (low, at)
        if high - low <= tolerance:
            break
        score = _normal_score(mass) - wanted
        # of the first step nothing but the rough slope is known: a comparison with NaN is false
        secant = (score - last) / (at - last_at)
        slope = secant if secant > 0 else slope
        last_at, last = at, score
        # a little past the root, for the next step to close in on it from its other side
        at += -score / slope + (tolerance / 4 if mass <= tail else -tolerance / 4)
    return low
