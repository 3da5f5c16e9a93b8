"""The difference of the means of two runs on different items: its interval, and what such runs could have shown."""

import math
from typing import NamedTuple

import numpy as np

from gate.stats.bootstrap import Interval
from gate.stats.lattice import ROUNDING
from gate.stats.student import student_quantile, student_tail
from gate.stats.units import Units, linearised_variance

_ONE_SIDED = 0.975
_POWER = 0.80


def two_sample_interval(baseline: Units, candidate: Units, alpha: float) -> Interval | None:
    """The interval of the candidate's mean less the baseline's, by Welch's t.

    Not by the bootstrap of each mean, whose variance lacks the factor g / (g - 1) and whose tails are the normal's:
    in simulation its 95 % interval of two runs of 10 items misses the truth in 4 to 10 % of cases, this one in 5 % at
    most. Groups, weights and strata are served alike. A run whose scores are all equal borrows the other's spread. No
    scale is known here: the interval may reach beyond it.

    Args:
        baseline: (g,) units; their strata hold for their own run.
        candidate: (h,) units of other items.
        alpha: two-sided error, in (0, 1).

    Returns:
        None where the data show no doubt to speak of: fewer than two units in a run (or in each of its strata), or
        scores all equal in both runs.

    Source: Welch, The Generalization of "Student's" Problem when Several Different Population Variances are Involved
    (1947); the variances by ``linearised_variance``.
    """
    found = _compare(baseline, candidate)
    if found is None:
        return None
    reach = student_quantile(1 - alpha / 2, found.freedom) * found.error
    return Interval(math.ldexp(found.delta - reach, found.exponent), math.ldexp(found.delta + reach, found.exponent))


def two_sample_detectable_drop(baseline: Units, candidate: Units) -> float | None:
    """The drop that as many units with this spread would show, at one-sided 2.5 %, 80 % of the time.

    Args:
        baseline: (g,) units.
        candidate: (h,) units of other items.

    Returns:
        The drop in the metric's unit, > 0; None where ``two_sample_interval`` is.

    Source: (t.975 + t.80) times the standard error, the usual normal approximation with Welch's degrees of freedom.
    """
    found = _compare(baseline, candidate)
    if found is None:
        return None
    reach = student_quantile(_ONE_SIDED, found.freedom) + student_quantile(_POWER, found.freedom)
    return math.ldexp(reach * found.error, found.exponent)


def welch_p(baseline: Units, candidate: Units) -> float | None:
    """P(the candidate's mean is this low) by Welch's t, one-sided; None where ``two_sample_interval`` is."""
    found = _compare(baseline, candidate)
    return None if found is None else student_tail(-found.delta / found.error, found.freedom)


class _Comparison(NamedTuple):
    """The difference of two means, its standard error and degrees of freedom, in units of 2**exponent."""

    delta: float
    error: float
    freedom: float
    exponent: int


def _compare(baseline: Units, candidate: Units) -> _Comparison | None:
    degrees = _freedom(baseline), _freedom(candidate)
    if min(degrees) == 0:
        return None
    sizes = baseline.sizes.size, candidate.sizes.size
    exponent = int(np.frexp(max(np.abs(units.values).max() for units in (baseline, candidate)))[1])
    before, after = _scaled(baseline, exponent), _scaled(candidate, exponent)
    spread = _spread(_variance(before, baseline), _variance(after, candidate), degrees, sizes)
    if spread is None:
        return None
    return _Comparison(after.mean - before.mean, math.sqrt(spread.variance), spread.freedom, exponent)


class _Spread(NamedTuple):
    variance: float
    freedom: float


def _spread(before: float, after: float, degrees: tuple[int, int], sizes: tuple[int, int]) -> _Spread | None:
    """The variance of the difference; a run whose scores are all equal borrows the other's spread, for it has some."""
    if before == after == 0.0:
        return None
    if before == 0.0:
        return _Spread(after * (1 + sizes[1] / sizes[0]), degrees[1])
    if after == 0.0:
        return _Spread(before * (1 + sizes[0] / sizes[1]), degrees[0])
    share = before / (before + after)
    return _Spread(before + after, 1 / (share**2 / degrees[0] + (1 - share) ** 2 / degrees[1]))


def _scaled(units: Units, exponent: int) -> Units:
    """Extreme values brought within reach of squares and sums."""
    return Units(np.ldexp(units.totals, -exponent), units.sizes, units.strata)


def _variance(scaled: Units, units: Units) -> float:
    """That of the mean; zero where the values differ by rounding alone."""
    values = units.values
    # halves, so that the difference of two extreme values is a number
    spread = 2 * (float(values.max()) / 2 - float(values.min()) / 2)
    return linearised_variance(scaled) if spread > ROUNDING * max(1.0, float(np.abs(values).max())) else 0.0


def _freedom(units: Units) -> int:
    """Units less strata, of the strata that have more than one."""
    sizes = np.bincount(units.strata)
    return int(np.maximum(sizes - 1, 0).sum())
