"""The percentile bootstrap of a mean, computed exactly by convolution or by resampling."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import Lattice, find_lattice, scale_to_unit

# Outside the window lies less than this share of the resampling distribution.
_TAIL = 1e-16
# A characteristic function this small is zero: only what is left of it is raised to the power n.
_ZERO = 1e-20
# The longest transform of a lattice; one that needs more is finer by far than what a mean can show.
_MAX_WINDOW = 1 << 20
_GRID_STEPS_PER_SD = 256
# The standard deviation may be that of a few outliers: the middle half of the scores must be resolved as well.
_GRID_STEPS_PER_QUARTILES = 32
_QUARTILE_STEPS_TIMES_ROOT_N = 15_000.0
# Large samples need fewer steps, for the sum smooths the grid away: what fills a window of 2**20.
_GRID_STEPS_TIMES_ROOT_N = 59_000.0
_MIN_GRID_STEPS_PER_SD = 32.0
# The range is a multiple of this many cells: halves, thirds, quarters, fifths, sixths of it lie on the grid.
_GRID_MULTIPLE = 120
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
        """The percentile interval at two-sided error ``alpha`` in (0, 1), within the range of the values.

        ``low`` is the largest mean with at most alpha/2 strictly below it, so ``mass_below(bar) <= alpha/2`` and
        ``bar <= low`` are one statement (off a lattice, up to a relative 1e-12 of the bar).
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
        wanted = _least_equal(limit, exact=self.exact)
        below = bisect_left(range(self.pmf.size), wanted, key=self._mean_at)
        # the same running sum as in interval(): another order of adding could differ in the last digit
        return float(min(1.0, np.cumsum(self.pmf[:below])[-1])) if below else 0.0

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        low = int(np.searchsorted(np.cumsum(self.pmf), alpha / 2, side="right"))
        high = self.pmf.size - 1 - int(np.searchsorted(np.cumsum(self.pmf[::-1]), alpha / 2, side="right"))
        return Interval(self._mean_at(low), self._mean_at(high))

    def _mean_at(self, index: int) -> float:
        return float(self.origin + (self.first + index) * self.step)


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
        wanted = _least_equal(limit, exact=self.exact)
        return float(np.searchsorted(self.means, wanted, side="left")) / self.means.size

    def interval(self, alpha: float) -> Interval:
        """See MeanDistribution."""
        shares = np.arange(self.means.size) / self.means.size
        below = int(np.searchsorted(shares, alpha / 2, side="right")) - 1
        return Interval(float(self.means[below]), float(self.means[-1 - below]))


def bootstrap_mean(values: NDArray[np.float64]) -> LatticeDistribution:
    """The exact resampling distribution of the mean: the n-fold convolution of the values' own distribution.

    Values on a lattice give it exactly. Others are split between the two neighbours on a grid of about 1/256 of their
    standard deviation, which keeps the mean; the little variance that this adds is taken out again.

    Args:
        values: float64 (n,), n >= 1, finite.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3 (the percentile interval);
    the convolution replaces its Monte Carlo step.
    """
    lattice = find_lattice(values)
    exact = _bootstrap_lattice(lattice) if lattice is not None else None
    return exact if exact is not None else _bootstrap_floats(values)


