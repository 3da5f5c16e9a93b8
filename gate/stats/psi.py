"""The population stability index between two score distributions, its buckets, and its paired-swap test."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.homogeneity import stuart_maxwell_p
from gate.stats.lattice import scale_to_unit

_MAX_DISTINCT = 20
_QUANTILES = 10
# Scores equal to this many digits, or decimals where they are below 1, are one bucket: 0.1 + 0.2 is 0.3.
_DIGITS = 12


class Buckets(NamedTuple):
    """Scores sorted into k buckets, the last of them "no score" where either run lacks any.

    Attributes:
        labels: (k,).
        baseline: intp (n,), each item's bucket in the baseline.
        candidate: intp (n,), and in the candidate.
    """

    labels: tuple[str, ...]
    baseline: NDArray[np.intp]
    candidate: NDArray[np.intp]


class Psi(NamedTuple):
    """The index and what each bucket adds to it.

    Attributes:
        value: >= 0.
        contributions: float64 (k,).
        smoothed: 1/2 was added to every bucket because one was empty in one run.
    """

    value: float
    contributions: NDArray[np.float64]
    smoothed: bool


class SwapTest(NamedTuple):
    """How the PSI behaves when nothing changed.

    Attributes:
        p_value: share of swaps with at least the observed PSI, (0, 1].
        moderate_share: share of swaps with a PSI over 0.10.
        significant_share: share of swaps with a PSI over 0.25.
    """

    p_value: float
    moderate_share: float
    significant_share: float


MODERATE = 0.10
SIGNIFICANT = 0.25


def sort_into_buckets(
    baseline: NDArray[np.float64], candidate: NDArray[np.float64], *, edges: Sequence[float] | None = None
) -> Buckets:
    """Sort paired scores into buckets: given edges, else the distinct values up to 20, else the baseline's deciles.

    Args:
        baseline: float64 (n,), NaN where there is no score.
        candidate: float64 (n,), likewise.
        edges: rising inner edges; a score equal to an edge belongs to the bucket above it.
    """
    both = np.concatenate([baseline, candidate])
    rounded = _without_noise(both)
    distinct = np.unique(rounded[~np.isnan(rounded)])
    if edges is None and distinct.size <= _MAX_DISTINCT:
        index = np.searchsorted(distinct, rounded)
        labels = _shown(distinct.tolist(), 6)
    else:
        inner = np.asarray(edges if edges is not None else _deciles(baseline), dtype=np.float64)
        noise = 10.0**-_DIGITS * np.maximum(1.0, np.abs(inner))
        index = np.searchsorted(inner - noise, both, side="right")
        labels = _edge_labels(inner.tolist())
    missing = np.isnan(both)
    if missing.any():
        index = np.where(missing, len(labels), index)
        labels.append("no score")
    return Buckets(tuple(labels), index[: baseline.size], index[baseline.size :])


def count_buckets(index: NDArray[np.intp], k: int) -> NDArray[np.int64]:
    """How many of (n,) items lie in each of k buckets: int64 (k,)."""
    return np.bincount(index, minlength=k)


def psi(baseline: NDArray[np.int64], candidate: NDArray[np.int64]) -> Psi:
    """The index: the sum of (pA - pB) ln(pA / pB) over buckets.

    Buckets empty in both runs are dropped; where one is empty in one run, 1/2 is added to every bucket that is left.

    Args:
        baseline: int64 (k,) counts, with a positive sum.
        candidate: int64 (k,) counts, with a positive sum.

    Source: the symmetrised Kullback-Leibler divergence (Jeffreys 1946) with the bands of credit scoring
    (Siddiqi, Credit Risk Scorecards, 2006).
    """
    held = (baseline > 0) | (candidate > 0)
    terms, smoothed = _terms(baseline[held][None, :], candidate[held][None, :])
    contributions = np.zeros(baseline.size)
    contributions[held] = terms[0]
    return Psi(float(terms.sum()), contributions, bool(smoothed[0]))


def swap_test(buckets: Buckets, *, n_swaps: int, rng: np.random.Generator) -> SwapTest:
    """The paired permutation test: each item's two scores may as well have come from the other run.

    The PSI depends on counts alone, so swaps are drawn for each pair of buckets at once, as a binomial number.

    Args:
        buckets: the items, at least one.
        n_swaps: how many random swaps to draw, >= 1.
        rng: the source of randomness.
    """
    k = len(buckets.labels)
    counts_a, counts_b = count_buckets(buckets.baseline, k), count_buckets(buckets.candidate, k)
    observed = psi(counts_a, counts_b).value
    table = np.zeros((k, k), dtype=np.int64)
    np.add.at(table, (buckets.baseline, buckets.candidate), 1)
    swapped_a = np.tile(counts_a, (n_swaps, 1))
    for low in range(k):
        for high in range(low + 1, k):
            there, back = int(table[low, high]), int(table[high, low])
            if there + back:
                # how many of the items that lie in both buckets now count as low in the baseline
                change = rng.binomial(there + back, 0.5, size=n_swaps) - there
                swapped_a[:, low] += change
                swapped_a[:, high] -= change
    held = (counts_a > 0) | (counts_b > 0)
    swapped_b = counts_a + counts_b - swapped_a
    drawn = _terms(swapped_a[:, held], swapped_b[:, held])[0].sum(axis=1)
    at_least = int(np.count_nonzero(drawn >= observed - 1e-12))
    p_value = (1 + at_least) / (1 + n_swaps)
    return SwapTest(
        # beyond what so many swaps can tell, the asymptotic test goes on: many suites may share one error rate
        p_value=p_value if at_least else min(p_value, stuart_maxwell_p(table)),
        moderate_share=float(np.mean(drawn > MODERATE)),
        significant_share=float(np.mean(drawn > SIGNIFICANT)),
    )


class _Terms(NamedTuple):
    terms: NDArray[np.float64]
    smoothed: NDArray[np.bool_]


def _terms(baseline: NDArray[np.int64], candidate: NDArray[np.int64]) -> _Terms:
    """Each bucket's share of the PSI, for (r, k) tables of counts at once; no bucket is empty in both runs."""
    smoothed = ((baseline == 0) | (candidate == 0)).any(axis=1)
    half = np.where(smoothed, 0.5, 0.0)[:, None]
    a, b = baseline + half, candidate + half
    share_a = a / a.sum(axis=1, keepdims=True)
    share_b = b / b.sum(axis=1, keepdims=True)
    return _Terms((share_a - share_b) * np.log(share_a / share_b), smoothed)


def _without_noise(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = float(np.abs(scores[~np.isnan(scores)]).max(initial=1.0))
    # adding zero turns -0.0 into 0.0, which would be shown otherwise
    return np.round(scores, _DIGITS - math.floor(math.log10(largest))) + 0.0


def _deciles(baseline: NDArray[np.float64]) -> NDArray[np.float64]:
    scored = baseline[~np.isnan(baseline)]
    if scored.size == 0:
        return np.empty(0)
    scaled, exponent = scale_to_unit(scored)
    return np.ldexp(np.unique(np.quantile(scaled, np.arange(1, _QUANTILES) / _QUANTILES)), exponent)


def _edge_labels(inner: list[float]) -> list[str]:
    if not inner:
        return ["all scores"]
    shown = _shown(inner, 4)
    between = [f"[{low}, {high})" for low, high in pairwise(shown)]
    return [f"under {shown[0]}", *between, f"{shown[-1]} and over"]


def _shown(numbers: list[float], digits: int) -> list[str]:
    """The numbers with so many digits, or as many as tell them apart."""
    shown = [f"{value:.{digits}g}" for value in numbers]
    return shown if len(set(shown)) == len(shown) or digits > _DIGITS else _shown(numbers, digits + 1)
