"""Do two runs distribute their units alike over categories? The Stuart-Maxwell and the chi-square test, asymptotic."""

import math

import numpy as np
from numpy.typing import NDArray

# A variance of less than this share of the largest is none: it is rounding.
_NOTHING = 1e-12


def balance_p(vectors: NDArray[np.int64], there: NDArray[np.int64], back: NDArray[np.int64]) -> float:
    """The asymptotic p-value that paired units differ as often one way as the other.

    On single items, whose vectors are +1 in one category and -1 in another, this is the Stuart-Maxwell test of equal
    margins; units of several items enter by their sums, as clusters do. Never smaller than the exact swap test can be:
    two of the 2**m ways in which m units may differ.

    Args:
        vectors: int64 (d, k), a unit's items in each category in one run less those in the other, not all zero.
        there: int64 (d,), how many units differ by a vector.
        back: int64 (d,), how many by its negative.

    Returns:
        A probability in (0, 1]; 1.0 where no unit differs.

    Source: Stuart (1955), A Test for Homogeneity of the Marginal Distributions in a Two-Way Classification;
    Maxwell (1970); the sums of clusters as in Obuchowski (1998), On the Comparison of Correlated Proportions for
    Clustered Data.
    """
    units = there + back
    least = math.ldexp(1.0, 1 - min(int(units.sum()), 1000))
    net = ((there - back) @ vectors).astype(np.float64)
    return max(_wald_p(net, (vectors.T * units) @ vectors), min(1.0, least))


def homogeneity_p(vectors: NDArray[np.int64], baseline: NDArray[np.int64], candidate: NDArray[np.int64]) -> float:
    """The asymptotic p-value that the units of both runs come from one population.

    On single items, whose vectors are 1 in one category, this is Pearson's chi-square test without correction. Groups
    of items enter by their residuals from the pooled shares. Never smaller than the exact test can be: the probability
    of just these units in the baseline.

    Args:
        vectors: int64 (d, k), a unit's items in each category, not all zero.
        baseline: int64 (d,), how many such units the baseline has.
        candidate: int64 (d,), and the candidate; baseline and candidate are not both zero.

    Returns:
        A probability in (0, 1]; 1.0 where either run is empty.

    Source: Pearson (1900); for groups the variance of a ratio by linearisation, pooled over both runs, Rao and Scott,
    A Simple Method for the Analysis of Clustered Binary Data (1992).
    """
    if not baseline.any() or not candidate.any():
        return 1.0
    both = baseline + candidate
    items_a, items_b = baseline @ vectors, candidate @ vectors
    shares = (items_a + items_b) / (items_a + items_b).sum()
    residuals = vectors - vectors.sum(axis=1)[:, None] * shares
    covariance = (residuals.T * both) @ residuals / both.sum()
    factor = sum(
        float(units.sum()) / float(items.sum()) ** 2 for units, items in ((baseline, items_a), (candidate, items_b))
    )
    difference = items_a / items_a.sum() - items_b / items_b.sum()
    return max(_wald_p(difference, covariance * factor), _probability_of(baseline, both))


def _wald_p(difference: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    """The chi-square tail of a difference, over as many degrees of freedom as its covariance has dimensions."""
    variances, axes = np.linalg.eigh(covariance)
    held = variances > _NOTHING * variances.max(initial=0.0)
    if not held.any():
        return 1.0
    return chi_square_tail(float(((difference @ axes)[held] ** 2 / variances[held]).sum()), int(held.sum()))


def _probability_of(chosen: NDArray[np.int64], of: NDArray[np.int64]) -> float:
    """That a random subset holds just so many of each kind of unit."""
    kinds = zip(of.tolist(), chosen.tolist(), strict=True)
    log_ways = math.fsum(_log_choose(n, k) for n, k in kinds) - _log_choose(int(of.sum()), int(chosen.sum()))
    return math.exp(min(0.0, max(-700.0, log_ways)))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def chi_square_quantile(share: float, freedom: int) -> float:
    """The statistic that a chi-square variable stays under with probability ``share``, by bisection.

    Args:
        share: in (0, 1).
        freedom: degrees of freedom, >= 1.
    """
    low, high = 0.0, float(freedom)
    while chi_square_tail(high, freedom) > 1 - share:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if chi_square_tail(middle, freedom) > 1 - share else (low, middle)
    return high


def chi_square_tail(statistic: float, freedom: int) -> float:
    """P(X >= statistic) for a chi-square variable with a whole number of degrees of freedom, >= 1.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5.
    """
    half = statistic / 2
    if half <= 0.0:
        return 1.0
    odd = freedom % 2
    tail = math.erfc(math.sqrt(half)) if odd else math.exp(-half)
    # each term is half**s exp(-half) / gamma(s + 1), taken by logarithms: the powers alone would overflow
    for step in range(freedom // 2 if odd else freedom // 2 - 1):
        exponent = step + (0.5 if odd else 1.0)
        tail += math.exp(exponent * math.log(half) - half - math.lgamma(exponent + 1))
    return min(1.0, tail)
