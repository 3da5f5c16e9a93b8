"""The bound on a mean that holds at small n: a quantile of the mean under Dirichlet weights; Clopper-Pearson on 0/1."""

import math
from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.bootstrap import Interval
from gate.stats.contour import nonpositive_probability
from gate.stats.distinct import find_distinct
from gate.stats.lattice import ROUNDING
from gate.stats.pooled import pool
from gate.stats.units import Units

_MOST_TRIALS = 100
# A bound is found once the log-odds of its p-value are known to this, or its place to this share of the range.
_CLOSE = 1e-11
_CLOSEST = 1e-13
# The share of a gap that a step of the secant method may leave before it counts as stuck.
_PROGRESS = 0.75
# Log-odds stay finite beyond these.
_LEAST_P = 1e-320
_LEAST_DOUBT = 1e-16
# Different pairs of total and size up to which units of uneven sizes are counted; beyond, each limit pools them anew.
_MOST_PAIRS = 10_000


class _Sample(NamedTuple):
    """The units, in a unit of value and one of size that keep all figures within [-1, 1].

    Attributes:
        totals: float64 (k,).
        sizes: float64 (k,).
        counts: float64 (k,), how many units there are of each; None: too many to be worth counting, each is one.
        largest: the size of the largest unit, which is that of the one unseen unit as well.
        lowest: the value of the unseen unit.
        exponent: values are multiples of ``2**exponent``.
    """

    totals: NDArray[np.float64]
    sizes: NDArray[np.float64]
    counts: NDArray[np.float64] | None
    largest: float
    lowest: float
    exponent: int


def exact_p(units: Units, limit: float, *, lowest: float) -> float:
    """The p-value of "the mean is below ``limit``", valid at any number of units.

    It is P(sum D_i (S_i - limit m_i) <= 0) with D ~ Dirichlet(1, ..., 1), totals S, sizes m and one more unit, of the
    largest size, whose items all scored ``lowest``. On pass/fail scores, one item a unit, it is the Clopper-Pearson
    one, which is proven to hold; in general that is a conjecture, against which no example is known. For units of
    different sizes it takes for granted that none is larger than the largest seen. Strata are ignored, which is
    conservative.

    Args:
        units: values >= lowest, up to rounding.
        limit: finite; where it is at or below ``lowest``, up to a relative 1e-12, the p-value is 0.0, and 1.0 where it
            is above every value.
        lowest: the lowest score there can be.

    Returns:
        A probability in [0, 1], to about 1e-9 of itself where it is small.

    Source: Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative Variable
    (2005); Learned-Miller and Thomas, A New Confidence Interval for the Mean of a Bounded Random Variable (2019),
    arXiv 1905.06208.
    """
    sample = _sample(units, lowest, limit)
    return _p_of(sample, math.ldexp(limit, -sample.exponent))


def exact_interval(units: Units, *, lowest: float, highest: float, alpha: float) -> Interval:
    """The means that ``exact_p`` does not refute at alpha / 2 from below, nor its mirror image from above.

    Args:
        units: values in [lowest, highest], up to rounding.
        lowest: the lowest score there can be.
        highest: the highest score there can be.
        alpha: the two-sided error, in (0, 1).

    Returns:
        Bounds within [lowest, highest].
    """
    low = _lower_bound(units, lowest, alpha / 2)
    high = -_lower_bound(units._replace(totals=-units.totals), -highest, alpha / 2)
    return Interval(min(highest, max(lowest, low)), min(highest, max(lowest, high)))


def units_to_prove(units: Units, limit: float, *, lowest: float, tail: float, most: int = 1_000_000) -> int | None:
    """The smallest number of units, distributed as these are, whose p-value at ``limit`` is at most ``tail``.

    Args:
        units: values >= lowest, up to rounding.
        limit: what the mean is to be shown not to be below; finite.
        lowest: the lowest score there can be.
        tail: in (0, 1).
        most: where the search ends, >= 1.

    Returns:
        None where the mean does not clear the limit, or where more than ``most`` would be needed.
    """
    if units.mean <= limit:
        return None
    sample = _sample(units, lowest, limit)
    scaled = math.ldexp(limit, -sample.exponent)

    def proves(number: int) -> bool:
        return _p_of(sample, scaled, repeats=number / units.sizes.size) <= tail

    found = bisect_left(range(1, most), True, key=proves) + 1
    return found if found < most or proves(most) else None


