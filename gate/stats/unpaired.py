"""The one-sided test that a candidate on other items than the baseline has the lower mean."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.fisher import fisher_p
from gate.stats.lattice import ROUNDING, scale_to_unit
from gate.stats.relabelling import HYPERGEOMETRIC_COST, relabelled_sums
from gate.stats.units import Units
from gate.stats.welch import welch_p

# Values equal to so many digits of the largest residual are one.
_DIGITS = 12
# Sums that differ by this share of all residuals are equal: they differ by rounding.
_TIE = 1e-14
_LEAST_P = 1e-16
# Beyond so many shuffled units in all, neighbours in value are merged into so many blocks.
_MAX_SHUFFLED = 10_000_000
_BLOCKS = 256


def two_sample_p(baseline: Units, candidate: Units, *, n_permutations: int, rng: np.random.Generator) -> float:
    """P(the candidate's mean is this low) if the units of both runs came from one population.

    Units of equal size with two values, such as single pass/fail items: Fisher's exact test. Others: the permutation
    test of the difference of (ratio) means, whole units being dealt out to the runs anew. Where no draw reaches the
    observed difference, the smaller of the draws' bound and Welch's t tail counts, but no less than the one way
    in so many of dealing out the units. Where there are very many unlike units, neighbours in value count as their
    mean, in both runs alike, which keeps the test's error.

    Args:
        baseline: (g,) units. Strata are not told apart: the two runs need not number them alike.
        candidate: (h,) units of other items.
        n_permutations: how many to draw, >= 1.
        rng: the source of randomness.

    Returns:
        A probability in [1e-16, 1]; 1.0 where a run is empty or all scores are equal, up to rounding.

    Source: Fisher, The Design of Experiments (1935); Pitman, Significance Tests which May be Applied to Samples from
    Any Populations (1937).
    """
    pooled = _pool(baseline, candidate)
    if pooled is None:
        return 1.0
    if pooled.even and pooled.residuals.size == 2:  # noqa: PLR2004  # two values are what Fisher's test is for
        hits = int(pooled.candidate[1])
        exact = fisher_p(hits, pooled.chosen, all_hits=hits + int(pooled.baseline[1]), units=pooled.units)
        return max(_LEAST_P, exact)
    p_value, resolved = _permuted(pooled, n_permutations=n_permutations, rng=rng)
    if not resolved:
        beyond = welch_p(baseline, candidate)
        p_value = p_value if beyond is None else min(p_value, max(beyond, _one_way(pooled)))
    return max(_LEAST_P, p_value)


class _Pooled(NamedTuple):
    """The distinct units of both runs, rising.

    Attributes:
        residuals: float64 (d,), total less pooled mean times size, in [-1, 1].
        sizes: float64 (d,), in (0, 1].
        baseline: int64 (d,), how many such units the baseline has.
        candidate: int64 (d,), and the candidate.
        even: all units are of one size.
    """

    residuals: NDArray[np.float64]
    sizes: NDArray[np.float64]
    baseline: NDArray[np.int64]
    candidate: NDArray[np.int64]
    even: bool

    @property
    def counts(self) -> NDArray[np.int64]:
        return self.baseline + self.candidate

    @property
    def units(self) -> int:
        return int(self.counts.sum())

    @property
    def chosen(self) -> int:
        return int(self.candidate.sum())


def _pool(baseline: Units, candidate: Units) -> _Pooled | None:
    """None where there is nothing to compare."""
    if baseline.sizes.size == 0 or candidate.sizes.size == 0:
        return None
    values = np.concatenate([baseline.values, candidate.values])
    if _alike(values):
        return None
    sizes = np.concatenate([baseline.sizes, candidate.sizes])
    sizes = sizes / sizes.max()
    even = float(np.ptp(sizes)) <= ROUNDING
    sizes = np.ones(sizes.size) if even else sizes
    totals = scale_to_unit(values).values * sizes
    residuals = totals - totals.sum() / sizes.sum() * sizes
    residuals = residuals / np.abs(residuals).max()
    keys = np.round(np.column_stack([residuals, sizes]), _DIGITS)
    # complex numbers sort by their first part, then by their second, many times faster than rows do
    _, first, kind = np.unique(keys[:, 0] + 1j * keys[:, 1], return_index=True, return_inverse=True)
    own, d = baseline.sizes.size, first.size
    numbers = np.bincount(kind[:own], minlength=d), np.bincount(kind[own:], minlength=d)
    return _Pooled(residuals[first], sizes[first], *numbers, even=even)


def _alike(values: NDArray[np.float64]) -> bool:
    low, high = float(values.min()), float(values.max())
    return 2 * (high / 2 - low / 2) <= ROUNDING * max(1.0, abs(high))


class _Permuted(NamedTuple):
    p_value: float
    resolved: bool


def _permuted(pooled: _Pooled, *, n_permutations: int, rng: np.random.Generator) -> _Permuted:
    unlike = pooled.residuals.size * HYPERGEOMETRIC_COST > pooled.units
    if unlike and pooled.units * n_permutations > _MAX_SHUFFLED:
        pooled = _merge_neighbours(pooled)
    rows = np.column_stack([pooled.residuals, pooled.sizes])
    drawn = relabelled_sums(rows, pooled.counts, pooled.chosen, n_draws=n_permutations, rng=rng)
    every = pooled.counts @ rows
    observed = pooled.candidate @ rows
    limit = float(_difference(observed[None, :], every)[0])
    tie = _TIE * float(pooled.counts @ np.abs(pooled.residuals)) * float(1 / observed[1] + 1 / (every - observed)[1])
    at_most = int(np.count_nonzero(_difference(drawn, every) <= limit + tie))
    return _Permuted((1 + at_most) / (1 + drawn.shape[0]), at_most > 0)


def _difference(sums: NDArray[np.float64], every: NDArray[np.float64]) -> NDArray[np.float64]:
    """The candidate's mean less the baseline's, (r,), given (r, 2) sums of residuals and sizes of the candidate."""
    rest = every - sums
    return sums[:, 0] / sums[:, 1] - rest[:, 0] / rest[:, 1]


def _merge_neighbours(pooled: _Pooled) -> _Pooled:
    """Blocks of about equal count, each unit counting as its block's mean; equal units stay together."""
    counts = pooled.counts
    block = ((np.cumsum(counts) - counts / 2) * _BLOCKS / pooled.units).astype(np.intp)
    _, block = np.unique(block, return_inverse=True)
    number = np.bincount(block, weights=counts)
    return _Pooled(
        np.bincount(block, weights=counts * pooled.residuals) / number,
        np.bincount(block, weights=counts * pooled.sizes) / number,
        np.bincount(block, weights=pooled.baseline).astype(np.int64),
        np.bincount(block, weights=pooled.candidate).astype(np.int64),
        even=pooled.even,
    )


def _one_way(pooled: _Pooled) -> float:
    """One in the number of ways in which the units could be dealt out to the runs."""
    n, k = pooled.units, pooled.chosen
    return math.exp(max(-700.0, math.lgamma(k + 1) + math.lgamma(n - k + 1) - math.lgamma(n + 1)))
