"""Coverage: were all of the baseline's items compared, and would the missing ones change the answer?"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from gate.alignment import Alignment, MetricPairs
from gate.checks.base import Options, Outcome
from gate.checks.likeness import find_unlikeness
from gate.evidence import CoverageEvidence
from gate.results import CheckResult, Status
from gate.stats.lattice import exact_mean
from gate.wording import count, names, number, percent

NAME = "coverage"
ASKS = "Were all items of the baseline compared? Dropping or failing hard items must not turn the gate green."
WHEN_IT_FAILS = (
    "Find out why the items are lost, changed or unscored, and run them again. Only where a missing score says nothing "
    "about the candidate set `missing: exclude`."
)

_RUN_AGAIN = "run the missing items again; the report lists them"
_RUN_BASELINE_AGAIN = "run the baseline again on the new data set"


class CoverageOptions(Options):
    """Options of the coverage check."""

    missing: Literal["worst_case", "fail", "exclude"] = Field(
        default="worst_case",
        description="`worst_case`: missing items get the worst score; warns where every check still passes, "
        "fails where one turns. `fail`: any missing item fails. `exclude`: missing items are left out.",
    )
    min_coverage: float = Field(
        default=0.9, ge=0, le=1, description="Share of the baseline's scored items that must be compared in any case."
    )


class _Tally(NamedTuple):
    """How much there is to compare, and how much of it came.

    Attributes:
        items: number of items.
        wanted: those with a score to compare with.
        missing: those of the wanted for which no score came.
        partial: those of the wanted for which some samples have none.
        neither: those for which neither run has a score, or all of them.
        compared: the share of the wanted that was compared, 0 to 1; a sample counts as its part of an item.
    """

    items: int
    wanted: int
    missing: int
    partial: int
    neither: int
    compared: float


def check(
    alignment: Alignment, pairs: MetricPairs, options: CoverageOptions, *, turned: Sequence[str] = ()
) -> CheckResult:
    """Judge how many items could be compared.

    Args:
        alignment: the two runs, item by item.
        pairs: one metric of them, as scored.
        options: the policy.
        turned: names of the checks that fail only once missing items get the worst score.
    """
    tally = _tally(pairs)
    evidence = _evidence(alignment, pairs)
    outcome = _outcome(tally, options, turned)
    if outcome.status is Status.PASS:
        outcome = find_unlikeness(alignment, pairs, options.min_coverage) or outcome
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(evidence, tally.wanted),
        remedy="" if outcome.status is Status.PASS else outcome.remedy or _remedy(tally, evidence),
        notes=_notes(alignment, pairs, evidence),
        metric=pairs.metric,
        figures={
            "items": tally.wanted,
            "compared": tally.wanted - tally.missing,
            "missing": tally.missing,
            "lost": len(evidence.lost),
            "changed": len(evidence.changed),
            "unscored": len(evidence.unscored),
            "unscored_in_both": tally.neither,
            "new": len(evidence.new),
            "new_mean": evidence.new_mean,
        },
        evidence=evidence,
    )


def _outcome(tally: _Tally, options: CoverageOptions, turned: Sequence[str]) -> Outcome:
    if tally.wanted == 0:
        return Outcome(Status.FAIL, "nothing-to-compare", "no item has a score to compare with")
    if tally.compared < options.min_coverage:
        told = f"{tally.wanted - tally.missing} of {count(tally.wanted, 'item')}"
        told = f"{percent(tally.compared)} of the samples" if tally.partial else told
        sentence = f"only {told} could be compared, under {percent(options.min_coverage)}"
        return Outcome(Status.FAIL, "coverage-too-low", sentence)
    if tally.missing or tally.partial or tally.neither:
        return _missing_outcome(tally, options.missing, turned)
    if tally.wanted / tally.items < options.min_coverage:
        sentence = f"the baseline has a score for only {percent(tally.wanted / tally.items)} of its items"
        return Outcome(Status.WARN, "baseline-incomplete", sentence)
    return Outcome(Status.PASS, "complete", f"all {count(tally.wanted, 'item')} compared")


def _missing_outcome(tally: _Tally, policy: str, turned: Sequence[str]) -> Outcome:
    lacking = _lacking(tally)
    if policy == "exclude":
        left_out = "what they lack is" if tally.partial or tally.neither else "are"
        return Outcome(Status.PASS, "missing-excluded", f"{lacking} and {left_out} left out, as asked")
    if policy == "fail":
        return Outcome(Status.FAIL, "missing", lacking)
    if turned:
        failing = f"{' and '.join(turned)} {'fails' if len(turned) == 1 else 'fail'}"
        return Outcome(Status.FAIL, "missing-decides", f"{lacking}; with the worst score for them {failing}")
    return Outcome(Status.WARN, "missing-tolerated", f"{lacking}; even with the worst score for them no check turns")


def _lacking(tally: _Tally) -> str:
    told = []
    if tally.missing or tally.partial:
        in_full = " in full" if tally.partial else ""
        told.append(f"{tally.missing + tally.partial} of {count(tally.wanted, 'item')} could not be compared{in_full}")
    if tally.neither:
        told.append(f"{count(tally.neither, 'item lacks', 'items lack')} scores in both runs")
    return " and ".join(told)


def _remedy(tally: _Tally, evidence: CoverageEvidence) -> str:
    """Running a changed item again would not bring back the one that the baseline holds."""
    told = [_RUN_BASELINE_AGAIN] if evidence.changed else []
    if not evidence.changed or tally.missing + tally.partial + tally.neither > len(evidence.changed):
        told.insert(0, _RUN_AGAIN)
    return "; ".join(told)


def _lacks_in_both(pairs: MetricPairs) -> NDArray[np.bool_]:
    """Bool (n,): neither run has a score, or all of the samples' scores."""
    lacks: NDArray[np.bool_] = pairs.lacking & ~pairs.missing & (pairs.unanswered == 0)
    return lacks


