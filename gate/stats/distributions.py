"""The distribution of a mean over resamples: what a check asks of it, and its forms as a lattice and as draws."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

# Scores that are no lattice are compared with a limit up to this share of it.
_RELATIVE_TOLERANCE = 1e-12


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


class MeanDistribution(Protocol):
    """The distribution of the mean over resamples of the items, or of the groups they come in."""

    def mass_below(self, limit: float) -> float:
        """The probability that a resample's mean is strictly below ``limit``."""
        ...

    def interval(self, alpha: float) -> Interval:
        """The percentile interval at two-sided error ``alpha`` in (0, 1), within the range of the values.

        ``low`` is the largest mean with at most alpha/2 strictly below it, so ``mass_below(bar) <= alpha/2`` and
        ``bar <= low`` are one statement: off a lattice up to a relative 1e-12 of the bar, and for the ratio of sums
        off a lattice up to 1e-7 of the mean's standard error as well.
        """
        ...


@dataclass(frozen=True, slots=True)
class LatticeDistribution:
    """Means at ``origin + (first + j) * step`` with probability ``pmf[j]``.

    Attributes:
        pmf: float64 (w,).
        first: the sum, in steps, that ``pmf[0]`` belongs to.
        step: the distance between neighbouring means.
        origin: the mean at sum 0.
        exact: the step is exact, so that limits are compared without a tolerance.
    """

    pmf: NDArray[np.float64]
    first: int
    step: Fraction
    origin: Fraction
    exact: bool

    def mass_below(self, limit: float) -> float:
        """See MeanDistribution."""
        wanted = least_equal(limit, exact=self.exact)
        below = bisect_left(range(self.pmf.size), wanted, key=self._mean_at)
        # the same running sum as in interval(): another order of adding could differ in the last digit
        return float(min(1.0, np.cumsum(self.pmf[:below])[-1])) if below else 0.0

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        low = int(np.searchsorted(np.cumsum(self.pmf), alpha / 2, side="right"))
        high = self.pmf.size - 1 - int(np.searchsorted(np.cumsum(self.pmf[::-1]), alpha / 2, side="right"))
        return Interval(self._mean_at(low), self._mean_at(high))

    def _mean_at(self, index: int) -> float:
        # the sum of two fractions, but for the search of their common divisor: a quotient of integers is rounded once
        below = self.origin.denominator * self.step.denominator
        moved = (self.first + index) * self.step.numerator * self.origin.denominator
        return (self.origin.numerator * self.step.denominator + moved) / below


@dataclass(frozen=True, slots=True)
class ResampledDistribution:
    """Means of resamples actually drawn.

    Attributes:
        means: float64 (n_resamples,), sorted.
        exact: the means are correctly rounded, so that limits are compared without a tolerance.
    """

    means: NDArray[np.float64]
    exact: bool = False

    def mass_below(self, limit: float) -> float:
        """See MeanDistribution."""
        wanted = least_equal(limit, exact=self.exact)
        return float(np.searchsorted(self.means, wanted)) / self.means.size

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        shares = np.arange(self.means.size) / self.means.size
        below = int(np.searchsorted(shares, alpha / 2, side="right")) - 1
        return Interval(float(self.means[below]), float(self.means[-1 - below]))


def at_one_point(mean: Fraction) -> LatticeDistribution:
    """The distribution of a mean that no resample changes."""
    return LatticeDistribution(np.ones(1), 0, Fraction(1), mean, exact=False)


def least_equal(limit: float, *, exact: bool) -> float:
    """The least mean that is not below the limit."""
    return limit if exact or math.isinf(limit) else limit - abs(limit) * _RELATIVE_TOLERANCE
