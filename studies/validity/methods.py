"""Methods that hold a mean against a bar: the product's own, and others for comparison."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.stats import norm, t

from gate.stats.bootstrap import MeanDistribution, bootstrap_ratio, resample_ratio
from gate.stats.contour import nonpositive_probability
from gate.stats.dirichlet import exact_p
from gate.stats.pooled import pool
from gate.stats.units import Units
from studies.validity.study import TAIL

_N_RESAMPLES = 10_000
_ROUNDING = 1e-12
_Z = float(norm.ppf(1 - TAIL))


class Outcome(NamedTuple):
    """What a method says of one sample.

    Attributes:
        passes: the lower bound reaches the bar.
        covers: the two-sided interval holds the bar.
    """

    passes: bool
    covers: bool


@dataclass(frozen=True)
class Sample:
    """Scores on the scale [0, 1] and the bar that they are held against."""

    units: Units
    bar: float
    rng: np.random.Generator

    @cached_property
    def bootstrap(self) -> MeanDistribution:
        """The distribution that two of the methods read."""
        return bootstrap_ratio(self.units)


def judge_bootstrap(sample: Sample) -> Outcome:
    """The product's `bootstrap`: the percentile bootstrap, computed exactly."""
    return _by_distribution(sample.bootstrap, sample.bar, TAIL, TAIL)


def judge_resample(sample: Sample) -> Outcome:
    """The product's `resample`, with its default number of resamples."""
    drawn = resample_ratio(sample.units, n_resamples=_N_RESAMPLES, rng=sample.rng)
    return _by_distribution(drawn, sample.bar, TAIL, TAIL)


def judge_exact(sample: Sample) -> Outcome:
    """The product's `exact`; what `exact_interval` holds is what neither p-value refutes."""
    below = exact_p(sample.units, sample.bar, lowest=0.0)
    above = exact_p(sample.units._replace(totals=-sample.units.totals), -sample.bar, lowest=-1.0)
    return Outcome(below <= TAIL, min(below, above) >= TAIL)


def judge_jeffreys(sample: Sample) -> Outcome:
    """Dirichlet weights with half a pseudo-item at each end of the scale; Jeffreys' interval on pass/fail scores."""
    values, counts = pool(sample.units.values)
    excesses = np.concatenate([values, [0.0, 1.0]]) - sample.bar
    below = nonpositive_probability(excesses, np.concatenate([counts, [0.5, 0.5]]))
    return Outcome(below <= TAIL, TAIL <= below <= 1 - TAIL)


def judge_bca(sample: Sample) -> Outcome:
    """The bias-corrected and accelerated bootstrap (Efron 1987) on the exact resampling distribution.

    Undefined where all scores are equal: the percentile bootstrap stands in.
    """
    values = sample.units.values
    residuals = values - values.mean()
    squares = float(residuals @ residuals)
    if squares <= _ROUNDING:
        return judge_bootstrap(sample)
    acceleration = float((residuals**3).sum()) / (6 * squares**1.5)
    mean = sample.units.mean
    ends = (sample.bootstrap.mass_below(mean * (1 + shift)) for shift in (-_ROUNDING, _ROUNDING))
    bias = float(norm.ppf(sum(ends) / 2))
    low, high = (norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in (-_Z, _Z))
    return _by_distribution(sample.bootstrap, sample.bar, float(low), float(1 - high))


def judge_t(sample: Sample) -> Outcome:
    """Student's t interval."""
    values = sample.units.values
    reach = float(t.ppf(1 - TAIL, values.size - 1)) * float(values.std(ddof=1)) / math.sqrt(values.size)
    return _by_ends(sample.units.mean - reach, sample.units.mean + reach, sample.bar)


def judge_wilson(sample: Sample) -> Outcome:
    """Wilson's score interval, for pass/fail scores."""
    n, p = sample.units.totals.size, sample.units.mean
    centre = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    reach = _Z / (1 + _Z**2 / n) * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
    return _by_ends(centre - reach, centre + reach, sample.bar)


def judge_mean(sample: Sample) -> Outcome:
    """The point mean alone."""
    return _by_ends(sample.units.mean, sample.units.mean, sample.bar)


METHODS: dict[str, Callable[[Sample], Outcome]] = {
    "bootstrap": judge_bootstrap,
    "exact": judge_exact,
    "resample": judge_resample,
    "jeffreys": judge_jeffreys,
    "bca": judge_bca,
    "t": judge_t,
    "wilson": judge_wilson,
}


def _by_distribution(means: MeanDistribution, bar: float, below: float, above: float) -> Outcome:
    """By percentiles: so much of the resampling distribution is left out at either end."""
    low, high = means.interval(2 * below).low, means.interval(2 * above).high
    return Outcome(means.mass_below(bar) <= below, low <= bar + _ROUNDING and bar <= high + _ROUNDING)


def _by_ends(low: float, high: float, bar: float) -> Outcome:
    return Outcome(low >= bar - _ROUNDING, low <= bar + _ROUNDING and bar <= high + _ROUNDING)