def _tally(pairs: MetricPairs) -> _Tally:
    items = len(pairs.ids)
    wanted = items if pairs.baseline is None else int((~np.isnan(pairs.baseline)).sum())
    missing, partial = int(pairs.missing.sum()), int(np.count_nonzero(pairs.unanswered))
    compared = (wanted - missing - float(pairs.unanswered.sum())) / wanted if wanted else 0.0
    return _Tally(items, wanted, missing, partial, int(_lacks_in_both(pairs).sum()), compared)


def _evidence(alignment: Alignment, pairs: MetricPairs) -> CoverageEvidence:
    unscored = np.flatnonzero(pairs.common & np.isnan(pairs.candidate))
    unscored_before = np.zeros(len(pairs.ids), np.bool_) if pairs.baseline is None else np.isnan(pairs.baseline)
    new_scored = pairs.new[~np.isnan(pairs.new)]
    return CoverageEvidence(
        common=int(pairs.common.sum()),
        lost=pairs.ids_where(pairs.status == "lost"),
        new=alignment.new,
        changed=pairs.ids_where(pairs.status == "changed"),
        unscored={pairs.ids[row]: str(pairs.status[row]) for row in unscored.tolist()},
        baseline_unscored=pairs.ids_where(unscored_before),
        new_mean=exact_mean(new_scored) if new_scored.size else None,
    )


def _detail(evidence: CoverageEvidence, wanted: int) -> str:
    parts = {
        "lost": len(evidence.lost),
        "changed": len(evidence.changed),
        "unscored": len(evidence.unscored),
        "new": len(evidence.new),
    }
    told = [f"{amount} {word}" for word, amount in parts.items() if amount]
    return ", ".join([f"n = {wanted}", *told])


def _notes(alignment: Alignment, pairs: MetricPairs, evidence: CoverageEvidence) -> tuple[str, ...]:
    notes = []
    if evidence.new:
        mean = "" if evidence.new_mean is None else f" (mean {number(evidence.new_mean)})"
        notes.append(f"{count(len(evidence.new), 'new item')}{mean}: they count from the next baseline on")
    if evidence.changed:
        notes.append(f"inputs or target changed under the same id: {names(evidence.changed)}")
    if alignment.baseline is not None and set(alignment.candidate.content_fields) > set(
        alignment.baseline.content_fields
    ):
        notes.append("the baseline does not hold all of the items' contents: whether they changed cannot be told")
    if evidence.baseline_unscored:
        notes.append(f"{count(len(evidence.baseline_unscored), 'item')} without a score in the baseline")
    if (neither := _lacks_in_both(pairs)).any():
        notes.append(f"scores lack in both runs: {names(pairs.ids_where(neither))}")
    if pairs.unanswered.any():
        notes.append(f"some samples have no score: {names(pairs.ids_where(pairs.unanswered > 0))}")
    if alignment.doubled:
        notes.append(f"other number of repeats than in the baseline: {names(alignment.doubled)}")
    if alignment.prompts_changed:
        notes.append(f"the rendered prompt of {count(alignment.prompts_changed, 'item')} changed: a template edit")
    before = alignment.baseline or alignment.reference
    if before is not None and before.source.digest == alignment.candidate.source.digest:
        notes.append("baseline and candidate are the same file, byte for byte")
    return tuple(notes)
