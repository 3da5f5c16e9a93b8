"""The mean of scores that lie on no lattice: split between the two neighbours on a fine grid, and convolved."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.convolution import Draws, sum_distribution
from gate.stats.distributions import LatticeDistribution, at_one_point
from gate.stats.lattice import CHUNK, exponent_of

_STEPS_PER_SD = 256
# The standard deviation may be that of a few outliers: the middle half of the scores must be resolved as well.
_STEPS_PER_QUARTILES = 32
_QUARTILE_STEPS_TIMES_ROOT_N = 15_000.0
# Large samples need fewer steps, for the sum smooths the grid away: what fills a window of 2**20.
_STEPS_TIMES_ROOT_N = 59_000.0
_MIN_STEPS_PER_SD = 32.0
# The range is a multiple of this many cells: halves, thirds, quarters, fifths, sixths of it lie on the grid.
_MULTIPLE = 120
# Shares of a cell are rounded to this: whole numbers add up to the same in any order.
_SHARES = 2.0**26
_COARSE_STEPS = 2.0**19


class Split(NamedTuple):
    """Positions divided between the whole numbers below and above, so that the mean stays.

    Attributes:
        below: int64 (n,).
        upper: float64 (n,), the share in [0, 1] that belongs to ``below + 1``.
    """

    below: NDArray[np.int64]
    upper: NDArray[np.float64]


class _Sample(NamedTuple):
    """Scores as positions: 0 at their lowest, and 1 for the width of the widest sample above that."""

    scores: NDArray[np.float64]
    exponent: int
    low: float
    width: float

    @property
    def n(self) -> int:
        return self.scores.size

    def positions(self) -> Iterator[NDArray[np.float64]]:
        """In pieces, which bounds the memory."""
        for start in range(0, self.n, CHUNK):
            yield (np.ldexp(self.scores[start : start + CHUNK], -self.exponent) - self.low) / self.width


class _Gridded(NamedTuple):
    draws: Draws
    mean: float
    variance: float
    added: float


def bootstrap_floats(samples: Sequence[NDArray[np.float64]]) -> LatticeDistribution:
    """The resampling distribution of the mean over all samples, each resampled on its own, up to the grid.

    The little variance that splitting adds is taken out again. Beside the samples and one copy of them for their
    quartiles, the memory does not grow with n.

    Args:
        samples: each float64 (n,), n >= 1, finite.
    """
    placed = _place(samples)
    n, unit = sum(sample.n for sample in placed), Fraction(2) ** placed[0].exponent
    lowest = sum((sample.n * Fraction(sample.low) for sample in placed), Fraction()) / n * unit
    if placed[0].width == 0.0:
        return at_one_point(lowest)
    sd = math.sqrt(sum(sample.n * _rough_variance(sample) for sample in placed) / n)
    cells = _count_cells(n, sd, min(filter(None, map(_quartile_distance, placed)), default=0.0))
    gridded = [_put_on_grid(sample, cells) for sample in placed]
    sums = sum_distribution([each.draws for each in gridded])
    spread = sum(each.draws.times * each.variance for each in gridded)
    added = sum(each.draws.times * each.added for each in gridded)
    mean = sum(each.draws.times * each.mean for each in gridded) / (n * cells)
    # shrunk towards the mean, and in fractions, so that no grid point leaves the range of the scores
    shrink = Fraction(math.sqrt(max(0.0, 1.0 - added / spread)))
    width = Fraction(placed[0].width) * unit
    origin = lowest + width * Fraction(mean) * (1 - shrink)
    return LatticeDistribution(sums.pmf, sums.first[0], width * shrink / (cells * n), origin, exact=False)


def _place(samples: Sequence[NDArray[np.float64]]) -> list[_Sample]:
    exponent = max(exponent_of(sample) for sample in samples)
    ends = [np.ldexp([sample.min(), sample.max()], -exponent).tolist() for sample in samples]
    width = max(high - low for low, high in ends)
    return [_Sample(sample, exponent, low, width) for sample, (low, _) in zip(samples, ends, strict=True)]


def steps_per_unit(n: int, sd: float, quartile_distance: float) -> float:
    """How many grid steps a unit needs.

    Args:
        n: how many draws are summed.
        sd: the standard deviation of a draw, > 0.
        quartile_distance: between the quartiles of a draw, >= 0.
    """
    root = math.sqrt(n)
    usual = min(_STEPS_PER_SD, max(_MIN_STEPS_PER_SD, _STEPS_TIMES_ROOT_N / root)) / sd
    finer = _STEPS_PER_QUARTILES / quartile_distance if quartile_distance > 0 else 0.0
    return max(usual, min(finer, _QUARTILE_STEPS_TIMES_ROOT_N / root / sd))


def split_between_neighbours(positions: NDArray[np.float64]) -> Split:
    """Divide (n,) positions, in cells, between their two neighbouring grid points."""
    below = np.floor(positions)
    return Split(below.astype(np.int64), np.rint((positions - below) * _SHARES) / _SHARES)


def _count_cells(n: int, sd: float, quartile_distance: float) -> int:
    """How many cells the range, of length 1, is divided into."""
    return max(1, int(steps_per_unit(n, sd, quartile_distance)) // _MULTIPLE) * _MULTIPLE


def _rough_variance(sample: _Sample) -> float:
    """Of the positions, in whole numbers for the sums to be the same in any order."""
    highest = max(float(positions.max()) for positions in sample.positions())
    if highest == 0.0:
        return 0.0
    total = squares = 0
    for positions in sample.positions():
        steps = np.rint(positions / highest * _COARSE_STEPS).astype(np.int64)
        total, squares = total + int(steps.sum()), squares + int(steps @ steps)
    return (sample.n * squares - total**2) / sample.n**2 * (highest / _COARSE_STEPS) ** 2


def _quartile_distance(sample: _Sample) -> float:
    ranks = [max(0, math.ceil(part * sample.n / 4) - 1) for part in (1, 3)]
    lower, upper = np.ldexp(np.partition(sample.scores, ranks)[ranks], -sample.exponent).tolist()
    return float(upper - lower) / sample.width


def _put_on_grid(sample: _Sample, cells: int) -> _Gridded:
    size = cells + 2
    held, added = np.zeros(size), 0.0
    for positions in sample.positions():
        below, upper = split_between_neighbours(positions * cells)
        rising = np.bincount(below, weights=upper, minlength=size)
        held += np.bincount(below, minlength=size) - rising
        held[1:] += rising[:-1]
        added += float(np.rint(upper * (1.0 - upper) * _SHARES).sum())
    points = np.flatnonzero(held)
    weights = held[points] / sample.n
    mean = float(points @ weights)
    variance = float((points - mean) ** 2 @ weights)
    return _Gridded(Draws(points[:, None], weights, sample.n), mean, variance, added / _SHARES / sample.n)
