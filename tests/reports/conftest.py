"""Reports made by hand: the worked example, and what it takes to make others like it."""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from types import ModuleType

import pytest

from gate.evidence import (
    AnswerLeak,
    BucketEvidence,
    CoverageEvidence,
    Estimate,
    IntervalEvidence,
    Leak,
    LeakEvidence,
    LeakFigures,
)
from gate.results import (
    SCHEMA_VERSION,
    CheckResult,
    ConfigChange,
    Effect,
    Fault,
    ItemTable,
    MetricColumn,
    Provenance,
    Reason,
    Report,
    RunReport,
    ShowText,
    Status,
    SuiteReport,
    Verdict,
    Waiver,
    WaiverReport,
    WaiverState,
    Word,
)
from gate.results.config_change import WorkingTreeInput

RUN_A = (1.0,) * 17 + (0.5, 0.5, 0.0)
RUN_B = (1.0,) * 10 + (0.5,) * 4 + (0.0,) * 3 + (1.0, 1.0, 0.5)
HOSTILE = "q|1`<img src=x onerror=y> @octocat #1 [x](http://x.io) ::error::\x1b[31m\u202e\u2028\ud800"


def buckets() -> BucketEvidence:
    baseline, candidate = (1, 2, 17), (3, 5, 12)
    parts = [(a - b) / 20 * math.log(a / b) for a, b in zip(baseline, candidate, strict=True)]
    return BucketEvidence(("0", "0.5", "1"), baseline, candidate, tuple(parts))


def threshold(**changes: object) -> CheckResult:
    result = CheckResult(
        "threshold",
        Status.FAIL,
        "low-under-bar",
        "low 0.550 is under the bar 0.70",
        detail="mean 0.725, 95 % interval [0.550, 0.875], n = 20",
        remedy="improve the candidate, or add items: 20 items leave this much doubt",
        notes=("the mean 0.725 alone would clear the bar: not proven at n = 20",),
        metric="score",
        figures={"mean": 0.725, "low": 0.55, "high": 0.875, "bar": 0.7, "n": 20},
        evidence=IntervalEvidence(Estimate(0.725, 0.55, 0.875, 0.95, "bootstrap", 20), 0.7, "bar", (0.0, 1.0)),
    )
    return replace(result, **changes)  # type: ignore[arg-type]  # the tests name the fields


def regression() -> CheckResult:
    return CheckResult(
        "regression",
        Status.PASS,
        "no-regression-shown",
        "no regression shown: delta -0.175",
        detail="delta -0.175, 95 % interval [-0.375, 0.025], 3 wins, 7 losses, 10 ties, n = 20",
        notes=("the smallest drop that 20 pairs like these show 80 % of the time is 0.292",),
        metric="score",
        figures={"delta": -0.175, "p": 0.0859375, "margin": None},
        p_value=0.0859375,
        evidence=IntervalEvidence(
            Estimate(-0.175, -0.375, 0.025, 0.95, "bootstrap", 20), 0.0, "no change", (-1.0, 1.0), value_name="delta"
        ),
    )


def drift() -> CheckResult:
    return CheckResult(
        "drift",
        Status.FAIL,
        "significant-drift",
        "PSI 0.334 is over 0.25",
        detail="significant, p = 0.296, n = 20",
        remedy="look at the buckets that contribute most, and at their items",
        notes=(
            "at n = 20 an unchanged run like this one is over 0.25 in 39.9 % of cases: the bands alone prove little",
        ),
        metric="score",
        figures={"psi": 0.33438151221498813, "p": 0.2963703629637036},
        evidence=buckets(),
    )


def coverage() -> CheckResult:
    evidence = CoverageEvidence(20, (), (), (), {}, (), None)
    return CheckResult(
        "coverage", Status.PASS, "complete", "all 20 items compared", "n = 20", metric="score", evidence=evidence
    )


