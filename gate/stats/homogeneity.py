"""The Stuart-Maxwell test: do two ratings of the same items distribute alike over their categories?"""

import math

import numpy as np
from numpy.typing import NDArray


def stuart_maxwell_p(table: NDArray[np.int64]) -> float:
    """The asymptotic p-value that rows and columns of a square table have the same margins.

    Never smaller than the exact swap test can be: two of the 2**m ways in which m items may move.

    Args:
        table: int64 (k, k), how many items lie in bucket i of one run and bucket j of the other.

    Returns:
        A probability in (0, 1]; 1.0 where no item moved.

    Source: Stuart (1955), A Test for Homogeneity of the Marginal Distributions in a Two-Way Classification;
    Maxwell (1970).
    """
    moved = table - np.diag(np.diag(table))
    number_moved = int(moved.sum())
    if number_moved == 0:
        return 1.0
    net = (moved.sum(axis=1) - moved.sum(axis=0)).astype(np.float64)
    covariance = np.diag(moved.sum(axis=1) + moved.sum(axis=0)).astype(np.float64) - moved - moved.T
    statistic = float(net @ np.linalg.pinv(covariance, hermitian=True) @ net)
    freedom = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return min(1.0, max(chi_square_tail(statistic, freedom), math.ldexp(1.0, 1 - min(number_moved, 1000))))


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
