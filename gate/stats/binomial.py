"""Binomial probabilities, exact to some ten digits: single ones, upper tails, and the counts that a test asks for."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

_TABLED = 32
_LOG_FACTORIALS = np.array([math.lgamma(count + 1.0) for count in range(_TABLED)])
# Lentz's method divides by what may be zero; this stands in its place.
_TINY = 1e-300
_PRECISION = 1e-14
# Near the mean the fraction takes some multiple of the root of n: this many do for any n here.
_MOST_TERMS = 100_000


def binomial_pmf(k: Counts, n: Counts, p: float) -> Floats:
    """P(K = k) for K out of n.

    Args:
        k: int64, each from 0 to n; broadcast with ``n``.
        n: int64, each from 0 to about 1e6: beyond, digits are lost.
        p: the chance of each, in [0, 1].
    """
    if p in {0.0, 1.0}:
        return np.where(k == n * int(p), 1.0, 0.0)
    ways = _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)
    chances: Floats = np.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))
    return chances


def upper_tail(k: Counts, n: Counts, p: float) -> Floats:
    """P(K >= k) for K out of n; 1 where k <= 0, and 0 where k > n.

    Args:
        k: int64, any; broadcast with ``n``.
        n: int64, each from 0 to about 1e6.
        p: the chance of each, in [0, 1].

    Source: the regularised incomplete beta function I_p(k, n - k + 1) by its continued fraction, Abramowitz and
    Stegun, Handbook of Mathematical Functions (1964), 26.5.8 and 26.5.24.
    """
    k, n = np.broadcast_arrays(k, n)
    tail = np.where(k <= 0, 1.0, 0.0)
    inside = (k > 0) & (k <= n)
    if inside.any():
        tail[inside] = _incomplete_beta(k[inside], n[inside], p)
    return tail


def critical_count(n: Counts, p: float, tail: float) -> Counts:
    """The least k with P(K >= k) <= tail: from so many on, a one-sided test rejects the chance ``p``.

    Args:
        n: int64 (m,), each from 0 to about 1e6.
        p: the chance of each, in (0, 1).
        tail: the one-sided error, in (0, 1).

    Returns:
        int64 (m,), each from 1 to n + 1; n + 1 is never reached.
    """
    z = NormalDist().inv_cdf(1 - tail)
    guess = np.ceil(n * p + z * np.sqrt(n * p * (1 - p)) + 0.5)
    least: Counts = np.clip(guess.astype(np.int64), 1, n + 1)
    tails = upper_tail(least, n, p)
    # from the guess, step by step: up until the tail is small enough, down while the next one is, too
    while (high := tails > tail).any():
        tails = np.where(high, tails - binomial_pmf(np.minimum(least, n), n, p), tails)
        least = least + high
    while (low := (least > 1) & (tails + (next_one := binomial_pmf(least - 1, n, p)) <= tail)).any():
        tails = np.where(low, tails + next_one, tails)
        least = least - low
    return least


def _incomplete_beta(k: Counts, n: Counts, p: float) -> Floats:
    """The upper tail for 1 <= k <= n, from whichever end the fraction converges fast."""
    a, b = k.astype(np.float64), (n - k + 1).astype(np.float64)
    far = p < (a + 1) / (a + b + 2)
    fraction = _continued_fraction(np.where(far, a, b), np.where(far, b, a), np.where(far, p, 1 - p))
    term = np.where(far, (1 - p) * binomial_pmf(k, n, p), p * binomial_pmf(k - 1, n, p))
    return np.where(far, term * fraction, 1 - term * fraction)


def _continued_fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Lentz's method, all elements at once until the slowest has converged."""
    upper, lower = np.ones_like(a), 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower, upper = 1 / _nonzero(1 + term * lower), _nonzero(1 + term / upper)
            change = lower * upper
            value = value * change
        if float(np.abs(change - 1).max()) < _PRECISION:
            break
    return value


def _nonzero(values: Floats) -> Floats:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def _log_factorial(counts: Counts) -> Floats:
    """The logarithm of k!, from a table or by Stirling's series."""
    large = np.maximum(counts, _TABLED).astype(np.float64)
    series = (1 / 12 - (1 / 360 - 1 / (1260 * large**2)) / large**2) / large
    stirling = large * np.log(large) - large + 0.5 * np.log(2 * math.pi * large) + series
    return np.where(counts < _TABLED, _LOG_FACTORIALS[np.minimum(counts, _TABLED - 1)], stirling)
