"""DECIDE: the worst result counts, several tests share one error rate, and the exit follows `fail_on`."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import UsageError
from gate.item_table import EMPTY
from gate.results import CheckResult, FailOn, Reason, Status, SuiteReport, Word
from gate.verdict import decide, is_failing, share_error_rate

ORDER = [Status.PASS, Status.WARN, Status.FAIL]


def result(status: Status, check: str = "drift", **fields: object) -> CheckResult:
    made = CheckResult(check, status, "reason", f"{check} {status}", remedy=f"mend {check}", metric="score")
    return replace(made, **fields)  # type: ignore[arg-type]  # the tests name the fields


def suite(*results: CheckResult, name: str = "suite") -> SuiteReport:
    return SuiteReport(name, None, None, results, EMPTY)


def with_p_values(*p_values: float, check: str = "regression") -> list[SuiteReport]:
    """One suite for each p-value, failing where it is at most 2.5 %."""
    return [
        suite(result(Status.FAIL if p <= 0.025 else Status.PASS, check, p_value=p, figures={"p": p}), name=f"s{index}")
        for index, p in enumerate(p_values)
    ]


def shared_statuses(*p_values: float) -> list[Status]:
    return [report.results[0].status for report in share_error_rate(with_p_values(*p_values))]


@pytest.mark.parametrize(
    ("statuses", "word"),
    [
        ([Status.PASS], Word.PASS),
        ([Status.PASS, Status.NOT_RUN], Word.PASS),
        ([Status.PASS, Status.NOT_RUN, Status.WARN], Word.WARN),
        ([Status.FAIL, Status.WARN], Word.BLOCK),
        ([Status.WARN, Status.FAIL], Word.BLOCK),
    ],
)
def test_the_worst_result_decides(statuses: list[Status], word: Word) -> None:
    assert decide([suite(*map(result, statuses))]).word is word


def test_a_fail_in_any_suite_blocks() -> None:
    assert decide([suite(result(Status.PASS)), suite(result(Status.FAIL))]).word is Word.BLOCK


def test_the_reasons_of_a_block_are_its_fails_in_the_order_of_suites_and_checks() -> None:
    first = suite(result(Status.FAIL, "threshold"), result(Status.PASS, "regression"), result(Status.FAIL), name="one")
    second = suite(result(Status.WARN, "coverage"), result(Status.FAIL, "coverage"), name="two")
    verdict = decide([first, second])
    assert [(reason.suite, reason.check) for reason in verdict.reasons] == [
        ("one", "threshold"),
        ("one", "drift"),
        ("two", "coverage"),
    ]
    assert verdict.sentence == "threshold fail; drift fail; coverage fail"


def test_warns_stand_beside_a_block_and_are_no_reasons_of_it() -> None:
    verdict = decide([suite(result(Status.WARN, "coverage"), result(Status.FAIL))])
    assert [reason.check for reason in verdict.reasons] == ["drift"]
    assert [reason.check for reason in verdict.warnings] == ["coverage"]


def test_the_reasons_of_a_warn_are_its_warns() -> None:
    verdict = decide([suite(result(Status.PASS, "threshold"), result(Status.WARN, "coverage"))])
    assert [reason.check for reason in verdict.reasons] == ["coverage"]
    assert verdict.warnings == ()


def test_a_pass_has_no_reasons_and_says_so() -> None:
    verdict = decide([suite(result(Status.PASS))])
    assert verdict.reasons == ()
    assert verdict.sentence == "nothing speaks against it"


def test_a_reason_carries_what_a_reader_needs() -> None:
    (reason,) = decide([suite(result(Status.FAIL, metric="rouge"), name="summaries")]).reasons
    assert reason == Reason("summaries", "drift", "rouge", Status.FAIL, "reason", "drift fail", "mend drift")


@pytest.mark.parametrize(
    ("fail_on", "failing"),
    [
        (FailOn.BLOCK, {Word.BLOCK}),
        (FailOn.WARN, {Word.WARN, Word.BLOCK}),
        (FailOn.NEVER, set()),
    ],
)
def test_a_verdict_at_or_above_fail_on_fails(fail_on: FailOn, failing: set[Word]) -> None:
    judged = {Word.PASS, Word.WARN, Word.BLOCK}
    assert {word for word in judged if is_failing(word, fail_on)} == failing


def test_a_single_test_keeps_the_whole_share() -> None:
    (report,) = share_error_rate(with_p_values(0.024))
    assert report.results[0].status is Status.FAIL
    assert "p_adjusted" not in report.results[0].figures


def test_tests_in_several_suites_share_by_holm() -> None:
    assert shared_statuses(0.02, 0.9) == [Status.WARN, Status.PASS]
    assert shared_statuses(0.025, 0.9) == [Status.WARN, Status.PASS]
    assert shared_statuses(0.0125, 0.9) == [Status.FAIL, Status.PASS]
    assert shared_statuses(0.012, 0.02) == [Status.FAIL, Status.FAIL]


def test_tests_of_several_metrics_in_one_suite_share_too() -> None:
    both = [result(Status.FAIL, "regression", p_value=p, metric=name) for p, name in ((0.02, "a"), (0.9, "b"))]
    (report,) = share_error_rate([suite(*both)])
    assert report.results[0].status is Status.WARN


def test_a_check_that_had_nothing_to_test_shares_with_none() -> None:
    untested = suite(result(Status.NOT_RUN, "regression"), result(Status.FAIL, "regression", p_value=0.02))
    assert share_error_rate([untested]) == (untested,)


def test_a_fail_that_is_not_upheld_becomes_a_warn_that_says_why() -> None:
    first = share_error_rate(with_p_values(0.02, 0.9))[0].results[0]
    assert first.notes == ("p = 0.040 once 2 tests share the error rate (Holm)",)
    assert first.figures == {"p": 0.02, "p_adjusted": 0.04}
    assert first.sentence == "regression fail, not upheld among 2 tests"


def test_a_fail_that_stays_one_where_the_test_does_not_uphold_it_stays_one() -> None:
    suites = [
        replace(report, results=tuple(replace(one, if_not_upheld=Status.FAIL) for one in report.results))
        for report in with_p_values(0.02, 0.9)
    ]
    first = share_error_rate(suites)[0].results[0]
    assert first.status is Status.FAIL
    assert first.sentence == "regression fail, not upheld among 2 tests, and whether the margin holds cannot be told"


def test_what_is_not_upheld_becomes_what_its_check_says_of_it() -> None:
    suites = [
        suite(result(Status.FAIL, "decline", p_value=p, if_not_upheld=Status.PASS, notes=("first",), figures={"n": 9}))
        for p in (0.02, 0.9)
    ]
    first = share_error_rate(suites)[0].results[0]
    assert (first.status, first.sentence) == (Status.PASS, "decline fail, not upheld among 2 tests")
    assert first.notes == ("first", "p = 0.040 once 2 tests share the error rate (Holm)")
    assert first.figures == {"n": 9, "p_adjusted": 0.04}


def test_a_test_that_stands_keeps_its_words_and_tells_its_shared_p() -> None:
    fails, passes = (report.results[0] for report in share_error_rate(with_p_values(0.01, 0.6)))
    assert (fails.sentence, fails.notes, fails.figures) == ("regression fail", (), {"p": 0.01, "p_adjusted": 0.02})
    assert (passes.sentence, passes.notes, passes.figures) == ("regression pass", (), {"p": 0.6, "p_adjusted": 0.6})


@pytest.mark.parametrize("results", [[], [Status.NOT_RUN, Status.NOT_RUN]])
def test_nothing_goes_green_for_nothing(results: list[Status]) -> None:
    with pytest.raises(UsageError) as error:
        decide([suite(*map(result, results))])
    assert (error.value.what, error.value.remedy) == (
        "no check was run",
        "give the gate something to judge by: a baseline, a bar or a corpus",
    )


def test_each_check_has_a_share_of_its_own() -> None:
    suites = [*with_p_values(0.02, check="regression"), *with_p_values(0.02, check="drift")]
    assert [report.results[0].status for report in share_error_rate(suites)] == [Status.FAIL, Status.FAIL]


def test_a_fail_that_no_test_decided_is_never_softened() -> None:
    threshold = [suite(result(Status.FAIL, "threshold")) for _ in range(20)]
    assert all(report.results[0].status is Status.FAIL for report in share_error_rate(threshold))


def test_cannot_tell_set_to_fail_is_not_softened() -> None:
    asked = result(Status.FAIL, "regression", reason="cannot-tell", p_value=0.3)
    shared = share_error_rate([suite(asked), *with_p_values(0.9, 0.9)])
    assert shared[0].results[0].status is Status.FAIL
    assert shared[0].results[0].notes == ()


def test_sharing_keeps_the_order_of_suites_and_results() -> None:
    suites = [
        suite(result(Status.PASS, "coverage"), result(Status.FAIL, "regression", p_value=0.02), name="one"),
        suite(result(Status.PASS, "regression", p_value=0.5), result(Status.PASS, "drift", p_value=0.1), name="two"),
    ]
    shared = share_error_rate(suites)
    assert [report.name for report in shared] == ["one", "two"]
    assert [[one.check for one in report.results] for report in shared] == [
        ["coverage", "regression"],
        ["regression", "drift"],
    ]


@given(st.lists(st.floats(0.0001, 1.0), min_size=1, max_size=12))
def test_sharing_softens_and_never_hardens(p_values: list[float]) -> None:
    before = [report.results[0].status for report in with_p_values(*p_values)]
    after = shared_statuses(*p_values)
    assert all(ORDER.index(late) <= ORDER.index(early) for early, late in zip(before, after, strict=True))


@given(p_values=st.lists(st.floats(0.0001, 1.0), min_size=1, max_size=12))
def test_the_surest_fail_stands_only_if_it_would_under_bonferroni(p_values: list[float]) -> None:
    blocked = Status.FAIL in shared_statuses(*p_values)
    assert blocked == (min(p_values) * len(p_values) <= 0.025)
