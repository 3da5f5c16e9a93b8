"""Runs in which nothing changed, and what the checks would say of them."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment import MetricPairs, Reference
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.error_rates.critical_mean import NO_BAR, CriticalMeans, find_critical_means
from gate.error_rates.draws import Draws
from gate.scores.model import Direction, Scale
from gate.stats.bootstrap import resample_ratio
from gate.stats.buckets import count_buckets, sort_into_buckets
from gate.stats.dirichlet import exact_interval
from gate.stats.flip_draws import draw_flips, flip_p_values
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.null_psi import own_p_values
from gate.stats.pooling import pooled_test
from gate.stats.psi import MODERATE, SIGNIFICANT, psi_of_each
from gate.stats.units import Units

_N_DRAWS = 4000
_ALPHA = 0.05
# Among so many items chance moves no PSI out of its band.
_MOST_SORTED = 200_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the checks on one metric, None where one is off."""

    threshold: ThresholdOptions | None
    regression: RegressionOptions | None
    drift: DriftOptions | None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Pairs in which nothing changed.

    Attributes:
        differences: the pairs' differences, gathered.
        sums: float64 (r,), the sum of the differences in each draw.
        before: the baseline's scores, gathered and turned so that higher is better.
        items: the same item by item.
        turns: where the threshold check turns.
        reach: what the regression check can show.
        draws: what the checks say.
    """

    differences: Units
    sums: NDArray[np.float64]
    before: Units
    items: Units
    turns: CriticalMeans
    reach: "Reach"
    draws: Draws


class Reach(NamedTuple):
    """What a regression check on so many units can show.

    Attributes:
        doubt: how far the exact bound of the mean difference lies below it, None where the scale is not known.
        nothing: they are so few groups that no drop can be shown, and the check says so.
    """

    doubt: float | None
    nothing: bool


def draw_unchanged_pairs(pairs: MetricPairs, asked: Asked, rng: np.random.Generator) -> Unchanged:
    """Exchange the two runs' scores of each unit at random.

    Where buckets are quantiles, each run's own would be sorted by its own; here they stay, and the rate errs upwards.

    Args:
        pairs: with at least one item scored in both runs.
        asked: the checks' options.
        rng: the source of randomness.
    """
    both = pairs.design.pick(pairs.both)
    scores = _baseline_scores(pairs)
    differences, before = _differences(pairs), both.units(scores)
    moves = None if asked.drift is None else _sort(pairs, asked.drift)
    flips = draw_flips(
        differences.totals, np.empty((differences.totals.size, 0)) if moves is None else moves.vectors, rng=rng
    )
    turns, reach = turns_of(pairs, before, asked.threshold), _reach(pairs, differences)
    means = before.mean + flips.sums / (2 * float(differences.sizes.sum()))
    verdicts = [Draws(turns.fails(means), turns.warns(means))]
    if asked.regression is not None:
        p_values = flip_p_values(differences.totals, flips.sums)
        deltas = flips.sums / float(differences.sizes.sum())
        verdicts.append(judge_deltas(deltas, p_values, asked.regression, reach))
    if asked.drift is not None and moves is not None and flips.moves is not None:
        improved = flip_p_values(differences.totals, -flips.sums) <= ERROR_SHARE
        verdicts.append(_judge_drift(asked.drift, _psi_of(moves, flips.moves), improved))
    items = replace(both, groups=None).units(scores)
    return Unchanged(differences, flips.sums, before, items, turns, reach, _together(verdicts))


def draw_unchanged_samples(pairs: MetricPairs, asked: Asked, rng: np.random.Generator) -> Draws:
    """Draw a run like the one there is from its own scores: the baseline's where the runs are not paired."""
    plain = pairs.candidate_units() if pairs.reference is None else pairs.reference.units()
    sign = _sign(pairs)
    units = plain._replace(totals=sign * plain.totals)
    turns = turns_of(pairs, units, asked.threshold)
    means = rng.permutation(resample_ratio(units, n_resamples=_N_DRAWS, rng=rng).means)
    verdicts = [Draws(turns.fails(means), turns.warns(means))]
    if pairs.reference is not None and asked.regression is not None:
        verdicts.append(judge_samples(rng.normal(size=_N_DRAWS), 0.0, asked.regression))
    if pairs.reference is not None and asked.drift is not None:
        verdicts.append(_judge_pool(pairs, pairs.reference, asked.drift, rng))
    return _together(verdicts)


def judge_samples(scores: NDArray[np.float64], drop: float, options: RegressionOptions) -> Draws:
    """What the regression check says of runs on different items.

    Args:
        scores: float64 (r,), standard normal: the difference of two unchanged runs in standard errors.
        drop: in standard errors, >= 0.
        options: of the check.
    """
    p_values = np.array([0.5 * math.erfc((drop - score) / math.sqrt(2)) for score in scores.tolist()])
    nothing = np.zeros(scores.size, dtype=np.bool_)
    unsure = (p_values > ERROR_SHARE) & (options.margin is not None)
    fails, warns = (unsure if options.cannot_tell == word else nothing for word in ("fail", "warn"))
    return Draws(fails, warns, {"regression": p_values})


