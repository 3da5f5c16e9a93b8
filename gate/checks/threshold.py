"""Threshold: does the mean clear the bar, with the uncertainty of these few items counted in?"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, FiniteFloat

from gate.alignment import MetricPairs
from gate.checks.base import Options, Outcome
from gate.checks.doubt import design_notes, noise_notes, tell_n
from gate.evidence import Estimate, ExactBound, IntervalEvidence
from gate.results import CheckResult, Figure, Status
from gate.scores.model import Direction
from gate.stats.bootstrap import Interval, MeanDistribution, bootstrap_ratio, resample_ratio
from gate.stats.dirichlet import exact_interval, exact_p, units_to_prove
from gate.stats.lattice import exact_mean
from gate.stats.units import Units
from gate.wording import confidence, count, limit, number, number_beside, probability, stated_p

NAME = "threshold"
ASKS = (
    "Is the metric's mean over the bar with confidence? The interval's end nearer to the bar must clear it. Items of a "
    "group count as one; a metric may have a bar of its own under `metrics`."
)
WHEN_IT_FAILS = (
    "The mean may be over the bar and still not prove it: add items, improve the candidate, or lower the bar "
    "knowingly. `gate show` prints the scores it rests on; `gate power` says how many items a bar takes."
)
_BAR_DIGITS = 2
_MOST_DIGITS = 12


class ThresholdOptions(Options):
    """Options of the threshold check."""

    bar: FiniteFloat | None = Field(
        default=None,
        description="The value the mean must prove to reach, in the metric's unit; a ceiling for `direction: lower`.",
    )
    method: Literal["bootstrap", "exact", "resample"] = Field(
        default="bootstrap",
        description="`bootstrap`: the percentile bootstrap, computed exactly. `exact`: a bound that holds at any "
        "number of items. `resample`: the bootstrap by Monte Carlo.",
    )
    alpha: float = Field(default=0.05, gt=0, lt=1, description="Two-sided error of the interval.")
    guard: Literal["warn", "fail", "off"] = Field(
        default="warn",
        description="What it is worth where the bootstrap clears the bar and the exact bound does not: at few items "
        "the bootstrap is too sure.",
    )
    n_resamples: int = Field(default=10_000, ge=100, le=10_000_000, description="Resamples of `method: resample`.")


def check(pairs: MetricPairs, options: ThresholdOptions, rng: np.random.Generator) -> CheckResult:
    """Judge the candidate's mean over the common items against the bar."""
    if options.bar is None:
        return _no_bar(pairs)
    if pairs.candidate_scores().size == 0:
        return CheckResult(
            NAME, Status.FAIL, "no-scores", "no scored item is left to hold against the bar", metric=pairs.metric,
            remedy="look at the coverage and contamination lines: they say where the items went",
        )  # fmt: skip
    finding = _find(pairs, options, options.bar, rng)
    outcome = _outcome(finding, options)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(finding),
        remedy=outcome.remedy,
        notes=_notes(finding, outcome.status),
        metric=pairs.metric,
        figures=_figures(finding),
        evidence=IntervalEvidence(finding.estimate, finding.bar, finding.bar_name, pairs.scale, finding.exact),
    )


@dataclass(frozen=True, slots=True)
class _Finding:
    """What the scores say of the bar.

    Attributes:
        pairs: the scores.
        units: the candidate's, turned so that higher is better.
        bar: as given.
        estimate: the mean with the interval of the method in charge.
        p_at_bar: how likely the mean is beyond the bar, by the bootstrap.
        exact: the exact bound; None where the scale is not known.
    """

    pairs: MetricPairs
    units: Units
    bar: float
    estimate: Estimate
    p_at_bar: float
    exact: ExactBound | None

    @property
    def higher(self) -> bool:
        """Whether higher is better."""
        return self.pairs.direction is Direction.HIGHER

    @property
    def bar_name(self) -> str:
        """What the bar is called: for a metric that should be low it is a ceiling."""
        return "bar" if self.higher else "ceiling"

    @property
    def bar_is_an_end(self) -> bool:
        """Whether the bar is the best score there is."""
        scale = self.pairs.scale
        return scale is not None and self.bar == (scale.high if self.higher else scale.low)

    @property
    def mean_clears(self) -> bool:
        """Whether the mean alone would do."""
        return self.estimate.value >= self.bar if self.higher else self.estimate.value <= self.bar