def gaps() -> CheckResult:
    evidence = CoverageEvidence(
        common=17,
        lost=("q18",),
        new=("q21", "q22"),
        changed=("q19", "q20"),
        unscored={"q03": "timeout", "q04": "error", "q07": "timeout"},
        baseline_unscored=("q05",),
        new_mean=0.75,
    )
    return CheckResult(
        "coverage",
        Status.WARN,
        "missing-tolerated",
        "6 of 20 items could not be compared; even with the worst score for them no check turns",
        "n = 20, 1 lost, 2 changed, 3 unscored, 2 new",
        remedy="run the missing items again; the report lists them",
        metric="score",
        evidence=evidence,
    )


def contamination() -> CheckResult:
    words = ["what", "is", "the", "capital", "of", "france"]
    leaks = (
        Leak("E1", 1.0, 1.0, 6, True, True, "corpus.txt, line 1", tuple((word, True) for word in words)),
        Leak(
            "E4",
            0.8,
            0.2,
            3,
            False,
            False,
            "corpus.txt, line 1",
            tuple((word, place < 3) for place, word in enumerate(["what", "is", "the", "boiling", "point"])),
        ),
    )
    evidence = LeakEvidence(leaks, {"E1": 1.0, "E2": 0.0, "E3": 0.0, "E4": 0.8}, ("E5",), 3, 0.8, 4, "corpus.txt")
    return CheckResult(
        "contamination",
        Status.FAIL,
        "leaks-over-share",
        "1 of 4 items is leaked, over 10 %",
        "1 confirmed, 1 suspect, 1 not testable",
        remedy="drop the leaked items from the eval, or do not trust their scores",
        evidence=evidence,
    )


def item_table(
    baseline: tuple[float | None, ...] = RUN_A,
    candidate: tuple[float | None, ...] = RUN_B,
    *,
    ids: tuple[str, ...] = (),
    status: tuple[str, ...] = (),
    direction: str = "higher",
) -> ItemTable:
    n = len(baseline)
    column = MetricColumn(direction, (0.0, 1.0), "assumed", baseline, candidate, status or ("scored",) * n)
    return ItemTable(ids or tuple(f"q{place + 1:02d}" for place in range(n)), (), (), {"score": column})


def scanned_leak() -> CheckResult:
    """One leak of a script without spaces, with all that a scan by two sizes says of it."""
    sizes = (
        LeakFigures(3, 20, 0.9, 0.85, 0.75, 9, "c.jsonl:line 7"),
        LeakFigures(5, 16, 0.5, 0.5, 0.5, 7, "c.jsonl:line 7"),
    )
    answer = AnswerLeak(True, False, (LeakFigures(3, 4, 0.25, 0.25, 0.2, 6, "c.jsonl:line 1"),))
    leak = Leak(
        "zh", 0.9, 0.85, 9, False, True, "c.jsonl:line 7", (("法国的首都", True), ("呢", False)),
        idf_overlap=0.75, document_id="doc|7", mode="characters", sizes=sizes, answer=answer,
    )  # fmt: skip
    evidence = LeakEvidence((leak,), {"zh": 0.9}, (), 3, 0.8, 4, "train/", scan="scan.json")
    return replace(contamination(), evidence=evidence)


def suite_of(*results: CheckResult, name: str = "default", **changes: object) -> SuiteReport:
    suite = SuiteReport(
        name,
        RunReport("runs/a.csv", "a1" * 32, "csv", 20, 20, ()),
        RunReport("runs/b.csv", "b2" * 32, "csv", 20, 20, ("the scale [0, 1] is assumed: every score lies in it",)),
        results,
        item_table(),
    )
    return replace(suite, **changes)  # type: ignore[arg-type]  # the tests name the fields


def verdict_of(*suites: SuiteReport) -> Verdict:
    reasons = {
        status: tuple(
            Reason(suite.name, found.check, found.metric, status, found.reason, found.sentence, found.remedy)
            for suite in suites
            for found in suite.results
            if found.status is status
        )
        for status in (Status.FAIL, Status.WARN)
    }
    if reasons[Status.FAIL]:
        return Verdict(Word.BLOCK, reasons[Status.FAIL], reasons[Status.WARN])
    return Verdict(Word.WARN if reasons[Status.WARN] else Word.PASS, reasons[Status.WARN])


