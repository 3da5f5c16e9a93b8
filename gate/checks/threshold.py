"""Threshold: does the mean clear the bar, with the uncertainty of these few items counted in?"""

import math
from typing import Literal

import numpy as np
from pydantic import Field, FiniteFloat

from gate.alignment import MetricPairs
from gate.checks.base import Options
from gate.evidence import Estimate, IntervalEvidence
from gate.results import CheckResult, Status
from gate.scores.model import Direction
from gate.stats.bootstrap import Interval, MeanDistribution, bootstrap_mean, resample_mean
from gate.stats.lattice import exact_mean
from gate.wording import count, limit, number, number_beside, percent, stated_p

NAME = "threshold"
ASKS = "Is the metric's mean over the bar with confidence? The interval's end nearer to the bar must clear it."
WHEN_IT_FAILS = (
    "The mean may be over the bar and still not prove it: add items, improve the candidate, or lower the bar "
    "knowingly. `gate show` prints the scores it rests on."
)


class ThresholdOptions(Options):
    """Options of the threshold check."""

    bar: FiniteFloat | None = Field(
        default=None,
        description="The value the mean must prove to reach, in the metric's unit; a ceiling for `direction: lower`.",
    )
    method: Literal["bootstrap", "resample"] = Field(
        default="bootstrap",
        description="`bootstrap`: the percentile bootstrap, computed exactly. `resample`: the same by Monte Carlo.",
    )
    alpha: float = Field(default=0.05, gt=0, lt=1, description="Two-sided error of the interval.")
    n_resamples: int = Field(default=10_000, ge=100, le=10_000_000, description="Resamples of `method: resample`.")


def check(pairs: MetricPairs, options: ThresholdOptions, rng: np.random.Generator) -> CheckResult:
    """Judge the candidate's mean over the common items against the bar."""
    scores = pairs.candidate_scores()
    if options.bar is None:
        return _no_bar(pairs, scores)
    if scores.size == 0:
        return CheckResult(
            NAME, Status.FAIL, "no-scores", "no scored item is left to hold against the bar", metric=pairs.metric,
            remedy="look at the coverage and contamination lines: they say where the items went",
        )  # fmt: skip
    sign = -1.0 if pairs.direction is Direction.LOWER else 1.0
    distribution = _distribution(sign * scores, options, rng)
    p_at_bar = distribution.mass_below(sign * options.bar)
    interval = _turned(distribution.interval(options.alpha), sign)
    estimate = Estimate(
        exact_mean(scores), interval.low, interval.high, 1 - options.alpha, options.method, int(scores.size)
    )
    return _judged(pairs, estimate, options.bar, p_at_bar, clears=p_at_bar <= options.alpha / 2)


def _judged(pairs: MetricPairs, estimate: Estimate, bar: float, p_at_bar: float, *, clears: bool) -> CheckResult:
    lower = pairs.direction is Direction.LOWER
    end, nearer = ("high", estimate.high) if lower else ("low", estimate.low)
    name = "ceiling" if lower else "bar"
    relation = "clears" if clears else ("is over" if lower else "is under")
    return CheckResult(
        NAME,
        Status.PASS if clears else Status.FAIL,
        "clears-bar" if clears else f"{end}-{'over' if lower else 'under'}-bar",
        f"{end} {number_beside(nearer, bar)} {relation} the {name} {limit(bar)}",
        detail=_detail(estimate),
        remedy=""
        if clears
        else f"improve the candidate, or add items: {count(estimate.n, 'item')} leave this much doubt",
        notes=_notes(pairs, estimate, bar, clears=clears),
        metric=pairs.metric,
        figures={
            "mean": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "bar": bar,
            "p_at_bar": stated_p(p_at_bar),
            "n": estimate.n,
            "all_items_mean": _all_items_mean(pairs),
        },
        evidence=IntervalEvidence(estimate, bar, name, pairs.scale),
    )


def _no_bar(pairs: MetricPairs, scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> CheckResult:
    mean = exact_mean(scores) if scores.size else None
    return CheckResult(
        NAME,
        Status.NOT_RUN,
        "no-bar",
        "no bar checked",
        detail="" if mean is None else f"mean {number(mean)}, n = {scores.size}",
        metric=pairs.metric,
        figures={"mean": mean, "n": int(scores.size)},
    )


def _distribution(
    scores: np.ndarray[tuple[int], np.dtype[np.float64]], options: ThresholdOptions, rng: np.random.Generator
) -> MeanDistribution:
    if options.method == "resample":
        return resample_mean(scores, n_resamples=options.n_resamples, rng=rng)
    return bootstrap_mean(scores)


def _turned(interval: Interval, sign: float) -> Interval:
    return interval if sign > 0 else Interval(-interval.high, -interval.low)


def _detail(estimate: Estimate) -> str:
    return (
        f"mean {number(estimate.value)}, {percent(estimate.confidence_level)} interval "
        f"[{number(estimate.low)}, {number(estimate.high)}], n = {estimate.n}"
    )


def _notes(pairs: MetricPairs, estimate: Estimate, bar: float, *, clears: bool) -> tuple[str, ...]:
    notes = []
    mean_clears = estimate.value <= bar if pairs.direction is Direction.LOWER else estimate.value >= bar
    if mean_clears and not clears:
        notes.append(
            f"the mean {number_beside(estimate.value, bar)} alone would clear the bar: not proven at n = {estimate.n}"
        )
    if math.isclose(estimate.low, estimate.high):
        notes.append("every score is the same: the bootstrap sees no spread and cannot doubt it")
    if pairs.new.size:
        notes.append(f"over all items, the new ones included, the mean is {number(_all_items_mean(pairs))}")
    return tuple(notes)


def _all_items_mean(pairs: MetricPairs) -> float:
    everything = np.concatenate([pairs.candidate_scores(), pairs.new[~np.isnan(pairs.new)]])
    return exact_mean(everything)
