"""The percentile bootstrap of a mean, computed exactly by convolution; by resampling in ``resampling``."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gate.stats.convolution import MAX_WINDOW, Draws, sum_within
from gate.stats.distributions import Interval, LatticeDistribution, MeanDistribution, ResampledDistribution
from gate.stats.grid import bootstrap_floats
from gate.stats.inversion import bootstrap_pairs
from gate.stats.lattice import CountedLattice, count_on_lattice
from gate.stats.pairs import find_steps, pairs_by_stratum, values_by_stratum
from gate.stats.ratio import bootstrap_steps
from gate.stats.resampling import resample_mean, resample_ratio
from gate.stats.units import Units

__all__ = [
    "Interval",
    "LatticeDistribution",
    "MeanDistribution",
    "ResampledDistribution",
    "bootstrap_mean",
    "bootstrap_ratio",
    "resample_mean",
    "resample_ratio",
]


def bootstrap_mean(values: NDArray[np.float64]) -> LatticeDistribution:
    """The exact resampling distribution of the mean: the n-fold convolution of the values' own distribution.

    Values on a lattice give it exactly. Others are split between the two neighbours on a grid of about 1/256 of their
    standard deviation, which keeps the mean; the little variance that this adds is taken out again.

    Args:
        values: float64 (n,), n >= 1, finite.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3 (the percentile interval);
    the convolution replaces its Monte Carlo step.
    """
    return _bootstrap_even([values])


def bootstrap_ratio(units: Units) -> MeanDistribution:
    """The exact resampling distribution of ``sum(totals) / sum(sizes)``, the units resampled within their strata.

    Even units in one stratum give that of ``bootstrap_mean``; several strata are convolved with one another. Uneven
    units give the joint distribution of both sums where totals and sizes lie on lattices coarse enough for it, else
    one convolution for each limit asked. A stratum of a single unit does not vary and adds no doubt.

    Args:
        units: (g,) units, g >= 1, finite.

    Source: Efron and Tibshirani (1993), section 8.3 (the bootstrap for several samples).
    """
    if units.even:
        return _bootstrap_even(values_by_stratum(units))
    strata = pairs_by_stratum(units)
    stepped = find_steps(strata)
    exact = bootstrap_steps(stepped) if stepped is not None else None
    return exact if exact is not None else bootstrap_pairs(strata)


def _bootstrap_even(samples: Sequence[NDArray[np.float64]]) -> LatticeDistribution:
    lattice = count_on_lattice(samples)
    exact = _bootstrap_lattice(lattice) if lattice is not None else None
    return exact if exact is not None else bootstrap_floats(samples)


def _bootstrap_lattice(lattice: CountedLattice) -> LatticeDistribution | None:
    """None where the window would be too long."""
    lows = [int(own.points[0]) for own in lattice.samples]
    counts = [int(own.counts.sum()) for own in lattice.samples]
    offsets = [own.points - low for own, low in zip(lattice.samples, lows, strict=True)]
    stride, n = math.gcd(*(int(np.gcd.reduce(own)) for own in offsets)) or 1, sum(counts)
    parts = [
        Draws(points[:, None] // stride, own.counts / count, count)
        for points, own, count in zip(offsets, lattice.samples, counts, strict=True)
    ]
    sums = sum_within(MAX_WINDOW, parts)
    if sums is None:
        return None
    total = sum(low * count for low, count in zip(lows, counts, strict=True))
    origin = Fraction(total, lattice.denominator * n)
    return LatticeDistribution(sums.pmf, sums.first[0], Fraction(stride, lattice.denominator * n), origin, exact=True)