def report_of(*suites: SuiteReport, show_text: ShowText = ShowText.IDS) -> Report:
    provenance = Provenance(
        "gate check --baseline runs/a.csv --candidate runs/b.csv --threshold 0.70",
        0,
        {"gate": "0.1.0", "numpy": "2.3.5"},
        {"seed": 0, "threshold": {"bar": 0.7, "alpha": 0.05}, "tags": ["x"]},
    )
    return Report(SCHEMA_VERSION, verdict_of(*suites), suites, provenance, show_text)


def waiver(state: WaiverState = WaiverState.APPLIED, **changes: object) -> WaiverReport:
    agreed = Waiver("threshold", "default", "the mend is under review", "Ada", date(2026, 1, 31))
    return WaiverReport(replace(agreed, **changes), state)  # type: ignore[arg-type]  # the tests name the fields


def worked() -> Report:
    """Run A against run B of the worked example: two reasons, either of which would be enough."""
    return report_of(suite_of(coverage(), threshold(), regression(), drift()))


def passing() -> Report:
    passed = threshold(
        status=Status.PASS, sentence="low 0.775 clears the bar 0.70", remedy="", notes=(), reason="clears-bar",
        detail="mean 0.900, 95 % interval [0.775, 1.000], n = 20",
        evidence=IntervalEvidence(Estimate(0.9, 0.775, 1.0, 0.95, "bootstrap", 20), 0.7, "bar", (0.0, 1.0)),
    )  # fmt: skip
    return report_of(suite_of(coverage(), passed, items=item_table(RUN_A, RUN_A)))


def broken() -> Report:
    fault = Fault(
        "score-file",
        'the score "n/a" is not a number',
        'runs/b.csv, line 4, column "score"',
        "write a number, or leave the cell empty where there is no score",
    )
    return replace(report_of(), verdict=Verdict(Word.ERROR, ()), fault=fault)


def crowded() -> Report:
    """Two suites, two metrics, every kind of evidence, hostile names, text shown."""
    latency = MetricColumn(
        "lower", None, "unknown", (1.5, 2.0, 0.25), (2.5, 1.0, 0.25), ("scored", "scored", "scored")
    )  # fmt: skip
    items = replace(item_table(), metrics={**item_table().metrics})
    first = suite_of(
        coverage(), threshold(), regression(), drift(), name="qa", items=items,
        texts={"q11": "Which of these | is *right*?", "q15": "What is the capital of France?"},
    )  # fmt: skip
    second = suite_of(
        gaps(),
        threshold(metric="latency", status=Status.NOT_RUN, sentence="no bar checked", evidence=None, remedy=""),
        contamination(),
        name=HOSTILE,
        items=ItemTable((HOSTILE, "q2", "q3"), (), (), {"latency": latency}),
    )
    waivers = (
        waiver(suite="qa", metric="score"),
        waiver(WaiverState.UNUSED, check="regression", suite="qa"),
        waiver(WaiverState.EXPIRED, check="coverage", suite=HOSTILE, metric=HOSTILE, approved_by=HOSTILE),
        waiver(check="contamination", suite=HOSTILE, reason=HOSTILE * 5, approved_by=HOSTILE),
    )
    changes = (
        ConfigChange("suites[qa].checks.threshold.bar", "0.80", "0.70", Effect.LAXER),
        ConfigChange(f"suites[{HOSTILE}].baseline", HOSTILE, "runs/a.csv", Effect.CHANGED),
    )
    report = report_of(first, second, show_text=ShowText.SNIPPETS)
    provenance = replace(report.provenance, today=date(2026, 1, 31))
    inputs = (WorkingTreeInput(f"the baseline of {HOSTILE}", HOSTILE), WorkingTreeInput("the history", "h.jsonl"))
    return replace(report, provenance=provenance, waivers=waivers, config_changes=changes, from_working_tree=inputs)


CASES: dict[str, Callable[[], Report]] = {
    "worked": worked,
    "passing": passing,
    "broken": broken,
    "crowded": crowded,
}


@pytest.fixture(scope="session")
def make() -> ModuleType:
    """This module: its functions make reports, suites and results."""
    return sys.modules[__name__]
