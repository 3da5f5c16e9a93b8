"""Folders as baseline and candidate: one suite for each task."""

from pathlib import Path

import pytest

from gate.baselines import Baseline
from gate.config import SuiteConfig, validate_config
from gate.errors import AlignmentError
from gate.pipeline import run_gate
from gate.reports.json import render
from gate.tasks import TaskSuite, spread_tasks


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SuiteConfig:
    """A suite of two folders, each with the tasks a and b."""
    monkeypatch.chdir(tmp_path)
    for role in ("old", "new"):
        for task in ("a", "b"):
            path = Path(role, f"{task}.csv")
            path.parent.mkdir(exist_ok=True)
            path.write_text("id,score\n1,1\n")
    return SuiteConfig(name="main", baseline="old", candidate="new")


def spread(suite: SuiteConfig) -> list[TaskSuite]:
    """The tasks of a suite whose baseline is read in place."""
    return spread_tasks(suite, None if suite.baseline is None else Baseline(suite.baseline, suite.baseline))


def test_each_task_becomes_a_suite_of_its_own(suite: SuiteConfig) -> None:
    found = [task.suite for task in spread(suite)]
    assert [(one.name, one.tasks, one.candidate) for one in found] == [
        ("main/a", ("a",), "new"),
        ("main/b", ("b",), "new"),
    ]


def test_only_the_tasks_asked_for_are_judged(suite: SuiteConfig) -> None:
    chosen = suite.model_copy(update={"tasks": ("b",)})
    assert [task.suite.name for task in spread(chosen)] == ["main"]


def test_tasks_as_strata_stay_one_suite(suite: SuiteConfig) -> None:
    together = suite.model_copy(update={"tasks_as": "strata"})
    assert spread(together)[0].suite == together


def test_files_stay_one_suite(suite: SuiteConfig) -> None:
    single = suite.model_copy(update={"baseline": "old/a.csv", "candidate": "new/a.csv"})
    assert [task.suite for task in spread(single)] == [single]


def test_a_task_that_the_candidate_lost_is_an_error(suite: SuiteConfig) -> None:
    Path("new/b.csv").unlink()
    with pytest.raises(AlignmentError, match="no run of 1 task that the baseline has: b"):
        spread(suite)


def test_a_new_task_is_told_and_not_judged(suite: SuiteConfig) -> None:
    Path("new/c.csv").write_text("id,score\n1,1\n")
    found = spread(suite)
    assert [task.suite.name for task in found] == ["main/a", "main/b"]
    assert {task.notes for task in found} == {("not judged, since the baseline has no run of them yet: c",)}


def test_without_a_baseline_every_task_is_judged(suite: SuiteConfig) -> None:
    alone = suite.model_copy(update={"baseline": None})
    assert [task.suite.name for task in spread(alone)] == ["main/a", "main/b"]


def test_a_file_against_a_folder_of_several_is_an_error(suite: SuiteConfig) -> None:
    with pytest.raises(AlignmentError, match="this is one file, and the other run is a folder or a pattern"):
        spread(suite.model_copy(update={"baseline": "old/a.csv"}))
    with pytest.raises(AlignmentError, match="this is one file, and the other run is a folder or a pattern"):
        spread(suite.model_copy(update={"candidate": "new/a.csv"}))


def reported(suite: SuiteConfig) -> str:
    """The report of a run with the baseline's folder as its candidate."""
    judged = {"name": suite.name, "candidate": suite.baseline, "checks": {"threshold": {"bar": 0.0}}}
    Path("report.json").write_text(render(run_gate(validate_config({"version": 1, "suites": [judged]}))))
    return "report.json"


def test_a_report_is_the_baseline_of_each_task_that_it_judged(suite: SuiteConfig) -> None:
    Path("old/a.csv").write_text("id,score\n1,0\n")
    data = {"name": "main", "baseline": reported(suite), "candidate": "new"}
    report = run_gate(validate_config({"version": 1, "suites": [data]}))
    compared = [(one.name, result) for one in report.suites for result in one.results if result.check == "regression"]
    deltas = {name: result.figures["delta"] for name, result in compared}
    assert deltas == {"main/a": 1.0, "main/b": 0.0}


def test_a_task_of_a_report_that_the_candidate_lost_is_an_error(suite: SuiteConfig) -> None:
    Path("old/c.csv").write_text("id,score\n1,1\n")
    with_report = suite.model_copy(update={"baseline": reported(suite)})
    with pytest.raises(AlignmentError, match="no run of 1 task that the baseline has: c"):
        spread(with_report)
    chosen = with_report.model_copy(update={"tasks": ("a", "b")})
    assert [task.suite.name for task in spread(chosen)] == ["main/a", "main/b"]


def test_a_report_of_another_suite_is_no_baseline_of_a_folder(suite: SuiteConfig) -> None:
    other = suite.model_copy(update={"name": "main/deep", "baseline": reported(suite)})
    with pytest.raises(AlignmentError, match="this is one file, and the other run is a folder"):
        spread(other)
