"""The whole story on files: read, pair, judge, decide."""

import hashlib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from gate.config import load_config, validate_config
from gate.errors import ConfigError, Place, ScoreFileError, UsageError
from gate.evidence import CoverageEvidence, LeakEvidence
from gate.pipeline import run_gate
from gate.reports import REPORTS
from gate.reports.json import load
from gate.results import CheckResult, Report, ShowText, Status, WaiverState, Word
from gate.wording import number

JudgeSuites = Callable[..., Report]
Find = Callable[..., CheckResult]
WriteCsv = Callable[..., str]

BAR = {"checks": {"threshold": {"bar": 0.0}}}
SCORE = st.sampled_from([0.0, 0.5, 1.0])


def statuses(report: Report) -> dict[str, Status]:
    return {result.check: result.status for suite in report.suites for result in suite.results}


# the worked example


def test_the_worked_example_blocks_for_exactly_two_reasons(example: Path) -> None:
    report = run_gate(load_config(example / "gate.yml"))
    assert report.verdict.word is Word.BLOCK
    assert [reason.sentence for reason in report.verdict.reasons] == [
        "low 0.550 is under the bar 0.70",
        "PSI 0.334 is over 0.25",
    ]
    assert report.verdict.sentence == "low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25"


def test_the_worked_example_finds_the_leaked_question_beside(example: Path) -> None:
    report = run_gate(load_config(example / "gate.yml"))
    assert [(warning.suite, warning.sentence) for warning in report.verdict.warnings] == [
        ("questions", "1 of 4 items leaked: E1")
    ]
    evidence = report.suites[1].results[0].evidence
    assert isinstance(evidence, LeakEvidence)
    assert evidence.overlaps == {"E1": 1.0, "E2": 0.0, "E3": 0.0, "E4": 0.2}


def test_run_a_of_the_worked_example_against_itself_passes_with_nothing_yellow(
    judge: JudgeSuites, example: Path
) -> None:
    run_a = str(example / "run_a.csv")
    report = judge(
        {"baseline": run_a, "candidate": run_a, "checks": {"threshold": {"bar": 0.7}, "drift": {"rule": "bands"}}}
    )
    assert report.verdict.word is Word.PASS
    assert set(statuses(report).values()) == {Status.PASS, Status.NOT_RUN}
    assert "baseline and candidate are the same file, byte for byte" in report.suites[0].results[0].notes


def test_the_calibrated_rule_leaves_the_worked_example_one_reason(judge: JudgeSuites, example: Path) -> None:
    files = {"baseline": str(example / "run_a.csv"), "candidate": str(example / "run_b.csv")}
    report = judge({**files, "checks": {"threshold": {"bar": 0.7}}})
    assert [reason.check for reason in report.verdict.reasons] == ["threshold"]


# what runs


def test_without_options_the_checks_stand_in_their_order_and_the_grey_ones_say_why(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv
) -> None:
    report = judge({"baseline": write_csv("a.csv", [1, 0]), "candidate": write_csv("b.csv", [1, 1])})
    assert list(statuses(report)) == ["coverage", "threshold", "regression", "drift", "contamination"]
    assert find(report, "threshold").sentence == "no bar checked"
    assert find(report, "contamination").sentence == "no corpus to search"
    assert report.verdict.word is Word.PASS


