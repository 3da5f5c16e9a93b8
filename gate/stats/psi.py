"""The population stability index between two score distributions, and the bands it is read by."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.homogeneity import chi_square_quantile

MODERATE = 0.10
SIGNIFICANT = 0.25
_RARELY = 0.05


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


def psi(baseline: NDArray[np.int64], candidate: NDArray[np.int64]) -> Psi:
    """The index: the sum of (pA - pB) ln(pA / pB) over buckets.

    Buckets empty in both runs are dropped; where one is empty in one run, 1/2 is added to every bucket that is left.

    Args:
        baseline: int64 (k,) counts; where their sum is zero every bucket has the same share.
        candidate: int64 (k,) counts, likewise.

    Source: the symmetrised Kullback-Leibler divergence (Jeffreys 1946) with the bands of credit scoring
    (Siddiqi, Credit Risk Scorecards, 2006).
    """
    held = (baseline > 0) | (candidate > 0)
    terms, smoothed = _terms(baseline[held][None, :], candidate[held][None, :])
    contributions = np.zeros(baseline.size)
    contributions[held] = terms[0]
    return Psi(float(terms.sum()), contributions, bool(smoothed[0]))


def psi_of_each(baseline: NDArray[np.int64], candidate: NDArray[np.int64]) -> NDArray[np.float64]:
    """The index of each of r pairs of runs.

    Args:
        baseline: int64 (r, k) counts, r >= 1; a bucket that both runs leave empty in one pair they do in all.
        candidate: int64 (r, k) counts.
    """
    held = (baseline[0] > 0) | (candidate[0] > 0)
    terms = _terms(baseline[:, held], candidate[:, held]).terms
    return np.asarray(terms.sum(axis=1))


def items_for_bands(k: int, band: float) -> int:
    """The items in each of two runs from which an unchanged run is over the band in at most 5 % of cases.

    It is meant for runs on items of their own; on the same items, which agree in part, fewer would do. Of runs of
    different length n and m, 2 / (1/n + 1/m) counts.

    Args:
        k: the number of buckets, >= 1.
        band: a PSI, > 0.

    Source: the PSI of two unchanged runs of n items is about 2/n times a chi-square variable with k - 1 degrees of
    freedom; Yurdakul and Naranjo, Statistical Properties of the Population Stability Index (2020).
    """
    return math.ceil(2 * chi_square_quantile(1 - _RARELY, k - 1) / band) if k > 1 else 1


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
