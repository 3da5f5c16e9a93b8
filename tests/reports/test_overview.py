"""What a report begins with: reasons in few words, rows, remedies."""

from dataclasses import replace
from types import ModuleType

import pytest

from gate.reports.overview import (
    Finding,
    Note,
    Remedy,
    Subject,
    WaiverLine,
    by_reason,
    first_rows,
    headline,
    notes_of,
    remedies,
    rows_of,
    shape_of,
    waivers_of,
)
from gate.results import Status, WaiverState


def test_the_headline_tells_each_reason(make: ModuleType) -> None:
    assert headline(make.worked()) == (
        Finding((), "low 0.550 is under the bar 0.70"),
        Finding((), "PSI 0.334 is over 0.25"),
    )


def test_a_headline_without_reasons_tells_how_many_checks_passed_and_did_not_run(make: ModuleType) -> None:
    idle = make.threshold(status=Status.NOT_RUN)
    report = make.report_of(make.suite_of(make.coverage(), idle))
    assert headline(report) == (Finding((), "nothing speaks against it (1 check passed, 1 not run)"),)


def test_the_headline_of_a_fault_is_the_fault(make: ModuleType) -> None:
    assert headline(make.broken()) == (Finding((), 'the score "n/a" is not a number'),)


def test_with_several_suites_the_headline_names_each_suite_once(make: ModuleType) -> None:
    report = make.report_of(
        make.suite_of(make.threshold(), make.drift(), name="a"), make.suite_of(make.drift(), name="b")
    )
    assert [finding.where for finding in headline(report)] == [("a",), (), ("b",)]


def test_with_several_metrics_in_a_suite_the_headline_names_the_metric(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.threshold(), make.threshold(metric="f1")))
    assert [finding.where for finding in headline(report)] == [("score",), ("f1",)]


def test_the_headline_tells_three_reasons_and_counts_the_others(make: ModuleType) -> None:
    report = make.report_of(*(make.suite_of(make.threshold(), name=f"s{place}") for place in range(10)))
    assert len(headline(report)) == 4
    assert headline(report)[-1] == Finding((), "and 7 more")


def test_a_sentence_of_megabytes_does_not_fill_the_headline(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.threshold(sentence="x" * 5_000_000)))
    assert len(headline(report)[0].sentence) == 300


def test_the_table_has_columns_only_where_there_are_several(make: ModuleType) -> None:
    assert shape_of(make.worked()) == (False, False)
    assert shape_of(make.crowded()) == (True, True)


def test_where_rows_do_not_fit_the_worst_stay(make: ModuleType) -> None:
    rows = rows_of(make.worked())
    assert [row.result.check for row in first_rows(rows, 2)] == ["threshold", "drift"]
    assert [row.result.check for row in first_rows(rows, 3)] == ["threshold", "drift", "coverage"]


def test_where_rows_fit_they_keep_their_order(make: ModuleType) -> None:
    rows = rows_of(make.worked())
    assert first_rows(rows, 4) == rows


def test_warnings_beside_a_block_have_their_remedies_told_last(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.gaps(), make.drift()))
    assert [remedy.subjects for remedy in remedies(report)] == [(Subject("drift", ()),), (Subject("coverage", ()),)]


def test_a_remedy_that_several_checks_share_is_told_once(make: ModuleType) -> None:
    suites = [make.suite_of(make.drift(), name=f"s{place}") for place in range(5)]
    named = tuple(Subject("drift", (f"s{place}",)) for place in range(3))
    assert remedies(make.report_of(*suites)) == (Remedy(named, 2, make.drift().remedy),)


def test_a_reason_without_a_remedy_is_not_in_the_list(make: ModuleType) -> None:
    assert remedies(make.report_of(make.suite_of(make.threshold(remedy="")))) == ()


def test_notes_come_from_checks_and_runs_each_once(make: ModuleType) -> None:
    check = make.threshold(notes=("same", "same"))
    suite = make.suite_of(check)
    assert notes_of(suite) == (
        Note("threshold", "same"),
        Note("candidate", "the scale [0, 1] is assumed: every score lies in it"),
    )


def test_a_suite_without_a_baseline_has_no_notes_of_it(make: ModuleType) -> None:
    suite = replace(make.suite_of(), baseline=None, candidate=None)
    assert notes_of(suite) == ()


def test_unscored_items_are_gathered_by_reason() -> None:
    assert by_reason({"a": "timeout", "b": "error", "c": "timeout"}) == {"timeout": ["a", "c"], "error": ["b"]}


def test_a_waiver_is_told_by_what_became_of_it(make: ModuleType) -> None:
    applied = make.waiver()
    expired = make.waiver(WaiverState.EXPIRED, check="drift", metric="f1")
    unused = make.waiver(WaiverState.UNUSED, check="coverage")
    report = replace(make.worked(), waivers=(unused, applied, expired))
    assert waivers_of(report) == (
        WaiverLine(
            Subject("drift", ("f1",)),
            WaiverState.EXPIRED,
            "the waiver expired on 2026-01-31: renew it, or take it out of gate.yml (approved by Ada)",
        ),
        WaiverLine(
            Subject("threshold", ()),
            WaiverState.APPLIED,
            "waived until 2026-01-31 by Ada: the mend is under review",
        ),
        WaiverLine(
            Subject("coverage", ()),
            WaiverState.UNUSED,
            "the waiver until 2026-01-31 is not used: nothing failed that it covers (approved by Ada)",
        ),
    )


def test_the_suite_of_a_waiver_is_named_where_there_are_several(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(name="a"), make.suite_of(name="b"))
    (line,) = waivers_of(replace(report, waivers=(make.waiver(suite="b", metric="f1"),)))
    assert line.subject == Subject("threshold", ("b", "f1"))


@pytest.mark.parametrize("state", WaiverState)
def test_a_waiver_of_megabytes_does_not_fill_a_report(state: WaiverState, make: ModuleType) -> None:
    endless = make.waiver(state, reason="x" * 5_000_000, approved_by="y" * 5_000_000)
    (line,) = waivers_of(replace(make.worked(), waivers=(endless,)))
    assert len(line.told) < 500
