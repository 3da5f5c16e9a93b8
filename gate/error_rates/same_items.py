"""Runs on the same items, in which nothing changed or a stated drop is real."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment import MetricPairs
from gate.checks.drift import DriftOptions
from gate.error_rates.critical_mean import CriticalMeans
from gate.error_rates.draws import Draws
from gate.error_rates.rules import Asked, Reach, judge_deltas, judge_means, judge_psi, together, turns_of
from gate.stats.binomial import upper_tail
from gate.stats.buckets import count_buckets, sort_into_buckets
from gate.stats.dirichlet import exact_interval
from gate.stats.flip_draws import draw_flips, flip_p_values
from gate.stats.lattice import ROUNDING
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.normal import normal_cdf
from gate.stats.paired import smallest_detectable_drop, typical_fall
from gate.stats.psi import psi_of_each
from gate.stats.units import Units

_ALPHA = 0.05
# Among so many items chance moves no PSI out of its band.
_MOST_SORTED = 200_000


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Pairs in which nothing changed.

    Attributes:
        differences: the pairs' differences, gathered.
        fall: how far an item falls that falls; 0 where none can.
        items: the number of pairs.
        grouped: several of them make a unit.
        sums: float64 (r,), the sum of the differences in each draw.
        before: the baseline's mean, turned so that higher is better.
        turns: where the threshold check turns.
        reach: what the regression check can show.
        draws: what the checks say.
    """

    differences: Units
    fall: float
    items: int
    grouped: bool
    sums: NDArray[np.float64]
    before: float
    turns: CriticalMeans
    reach: Reach
    draws: Draws

    @property
    def weight(self) -> float:
        """Of all items."""
        return float(self.differences.sizes.sum())


def draw_unchanged(pairs: MetricPairs, asked: Asked, rng: np.random.Generator) -> Unchanged:
    """Exchange the two runs' scores of each unit at random, and let a candidate differ by so much from the baseline.

    The baseline's mean is a draw itself, not the truth: what is stated is how likely a run would be judged so, given
    this baseline. Where buckets are quantiles, each run's own would be sorted by its own; here they stay, and the rate
    errs upwards.

    Args:
        pairs: with at least one item scored in both runs.
        asked: the checks' options.
        rng: the source of randomness.
    """
    both, scores = pairs.design.pick(pairs.both), _baseline_scores(pairs)
    differences, before = _differences(pairs), both.units(scores)
    moves = None if asked.drift is None else _sort(pairs, asked.drift)
    vectors = np.empty((differences.totals.size, 0)) if moves is None else moves.vectors
    flips = draw_flips(differences.totals, vectors, rng=rng)
    turns, reach = turns_of(pairs, before, asked.threshold), _reach(pairs, differences)
    deltas = flips.sums / float(differences.sizes.sum())
    parts = [judge_means(before.mean + deltas, turns)]
    if asked.regression is not None:
        parts.append(judge_deltas(deltas, flip_p_values(differences.totals, flips.sums), asked.regression, reach))
    if asked.drift is not None and moves is not None and flips.moves is not None:
        improved = flip_p_values(differences.totals, -flips.sums) <= ERROR_SHARE
        parts.append(judge_psi(_psi_of(moves, flips.moves), asked.drift, improved))
    return Unchanged(
        differences=differences,
        fall=typical_fall(pairs.differences()) or _room(pairs, scores),
        items=scores.size,
        grouped=both.groups is not None,
        sums=flips.sums,
        before=before.mean,
        turns=turns,
        reach=reach,
        draws=together(parts),
    )


def draw_dropped(unchanged: Unchanged, drop: float, asked: Asked, rng: np.random.Generator) -> Draws:
    """Let items fall, on top of the noise between unchanged runs, until the mean is so much lower.

    An item falls as far as the two runs' scores of an item differ where they do: on pass/fail scores, from right to
    wrong. Where that is not enough, all fall a little. Drift is not asked, so that what is caught errs downwards.

    Args:
        unchanged: the runs without the drop, where an item can fall.
        drop: of the mean, > 0.
        asked: the checks' options.
        rng: the source of randomness.
    """
    each = unchanged.fall * unchanged.weight / unchanged.items
    hits = rng.binomial(unchanged.items, min(1.0, drop / unchanged.fall), size=unchanged.sums.size)
    sums = unchanged.sums - hits * each - max(0.0, drop - unchanged.fall) * unchanged.weight
    deltas = sums / unchanged.weight
    parts = [judge_means(unchanged.before + deltas, unchanged.turns)]
    if asked.regression is not None:
        parts.append(judge_deltas(deltas, _p_values(unchanged, sums, hits, each), asked.regression, unchanged.reach))
    return together(parts)


def _p_values(
    unchanged: Unchanged, sums: NDArray[np.float64], hits: NDArray[np.int64], each: float
) -> NDArray[np.float64]:
    """The sign-flip test's p-values: exact where every move has one size, as on pass/fail scores, else normal."""
    totals = unchanged.differences.totals
    sizes = np.abs(totals[np.abs(totals) > ROUNDING])
    if not unchanged.grouped and (np.abs(sizes - each) <= ROUNDING).all():
        moved = sizes.size + hits
        # the sum is wins less losses, in units of the one size
        losses = np.rint((moved - sums / each) / 2).astype(np.int64)
        return np.where(moved > 0, upper_tail(losses, moved, 0.5), 1.0)
    squares = hits * each**2
    if unchanged.grouped:
        # hits that fall into one group are flipped together
        share = unchanged.differences.sizes / unchanged.weight
        squares = squares + hits * (hits - 1.0) * each**2 * float(share @ share)
    spread = np.sqrt(float(totals @ totals) + squares)
    scores = np.divide(sums, spread, out=np.zeros(sums.size), where=spread > 0)
    return normal_cdf(scores).clip(min=0.5**totals.size)


class _Moves(NamedTuple):
    """Which buckets the scores lie in, and how each unit moves between them.

    Attributes:
        middle: float64 (k,), the mean of both runs' counts.
        vectors: float64 (g, k), the candidate's counts of each unit less the baseline's.
    """

    middle: NDArray[np.float64]
    vectors: NDArray[np.float64]


def _sort(pairs: MetricPairs, options: DriftOptions) -> _Moves | None:
    """None where there are so many items that chance moves no PSI out of its band."""
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
    return pairs.sign * scores[pairs.both]


def _room(pairs: MetricPairs, scores: NDArray[np.float64]) -> float:
    """How far an item can fall on average, of those that can."""
    worst = float(scores.min()) if pairs.turned_scale is None else pairs.turned_scale.low
    room = scores - worst
    falling = room[room > ROUNDING]
    return float(falling.mean()) if falling.size else 0.0


def _reach(pairs: MetricPairs, differences: Units) -> Reach:
    moved = int(np.count_nonzero(np.abs(differences.totals) > ROUNDING))
    hidden_from = None
    if pairs.design.groups is not None and 0.5**differences.totals.size > ERROR_SHARE:
        hidden_from = 0.0
    elif 0.5**moved > ERROR_SHARE:
        hidden_from = smallest_detectable_drop(differences, pairs.differences()) or ROUNDING
    if pairs.scale is None:
        return Reach(None, hidden_from)
    width = pairs.scale.high - pairs.scale.low
    low = exact_interval(differences, lowest=-width, highest=width, alpha=_ALPHA).low
    return Reach(differences.mean - low, hidden_from)
