"""Regression: did the same items get worse?"""

from typing import Literal

import numpy as np
from pydantic import Field

from gate.alignment import MetricPairs
from gate.checks.base import Options, Outcome
from gate.checks.comparison import Comparison, compare, parts_of
from gate.checks.doubt import design_notes, noise_notes, tell_n
from gate.evidence import IntervalEvidence
from gate.results import CheckResult, Figure, Status
from gate.stats.multiplicity import ERROR_SHARE
from gate.wording import count, limit, number, probability, stated_p

NAME = "regression"
ASKS = (
    "Is the candidate worse than the baseline on the same items, by more than chance explains? Items of a group count "
    "as one; several metrics and suites share the error rate (Holm). `paired: false` in the suite compares runs of "
    "different items; a metric may have a margin of its own under `metrics`."
)
WHEN_IT_FAILS = (
    "Read the items that got worse, worst first, in the report: they are what changed. Mend the candidate; or, if the "
    "loss is meant, say how much is tolerable with `margin`."
)


class RegressionOptions(Options):
    """Options of the regression check."""

    margin: float | None = Field(
        default=None, gt=0, allow_inf_nan=False,
        description="The tolerable drop of the mean, in the metric's own unit; without it only a shown drop fails.",
    )  # fmt: skip
    cannot_tell: Literal["note", "warn", "fail"] = Field(
        default="note",
        description="With a margin, where neither a drop nor its absence is shown: `note` passes while the drop seen "
        "is within the margin and warns beyond it; `warn` and `fail` always do.",
    )


def check(pairs: MetricPairs, options: RegressionOptions, rng: np.random.Generator) -> CheckResult:
    """Judge the differences: a drop shown, none beyond the margin shown, or neither."""
    if pairs.baseline is None and pairs.reference is None:
        return CheckResult(NAME, Status.NOT_RUN, "no-baseline", "no baseline to compare with", metric=pairs.metric)
    found = compare(pairs, options.margin, rng)
    if found is None:
        return CheckResult(
            NAME, Status.FAIL, "no-pairs", "no item has a score in both runs", metric=pairs.metric,
            remedy="look at the coverage and contamination lines: they say where the items went",
        )  # fmt: skip
    outcome = _outcome(found, options)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(found),
        remedy=outcome.remedy,
        notes=_notes(pairs, found, options, outcome.status),
        metric=pairs.metric,
        figures=_figures(found, options),
        p_value=found.p_value,
        if_not_upheld=_cannot_tell(found, options)[0] if options.margin is not None else Status.WARN,
        evidence=_evidence(pairs, found, options),
    )


def _outcome(found: Comparison, options: RegressionOptions) -> Outcome:
    margin, delta = options.margin, found.estimate.value
    if margin is not None and found.no_worse:
        return Outcome(Status.PASS, "no-worse", f"no worse than the margin {limit(margin)}: delta {number(delta)}")
    if found.p_value <= ERROR_SHARE:
        sentence = f"the candidate is worse: delta {number(delta)}, p {probability(found.p_value)}"
        return Outcome(Status.FAIL, "regression-shown", sentence, "read the items that got worse; mend the candidate")
    if found.shows_none and found.design.groups is not None:
        sentence = f"{count(found.units.sizes.size, 'group')} cannot show any {found.loss_word}: delta {number(delta)}"
        remedy = "add groups; or, where they are mere categories, map the column as `stratum` instead of `group`"
        return Outcome(Status.WARN, "too-few-groups", sentence, remedy)
    if found.hides_a_drop:
        sentence = f"so few changes cannot show the {found.loss_word} that is seen: delta {number(delta)}"
        return Outcome(Status.WARN, "too-few-changes", sentence, "add items; until then, read the items that got worse")
    if margin is None:
        drop = found.shown_drop
        could = f"; {found.counted} can show a {found.loss_word} of {number(drop)}" if drop else ""
        return Outcome(Status.PASS, "no-regression-shown", f"no regression shown: delta {number(delta)}{could}")
    return _cannot_tell(found, options)


def _cannot_tell(found: Comparison, options: RegressionOptions) -> Outcome:
    """Neither a drop nor its absence is shown; without a margin there is nothing to be told apart."""
    margin, delta = options.margin or 0.0, found.estimate.value
    sentence = f"cannot tell at this n whether the margin {limit(margin)} holds: delta {number(delta)}"
    within = Status.PASS if delta >= -margin else Status.WARN
    status = {"note": within, "warn": Status.WARN, "fail": Status.FAIL}[options.cannot_tell]
    return Outcome(status, "cannot-tell", sentence, "add items, or widen the margin")


def _figures(found: Comparison, options: RegressionOptions) -> dict[str, Figure]:
    estimate, exact, tally = found.estimate, found.exact, found.tally
    return {
        "delta": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "exact_low": None if exact is None else exact.low,
        "exact_high": None if exact is None else exact.high,
        "p": stated_p(found.p_value),
        "margin": options.margin,
        "p_at_margin": None if exact is None or options.margin is None else stated_p(exact.p),
        **({} if tally is None else tally._asdict()),
        "n": estimate.n,
        "units": int(found.units.sizes.size),
        "smallest_detectable_drop": found.shown_drop,
    }


def _detail(found: Comparison) -> str:
    estimate, tally = found.estimate, found.tally
    told = [f"95 % interval [{number(estimate.low)}, {number(estimate.high)}]"]
    if tally is not None:
        losses = "1 loss" if tally.losses == 1 else f"{tally.losses} losses"
        told += [count(tally.wins, "win"), losses, count(tally.ties, "tie")]
    if found.baseline_n is not None:
        return ", ".join([*told, f"n = {found.baseline_n} and {estimate.n}, not paired"])
    return ", ".join([*told, tell_n(estimate.n, found.units, found.design)])


def _notes(pairs: MetricPairs, found: Comparison, options: RegressionOptions, status: Status) -> tuple[str, ...]:
    notes = [] if status is Status.FAIL else _could_show(found, options)
    if found.baseline_n is not None:
        notes.append("the runs are of different items, as asked: that shows far less than item by item")
        return tuple(notes)
    noise = pairs.noise[pairs.both] + pairs.baseline_noise[pairs.both]
    differences = pairs.differences()
    return (*notes, *design_notes(differences, found.design), *noise_notes(differences, noise))


def _could_show(found: Comparison, options: RegressionOptions) -> list[str]:
    """What a true drop would have to be to be seen, or how many pairs that takes."""
    word, drop = found.loss_word, found.shown_drop
    if found.shows_none:
        return [f"{found.counted} cannot show any {word}"]
    if drop is None:
        return []
    told = [f"a true {word} of {number(drop)} is shown 80 % of the time by {found.counted} like these"]
    if options.margin is not None and found.needed is not None and found.needed > found.estimate.n:
        shown = f"a {word} of the margin {limit(options.margin)}"
        told.append(f"to show {shown} as surely takes about {found.needed} like these")
    return told


def _evidence(pairs: MetricPairs, found: Comparison, options: RegressionOptions) -> IntervalEvidence:
    width = None if pairs.scale is None else pairs.scale.high - pairs.scale.low
    axis = None if width is None else (-width, width)
    at, name = (0.0, "no change") if options.margin is None else (-options.margin, "margin")
    return IntervalEvidence(found.estimate, at, name, axis, found.exact, parts_of(pairs), "delta")