def resample_mean(values: NDArray[np.float64], *, n_resamples: int, rng: np.random.Generator) -> ResampledDistribution:
    """The Monte Carlo form: multinomial counts over the distinct values, in batches of bounded memory.

    Args:
        values: float64 (n,), n >= 1, finite.
        n_resamples: how many resamples to draw, >= 1.
        rng: the source of randomness.
    """
    n = values.size
    lattice = find_lattice(values)
    # whole steps add up exactly, and on every machine alike
    scaled, exponent = scale_to_unit(values) if lattice is None else (lattice.steps, 0)
    total = n if lattice is None else n * lattice.denominator
    distinct, counts = np.unique(scaled, return_counts=True)
    batch = max(1, _BATCH_CELLS // distinct.size)
    means = np.empty(n_resamples)
    for start in range(0, n_resamples, batch):
        stop = min(start + batch, n_resamples)
        means[start:stop] = rng.multinomial(n, counts / n, size=stop - start) @ distinct / total
    means.sort()
    return ResampledDistribution(np.ldexp(means, exponent), exact=lattice is not None)


def _least_equal(limit: float, *, exact: bool) -> float:
    """The least mean that is not below the limit."""
    return limit if exact else limit - abs(limit) * _RELATIVE_TOLERANCE


def _bootstrap_lattice(lattice: Lattice) -> LatticeDistribution | None:
    """None where the window would be too long."""
    points, counts = np.unique(lattice.steps, return_counts=True)
    lowest = int(points[0])
    stride = int(np.gcd.reduce(points - lowest)) or 1
    n = int(counts.sum())
    points, shares = (points - lowest) // stride, counts / n
    if _window_size(points, shares, n) > _MAX_WINDOW:
        return None
    sums = _sum_distribution(points, shares, n)
    step, origin = Fraction(stride, lattice.denominator * n), Fraction(lowest, lattice.denominator)
    return LatticeDistribution(sums.pmf, sums.first, step, origin, exact=True)


def _bootstrap_floats(values: NDArray[np.float64]) -> LatticeDistribution:
    distinct, counts = np.unique(values, return_counts=True)
    scaled, exponent = scale_to_unit(distinct)
    low, width = float(scaled[0]), float(scaled[-1] - scaled[0])
    if width == 0.0:
        return LatticeDistribution(np.ones(1), 0, Fraction(1), Fraction(float(distinct[0])), exact=False)
    n = values.size
    positions, shares = (scaled - low) / width, counts / n
    mean = float(positions @ shares)
    variance = float((positions - mean) ** 2 @ shares)
    cells = _count_cells(positions, counts, math.sqrt(variance))
    points, weights = _split_onto_grid(positions * cells, shares)
    sums = _sum_distribution(points, weights, n)
    # shrunk towards the mean, and in fractions, so that no grid point leaves the range of the values
    shrink = Fraction(min(1.0, math.sqrt(variance / float((points / cells - mean) ** 2 @ weights))))
    unit = Fraction(2) ** exponent
    span = (Fraction(float(scaled[-1])) - Fraction(low)) * unit
    origin = Fraction(low) * unit + span * Fraction(mean) * (1 - shrink)
    return LatticeDistribution(sums.pmf, sums.first, span * shrink / (cells * n), origin, exact=False)


def _count_cells(positions: NDArray[np.float64], counts: NDArray[np.int64], sd: float) -> int:
    """How many cells the range, of length 1, is divided into."""
    n = int(counts.sum())
    root = math.sqrt(n)
    usual = min(_GRID_STEPS_PER_SD, max(_MIN_GRID_STEPS_PER_SD, _GRID_STEPS_TIMES_ROOT_N / root)) / sd
    lower, upper = positions[np.searchsorted(np.cumsum(counts), [n / 4, 3 * n / 4])].tolist()
    finer = _GRID_STEPS_PER_QUARTILES / (upper - lower) if upper > lower else 0.0
    wanted = max(usual, min(finer, _QUARTILE_STEPS_TIMES_ROOT_N / root / sd))
    return max(1, int(wanted) // _GRID_MULTIPLE) * _GRID_MULTIPLE


class _Sums(NamedTuple):
    pmf: NDArray[np.float64]
    first: int


def _sum_distribution(points: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> _Sums:
    """The distribution of the sum of n independent draws of ``points`` with probabilities ``weights``.

    One FFT over a window that holds all but 1e-16 of the mass (Bernstein's inequality): sums outside it fold back
    into it, where they no longer matter.
    """
    size = _window_size(points, weights, n)
    centre = round(float(points @ weights))
    offsets = points - centre
    lowest, highest = n * int(offsets.min()), n * int(offsets.max())
    around_mean = max(lowest, math.floor(n * float(offsets @ weights)) - size // 2)
    first = lowest if highest - lowest < size else around_mean
    single = np.bincount(offsets % size, weights=weights, minlength=size)
    spectrum = np.fft.rfft(single)
    alive = np.abs(spectrum) > _ZERO ** (1 / n)
    spectrum[~alive] = 0.0
    spectrum[alive] **= n
    pmf = np.fft.irfft(spectrum, size)
    pmf = np.clip(np.roll(pmf, -first % size)[: highest - first + 1], 0.0, None)
    return _Sums(pmf / pmf.sum(), first + n * centre)


def _window_size(points: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> int:
    """The power of two that holds every sum, or all but 1e-16 of their mass where that is less."""
    mean = float(points @ weights)
    reach = float(np.abs(points - mean).max())
    variance = float(weights @ (points - mean) ** 2)
    whole = n * int(points.max() - points.min()) + 1
    needed = 2 * math.ceil(_bernstein_radius(n * variance, reach)) + 3
    return max(2, 1 << (min(whole, needed) - 1).bit_length())


def _bernstein_radius(variance: float, reach: float) -> float:
    """How far a sum of this variance, of terms within ``reach``, strays with probability at most 1e-16."""
    log_tail = math.log(2 / _TAIL)
    linear = log_tail * reach / 3
    return linear + math.sqrt(linear**2 + 2 * log_tail * variance)


class _Grid(NamedTuple):
    points: NDArray[np.int64]
    weights: NDArray[np.float64]


def _split_onto_grid(positions: NDArray[np.float64], shares: NDArray[np.float64]) -> _Grid:
    """Divide each position's share between its two neighbouring whole numbers >= 0 so that the mean stays."""
    below = np.floor(positions)
    upper = shares * (positions - below)
    index = below.astype(np.int64)
    size = int(index.max()) + 2
    weights = np.zeros(size)
    weights += np.bincount(index, weights=shares - upper, minlength=size)
    weights += np.bincount(index + 1, weights=upper, minlength=size)
    held = np.flatnonzero(weights)
    return _Grid(held, weights[held])