def _find(pairs: MetricPairs, options: ThresholdOptions, bar: float, rng: np.random.Generator) -> _Finding:
    sign = pairs.sign
    plain = pairs.candidate_units()
    units = plain._replace(totals=sign * plain.totals)
    bootstrap = _distribution(units, options, rng)
    exact = _exact_bound(pairs, units, options.alpha, sign * bar)
    interval, p_at_bar = bootstrap.interval(options.alpha), bootstrap.mass_below(sign * bar)
    method: str = options.method
    if exact is not None and (method == "exact" or _sees_no_spread(interval, pairs)):
        interval, p_at_bar, method = Interval(exact.low, exact.high), exact.p, "exact"
    interval, n = _turned(interval, sign), int(pairs.candidate_scores().size)
    estimate = Estimate(plain.mean, interval.low, interval.high, 1 - options.alpha, method, n)
    return _Finding(pairs, units, bar, estimate, p_at_bar, None if exact is None else _as_scored(exact, sign))


def _sees_no_spread(interval: Interval, pairs: MetricPairs) -> bool:
    """All groups have one mean though their items differ: no resampling of them can doubt it."""
    scores = pairs.candidate_scores()
    return interval.low == interval.high and float(scores.min()) != float(scores.max())


def _distribution(units: Units, options: ThresholdOptions, rng: np.random.Generator) -> MeanDistribution:
    if options.method == "resample":
        return resample_ratio(units, n_resamples=options.n_resamples, rng=rng)
    return bootstrap_ratio(units)


def _exact_bound(pairs: MetricPairs, units: Units, alpha: float, bar: float) -> ExactBound | None:
    """In the units' own turn; None where the scale is not known."""
    scale = pairs.turned_scale
    if scale is None:
        return None
    interval = exact_interval(units, lowest=scale.low, highest=scale.high, alpha=alpha)
    return ExactBound(interval.low, interval.high, exact_p(units, bar, lowest=scale.low))


def _as_scored(exact: ExactBound, sign: float) -> ExactBound:
    interval = _turned(Interval(exact.low, exact.high), sign)
    return ExactBound(interval.low, interval.high, exact.p)


def _turned(interval: Interval, sign: float) -> Interval:
    return interval if sign > 0 else Interval(-interval.high + 0.0, -interval.low + 0.0)


def _outcome(finding: _Finding, options: ThresholdOptions) -> Outcome:
    half = options.alpha / 2
    proven = finding.exact is None or finding.exact.p <= half
    end, nearer = ("low", finding.estimate.low) if finding.higher else ("high", finding.estimate.high)
    told = f"{end} {number_beside(nearer, finding.bar)}"
    bar = f"the {finding.bar_name} {limit(finding.bar)}"
    if finding.p_at_bar > half:
        side = "under" if finding.higher else "over"
        return Outcome(Status.FAIL, f"{end}-{side}-bar", f"{told} is {side} {bar}", _remedy(finding, half))
    if proven or options.guard == "off":
        return Outcome(Status.PASS, "clears-bar", f"{told} clears {bar}")
    status = Status.WARN if options.guard == "warn" else Status.FAIL
    sentence = f"{told} clears {bar} by the bootstrap, not proven at n = {finding.estimate.n}"
    return Outcome(status, "not-proven", sentence, _remedy(finding, half))


def _remedy(finding: _Finding, half: float) -> str:
    """What is missing: items, or a better candidate."""
    if finding.bar_is_an_end:
        return f"move the {finding.bar_name}: at the end of the scale no number of items can prove it"
    if not finding.mean_clears:
        side = "under" if finding.higher else "over"
        return f"improve the candidate: its mean is {side} the {finding.bar_name}, so more items would not prove it"
    scale, bar = finding.pairs.turned_scale, finding.pairs.sign * finding.bar
    needed = None if scale is None else units_to_prove(finding.units, bar, lowest=scale.low, tail=half)
    if needed is None or needed <= finding.units.sizes.size:
        return f"improve the candidate, or add items: {count(finding.estimate.n, 'item')} leave this much doubt"
    more = count(
        needed - finding.units.sizes.size, "more item" if finding.pairs.design.groups is None else "more group"
    )
    return f"improve the candidate, or add items: {more} at this rate would prove it"


