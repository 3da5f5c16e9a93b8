"""The candidate against the baseline in figures: item by item, or as two samples of different items."""

import math
from dataclasses import dataclass

import numpy as np

from gate.alignment import Design, MetricPairs
from gate.evidence import Estimate, ExactBound, Part
from gate.scores.model import Direction
from gate.stats.bootstrap import Interval, bootstrap_ratio
from gate.stats.dirichlet import exact_interval, exact_p
from gate.stats.lattice import ROUNDING
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.paired import Tally, pairs_to_show, sign_flip_p, smallest_detectable_drop, tally_pairs
from gate.stats.units import Units
from gate.stats.unpaired import two_sample_p
from gate.stats.welch import two_sample_detectable_drop, two_sample_interval
from gate.wording import count

_ALPHA = 0.05
_N_PERMUTATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the candidate stands against the baseline; positive is better.

    Attributes:
        units: the differences of the pairs, or the candidate's own scores where the runs are not paired.
        design: of those items.
        estimate: the mean difference with its 95 % interval.
        p_value: one-sided, of "the candidate is not worse".
        least_p: the smallest p-value that so many units can come to.
        least_p_seen: the smallest that those of them can come to that changed at all.
        exact: the exact bound of the mean difference, its p at minus the margin; None where it cannot be had.
        no_worse: no drop beyond the margin is shown.
        drop: the smallest drop that as many items would show 80 % of the time by their spread, None where it is not
            known; ``shown_drop`` has whether they can show one at all.
        needed: how many pairs show a drop of the margin as surely; None where there is no margin or it is not known.
        tally: wins, losses and ties; None where the runs are not paired.
        baseline_n: the number of the baseline's items where the runs are not paired.
    """

    units: Units
    design: Design
    estimate: Estimate
    p_value: float
    least_p: float
    least_p_seen: float
    exact: ExactBound | None
    no_worse: bool
    drop: float | None
    tally: Tally | None = None
    baseline_n: int | None = None
    needed: int | None = None
    lower_is_better: bool = False

    @property
    def hides_a_drop(self) -> bool:
        """The drop seen is one that so many items would show, were it not that too few units changed to test it."""
        return (
            self.least_p_seen > ERROR_SHARE and self.estimate.value < 0 and -self.estimate.value >= (self.drop or 0.0)
        )

    @property
    def shows_none(self) -> bool:
        """So few units show no drop whatever: not even all of them falling is unlikely enough."""
        return self.least_p > ERROR_SHARE

    @property
    def shown_drop(self) -> float | None:
        """The smallest drop that is shown 80 % of the time; None where none can be, or it is not known."""
        return None if self.shows_none else self.drop

    @property
    def loss_word(self) -> str:
        """What getting worse is called."""
        return "rise" if self.lower_is_better else "drop"

    @property
    def counted(self) -> str:
        """How many there are of what is compared."""
        if self.baseline_n is not None:
            return f"{self.baseline_n} and {count(self.estimate.n, 'item')}"
        return count(self.estimate.n, "pair")


def compare(pairs: MetricPairs, margin: float | None, rng: np.random.Generator) -> Comparison | None:
    """Compare the two runs; None where there is nothing to compare."""
    return _compare_pairs(pairs, margin) if pairs.reference is None else _compare_samples(pairs, margin, rng)


def parts_of(pairs: MetricPairs) -> tuple[Part, ...]:
    """The differences by stratum, else by group, the largest loss first."""
    design = pairs.design.pick(pairs.both)
    numbers, names = (
        (design.groups, design.group_names) if design.strata is None else (design.strata, design.stratum_names)
    )
    if numbers is None or pairs.baseline is None:
        return ()
    differences, weights = pairs.differences(), design.weights
    parts = []
    for number, name in enumerate(names):
        own = differences[numbers == number]
        if own.size:
            tally = tally_pairs(own)
            parts.append(
                Part(
                    name,
                    tally.wins,
                    tally.losses,
                    tally.ties,
                    float(np.average(own, weights=None if weights is None else weights[numbers == number])),
                )
            )
    return tuple(sorted(parts, key=lambda part: (part.wins - part.losses, part.name)))


def _compare_pairs(pairs: MetricPairs, margin: float | None) -> Comparison | None:
    differences = pairs.differences()
    if differences.size == 0:
        return None
    units = pairs.difference_units()
    interval, method = bootstrap_ratio(units).interval(_ALPHA), "bootstrap"
    exact = _exact_bound(pairs, units, margin)
    # a bootstrap of equal differences has no width: it proves nothing
    seems_certain = interval.low == interval.high
    no_worse = margin is not None and not seems_certain and interval.low >= -margin
    if exact is not None:
        no_worse = margin is not None and exact.p <= _ALPHA / 2
        if seems_certain:
            interval, method = Interval(exact.low, exact.high), "exact"
    return Comparison(
        units=units,
        design=pairs.design.pick(pairs.both),
        estimate=Estimate(units.mean, interval.low, interval.high, 1 - _ALPHA, method, int(differences.size)),
        p_value=sign_flip_p(units.totals),
        least_p=0.5**units.totals.size,
        least_p_seen=0.5 ** int(np.count_nonzero(np.abs(units.totals) > ROUNDING)),
        exact=exact,
        no_worse=no_worse,
        drop=smallest_detectable_drop(units, differences),
        tally=tally_pairs(differences),
        needed=None if margin is None else pairs_to_show(margin, units, differences),
        lower_is_better=pairs.direction is Direction.LOWER,
    )


def _exact_bound(pairs: MetricPairs, units: Units, margin: float | None) -> ExactBound | None:
    if pairs.scale is None:
        return None
    width = pairs.scale.high - pairs.scale.low
    interval = exact_interval(units, lowest=-width, highest=width, alpha=_ALPHA)
    return ExactBound(interval.low, interval.high, exact_p(units, -(margin or 0.0), lowest=-width))


def _compare_samples(pairs: MetricPairs, margin: float | None, rng: np.random.Generator) -> Comparison | None:
    scores, reference = pairs.candidate_scores(), pairs.reference
    if reference is None or scores.size == 0 or np.isnan(reference.scores).all():
        return None
    before, now = (
        units._replace(totals=pairs.sign * units.totals) for units in (reference.units(), pairs.candidate_units())
    )
    interval = two_sample_interval(before, now, _ALPHA) or _bounds_of_equal(before, now, pairs)
    least_p = 1 / math.comb(before.sizes.size + now.sizes.size, now.sizes.size)
    p_value = two_sample_p(before, now, n_permutations=_N_PERMUTATIONS, rng=rng)
    return Comparison(
        units=now,
        design=pairs.design.pick(~np.isnan(pairs.own)),
        estimate=Estimate(
            now.mean - before.mean, interval.low, interval.high, 1 - _ALPHA, "two samples", int(scores.size)
        ),
        p_value=p_value,
        least_p=least_p,
        least_p_seen=least_p,
        exact=None,
        no_worse=margin is not None and interval.low < interval.high and interval.low >= -margin,
        drop=two_sample_detectable_drop(before, now),
        baseline_n=int((~np.isnan(reference.scores)).sum()),
        lower_is_better=pairs.direction is Direction.LOWER,
    )


def _bounds_of_equal(before: Units, now: Units, pairs: MetricPairs) -> Interval:
    """Where no score of a run differs from another: the exact bounds of both means, each at half the error."""
    scale = pairs.turned_scale
    if scale is None:
        return Interval(now.mean - before.mean, now.mean - before.mean)
    theirs, ours = (
        exact_interval(units, lowest=scale.low, highest=scale.high, alpha=_ALPHA / 2) for units in (before, now)
    )
    return Interval(ours.low - theirs.high, ours.high - theirs.low)
