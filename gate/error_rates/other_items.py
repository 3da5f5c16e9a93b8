"""Runs on other items, or without anything to compare with, in which nothing changed or a stated drop is real."""

import math

import numpy as np
from numpy.typing import NDArray

from gate.alignment import MetricPairs, Reference
from gate.checks.drift import DriftOptions, groups_of_both
from gate.error_rates.draws import Draws
from gate.error_rates.rules import Asked, Reach, judge_deltas, judge_means, judge_psi, together, turns_of
from gate.stats.bootstrap import resample_ratio
from gate.stats.buckets import sort_into_buckets
from gate.stats.distinct import find_distinct
from gate.stats.normal import normal_cdf
from gate.stats.pooling import pooled_test
from gate.stats.units import Units, linearised_variance
from gate.stats.welch import two_sample_interval

_N_DRAWS = 4000
# The mean of so many different values is a normal one, and to draw a million of them 4000 times would take minutes.
_MOST_RESAMPLED = 20_000
_ALPHA = 0.05
_Z = 1.959963984540054


def draw_alone(pairs: MetricPairs, asked: Asked, rng: np.random.Generator) -> Draws:
    """Draw runs like the candidate from its own scores: there is but the bar to hold them against."""
    units = _turned(pairs.candidate_units(), pairs)
    if find_distinct(units.totals).size > _MOST_RESAMPLED:
        means = units.mean + rng.normal(size=_N_DRAWS) * math.sqrt(linearised_variance(units))
    else:
        means = resample_ratio(units, n_resamples=_N_DRAWS, rng=rng).means
    return judge_means(means, turns_of(pairs, units, asked.threshold))


def draw_samples(
    pairs: MetricPairs, reference: Reference, asked: Asked, *, drop: float, rng: np.random.Generator
) -> Draws:
    """Draw runs of as many other items, whose mean is lower than the baseline's by ``drop`` and by chance.

    Args:
        pairs: the candidate, with at least one score.
        reference: the baseline, with at least one score.
        asked: the checks' options.
        drop: of the mean, >= 0; drift is asked only where it is 0.
        rng: the source of randomness.
    """
    before, now = _turned(reference.units(), pairs), _turned(pairs.candidate_units(), pairs)
    interval = two_sample_interval(before, now, _ALPHA)
    doubt = 0.0 if interval is None else (interval.high - interval.low) / 2
    deltas = rng.normal(size=_N_DRAWS) * doubt / _Z - drop
    parts = [judge_means(before.mean + deltas, turns_of(pairs, now, asked.threshold))]
    if asked.regression is not None:
        reach = Reach(doubt if interval is not None else None)
        parts.append(judge_deltas(deltas, _p_values(deltas, doubt), asked.regression, reach))
    if asked.drift is not None and drop == 0.0:
        parts.append(_judge_pool(pairs, reference, asked.drift, rng))
    return together(parts)


def _p_values(deltas: NDArray[np.float64], doubt: float) -> NDArray[np.float64]:
    """Normal ones; without any doubt whatever is lower is shown."""
    if doubt == 0.0:
        return np.where(deltas < 0, 0.0, 1.0)
    return normal_cdf(deltas / doubt * _Z)


def _judge_pool(pairs: MetricPairs, reference: Reference, options: DriftOptions, rng: np.random.Generator) -> Draws:
    held = pairs.common
    buckets = sort_into_buckets(
        reference.scores, pairs.candidate[held], edges=options.edges, quantiles=options.quantiles
    )
    together_in = groups_of_both(reference.design.groups, pairs.design.pick(held).groups, buckets)
    test = pooled_test(buckets, n_permutations=_N_DRAWS, rng=rng, groups=together_in)
    # fewer draws where there are very many groups: they stand for the rest
    drawn = rng.permutation(np.resize(test.draws, _N_DRAWS))
    return judge_psi(drawn, options, np.zeros(drawn.size, dtype=np.bool_))


def _turned(units: Units, pairs: MetricPairs) -> Units:
    return units._replace(totals=pairs.sign * units.totals)