def _judge_pool(pairs: MetricPairs, reference: Reference, options: DriftOptions, rng: np.random.Generator) -> Draws:
    scores = pairs.candidate_scores()
    before = reference.scores[~np.isnan(reference.scores)]
    buckets = sort_into_buckets(before, scores, edges=options.edges, quantiles=options.quantiles)
    drawn = rng.permutation(pooled_test(buckets, n_permutations=_N_DRAWS, rng=rng).draws)
    return _judge_drift(options, drawn, np.zeros(drawn.size, dtype=np.bool_))


def turns_of(pairs: MetricPairs, units: Units, options: ThresholdOptions | None) -> CriticalMeans:
    """Where the threshold check turns on scores like these, which are turned so that higher is better."""
    if options is None or options.bar is None or pairs.scale is None:
        return NO_BAR
    low, high = pairs.scale
    scale = Scale(low, high) if pairs.direction is Direction.HIGHER else Scale(-high, -low)
    return find_critical_means(units, _sign(pairs) * options.bar, options, scale)


def judge_deltas(
    deltas: NDArray[np.float64], p_values: NDArray[np.float64], options: RegressionOptions, reach: Reach
) -> Draws:
    """What the regression check says of (r,) mean differences with these p-values."""
    nothing = np.zeros(deltas.size, dtype=np.bool_)
    margin, doubt = options.margin, reach.doubt
    no_worse = nothing if doubt is None or margin is None else deltas - doubt >= -margin
    if margin is None or reach.nothing:
        return Draws(nothing, ~no_worse & reach.nothing, {"regression": p_values})
    unsure = ~no_worse & (p_values > ERROR_SHARE)
    fails = unsure if options.cannot_tell == "fail" else nothing
    warns = {"note": unsure & (deltas < -margin), "warn": unsure, "fail": nothing}[options.cannot_tell]
    return Draws(fails, warns, {"regression": np.where(no_worse, 1.0, p_values)})


class _Moves(NamedTuple):
    """Which buckets the scores lie in, and how each unit moves between them.

    Attributes:
        middle: float64 (k,), the mean of both runs' counts.
        vectors: float64 (g, k), the candidate's counts of each unit less the baseline's.
    """

    middle: NDArray[np.float64]
    vectors: NDArray[np.float64]


def _sort(pairs: MetricPairs, options: DriftOptions) -> _Moves | None:
    """None without a baseline, and where there are so many items that chance moves no PSI out of its band."""
    if pairs.baseline is None or len(pairs.ids) > _MOST_SORTED:
        return None
    both, groups = pairs.both, pairs.design.groups
    buckets = sort_into_buckets(
        pairs.baseline[both], pairs.candidate[both], edges=options.edges, quantiles=options.quantiles
    )
    k = len(buckets.labels)
    middle = (count_buckets(buckets.baseline, k) + count_buckets(buckets.candidate, k)) / 2
    unit = np.arange(buckets.baseline.size) if groups is None else np.unique(groups[both], return_inverse=True)[1]
    vectors = np.zeros((int(unit.max()) + 1, k))
    np.add.at(vectors, (unit, buckets.candidate), 1.0)
    np.add.at(vectors, (unit, buckets.baseline), -1.0)
    return _Moves(middle, vectors)


def _psi_of(moves: _Moves, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Float64 (r,): the PSI of each of (r, k) moves between buckets."""
    before, now = (np.rint(moves.middle + sign * drawn / 2).astype(np.int64) for sign in (-1, 1))
    return psi_of_each(before, now)


def _judge_drift(options: DriftOptions, values: NDArray[np.float64], improved: NDArray[np.bool_]) -> Draws:
    """What the drift check says of (r,) indices, some of them of candidates that are shown better."""
    significant = (values > SIGNIFICANT) & ~improved
    mild = (values > MODERATE) & ~significant
    if options.rule == "bands":
        return Draws(significant, mild)
    p_values = own_p_values(values)
    nothing = np.zeros(values.size, dtype=np.bool_)
    return Draws(nothing, mild & (p_values <= ERROR_SHARE), {"drift": np.where(significant, p_values, 1.0)})


def _together(parts: list[Draws]) -> Draws:
    """What all checks say together."""
    p_values = {check: p_value for part in parts for check, p_value in part.p_values.items()}
    fails = np.logical_or.reduce([part.fails for part in parts])
    return Draws(fails, np.logical_or.reduce([part.warns for part in parts]), p_values)


def _differences(pairs: MetricPairs) -> Units:
    """The pairs' differences; where there are none, as of a run against itself, what its repeats show of its noise."""
    differences = pairs.difference_units()
    noise = np.nan_to_num((pairs.noise + pairs.baseline_noise)[pairs.both])
    if differences.totals.any() or not noise.any():
        return differences
    return pairs.design.pick(pairs.both).units(np.sqrt(noise))


def _baseline_scores(pairs: MetricPairs) -> NDArray[np.float64]:
    """Of the items scored in both runs, turned so that higher is better."""
    scores = pairs.candidate if pairs.baseline is None else pairs.baseline
    return _sign(pairs) * scores[pairs.both]


def _sign(pairs: MetricPairs) -> float:
    return 1.0 if pairs.direction is Direction.HIGHER else -1.0


def _reach(pairs: MetricPairs, differences: Units) -> Reach:
    nothing = pairs.design.groups is not None and 0.5**differences.totals.size > ERROR_SHARE
    if pairs.scale is None:
        return Reach(None, nothing)
    width = pairs.scale.high - pairs.scale.low
    low = exact_interval(differences, lowest=-width, highest=width, alpha=_ALPHA).low
    return Reach(differences.mean - low, nothing)