def test_a_baseline_file_that_is_not_there_is_an_input_error(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    with pytest.raises(ScoreFileError) as caught:
        judge({"baseline": "no/such/file.csv", "candidate": write_csv("b.csv", [1])})
    assert caught.value.exit_code == 2
    assert caught.value.where is not None
    assert caught.value.where.path == "no/such/file.csv"


def test_a_bar_on_scores_of_an_unknown_scale_says_give_scale(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    candidate = write_csv("b.csv", [3, 4, 5])
    with pytest.raises(ConfigError) as caught:
        judge({"candidate": candidate, "checks": {"threshold": {"bar": 4}}})
    assert "give scale" in caught.value.remedy
    assert (
        judge({"candidate": candidate, "scale": [1, 5], "checks": {"threshold": {"bar": 1.5}}}).verdict.word
        is Word.PASS
    )


def test_an_assumed_and_an_unknown_scale_are_told_with_the_candidate(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    assumed = judge({"candidate": write_csv("b.csv", [0, 1]), **BAR}).suites[0].candidate
    file = write_csv("b.csv", [0, 5])
    unknown = judge({"baseline": file, "candidate": file}).suites[0].candidate
    given_scale = judge({"candidate": write_csv("b.csv", [0, 1]), "scale": [0, 1], **BAR}).suites[0].candidate
    assert assumed is not None
    assert "score: higher is better, the scale is 0 to 1, assumed, since every score lies in it" in assumed.notes
    assert unknown is not None
    assert any("the scale is not known" in note for note in unknown.notes)
    assert given_scale is not None
    assert "score: higher is better, the scale is 0 to 1, as given" in given_scale.notes


def test_percents_are_judged_in_percent(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    candidate = write_csv("b.csv", ["80%", "90%"] * 10)
    report = judge({"candidate": candidate, "checks": {"threshold": {"bar": 70}}})
    assert find(report, "threshold").sentence == "low 83.000 clears the bar 70.00"
    with pytest.raises(ConfigError, match="at most 1 on a scale of 0 to 100"):
        judge({"candidate": candidate, "checks": {"threshold": {"bar": 0.7}}})


def test_where_lower_is_better_the_bar_is_a_ceiling(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    files = {"baseline": write_csv("a.csv", [1.0] * 20), "candidate": write_csv("b.csv", [2.0] * 20)}
    report = judge({**files, "direction": "lower", "scale": [0, 10], "checks": {"threshold": {"bar": 1.5}}})
    assert find(report, "threshold").sentence == "high 2.000 is over the ceiling 1.50"
    assert find(report, "regression").sentence.startswith("the candidate is worse: delta -1.000")
    assert report.suites[0].items.metrics["score"].direction == "lower"


def test_a_metric_may_have_its_own_direction(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    def write(name: str, value: float) -> str:
        return write_csv(name, {"id": list(range(10)), "score": [value] * 10, "latency": [value] * 10})

    metrics = {"score": {}, "latency": {"direction": "lower"}}
    report = judge({"baseline": write("a.csv", 0.2), "candidate": write("b.csv", 0.9), "metrics": metrics})
    assert find(report, "regression", metric="score").status is Status.PASS
    assert find(report, "regression", metric="latency").status is Status.FAIL
    assert {reason.metric for reason in report.verdict.reasons} == {"latency"}


def test_several_metrics_without_a_choice_are_an_error(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    candidate = write_csv("b.csv", {"id": [1, 2], "rouge": [0.1, 0.2], "bleu": [0.1, 0.2]})
    with pytest.raises(ScoreFileError, match="2 metrics") as caught:
        judge({"candidate": candidate, "checks": {"threshold": {"bar": 0.5}}})
    assert "rouge, bleu" in caught.value.remedy


# items


def test_an_edited_prompt_pairs_every_item(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    def write(name: str, template: str) -> str:
        columns = {"id": [1, 2], "question": ["why", "how"], "prompt": [f"{template} why", f"{template} how"]}
        return write_csv(name, {**columns, "score": [1, 1]})

    result = find(judge({"baseline": write("a.csv", "Say:"), "candidate": write("b.csv", "Please say:")}), "coverage")
    assert (result.status, result.figures["compared"]) == (Status.PASS, 2)
    assert "the rendered prompt of 2 items changed: a template edit" in result.notes


def test_changed_questions_count_as_lost(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], questions: list[str]
) -> None:
    edited = [f"{question}?" for question in questions[:3]] + questions[3:]
    files = {"baseline": questioned([1] * 20), "candidate": questioned([1] * 20, edited)}
    result = find(judge(files), "coverage")
    assert (result.status, result.reason) == (Status.FAIL, "coverage-too-low")
    assert isinstance(result.evidence, CoverageEvidence)
    assert result.evidence.changed == ("q00", "q01", "q02")


def test_deleting_the_hardest_items_never_passes(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    scores = [0] * 10 + [1] * 190
    ids = [f"i{row:03d}" for row in range(200)]
    baseline = write_csv("a.csv", {"id": ids, "score": scores})
    candidate = write_csv("b.csv", {"id": ids[10:], "score": scores[10:]})
    assert judge({"baseline": baseline, "candidate": candidate}).verdict.word is not Word.PASS


def test_every_item_stands_in_the_report_uncapped(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    files = {"baseline": write_csv("a.csv", [1] * 1500), "candidate": write_csv("b.csv", [1] * 1500)}
    items = judge(files).suites[0].items
    assert len(items.ids) == len(items.metrics["score"].candidate) == 1500


# several suites


def test_tests_of_several_suites_share_one_error_rate(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    worse = {
        "baseline": write_csv("a.csv", [1] * 40),
        "candidate": write_csv("b.csv", [0] * 6 + [1] * 34),
        "checks": {"drift": False},
    }
    same = {"baseline": worse["baseline"], "candidate": worse["baseline"], "checks": {"drift": False}}
    alone = judge({"name": "one", **worse})
    beside = judge([{"name": "one", **worse}, {"name": "two", **same}])
    assert (alone.verdict.word, beside.verdict.word) == (Word.BLOCK, Word.WARN)
    assert find(beside, "regression", suite=0).figures["p_adjusted"] == pytest.approx(2 / 64)


def test_reasons_follow_the_order_of_the_suites(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    poor = write_csv("b.csv", [0] * 20)
    checks = {"threshold": {"bar": 0.5}}
    names = ["zebra", "ant", "middle"]
    report = judge([{"name": name, "candidate": poor, "checks": checks} for name in names])
    assert [reason.suite for reason in report.verdict.reasons] == names


def test_an_error_in_one_of_several_suites_names_the_suite(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    good = {"candidate": write_csv("b.csv", [1, 1]), **BAR}
    bad = {**good, "name": "physics", "candidate": "nowhere.csv"}
    with pytest.raises(ScoreFileError) as caught:
        judge([{"name": "history", **good}, bad])
    assert caught.value.what == "suite 'physics': there is no such file"
    with pytest.raises(ScoreFileError) as caught:
        judge(bad)
    assert caught.value.what == "there is no such file"


def test_where_no_check_could_be_run_there_is_no_verdict(
    judge: JudgeSuites, write_csv: WriteCsv, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a check may come to think of: coverage alone is no PASS."""
    idle = CheckResult("regression", Status.NOT_RUN, "idle", "not today", metric="score")
    monkeypatch.setattr("gate.judging.PAIR_CHECKS", {"regression": lambda *_: idle})
    scores = write_csv("b.csv", [1, 1])
    with pytest.raises(ConfigError, match="no check could be run: nothing would be judged"):
        judge({"baseline": scores, "candidate": scores})


# the report


@pytest.mark.parametrize("show_text", ShowText)
def test_a_report_written_to_a_file_quotes_the_eval_only_where_it_may(
    judge: JudgeSuites, questioned: Callable[..., str], show_text: ShowText
) -> None:
    report = judge({"candidate": questioned([1], ["why not"]), **BAR}, show_text=show_text)
    assert report.suites[0].texts == {"q00": "why not"}
    assert ("why not" in REPORTS["json"](report)) is (show_text is ShowText.SNIPPETS)


def test_the_report_tells_what_it_takes_to_have_it_again(example: Path) -> None:
    provenance = run_gate(load_config(example / "gate.yml"), command="gate check").provenance
    assert (provenance.command, provenance.seed) == ("gate check", 0)
    assert set(provenance.versions) == {"gate", "numpy"}
    suite: Any = provenance.options["suites"]
    assert suite[0]["checks"]["threshold"]["alpha"] == 0.05
    assert suite[0]["checks"]["coverage"]["missing"] == "worst_case"


def test_the_report_tells_how_each_file_was_read(example: Path) -> None:
    candidate = run_gate(load_config(example / "gate.yml")).suites[0].candidate
    assert candidate is not None
    assert candidate.path.endswith("run_b.csv")
    assert (candidate.format, candidate.n_items, candidate.n_samples) == ("csv", 20, 20)
    assert len(candidate.digest) == 64


def test_the_file_of_questions_is_known_by_its_digest(example: Path) -> None:
    path = example / "gate.yml"
    digests = run_gate(load_config(path), path=str(path)).provenance.digests
    assert digests == {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in (path, example / "questions.jsonl")
    }
    assert str(path) not in run_gate(load_config(path)).provenance.digests


def test_two_runs_of_the_gate_give_the_same_report(example: Path) -> None:
    config = load_config(example / "gate.yml")
    assert run_gate(config) == run_gate(config)


def test_a_verdicts_figures_are_those_of_its_sentence(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    files = {"baseline": write_csv("a.csv", [1] * 20), "candidate": write_csv("b.csv", [0] * 8 + [1] * 12)}
    result = find(judge(files), "regression")
    delta = result.figures["delta"]
    assert isinstance(delta, float)
    assert number(delta) in result.sentence


# waivers


def waived(suites: list[dict[str, Any]], *waivers: dict[str, Any], today: date | None = date(2026, 1, 31)) -> Report:
    agreed = [{"reason": "new graders", "approved_by": "Ada", "expires": "2026-01-31", **waiver} for waiver in waivers]
    config = validate_config({"version": 1, "suites": suites, "waivers": agreed})
    return run_gate(config, today=today)


@pytest.fixture
def failing(write_csv: WriteCsv) -> dict[str, Any]:
    files = {"baseline": write_csv("a.csv", [1] * 20), "candidate": write_csv("b.csv", [0] * 8 + [1] * 12)}
    return {"name": "answers", **files, "checks": {"drift": False, "threshold": {"bar": 0.7}}}


def test_a_block_that_is_waived_in_part_is_a_block(failing: dict[str, Any]) -> None:
    verdict = waived([failing], {"check": "regression"}).verdict
    assert (verdict.word, [reason.check for reason in verdict.reasons]) == (Word.BLOCK, ["threshold"])
    assert [(warning.check, warning.reason) for warning in verdict.warnings] == [("regression", "regression-shown")]


def test_a_block_that_is_waived_as_a_whole_is_a_warn(failing: dict[str, Any]) -> None:
    report = waived([failing], {"check": "regression"}, {"check": "threshold", "metric": "score"})
    assert report.verdict.word is Word.WARN
    assert [used.state for used in report.waivers] == [WaiverState.APPLIED] * 2
    told = ["waived until 2026-01-31 by Ada" in reason.sentence for reason in report.verdict.reasons]
    assert told == [True, True]


def test_a_report_with_waivers_survives_the_way_through_json(failing: dict[str, Any]) -> None:
    report = waived([failing], {"check": "regression"}, {"check": "coverage"})
    back = load(REPORTS["json"](report))
    assert back.waivers == report.waivers
    assert [result.waiver for result in back.suites[0].results] == [
        result.waiver for result in report.suites[0].results
    ]
    assert back.provenance.today == date(2026, 1, 31)


def test_a_fail_that_the_shared_error_rate_does_not_uphold_needs_no_waiver(write_csv: WriteCsv) -> None:
    baseline, worse = write_csv("a.csv", [1] * 20), write_csv("b.csv", [0] * 6 + [1] * 14)
    suites = [
        {"name": f"s{row}", "baseline": baseline, "candidate": worse if row == 0 else baseline,
         "checks": {"drift": False}}
        for row in range(20)
    ]  # fmt: skip
    report = waived(suites, {"check": "regression", "suite": "s0"})
    assert report.suites[0].results[2].sentence.endswith("not upheld among 20 tests")
    assert report.waivers[0].state is WaiverState.UNUSED


def test_a_waiver_of_a_metric_that_is_not_judged_is_an_error(failing: dict[str, Any]) -> None:
    with pytest.raises(
        ConfigError, match="the metric 'accuracy' of a waiver is not judged in suite 'answers'"
    ) as caught:
        waived([failing], {"check": "drift"}, {"check": "regression", "metric": "accuracy"})
    assert caught.value.where == Place("the configuration", None, "waivers[1].metric")
    assert caught.value.remedy == "name one that is (score), or take `metric` out"


def test_a_waiver_does_not_mend_an_error(failing: dict[str, Any]) -> None:
    with pytest.raises(ScoreFileError):
        waived([{**failing, "candidate": "nowhere.csv"}], {"check": "coverage"})


def test_waivers_need_a_day(failing: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no day is given"):
        waived([failing], {"check": "regression"}, today=None)


def test_without_waivers_the_day_changes_nothing(failing: dict[str, Any]) -> None:
    assert waived([failing], today=date(2026, 1, 31)) == waived([failing], today=None)