def _sample(units: Units, *others: float) -> _Sample:
    """The units with ``others[0]``, than which none is lower, as the unseen one; all ``others`` come within [-1, 1]."""
    values = units.values
    exponent = math.frexp(max(abs(float(values.max())), *map(abs, others)))[1]
    lowest = math.ldexp(others[0], -exponent)
    if units.even:
        pooled = pool(values)
        totals = np.ldexp(pooled.values, -exponent)
        return _Sample(totals, np.ones(totals.size), pooled.counts, 1.0, lowest, exponent)
    size = math.frexp(float(units.sizes.max()))[1]
    totals, sizes = np.ldexp(units.totals, -exponent - size), np.ldexp(units.sizes, -size)
    counts = None
    if find_distinct(totals[: 2 * _MOST_PAIRS]).size <= _MOST_PAIRS:
        pairs, times = np.unique(totals + 1j * sizes, return_counts=True)
        if pairs.size <= _MOST_PAIRS:
            totals, sizes, counts = pairs.real.copy(), pairs.imag.copy(), times.astype(np.float64)
    return _Sample(totals, sizes, counts, float(sizes.max()), lowest, exponent)


def _p_of(sample: _Sample, limit: float, *, repeats: float = 1.0) -> float:
    """The p-value at a limit in the sample's unit, had each of its units come so many times."""
    if limit - sample.lowest <= ROUNDING * max(abs(limit), abs(sample.lowest)):
        return 0.0
    excesses, counts = sample.totals - limit * sample.sizes, sample.counts
    if counts is None:
        excesses, counts = pool(excesses)
    unseen = sample.largest * (sample.lowest - limit)
    return nonpositive_probability(np.append(excesses, unseen), np.append(repeats * counts, 1.0))


def _lower_bound(units: Units, lowest: float, tail: float) -> float:
    """The mean at which the p-value is ``tail``: the secant method on its log-odds, kept within a bracket."""
    sample = _sample(units, lowest)
    low, high = sample.lowest, float((sample.totals / sample.sizes).max())
    if high - low <= ROUNDING * max(abs(low), abs(high)):
        return lowest
    closest = _CLOSEST * (high - low)
    at, slope = _first_guess(sample, tail)
    at = at if low < at < high else (low + high) / 2
    last: _Trial | None = None
    for _ in range(_MOST_TRIALS):
        trial = _Trial(at, _log_odds(_p_of(sample, at)) - _log_odds(tail))
        low, high = (low, at) if trial.gap > 0 else (at, high)
        slope = slope if last is None else (trial.gap - last.gap) / (trial.at - last.at)
        at = trial.at - trial.gap / slope if slope > 0 else math.nan
        if abs(trial.gap) <= _CLOSE or high - low <= closest or abs(at - trial.at) <= closest:
            break
        # where the secant hardly narrows the gap, halving the bracket is the quicker way
        if not low < at < high or (last is not None and abs(trial.gap) > _PROGRESS * abs(last.gap)):
            at = (low + high) / 2
        last = trial
    return math.ldexp(trial.at, sample.exponent)


class _Trial(NamedTuple):
    at: float
    gap: float


def _log_odds(probability: float) -> float:
    held = min(1.0 - _LEAST_DOUBT, max(_LEAST_P, probability))
    return math.log(held) - math.log1p(-held)


class _Guess(NamedTuple):
    at: float
    slope: float


def _first_guess(sample: _Sample, tail: float) -> _Guess:
    """Where the log-odds of the p-value are about those of ``tail``, and their slope there, both as if it were normal.

    Not below ``tail`` of the way from the lowest score to the mean: the bound where one score alone is above it.
    """
    counts = np.ones(1) if sample.counts is None else sample.counts
    weight = sample.largest + float((counts * sample.sizes).sum())
    mean = (sample.largest * sample.lowest + float((counts * sample.totals).sum())) / weight
    squares = counts * (sample.totals - mean * sample.sizes) ** 2
    sd = math.sqrt(float(squares.sum()) + (sample.largest * (sample.lowest - mean)) ** 2) / weight
    deviates = 0.8 * math.sqrt(max(0.0, -2.0 * math.log(2.0 * tail)))
    at = max(mean - deviates * sd, sample.lowest + tail * (mean - sample.lowest))
    return _Guess(at, (deviates + 1.6 / (deviates + 1.0)) / sd if sd > 0 else 0.0)
