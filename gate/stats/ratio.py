"""The bootstrap of a ratio of sums where totals and sizes are whole steps: every ratio and its probability."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gate.stats.convolution import MAX_WINDOW, Draws, sum_within
from gate.stats.distributions import Interval
from gate.stats.pairs import Pairs, SteppedPairs

# Halvings of the range after which an end of the interval lies between neighbouring ratios.
_HALVINGS = 50


@dataclass(frozen=True, slots=True)
class RatioDistribution:
    """Ratios ``(first_total + i + slope * size) / size * unit`` with ``size = first_size + j``.

    Attributes:
        pmf: float64 (t, m), the probability of each.
        below: float64 (t, m), its running sums over i.
        first_total: the total, in steps and without what ``slope`` adds, of row 0.
        first_size: the size, in steps, of column 0, > 0.
        slope: how many steps the totals of a row grow by with each step of the size.
        unit: a total of one step over a size of one step.
        ends: the lowest and the highest ratio of any unit.
    """

    pmf: NDArray[np.float64]
    below: NDArray[np.float64]
    first_total: int
    first_size: int
    slope: int
    unit: Fraction
    ends: Interval

    def mass_below(self, limit: float) -> float:
        """See MeanDistribution."""
        if limit <= self.ends.low or limit > self.ends.high:
            return float(limit > self.ends.high)
        rows = self._rows_below(limit)
        held = np.flatnonzero(rows)
        return float(min(1.0, self.below[rows[held] - 1, held].sum()))

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        return Interval(self._low(alpha / 2), 0.0 - self._turned()._low(alpha / 2))

    def _low(self, tail: float) -> float:
        """The largest ratio with at most ``tail`` below it."""
        low, high = self.ends
        if self.mass_below(high) <= tail:
            return high
        for _ in range(_HALVINGS):
            middle = low + (high - low) / 2
            if self.mass_below(middle) <= tail:
                low = middle
            else:
                high = middle
        following = self._ratios(np.minimum(self._rows_below(low), self.pmf.shape[0] - 1))
        candidates = np.unique(following[following >= low]).tolist()
        return float(max(ratio for ratio in candidates if self.mass_below(ratio) <= tail))

    def _rows_below(self, limit: float) -> NDArray[np.intp]:
        """For each size, how many of its ratios are below the limit."""
        count, columns = self.pmf.shape
        sizes = self.first_size + np.arange(columns)
        wanted = np.ceil(limit / float(self.unit) * sizes) - self.slope * sizes - self.first_total
        rows: NDArray[np.intp] = np.clip(wanted, 0, count).astype(np.intp)
        # that was up to rounding: the correctly rounded ratio itself decides
        rows[(rows > 0) & (self._ratios(rows - 1) >= limit)] -= 1
        rows[(rows < count) & (self._ratios(rows) < limit)] += 1
        return rows

    def _ratios(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        sizes = self.first_size + np.arange(self.pmf.shape[1])
        totals = self.first_total + rows + self.slope * sizes
        ratios: NDArray[np.float64] = totals * self.unit.numerator / (sizes * self.unit.denominator)
        return ratios

    def _turned(self) -> "RatioDistribution":
        """The distribution of the negative ratios."""
        pmf, first_total = self.pmf[::-1], -(self.first_total + self.pmf.shape[0] - 1)
        ends = Interval(-self.ends.high, -self.ends.low)
        below = np.cumsum(pmf, axis=0)
        return RatioDistribution(pmf, below, first_total, self.first_size, -self.slope, self.unit, ends)


def bootstrap_steps(pairs: SteppedPairs) -> RatioDistribution | None:
    """The joint distribution of the sums of totals and sizes; None where it has too many cells."""
    slope = _slope(pairs.strata)
    parts = [_draws(own, slope) for own in pairs.strata]
    sums = sum_within(MAX_WINDOW, parts)
    if sums is None:
        return None
    pmf, (first_total, first_size) = sums
    numerator, denominator = pairs.unit.numerator, pairs.unit.denominator
    ratios = [own.totals * numerator / (own.sizes * denominator) for own in pairs.strata]
    ends = Interval(min(float(own.min()) for own in ratios), max(float(own.max()) for own in ratios))
    return RatioDistribution(pmf, np.cumsum(pmf, axis=0), first_total, first_size, slope, pairs.unit, ends)


def _slope(strata: list[Pairs]) -> int:
    """How totals grow with sizes: what is left of them then strays less, and needs a smaller window."""
    covariance = variance = 0.0
    for own in strata:
        sizes = own.sizes - float(own.sizes @ own.counts) / own.n
        covariance += float(sizes * own.totals @ own.counts)
        variance += float(sizes**2 @ own.counts)
    return round(covariance / variance) if variance else 0


def _draws(pairs: Pairs, slope: int) -> Draws:
    points = np.stack([pairs.totals - slope * pairs.sizes, pairs.sizes], axis=1).astype(np.int64)
    return Draws(points, pairs.counts / pairs.n, pairs.n)
