"""Waivers: a fail becomes a warn until a day, and nothing else changes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.item_table import EMPTY
from gate.results import CheckResult, Status, SuiteReport, Waiver, WaiverState, Word
from gate.verdict import decide
from gate.waivers import Waived, apply_waivers

DAY = date(2026, 1, 31)
WEIGHT = {Word.PASS: 0, Word.WARN: 1, Word.BLOCK: 2}


def result(status: Status = Status.FAIL, check: str = "threshold", metric: str | None = "score") -> CheckResult:
    return CheckResult(check, status, "low-under-bar", "low 0.550 is under the bar 0.70", remedy="mend", metric=metric)


def suite(*results: CheckResult, name: str = "answers") -> SuiteReport:
    return SuiteReport(name, None, None, results, EMPTY)


def waiver(check: str = "threshold", *, of: str = "answers", metric: str | None = None, expires: date = DAY) -> Waiver:
    return Waiver(check, of, "the mend is under review", "Ada", expires, metric)


def states(waived: Waived) -> list[WaiverState]:
    return [report.state for report in waived.waivers]


def statuses(waived: Waived) -> list[Status]:
    return [found.status for suite in waived.suites for found in suite.results]


def test_a_fail_that_is_waived_warns_and_says_by_whom_and_until_when() -> None:
    waived = apply_waivers([suite(result())], [waiver()], DAY)
    (found,) = waived.suites[0].results
    assert found.status is Status.WARN
    assert found.sentence == "low 0.550 is under the bar 0.70, waived until 2026-01-31 by Ada"
    assert states(waived) == [WaiverState.APPLIED]


def test_all_else_of_a_waived_fail_stays_as_it_was_found() -> None:
    failed = replace(result(), notes=("a note",), figures={"low": 0.55}, p_value=0.01, detail="n = 20")
    (found,) = apply_waivers([suite(failed)], [waiver()], DAY).suites[0].results
    assert found.waiver == waiver()
    assert replace(found, status=failed.status, sentence=failed.sentence, waiver=None) == failed


@pytest.mark.parametrize(
    ("days", "status", "state"),
    [(-1, Status.WARN, WaiverState.APPLIED), (0, Status.WARN, WaiverState.APPLIED),
     (1, Status.FAIL, WaiverState.EXPIRED), (1000, Status.FAIL, WaiverState.EXPIRED)],
)  # fmt: skip
def test_a_waiver_holds_on_its_last_day_and_not_from_the_day_after(
    days: int, status: Status, state: WaiverState
) -> None:
    waived = apply_waivers([suite(result())], [waiver()], DAY + timedelta(days=days))
    assert (statuses(waived), states(waived)) == ([status], [state])


def test_an_expired_waiver_changes_nothing() -> None:
    suites = (suite(result(), result(check="drift")),)
    assert apply_waivers(suites, [waiver(expires=date(2026, 1, 30))], DAY).suites == suites


def test_an_expired_waiver_is_expired_even_where_nothing_failed() -> None:
    waived = apply_waivers([suite(result(Status.PASS))], [waiver(expires=date(2026, 1, 30))], DAY)
    assert states(waived) == [WaiverState.EXPIRED]


@pytest.mark.parametrize("status", [Status.PASS, Status.WARN, Status.NOT_RUN])
def test_what_did_not_fail_is_not_touched_and_leaves_the_waiver_unused(status: Status) -> None:
    suites = (suite(result(status)),)
    waived = apply_waivers(suites, [waiver()], DAY)
    assert (waived.suites, states(waived)) == (suites, [WaiverState.UNUSED])


@pytest.mark.parametrize(
    "other",
    [waiver("drift"), waiver(of="questions"), waiver(metric="f1"), waiver("coverage", metric="score")],
    ids=["check", "suite", "metric", "check-of-the-metric"],
)
def test_a_waiver_of_something_else_is_not_used(other: Waiver) -> None:
    suites = (suite(result()),)
    waived = apply_waivers(suites, [other], DAY)
    assert (waived.suites, states(waived)) == (suites, [WaiverState.UNUSED])


def test_without_a_metric_a_waiver_covers_all_of_them() -> None:
    suites = [suite(result(metric="f1"), result(metric="score"), result(metric=None))]
    assert statuses(apply_waivers(suites, [waiver()], DAY)) == [Status.WARN] * 3


def test_with_a_metric_a_waiver_covers_that_one() -> None:
    suites = [suite(result(metric="f1"), result(metric="score"), result(metric=None))]
    assert statuses(apply_waivers(suites, [waiver(metric="score")], DAY)) == [Status.FAIL, Status.WARN, Status.FAIL]


def test_only_the_suite_that_a_waiver_names_is_waived() -> None:
    suites = [suite(result(), name="questions"), suite(result())]
    assert statuses(apply_waivers(suites, [waiver()], DAY)) == [Status.FAIL, Status.WARN]


def test_a_block_whose_every_fail_is_waived_is_a_warn_with_reasons_as_before() -> None:
    before = decide([suite(result(), result(check="drift"))])
    waived = apply_waivers([suite(result(), result(check="drift"))], [waiver(), waiver("drift")], DAY)
    after = decide(waived.suites)
    assert (before.word, after.word) == (Word.BLOCK, Word.WARN)
    assert [reason.reason for reason in after.reasons] == [reason.reason for reason in before.reasons]


# whatever fails, and whatever is waived

CHECKS = st.sampled_from(["coverage", "threshold", "drift"])
SUITES = st.sampled_from(["answers", "questions"])
METRICS = st.sampled_from(["score", "f1", None])
RESULTS = st.lists(st.builds(result, st.sampled_from(Status), CHECKS, METRICS), min_size=1, max_size=6)
WAIVERS = st.lists(
    st.builds(
        lambda check, of, metric, days: waiver(check, of=of, metric=metric, expires=DAY + timedelta(days=days)),
        CHECKS, SUITES, METRICS, st.integers(-1, 1),
    ),
    max_size=6,
    unique_by=lambda agreed: (agreed.check, agreed.suite),
)  # fmt: skip


def suites_of(answers: Sequence[CheckResult], questions: Sequence[CheckResult]) -> list[SuiteReport]:
    # something is always judged, so that there is a verdict
    judged = result(Status.PASS, "regression")
    return [suite(*answers, judged), suite(*questions, name="questions")]


@given(RESULTS, RESULTS, WAIVERS)
def test_a_waiver_moves_fails_to_warn_and_nothing_else(
    answers: list[CheckResult], questions: list[CheckResult], waivers: list[Waiver]
) -> None:
    suites = suites_of(answers, questions)
    waived = apply_waivers(suites, waivers, DAY)
    for before, after in zip(suites, waived.suites, strict=True):
        for was, now in zip(before.results, after.results, strict=True):
            assert now == was or (was.status, now.status) == (Status.FAIL, Status.WARN)
            assert (now == was) is (now.waiver is None)


@given(RESULTS, RESULTS, WAIVERS)
def test_a_waiver_never_makes_a_verdict_worse_nor_green(
    answers: list[CheckResult], questions: list[CheckResult], waivers: list[Waiver]
) -> None:
    suites = suites_of(answers, questions)
    before, after = decide(suites).word, decide(apply_waivers(suites, waivers, DAY).suites).word
    assert WEIGHT[after] <= WEIGHT[before]
    assert (after is Word.PASS) is (before is Word.PASS)


@given(RESULTS, RESULTS, WAIVERS, st.randoms(use_true_random=False))
def test_the_order_of_waivers_changes_nothing(
    answers: list[CheckResult], questions: list[CheckResult], waivers: list[Waiver], random: st.DataObject
) -> None:
    suites = suites_of(answers, questions)
    mixed = list(waivers)
    random.shuffle(mixed)  # type: ignore[attr-defined]  # Hypothesis's own random.Random
    straight, turned = apply_waivers(suites, waivers, DAY), apply_waivers(suites, mixed, DAY)
    assert turned.suites == straight.suites
    assert {report.waiver: report.state for report in turned.waivers} == {
        report.waiver: report.state for report in straight.waivers
    }
