"""Annotations: one for each check that fails or warns, short, and beside the file where an error has a place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gate.config import validate_config
from gate.entry import Conclusion, Request, error_report, fault_of
from gate.errors import ConfigError, ExitCode, GateError, Place, ScoreFileError
from gate.github.annotations import annotations_of
from gate.github.commands import Annotation, Level
from gate.github.workspace import Workspace
from gate.pipeline import run_gate
from gate.results import ConfigChange, Effect, Report

WriteCsv = Callable[..., str]
Judge = Callable[..., Report]


@pytest.fixture
def annotated(judge: Judge) -> Callable[..., tuple[Annotation, ...]]:
    def annotate(suites: Sequence[Mapping[str, Any]] | Mapping[str, Any], **policies: Any) -> tuple[Annotation, ...]:
        return annotations_of(Conclusion(judge(suites, **policies), ExitCode.OK), None)

    return annotate


@pytest.fixture
def worse(write_csv: WriteCsv) -> dict[str, Any]:
    return {"baseline": write_csv("a.csv", [1.0] * 20), "candidate": write_csv("b.csv", [0.0] * 10 + [1.0] * 10)}


def of_error(error: Exception, workspace: Workspace | None = None) -> Annotation:
    report = error_report(fault_of(error), Request())
    (annotation,) = annotations_of(Conclusion(report, ExitCode.USAGE, error), workspace)
    return annotation


def test_a_pass_is_one_notice(annotated: Callable[..., Any], write_csv: WriteCsv) -> None:
    same = {"baseline": write_csv("a.csv", [1.0] * 20), "candidate": write_csv("b.csv", [1.0] * 20)}
    assert annotated(same) == (
        Annotation(Level.NOTICE, "gate: PASS", "nothing speaks against it (3 checks passed, 2 not run)"),
    )


def test_each_check_that_fails_has_one_error_and_what_to_do(annotated: Callable[..., Any], worse: Any) -> None:
    first, second = annotated({**worse, "checks": {"drift": False, "threshold": {"bar": 0.9}}})
    assert (first.level, first.title) == (Level.ERROR, "gate: threshold failed")
    sentence, remedy = first.message.split("\n")
    assert sentence.startswith("low ")
    assert remedy.startswith("What to do: improve the candidate")
    assert (second.level, second.title) == (Level.ERROR, "gate: regression failed")


def test_a_check_that_warns_has_a_warning(annotated: Callable[..., Any], write_csv: WriteCsv) -> None:
    lost = {"baseline": write_csv("a.csv", [1.0] * 40), "candidate": write_csv("b.csv", [1.0] * 39 + [""])}
    (annotation,) = annotated(lost)
    assert (annotation.level, annotation.title) == (Level.WARNING, "gate: coverage warned")


def test_a_warning_beside_a_block_comes_after_its_errors(annotated: Callable[..., Any], write_csv: WriteCsv) -> None:
    suite = {
        "baseline": write_csv("a.csv", [1.0] * 40),
        "candidate": write_csv("b.csv", [1.0] * 20 + [0.0] * 20),
        "checks": {"coverage": {"missing": "exclude"}, "drift": {"rule": "bands"}},
    }
    gone = {"baseline": suite["baseline"], "candidate": write_csv("c.csv", [1.0] * 39 + [""]), "name": "gone"}
    told = annotated([{**suite, "name": "worse"}, gone])
    assert [annotation.level for annotation in told] == sorted([each.level for each in told], key=[*Level][::-1].index)
    assert {annotation.title for annotation in told} >= {"gate: regression failed", "gate: coverage warned"}


def test_all_suites_of_a_check_share_one_annotation_that_names_the_first(
    annotated: Callable[..., Any], worse: Any
) -> None:
    suites = [{**worse, "name": f"suite-{row}", "checks": {"drift": False}} for row in range(5)]
    (annotation,) = annotated(suites)
    lines = annotation.message.split("\n")
    assert [line.split(": ")[0] for line in lines[:3]] == ["suite-0", "suite-1", "suite-2"]
    assert lines[3] == "and 2 findings more: see the summary"
    assert lines[4:] == ["What to do: read the items that got worse; mend the candidate"]


def test_metrics_are_named_where_there_are_several(annotated: Callable[..., Any], write_csv: WriteCsv) -> None:
    ids = [f"i{row}" for row in range(20)]
    files = {
        "baseline": write_csv("a.csv", {"id": ids, "acc": [1.0] * 20, "f1": [1.0] * 20}),
        "candidate": write_csv("b.csv", {"id": ids, "acc": [0.0] * 20, "f1": [0.0] * 20}),
    }
    (annotation,) = annotated({**files, "metrics": ["acc", "f1"], "checks": {"drift": False}})
    assert [line.split(": ")[0] for line in annotation.message.split("\n")[:2]] == ["acc", "f1"]


def test_an_annotation_stays_short_of_what_github_cuts_off(annotated: Callable[..., Any], worse: Any) -> None:
    suites = [{**worse, "name": f"{row}" + "x" * 90, "checks": {"drift": False}} for row in range(50)]
    (annotation,) = annotated(suites)
    assert len(annotation.message) < 4000


# waivers


@pytest.fixture
def waived(worse: Any) -> Callable[..., tuple[Annotation, ...]]:
    """The annotations of a run that regression fails, judged on the last of January."""

    def annotate(*waivers: Mapping[str, Any], **suite: Any) -> tuple[Annotation, ...]:
        agreed = [{"reason": "a shorter prompt", "approved_by": "Ada", **waiver} for waiver in waivers]
        suites = [{"name": "answers", **worse, "checks": {"drift": False}, **suite}]
        config = validate_config({"version": 1, "suites": suites, "waivers": agreed})
        return annotations_of(Conclusion(run_gate(config, today=date(2026, 1, 31)), ExitCode.OK), None)

    return annotate


def test_a_check_that_is_waived_is_a_warning_that_says_so(waived: Callable[..., Any]) -> None:
    (annotation,) = waived({"check": "regression", "expires": "2026-01-31"})
    assert (annotation.level, annotation.title) == (Level.WARNING, "gate: regression warned")
    assert annotation.message.split("\n")[0].endswith(", waived until 2026-01-31 by Ada")


def test_an_expired_waiver_is_a_notice_beside_the_fail(waived: Callable[..., Any]) -> None:
    first, second = waived({"check": "regression", "expires": "2026-01-30"})
    assert (first.level, first.title) == (Level.ERROR, "gate: regression failed")
    assert second == Annotation(
        Level.NOTICE,
        "gate: waivers",
        "regression: the waiver expired on 2026-01-30: renew it, or take it out of gate.yml (approved by Ada)",
    )


def test_a_waiver_that_is_not_used_is_a_notice_beside_a_pass(waived: Callable[..., Any], worse: Any) -> None:
    first, second = waived(
        {"check": "regression", "metric": "score", "expires": "2026-01-31"}, candidate=worse["baseline"]
    )
    assert (first.level, first.title) == (Level.NOTICE, "gate: PASS")
    assert (second.level, second.message.split(": ")[:2]) == (Level.NOTICE, ["regression", "score"])


def test_waivers_that_change_nothing_share_one_notice_that_names_three(waived: Callable[..., Any]) -> None:
    unused = [
        {"check": check, "expires": "2026-01-31"} for check in ("coverage", "threshold", "drift", "contamination")
    ]
    (_, notice) = waived(*unused)
    assert len(notice.message.split("\n")) == 4
    assert notice.message.endswith("\nand 1 more: see the summary")


# errors


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "gate.yml").touch()
    return Workspace(tmp_path, tmp_path / "evals")


def test_an_error_stands_at_its_line_of_gate_yml(workspace: Workspace) -> None:
    error = ConfigError("unknown key 'x'", where=Place("gate.yml", 4, "suites[0].x"), remedy="did you mean 'y'?")
    assert of_error(error, workspace) == Annotation(
        Level.ERROR,
        "gate: ERROR",
        "gate.yml, line 4, suites[0].x: unknown key 'x'\nWhat to do: did you mean 'y'?",
        "evals/gate.yml",
        4,
    )


def test_an_error_in_a_file_outside_of_the_workspace_stands_beside_no_file(workspace: Workspace) -> None:
    annotation = of_error(ScoreFileError("broken", where=Place("/etc/passwd", 4), remedy="x"), workspace)
    assert annotation.file is None
    assert annotation.message.startswith("/etc/passwd, line 4: broken")


def test_an_error_without_a_place_says_what_and_what_to_do() -> None:
    assert of_error(GateError("wrong", remedy="mend it")).message == "wrong\nWhat to do: mend it"


def test_an_internal_error_says_whose_fault_it_is() -> None:
    message = of_error(ZeroDivisionError("division by zero")).message
    assert message.startswith("internal error: ZeroDivisionError: division by zero\n")
    assert "this is a fault of gate" in message


def test_a_long_error_is_cut() -> None:
    assert len(of_error(GateError("x" * 100_000, remedy="y" * 100_000)).message) < 2000


def of_changes(*changes: ConfigChange) -> Annotation:
    report = replace(error_report(fault_of(ConfigError("what", remedy="do")), Request()), config_changes=changes)
    error, changed = annotations_of(Conclusion(report, ExitCode.USAGE, ConfigError("what", remedy="do")), None)
    assert error.title == "gate: ERROR"
    return changed


def test_a_laxer_gate_yml_is_a_warning_that_lists_what_became_laxer() -> None:
    laxer = ConfigChange("policies.fail_on", "block", "never", Effect.LAXER)
    annotation = of_changes(laxer)
    assert (annotation.level, annotation.title) == (Level.WARNING, "gate: gate.yml changed")
    assert annotation.message.split("\n") == [
        "this pull request changes gate.yml: 1 change, 1 laxer; the verdict is by the gate.yml in force",
        "policies.fail_on: block -> never (laxer)",
    ]
    assert of_changes(*[laxer] * 5).message.endswith("and 2 more: see the summary")


def test_a_gate_yml_that_only_changes_is_a_notice() -> None:
    assert of_changes(ConfigChange("policies.seed", "0", "1", Effect.CHANGED)).level is Level.NOTICE
    assert of_changes(ConfigChange("gate.yml", "", "", Effect.DELETED)).level is Level.WARNING