def _no_bar(pairs: MetricPairs) -> CheckResult:
    scores = pairs.candidate_scores()
    mean = pairs.candidate_units().mean if scores.size else None
    return CheckResult(
        NAME,
        Status.NOT_RUN,
        "no-bar",
        "no bar checked",
        detail="" if mean is None else f"mean {number(mean)}, n = {scores.size}",
        metric=pairs.metric,
        figures={"mean": mean, "n": int(scores.size)},
    )


def _figures(finding: _Finding) -> dict[str, Figure]:
    estimate, exact = finding.estimate, finding.exact
    return {
        "mean": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "bar": finding.bar,
        "p_at_bar": stated_p(finding.p_at_bar),
        "exact_low": None if exact is None else exact.low,
        "exact_high": None if exact is None else exact.high,
        "exact_p_at_bar": None if exact is None else stated_p(exact.p),
        "n": estimate.n,
        "units": int(finding.units.sizes.size),
        "all_items_mean": _all_items_mean(finding.pairs),
    }


def _detail(finding: _Finding) -> str:
    estimate, exact, bar = finding.estimate, finding.exact, finding.bar_name
    kind = "exact interval" if estimate.method == "exact" else "interval"
    told = [
        f"mean {number(estimate.value)}",
        f"{confidence(estimate.confidence_level)} {kind} [{number(estimate.low)}, {number(estimate.high)}]",
        f"p {probability(finding.p_at_bar)} at the {bar}",
    ]
    if exact is not None and estimate.method != "exact":
        end, nearer = ("low", exact.low) if finding.higher else ("high", exact.high)
        told.append(f"exact {end} {number_beside(nearer, finding.bar)}, exact p {probability(exact.p)}")
    return ", ".join([*told, tell_n(estimate.n, finding.units, finding.pairs.design)])


def _notes(finding: _Finding, status: Status) -> tuple[str, ...]:
    pairs, estimate = finding.pairs, finding.estimate
    notes = []
    if finding.mean_clears and status is Status.FAIL:
        notes.append(
            f"the mean {number_beside(estimate.value, finding.bar)} alone would clear the {finding.bar_name}: "
            f"not proven at n = {estimate.n}"
        )
    if finding.exact is not None:
        notes.append(_provable(finding, finding.exact))
    elif math.isclose(estimate.low, estimate.high):
        notes.append("every score is the same: the bootstrap sees no spread and cannot doubt it")
    if pairs.new.size and pairs.design.weights is None:
        notes.append(f"over all items, the new ones included, the mean is {number(_all_items_mean(pairs))}")
    scores, scored = pairs.candidate_scores(), ~np.isnan(pairs.own)
    return (*notes, *design_notes(scores, pairs.design.pick(scored)), *noise_notes(scores, pairs.noise[scored]))


def _provable(finding: _Finding, exact: ExactBound) -> str:
    """The strictest bar that these scores prove, in hundredths of the scale's order of size."""
    n = count(finding.estimate.n, "item")
    if finding.higher:
        return f"the highest bar that {n} can prove here is {_rounded(finding, exact.low, math.floor)}"
    return f"the lowest ceiling that {n} can prove here is {_rounded(finding, exact.high, math.ceil)}"


def _rounded(finding: _Finding, bound: float, towards: Callable[[float], int]) -> str:
    scale = finding.pairs.scale
    width = 1.0 if scale is None else scale.high - scale.low
    digits = _BAR_DIGITS - math.floor(math.log10(width))
    if not 0 <= digits <= _MOST_DIGITS:
        return number(bound)
    return f"{towards(bound * 10**digits) / 10**digits:.{digits}f}"


def _all_items_mean(pairs: MetricPairs) -> float:
    everything: NDArray[np.float64] = np.concatenate([pairs.candidate_scores(), pairs.new[~np.isnan(pairs.new)]])
    return exact_mean(everything)
