"""Decline: did small steps, each of which passed, add up to a large one?"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from gate.checks.base import Options, Outcome
from gate.results import CheckResult, Status
from gate.results.record import MetricRecord, PastRun
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.student import student_tail
from gate.wording import count, limit, number, probability, stated_p

NAME = "decline"
ASKS = (
    "Is the candidate worse than the best run that was ever promoted, by more than chance explains, though no single "
    "step was? On with a `history`. Only runs of the same items count. With a margin (its own, else that of "
    "regression) the decline must be beyond it as well."
)
WHEN_IT_FAILS = (
    "Judge the candidate against the baseline that was promoted of the commit that is named (docs/baselines.md has the "
    "command), and read the items that got worse since. "
    "Where the loss is meant, say how much of it is tolerable with `margin`."
)
_FEWEST_UNITS = 2


class DeclineOptions(Options):
    """Options of the decline check."""

    margin: float | None = Field(
        default=None, gt=0, allow_inf_nan=False,
        description="The tolerable decline since the best promoted run, in the metric's own unit; by default the "
        "margin of regression.",
    )  # fmt: skip
    on_decline: Literal["warn", "fail"] = Field(default="warn", description="What a decline that is shown is worth.")


class _Finding(NamedTuple):
    """The candidate beside the best promoted run; ``decline`` is positive where it is worse."""

    now: MetricRecord
    best: PastRun
    last: PastRun
    runs: int
    decline: float
    p_value: float

    @property
    def told_best(self) -> str:
        commit = f", commit {self.best.commit[:7]}" if self.best.commit else ""
        return f"{number(self.best.record.mean)} of {self.best.date.isoformat()}{commit}"

    @property
    def side(self) -> str:
        return "under" if self.now.direction == "higher" else "over"


def check(metric: str, now: MetricRecord, past: Sequence[PastRun], options: DeclineOptions) -> CheckResult:
    """Hold a run against the best promoted one of the same items.

    Args:
        metric: its name.
        now: the run that is being judged.
        past: the runs of the history that have this metric, oldest first.
        options: with the margin in force.
    """
    promoted = [run for run in past if run.promoted]
    alike = [run for run in promoted if run.record.is_like(now)]
    if not alike:
        of = f"these items: {count(len(promoted), 'run')} of others" if promoted else "this suite and metric"
        return CheckResult(
            NAME, Status.NOT_RUN, "no-promoted-run", f"the history has no promoted run of {of}", metric=metric
        )
    found = _find(now, alike)
    outcome = _outcome(found, options)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(found),
        remedy=outcome.remedy,
        metric=metric,
        figures={
            "mean": now.mean,
            "best": found.best.record.mean,
            "best_date": found.best.date.isoformat(),
            "best_commit": found.best.commit,
            "last": found.last.record.mean,
            "decline": found.decline,
            "margin": options.margin,
            "p": stated_p(found.p_value),
            "promoted_runs": found.runs,
            "n": now.n,
        },
        p_value=found.p_value,
        if_not_upheld=Status.PASS,
    )


def decline_p(now: MetricRecord, best: MetricRecord, runs: int) -> float:
    """The p-value of "not worse than the best of ``runs`` promoted ones", for that choice of the best corrected.

    The difference over its standard error is held against Student's t. The variance is that of both runs taken
    together, as under no change: ``se1**2 + se2**2 + d**2 / (2 units)``, so that a best run without any spread, such
    as 20 right of 20, is not taken for certain. Of so many runs the best is best by chance too: Bonferroni.
    Runs of the same items vary less than this from one to the next, which errs on the safe side.

    Args:
        now: the run that is being judged.
        best: the best promoted one.
        runs: how many promoted runs it is the best of, >= 1.

    Returns:
        A probability in [0, 1]; 1.0 where it is not worse, or where a single unit shows no spread.

    Source: the permutation variance of two samples, Pitman, Significance Tests which May Be Applied to Samples from
    Any Populations (1937).
    """
    decline, units = now.sign * (best.mean - now.mean), min(now.units, best.units)
    if decline <= 0 or units < _FEWEST_UNITS or now.standard_error is None or best.standard_error is None:
        return 1.0
    # squares of extreme values would leave the range of doubles
    error = math.hypot(now.standard_error, best.standard_error, decline / math.sqrt(2 * units))
    return min(1.0, runs * student_tail(decline / error, 2 * (units - 1)))


def _find(now: MetricRecord, alike: Sequence[PastRun]) -> _Finding:
    # of several that are equally good the latest: it is the easiest to go back to
    best = max(reversed(alike), key=lambda run: now.sign * run.record.mean)
    # a file that was promoted twice had one chance to be the best
    runs = len({run.candidate for run in alike})
    decline = now.sign * (best.record.mean - now.mean)
    # where the best is the last one there is but one step, and that is for regression to judge
    p_value = 1.0 if best is alike[-1] else decline_p(now, best.record, runs)
    return _Finding(now, best, alike[-1], runs, decline, p_value)


def _outcome(found: _Finding, options: DeclineOptions) -> Outcome:
    if found.best is found.last or found.decline <= 0:
        return Outcome(Status.PASS, "no-decline", f"no decline: the best promoted run is {_where(found)}")
    told = f"{number(found.decline)} {found.side} the best promoted run, {found.told_best}"
    margin = options.margin
    if margin is not None and found.decline <= margin:
        return Outcome(Status.PASS, "within-margin", f"{told}: within the margin {limit(margin)}")
    told += "" if margin is None else f", beyond the margin {limit(margin)}"
    if found.p_value > ERROR_SHARE:
        return Outcome(Status.PASS, "decline-not-shown", f"{told}, which chance explains at this n")
    return Outcome(
        Status.FAIL if options.on_decline == "fail" else Status.WARN,
        "slow-decline",
        f"small steps add up: {told}",
        _remedy(found),
    )


def _where(found: _Finding) -> str:
    return "the last one" if found.best is found.last else found.told_best


def _remedy(found: _Finding) -> str:
    named = f"of commit {found.best.commit[:7]}" if found.best.commit else f"on {found.best.date.isoformat()}"
    return (
        f"judge the candidate against the baseline that was promoted {named} (docs/baselines.md has the command), and "
        "read the items that got worse since; where the loss is meant, say how much is tolerable: "
        "`checks.decline.margin`"
    )


def _detail(found: _Finding) -> str:
    told = f"mean {number(found.now.mean)}, last promoted {number(found.last.record.mean)}"
    if found.best is found.last:
        return f"{told}, n = {found.now.n}"
    best = f"best of {count(found.runs, 'promoted run')}, p {probability(found.p_value)}"
    return f"{told}, {best}, n = {found.now.n}"
