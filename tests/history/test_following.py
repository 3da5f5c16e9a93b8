"""A run beside those before it, through the whole gate."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate.config import validate_config
from gate.history.figures import record_suite
from gate.pipeline import run_gate
from gate.results import CheckResult, Report, Status, Word
from gate.results.record import RunRecord, SuiteRecord

Line = Callable[..., RunRecord]
Write = Callable[[Sequence[RunRecord]], str]
WriteCsv = Callable[..., str]


def run(suites: list[dict[str, Any]], history: str | None = None) -> Report:
    keys = {} if history is None else {"history": history}
    return run_gate(validate_config({"version": 1, "suites": suites, **keys}))


def declines(report: Report) -> list[CheckResult]:
    return [result for suite in report.suites for result in suite.results if result.check == "decline"]


@pytest.fixture
def suite(write_csv: WriteCsv) -> dict[str, Any]:
    scores = [1] * 70 + [0] * 30
    return {"name": "scores", "candidate": write_csv("b.csv", scores), "baseline": write_csv("a.csv", scores)}


@pytest.fixture
def items(suite: dict[str, Any]) -> str:
    record = record_suite(run([suite]).suites[0])
    assert record is not None
    return record.metrics["score"].items


def test_without_a_history_nothing_is_said_of_one(suite: dict[str, Any]) -> None:
    report = run([suite])
    assert (report.trends, declines(report)) == ((), [])


def test_a_slow_decline_warns(suite: dict[str, Any], items: str, line: Line, write_history: Write) -> None:
    means = (0.98, 0.9, 0.8, 0.75)
    report = run([suite], write_history([line(mean, items=items) for mean in means]))
    assert report.verdict.word is Word.WARN
    assert [reason.reason for reason in report.verdict.reasons] == ["slow-decline"]
    (trend,) = report.trends
    assert [point.mean for point in trend.points] == [*means, 0.7]
    assert (trend.runs, trend.others, trend.points[-1].date) == (5, 0, None)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "decline adds at most 2.5 % to WARN"),
        ({"decline": {"on_decline": "fail"}}, "decline adds at most 2.5 % to BLOCK"),
        ({"decline": False}, None),
    ],
)
def test_the_line_of_error_rates_says_what_decline_may_add(
    options: dict[str, Any], told: str | None, suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    report = run([{**suite, "checks": options}], write_history([line(mean, items=items) for mean in (0.7, 0.69)]))
    assert report.error_rates is not None
    assert [part for part in report.error_rates.sentence.split("; ") if "decline" in part] == ([told] if told else [])


def test_where_no_run_was_promoted_decline_adds_nothing(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    report = run([suite], write_history([line(0.7, items=items, promoted=False)]))
    assert report.error_rates is not None
    assert "decline" not in report.error_rates.sentence


def test_the_margin_of_regression_holds_for_the_sum_too(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    history = write_history([line(mean, items=items) for mean in (0.98, 0.8)])
    tolerant = {**suite, "checks": {"regression": {"margin": 0.3}}}
    (found,) = declines(run([tolerant], history))
    assert (found.reason, found.figures["margin"]) == ("within-margin", 0.3)
    own = {**suite, "checks": {"regression": {"margin": 0.3}, "decline": {"margin": 0.1}}}
    assert declines(run([own], history))[0].reason == "slow-decline"


def test_a_check_that_is_off_leaves_the_trend(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    report = run([{**suite, "checks": {"decline": False}}], write_history([line(0.98, items=items)]))
    assert (declines(report), len(report.trends)) == ([], 1)


def test_an_empty_history_is_the_first_run_and_not_yellow(suite: dict[str, Any], write_history: Write) -> None:
    report = run([{**suite, "checks": {"decline": {}}}], write_history([]))
    assert report.verdict.word is Word.PASS
    assert [found.reason for found in declines(report)] == ["no-promoted-run"]
    assert report.trends[0].runs == 1


def test_runs_of_other_items_are_counted_and_not_drawn(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    history = write_history([line(0.9), line(0.8, items=items), line(0.95, items=items, direction="lower")])
    (trend,) = run([suite], history).trends
    assert ([point.mean for point in trend.points], trend.others) == ([0.8, 0.7], 2)


def test_of_many_runs_the_last_twenty_are_drawn(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    history = write_history([line(0.7 + row / 1000, items=items) for row in range(30)])
    (trend,) = run([suite], history).trends
    assert (len(trend.points), trend.runs) == (20, 31)


def test_a_run_that_was_added_before_it_is_judged_again_is_one_run(
    suite: dict[str, Any], line: Line, write_history: Write
) -> None:
    report = run([suite])
    record = record_suite(report.suites[0])
    assert record is not None
    (trend,) = run([suite], write_history([replace(line(), suites={"scores": record})])).trends
    assert trend.runs == 1


def test_a_line_that_says_that_a_run_was_promoted_adds_no_run(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    history = write_history([line(0.9, items=items, promoted=False), line(0.9, items=items, promoted=True)])
    report = run([suite], history)
    assert report.trends[0].runs == 2
    assert declines(report)[0].figures["promoted_runs"] == 1


def test_all_metrics_share_the_error_rate(suite: dict[str, Any], items: str, line: Line, write_history: Write) -> None:
    """A p-value that stands alone, and not among ten."""
    before = [line(0.855, items=items, standard_error=0.035), line(0.75, items=items)]
    alone = run([suite], write_history(before))
    (found,) = declines(alone)
    assert found.status is Status.WARN
    assert found.p_value is not None
    assert 0.025 / 10 < found.p_value <= 0.025
    names = ["scores", *(f"other {row}" for row in range(9))]
    spread = [
        replace(one, suites={name: SuiteRecord(f"{name} {one.report}", one.suites["scores"].metrics) for name in names})
        for one in before
    ]
    ten = run([{**suite, "name": name} for name in names], write_history(spread))
    assert ten.verdict.word is Word.PASS
    assert declines(ten)[0].sentence.endswith("not upheld among 10 tests")
    assert declines(ten)[0].figures["p_adjusted"] == pytest.approx(10 * found.p_value)


def test_a_fail_can_be_waived_like_any_other(
    suite: dict[str, Any], items: str, line: Line, write_history: Write
) -> None:
    import datetime as dt  # noqa: PLC0415  # only here

    history = write_history([line(mean, items=items) for mean in (0.98, 0.75)])
    waiver = {"check": "decline", "reason": "meant", "approved_by": "Ada", "expires": "2999-12-31"}
    config = {
        "version": 1,
        "history": history,
        "suites": [{**suite, "checks": {"decline": {"on_decline": "fail"}}}],
        "waivers": [waiver],
    }
    assert run_gate(validate_config({**config, "waivers": []})).verdict.word is Word.BLOCK
    assert run_gate(validate_config(config), today=dt.date(2026, 1, 1)).verdict.word is Word.WARN


def test_a_task_of_a_folder_is_judged_by_the_options_of_its_suite(tmp_path: Path, line: Line) -> None:
    from gate.history.file import render_run  # noqa: PLC0415  # only here

    for role in ("before", "now"):
        for task in ("one", "two"):
            path = tmp_path / role / f"{task}.csv"
            path.parent.mkdir(exist_ok=True)
            rows = "".join(f"q{row},{int(row < 14)}\n" for row in range(20))
            path.write_text(f"id,score\n{rows}", encoding="utf-8")
    history = tmp_path / "history.jsonl"
    history.write_text(render_run(line()), encoding="utf-8")
    folder = {"name": "main", "baseline": str(tmp_path / "before"), "candidate": str(tmp_path / "now")}
    report = run([{**folder, "checks": {"decline": False}}], str(history))
    assert [trend.suite for trend in report.trends] == ["main/one", "main/two"]
    assert declines(report) == []


def test_the_history_is_among_what_the_report_knows_by_digest(suite: dict[str, Any], write_history: Write) -> None:
    history = write_history([])
    assert history in run([suite], history).provenance.digests


@pytest.mark.parametrize(("checks", "told"), [({}, ["a history keeps no battles"]), ({"decline": False}, [])])
def test_a_suite_of_battles_is_told_to_have_no_history(
    checks: dict[str, Any], told: list[str], tmp_path: Path, write_history: Write
) -> None:
    rows = "".join(f"{n},m,n,model_{'ab'[n % 2]}\n" for n in range(20))
    (tmp_path / "battles.csv").write_text(f"question_id,model_a,model_b,winner\n{rows}")
    battles = {"name": "arena", "kind": "battles", "candidate": str(tmp_path / "battles.csv")}
    checks = {"arena": {"model": "m", "against": "n"}, **checks}
    found = declines(run([{**battles, "checks": checks}], write_history([])))
    assert [(result.status, result.sentence) for result in found] == [(Status.NOT_RUN, line) for line in told]
