"""Student's t distribution: its tail and its quantiles, for any degrees of freedom."""

import math

_PRECISE = 1e-15
_TINY = 1e-300
_MOST_STEPS = 100_000
_HALF = 0.5
# Its square is still a double.
_FARTHEST = 1e150
# From here on the series of the ratio of two gamma functions is exact to the last digit; their logarithms are not.
_LARGE = 50.0


def student_tail(statistic: float, freedom: float) -> float:
    """P(T >= statistic).

    Args:
        statistic: any number.
        freedom: degrees of freedom, >= 1, whole or not.

    Source: the incomplete beta function by its continued fraction, NIST Digital Library of Mathematical Functions,
    8.17.22.
    """
    square = min(abs(statistic), _FARTHEST) ** 2
    near, far = square / (freedom + square), freedom / (freedom + square)
    a = freedom / 2
    if far < (a + 1) / (a + 2.5):
        beyond = _incomplete_beta(far, near, a, _HALF) / 2
    else:
        beyond = _HALF - _incomplete_beta(near, far, _HALF, a) / 2
    return beyond if statistic >= 0 else 1.0 - beyond


def student_quantile(share: float, freedom: float) -> float:
    """The statistic that T stays under with probability ``share`` in (0, 1), to about twelve digits.

    Args:
        share: in (0, 1).
        freedom: degrees of freedom, >= 1, whole or not.
    """
    if share < _HALF:
        return -student_quantile(1 - share, freedom)
    # the tail is convex above zero, so that Newton's steps from there never go too far
    quantile = 0.0
    for _ in range(_MOST_STEPS):
        step = (student_tail(quantile, freedom) - (1 - share)) / _density(quantile, freedom)
        quantile += step
        if step <= 1e-13 * quantile:
            break
    return quantile


def _density(statistic: float, freedom: float) -> float:
    logarithm = _log_gamma_ratio(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(logarithm - (freedom + 1) / 2 * math.log1p(statistic * statistic / freedom))


def _log_gamma_ratio(a: float) -> float:
    """Log of gamma(a + 1/2) / gamma(a)."""
    if a < _LARGE:
        return math.lgamma(a + _HALF) - math.lgamma(a)
    return math.log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """I_x(a, b) with ``rest`` = 1 - x > 0, where one of a and b is 1/2 and the other no less."""
    if x <= 0.0:
        return 0.0
    log_beta = math.lgamma(_HALF) - _log_gamma_ratio(max(a, b))
    front = math.exp(a * _log(x, rest) + b * _log(rest, x) - log_beta) / a
    return front * _continued_fraction(x, a, b)


def _log(x: float, rest: float) -> float:
    """Log x by whichever of the two has the more digits."""
    return math.log(x) if x < _HALF else math.log1p(-rest)


def _continued_fraction(x: float, a: float, b: float) -> float:
    """By the method of Lentz."""
    d = 1 / _not_zero(1 - (a + b) * x / (a + 1))
    c, value = 1.0, d
    for m in range(1, _MOST_STEPS):
        change = 1.0
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + numerator * d)
            c = _not_zero(1 + numerator / c)
            change = c * d
            value *= change
        if abs(change - 1) < _PRECISE:
            break
    return value


def _not_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
