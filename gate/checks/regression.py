"""Regression: did the same items get worse?"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from gate.alignment import MetricPairs
from gate.checks.base import Options, Outcome
from gate.evidence import Estimate, IntervalEvidence
from gate.results import CheckResult, Status
from gate.stats.bootstrap import bootstrap_mean
from gate.stats.lattice import exact_mean
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.paired import bounds_for_equal_differences, sign_flip_p, smallest_detectable_drop, tally_pairs
from gate.wording import count, limit, number, probability, stated_p

NAME = "regression"
ASKS = "Is the candidate worse than the baseline on the same items, by more than chance explains?"
WHEN_IT_FAILS = (
    "Read the items that got worse, worst first, in the report: they are what changed. Mend the candidate; or, if the "
    "loss is meant, say how much is tolerable with `margin`."
)
_CONFIDENCE = 0.95


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


def check(pairs: MetricPairs, options: RegressionOptions, rng: np.random.Generator) -> CheckResult:  # noqa: ARG001  # one signature for all checks
    """Judge the paired differences: a drop shown, none beyond the margin shown, or neither."""
    if pairs.baseline is None:
        return CheckResult(NAME, Status.NOT_RUN, "no-baseline", "no baseline to compare with", metric=pairs.metric)
    differences = pairs.differences()
    if differences.size == 0:
        return CheckResult(
            NAME, Status.FAIL, "no-pairs", "no item has a score in both runs", metric=pairs.metric,
            remedy="look at the coverage and contamination lines: they say where the items went",
        )  # fmt: skip
    p_value = sign_flip_p(differences)
    estimate = _estimate(differences, pairs)
    drop = smallest_detectable_drop(differences)
    outcome = _outcome(estimate, p_value, options, drop=drop)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(estimate, differences),
        remedy=outcome.remedy,
        notes=_notes(drop, estimate.n, outcome.status),
        metric=pairs.metric,
        figures={
            "delta": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "p": stated_p(p_value),
            "margin": options.margin,
            **tally_pairs(differences)._asdict(),
            "n": estimate.n,
            "smallest_detectable_drop": drop,
        },
        p_value=p_value,
        if_not_upheld=Status.FAIL if options.margin is not None and options.cannot_tell == "fail" else Status.WARN,
        evidence=_evidence(estimate, options, pairs),
    )


def _outcome(estimate: Estimate, p_value: float, options: RegressionOptions, *, drop: float | None) -> Outcome:
    margin, delta = options.margin, estimate.value
    # a bootstrap of equal differences has no width: it proves nothing
    proven = estimate.low < estimate.high or estimate.method == "exact"
    if margin is not None and proven and estimate.low >= -margin:
        return Outcome(Status.PASS, "no-worse", f"no worse than the margin {limit(margin)}: delta {number(delta)}", "")
    if p_value <= ERROR_SHARE:
        sentence = f"the candidate is worse: delta {number(delta)}, p {probability(p_value)}"
        return Outcome(Status.FAIL, "regression-shown", sentence, "read the items that got worse; mend the candidate")
    if margin is None:
        could = "" if drop is None else f"; {count(estimate.n, 'pair')} can show a drop of {number(drop)}"
        return Outcome(Status.PASS, "no-regression-shown", f"no regression shown: delta {number(delta)}{could}")
    sentence = f"cannot tell at this n whether the margin {limit(margin)} holds: delta {number(delta)}"
    status = {"note": Status.PASS if delta >= -margin else Status.WARN, "warn": Status.WARN, "fail": Status.FAIL}[
        options.cannot_tell
    ]
    return Outcome(status, "cannot-tell", sentence, "add items, or widen the margin")


def _estimate(differences: NDArray[np.float64], pairs: MetricPairs) -> Estimate:
    n, interval, method = int(differences.size), bootstrap_mean(differences).interval(1 - _CONFIDENCE), "bootstrap"
    if interval.low == interval.high and pairs.scale is not None:
        width, tail = pairs.scale.high - pairs.scale.low, (1 - _CONFIDENCE) / 2
        interval, method = bounds_for_equal_differences(interval.low, n, width=width, tail=tail), "exact"
    return Estimate(exact_mean(differences), interval.low, interval.high, _CONFIDENCE, method, n)


def _detail(estimate: Estimate, differences: NDArray[np.float64]) -> str:
    tally = tally_pairs(differences)
    return (
        f"95 % interval [{number(estimate.low)}, {number(estimate.high)}], "
        f"{count(tally.wins, 'win')}, {tally.losses} {'loss' if tally.losses == 1 else 'losses'}, "
        f"{count(tally.ties, 'tie')}, n = {estimate.n}"
    )


def _notes(drop: float | None, n: int, status: Status) -> tuple[str, ...]:
    if drop is None or status is Status.FAIL:
        return ()
    return (f"a true drop of {number(drop)} is shown 80 % of the time by {count(n, 'pair')} like these",)


def _evidence(estimate: Estimate, options: RegressionOptions, pairs: MetricPairs) -> IntervalEvidence:
    width = None if pairs.scale is None else pairs.scale.high - pairs.scale.low
    axis = None if width is None else (-width, width)
    if options.margin is None:
        return IntervalEvidence(estimate, 0.0, "no change", axis)
    return IntervalEvidence(estimate, -options.margin, "margin", axis)
