"""The percentile bootstrap of a mean, computed exactly by convolution or by resampling."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import as_written, find_lattice

# Outside the window lies less than this share of the resampling distribution.
_TAIL = 1e-16
_GRID_STEPS_PER_SD = 256
# Scores that are no lattice are compared with a limit up to this share of it.
_RELATIVE_TOLERANCE = 1e-12
_BATCH_CELLS = 4_000_000


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


class MeanDistribution(Protocol):
    """The distribution of the mean over resamples of the items."""

    def mass_below(self, limit: float) -> float:
        """The probability that a resample's mean is strictly below ``limit``."""
        ...

    def interval(self, alpha: float) -> Interval:
        """The percentile interval at two-sided error ``alpha`` in (0, 1).

        ``low`` is the largest mean with at most alpha/2 strictly below it, so ``mass_below(bar) <= alpha/2`` and
        ``bar <= low`` are one statement.
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
        wanted = as_written(limit)
        if not self.exact:
            wanted -= as_written(abs(limit) * _RELATIVE_TOLERANCE)
        steps_below = math.ceil((wanted - self.origin) / self.step) - self.first
        return float(min(1.0, self.pmf[: max(0, steps_below)].sum()))

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        low = int(np.searchsorted(np.cumsum(self.pmf), alpha / 2, side="right"))
        high = self.pmf.size - 1 - int(np.searchsorted(np.cumsum(self.pmf[::-1]), alpha / 2, side="right"))
        return Interval(self._mean_at(low), self._mean_at(high))

    def _mean_at(self, index: int) -> float:
        return float(self.origin + (self.first + index) * self.step)


@dataclass(frozen=True, slots=True)
class ResampledDistribution:
    """Means of resamples actually drawn: float64 (n_resamples,), sorted."""

    means: NDArray[np.float64]

    def mass_below(self, limit: float) -> float:
        """See MeanDistribution; limits are compared up to a relative 1e-12."""
        wanted = limit - abs(limit) * _RELATIVE_TOLERANCE
        return float(np.searchsorted(self.means, wanted, side="left")) / self.means.size

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        below = math.floor(alpha / 2 * self.means.size)
        return Interval(float(self.means[below]), float(self.means[-1 - below]))


def bootstrap_mean(values: NDArray[np.float64]) -> LatticeDistribution:
    """The exact resampling distribution of the mean: the n-fold convolution of the values' own distribution.

    Values on a lattice give it exactly. Others are split between the two neighbours on a grid of 1/256 of their
    standard deviation, which keeps the mean; the little variance that this adds is taken out again.

    Args:
        values: float64 (n,), n >= 1, finite.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3 (the percentile interval);
    the convolution replaces its Monte Carlo step.
    """
    n = values.size
    lattice = find_lattice(values)
    if lattice is not None:
        points, counts = np.unique(lattice.steps, return_counts=True)
        sums = _sum_distribution(points, counts / n, n)
        return LatticeDistribution(sums.pmf, sums.first, Fraction(1, lattice.denominator * n), Fraction(0), exact=True)
    mean, spread = float(values.mean()), float(values.std())
    grid = spread / _GRID_STEPS_PER_SD
    points, weights = _split_onto_grid((values - mean) / grid)
    sums = _sum_distribution(points, weights, n)
    added = float(weights @ (points * grid) ** 2) / spread**2
    step = Fraction(grid / n / math.sqrt(added))
    return LatticeDistribution(sums.pmf, sums.first, step, Fraction(mean), exact=False)


def resample_mean(values: NDArray[np.float64], *, n_resamples: int, rng: np.random.Generator) -> ResampledDistribution:
    """The Monte Carlo form: multinomial counts over the distinct values, in batches of bounded memory.

    Args:
        values: float64 (n,), n >= 1, finite.
        n_resamples: how many resamples to draw, >= 1.
        rng: the source of randomness.
    """
    distinct, counts = np.unique(values, return_counts=True)
    n = values.size
    batch = max(1, _BATCH_CELLS // distinct.size)
    means = np.empty(n_resamples)
    for start in range(0, n_resamples, batch):
        stop = min(start + batch, n_resamples)
        means[start:stop] = rng.multinomial(n, counts / n, size=stop - start) @ distinct / n
    means.sort()
    return ResampledDistribution(means)


class _Sums(NamedTuple):
    pmf: NDArray[np.float64]
    first: int


def _sum_distribution(points: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> _Sums:
    """The distribution of the sum of n independent draws of ``points`` with probabilities ``weights``.

    One FFT over a window that holds all but 1e-16 of the mass (Bernstein's inequality): sums outside it fold back
    into it, where they no longer matter.
    """
    centre = round(float(points @ weights))
    offsets = points - centre
    mean = float(offsets @ weights)
    variance = float(weights @ (offsets - mean) ** 2)
    reach = float(np.abs(offsets - mean).max())
    if reach == 0.0:
        return _Sums(np.ones(1), n * centre)
    whole = n * int(offsets.max() - offsets.min()) + 1
    needed = 2 * math.ceil(_bernstein_radius(n * variance, reach)) + 3
    size = 1 << (min(whole, needed) - 1).bit_length()
    first = n * int(offsets.min()) if whole <= needed else math.floor(n * mean) - size // 2
    single = np.bincount(offsets % size, weights=weights, minlength=size)
    pmf = np.fft.irfft(np.fft.rfft(single) ** n, size)
    pmf = np.clip(np.roll(pmf, -first % size), 0.0, None)
    return _Sums(pmf / pmf.sum(), first + n * centre)


def _bernstein_radius(variance: float, reach: float) -> float:
    """How far a sum of this variance, of terms within ``reach``, strays with probability at most 1e-16."""
    log_tail = math.log(2 / _TAIL)
    linear = log_tail * reach / 3
    return linear + math.sqrt(linear**2 + 2 * log_tail * variance)


class _Grid(NamedTuple):
    points: NDArray[np.int64]
    weights: NDArray[np.float64]


def _split_onto_grid(positions: NDArray[np.float64]) -> _Grid:
    """Share each position's mass between its two neighbouring whole numbers so that the mean stays."""
    below = np.floor(positions)
    share = positions - below
    first = int(below.min())
    index = below.astype(np.int64) - first
    size = int(index.max()) + 2
    weights = np.bincount(index, weights=1 - share, minlength=size) + np.bincount(
        index + 1, weights=share, minlength=size
    )
    held = np.flatnonzero(weights)
    return _Grid(held + first, weights[held] / positions.size)
