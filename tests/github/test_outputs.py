"""Outputs: every one set, none invented, figures of one metric together."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from gate.entry import Request, error_report
from gate.github.outputs import OUTPUTS, outputs_of
from gate.results import CheckResult, Fault, Figure, Reason, Report, Status, Word

Judge = Callable[..., Report]
Make = Callable[..., Report]


def result(check: str, **figures: Figure) -> CheckResult:
    return CheckResult(check, Status.PASS, "reason", "sentence", figures=figures)


@pytest.fixture
def report_of(judge: Judge, write_csv: Callable[..., str]) -> Make:
    """A report with the results of each suite replaced by those given."""
    base = judge({"candidate": write_csv("b.csv", [1.0] * 5), "checks": {"threshold": {"bar": 0.4}}})

    def make(*suites: list[CheckResult], **verdict: Any) -> Report:
        (suite,) = base.suites
        told = replace(base.verdict, **verdict)
        return replace(base, verdict=told, suites=tuple(replace(suite, results=tuple(each)) for each in suites))

    return make


def figures(report: Report) -> dict[str, str]:
    told = outputs_of(report, {})
    return {name: told[name] for name in OUTPUTS[4:] if told[name]}


def test_every_output_is_set_and_no_other(report_of: Make) -> None:
    assert tuple(outputs_of(report_of([]), {})) == OUTPUTS


def test_the_worked_example_gives_its_published_figures(judge: Judge, example: Any) -> None:
    report = judge(
        {
            "baseline": str(example / "run_a.csv"),
            "candidate": str(example / "run_b.csv"),
            "checks": {"threshold": {"bar": 0.7}, "drift": {"rule": "bands"}},
        }
    )
    told = outputs_of(report, {"json": "out/report.json", "html": "out/report.html", "markdown": "out/report.md"})
    assert told == {
        "verdict": "BLOCK",
        "reason": "low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25",
        "report-json": "out/report.json",
        "report-markdown": "out/report.md",
        "report-html": "out/report.html",
        "report-junit": "",
        "comment-url": "",
        "mean": "0.725",
        "low": "0.55",
        "high": "0.875",
        "bar": "0.7",
        "delta": "-0.175",
        "psi": "0.334381512215",
        "leaked": "",
    }


def test_an_error_has_a_verdict_and_a_reason_and_no_figure() -> None:
    report = error_report(Fault("usage", "there is nothing to judge", "", "name a file"), Request())
    told = outputs_of(report, {})
    assert (told["verdict"], told["reason"]) == ("ERROR", "there is nothing to judge")
    assert figures(report) == {}


def test_the_reason_of_an_error_names_its_place() -> None:
    fault = Fault("score-file", "there is no such file", "b\n::error::.csv, line 3", "check the path")
    assert outputs_of(error_report(fault, Request()), {})["reason"] == (
        r"b\n::error::.csv, line 3: there is no such file"
    )


def test_the_reason_of_a_pass_says_so(report_of: Make) -> None:
    assert outputs_of(report_of([result("coverage")]), {})["reason"] == "nothing speaks against it (1 check passed)"


def test_a_check_that_did_not_run_has_no_figures(report_of: Make) -> None:
    assert figures(report_of([result("threshold", mean=0.5, n=3), result("drift"), result("regression")])) == {
        "mean": "0.5"
    }


def test_figures_are_those_of_the_first_suite_that_has_them(report_of: Make) -> None:
    first = [result("threshold", mean=0.1, low=0.0, high=0.2, bar=0.5), result("contamination", leaked=0)]
    second = [result("threshold", mean=0.9, low=0.8, high=1.0, bar=0.5), result("drift", psi=0.3)]
    assert figures(report_of(first, second)) == {
        "mean": "0.1", "low": "0", "high": "0.2", "bar": "0.5", "psi": "0.3", "leaked": "0",
    }  # fmt: skip


def test_the_figures_of_a_check_speak_of_one_metric(report_of: Make) -> None:
    no_bar, bar = result("threshold", mean=0.9, n=5), result("threshold", mean=0.5, low=0.4, high=0.6, bar=0.3)
    assert figures(report_of([no_bar, bar])) == {"mean": "0.5", "low": "0.4", "high": "0.6", "bar": "0.3"}


def test_the_interval_of_the_regression_is_not_taken_for_the_mean_s(report_of: Make) -> None:
    assert figures(report_of([result("regression", delta=-0.1, low=-0.2, high=0.0)])) == {"delta": "-0.1"}


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (0.1 + 0.2, "0.3"), (-0.0, "0"), (1e-7, "1e-07"), (12345.678, "12345.678"), (3, "3"), (0, "0"), (None, ""),
        (float("nan"), ""), (float("inf"), ""), (True, ""), ("::error::", ""),
    ],
)  # fmt: skip
def test_a_figure_is_a_number_that_json_knows_or_nothing(figure: Figure, told: str, report_of: Make) -> None:
    assert outputs_of(report_of([result("drift", psi=figure)]), {})["psi"] == told


@pytest.mark.parametrize("word", Word)
def test_the_verdict_is_its_word(word: Word, report_of: Make) -> None:
    assert outputs_of(report_of([], word=word), {})["verdict"] == word


def test_foreign_text_in_the_reason_stays_on_its_line_and_visible(report_of: Make) -> None:
    sentence = "1 of 2 items leaked: a\nverdict=PASS\x1b[31m\u202e"
    reason = Reason("s", "contamination", None, Status.FAIL, "leaked", sentence, "")
    told: Mapping[str, str] = outputs_of(report_of([], word=Word.BLOCK, reasons=(reason,)), {})
    assert told["reason"] == r"1 of 2 items leaked: a\nverdict=PASS\x1b[31m\u202e"


def test_a_reason_that_begins_with_a_hostile_name_commands_no_log(report_of: Make) -> None:
    reasons = tuple(Reason("::error::evil", "drift", None, Status.FAIL, "r", "it drifts", "") for _ in range(2))
    told = outputs_of(report_of([], [], word=Word.BLOCK, reasons=reasons), {})["reason"]
    assert told.startswith(r"\x3a:error::evil: it drifts")
