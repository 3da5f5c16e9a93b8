"""The action as a step: what the runner has of it in log, summary, annotations, outputs, files and exit code."""

import errno
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate import entry
from gate.errors import WriteError
from gate.github import action
from gate.github.__main__ import run_guarded
from gate.github.outputs import OUTPUTS
from gate.github.workspace import REPORT_FILES
from gate.reports import markdown
from gate.reports.json import load
from gate.results import Report, Word

RUNNER = 1001
PAGE_LINE = "Charts, every item and a what-if panel:"

Inputs = dict[str, object]
Step = Any  # the runner of conftest.py
Told = Any

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def levels(told: Told) -> list[str]:
    return [command.name for command in told.commands]


def report_in(step: Step, told: Told) -> Report:
    path = step.workspace / told.outputs["report-json"]
    return load(path.read_text(encoding="utf-8"))


def assert_error(told: Told, what: str, *, code: int = 2) -> None:
    """An error is told in every place: exit code, outputs, summary, annotation, log."""
    assert told.code == code
    assert told.outputs["verdict"] == "ERROR"
    assert what in told.outputs["reason"]
    assert "## 🟣 ERROR: " in told.summary
    assert levels(told) == ["error"]
    assert what in told.commands[0].message
    assert what in told.log


# verdicts


def test_a_pass_exits_0_and_is_told_everywhere(step: Step, passing: Inputs) -> None:
    told = step.run(**passing)
    assert told.code == 0
    assert told.outputs["verdict"] == "PASS"
    assert told.outputs["reason"] == "nothing speaks against it (3 checks passed, 2 not run)"
    assert told.summary.startswith("## 🟢 PASS: ")
    assert levels(told) == ["notice"]
    assert "PASS: nothing speaks against it" in told.log


def test_a_gate_yml_that_the_pull_request_loosens_is_told_in_the_first_lines_and_nothing_is_judged_by_it(
    step: Step, blocking: Inputs
) -> None:
    files = f"baseline: {blocking['baseline']}, candidate: {blocking['candidate']}"
    (step.workspace / "target.yml").write_text(f"version: 1\nsuites: [{{name: a, {files}}}]\n", encoding="utf-8")
    loose = (
        f"version: 1\nsuites: [{{name: a, {files}, checks: {{regression: off, drift: off, threshold: {{bar: 0}}}}}}]"
    )
    (step.workspace / "gate.yml").write_text(loose, encoding="utf-8")
    told = step.run(config="target.yml", proposed_config="gate.yml")
    assert (told.code, told.outputs["verdict"]) == (1, "BLOCK")
    assert "laxer: `suites[a].checks.regression`: `on by default` → `off`" in told.summary.partition("\n| ")[0]
    assert "gate: gate.yml changed" in [command.properties["title"] for command in told.commands]
    assert len(report_in(step, told).config_changes) == 4


def test_a_warning_exits_0_with_a_yellow_word(step: Step, warning: Inputs) -> None:
    told = step.run(**warning)
    assert (told.code, told.outputs["verdict"]) == (0, "WARN")
    assert told.summary.startswith("## 🟡 WARN: ")
    assert levels(told) == ["warning"]


def test_a_block_exits_1_with_a_red_word(step: Step, blocking: Inputs) -> None:
    told = step.run(**blocking)
    assert (told.code, told.outputs["verdict"]) == (1, "BLOCK")
    assert told.summary.startswith("## 🔴 BLOCK: ")
    assert set(levels(told)) == {"error"}


@pytest.mark.parametrize(
    ("verdict", "fail_on", "code"),
    [
        ("passing", "warn", 0), ("passing", "never", 0), ("warning", "", 0), ("warning", "warn", 1),
        ("warning", "block", 0), ("blocking", "block", 1), ("blocking", "warn", 1), ("blocking", "never", 0),
    ],
)  # fmt: skip
def test_fail_on_decides_on_the_exit_and_never_on_the_verdict(
    verdict: str, fail_on: str, code: int, step: Step, request: pytest.FixtureRequest
) -> None:
    told = step.run(**request.getfixturevalue(verdict), fail_on=fail_on)
    word = {"passing": "PASS", "warning": "WARN", "blocking": "BLOCK"}[verdict]
    assert (told.code, told.outputs["verdict"]) == (code, word)


def test_all_outputs_are_set_and_no_other(step: Step, passing: Inputs) -> None:
    assert set(step.run(**passing).outputs) == set(OUTPUTS)


def test_the_published_example_is_blocked_for_both_its_reasons(step: Step, example: Path) -> None:
    for name in ("run_a.csv", "run_b.csv", "questions.jsonl", "gate.yml"):
        (step.workspace / name).write_bytes((example / name).read_bytes())
    (step.workspace / "corpus").symlink_to(example / "corpus")
    told = step.run(config="gate.yml")
    assert told.code == 1
    assert "low 0.550 is under the bar 0.70" in told.outputs["reason"]
    assert "PSI 0.334 is over 0.25" in told.outputs["reason"]
    assert told.outputs["leaked"] == "1"
    assert {command.properties["title"] for command in told.commands} == {
        "gate: threshold failed",
        "gate: drift failed",
        "gate: contamination warned",
    }


def test_the_trusted_run_of_the_example_passes_by_a_hair(step: Step, example: Path) -> None:
    (step.workspace / "a.csv").write_bytes((example / "run_a.csv").read_bytes())
    told = step.run(baseline="a.csv", candidate="a.csv", threshold="0.70")
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")
    assert (told.outputs["mean"], told.outputs["low"], told.outputs["high"]) == ("0.9", "0.775", "1")


# files


def test_all_reports_are_written_and_named_from_the_workspace(step: Step, blocking: Inputs) -> None:
    told = step.run(**blocking)
    assert told.outputs["report-json"] == "gate-report/report.json"
    assert told.outputs["report-markdown"] == "gate-report/report.md"
    assert told.outputs["report-junit"] == "gate-report/report.xml"
    assert '<property name="verdict" value="BLOCK: ' in (step.workspace / "gate-report/report.xml").read_text("utf-8")
    assert told.outputs["report-html"] == "gate-report/report.html"
    assert report_in(step, told).verdict.word is Word.BLOCK
    written = (step.workspace / "gate-report" / "report.md").read_text(encoding="utf-8")
    assert drop_page_line(written) == drop_page_line(told.summary)
    page = (step.workspace / "gate-report" / "report.html").read_text(encoding="utf-8")
    assert "<title>BLOCK · gate report</title>" in page


def drop_page_line(summary: str) -> list[str]:
    """Without the line that says where the page lies, of which there is one."""
    lines = summary.splitlines()
    (line,) = (line for line in lines if line.startswith(PAGE_LINE))
    return [each for each in lines if each != line]


def test_the_summary_says_where_the_page_lies_and_where_the_run_lists_its_artifacts(
    step: Step, blocking: Inputs
) -> None:
    step.environ.update(GITHUB_REPOSITORY="owner/name", GITHUB_RUN_ID="12")
    told = step.run(**blocking)
    run = "https://github.com/owner/name/actions/runs/12"
    where = f"`gate-report/report.html`, among the [artifacts of this run]({run}#artifacts)"
    assert f"{PAGE_LINE} {where} once uploaded\n" in told.summary


def test_a_report_beside_the_page_links_to_it(step: Step, blocking: Inputs) -> None:
    step.run(**blocking)
    written = (step.workspace / "gate-report" / "report.md").read_text(encoding="utf-8")
    assert f"{PAGE_LINE} [`report.html`](report.html)\n" in written


def test_a_summary_names_no_page_where_none_was_written(step: Step) -> None:
    assert PAGE_LINE not in step.run(candidate="missing.csv").summary


def test_paths_are_meant_from_the_working_directory(step: Step) -> None:
    step.write("evals/b.csv", [1] * 5)
    told = step.run(working_directory="evals", candidate="b.csv", threshold="0.5", report_dir="out/gate")
    assert told.code == 0
    assert told.outputs["report-json"] == "evals/out/gate/report.json"
    assert report_in(step, told).provenance.command == "cd -- evals && gate check --candidate=b.csv --threshold=0.5"


def test_the_process_is_back_where_it_was(step: Step, passing: Inputs) -> None:
    before = Path.cwd()
    step.run(**passing)
    step.run(candidate="nowhere")
    assert Path.cwd() == before


@as_root
@pytest.mark.parametrize("verdict", ["passing", "blocking", "broken"])
def test_what_is_written_belongs_to_the_workspace_s_owner(
    verdict: str, step: Step, request: pytest.FixtureRequest
) -> None:
    inputs = {"candidate": "nowhere"} if verdict == "broken" else request.getfixturevalue(verdict)
    os.chown(step.workspace, RUNNER, RUNNER)
    told = step.run(**inputs, report_dir="a/b")
    written = [step.workspace / "a", *(step.workspace / "a").rglob("*")]
    assert len(written) == 2 + len(REPORT_FILES)
    assert {path.stat().st_uid for path in written} == {RUNNER}
    assert "root keeps" not in told.log


@as_root
def test_what_cannot_be_handed_over_is_told_in_the_log(
    step: Step, passing: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(step.workspace, RUNNER, RUNNER)
    monkeypatch.setattr(os, "chown", refuse)
    told = step.run(**passing)
    assert told.code == 0
    kept = ", ".join(["gate-report", *(f"gate-report/{name}" for name in REPORT_FILES.values())])
    assert f"root keeps {kept}: without the capability" in told.log


def test_nothing_but_the_reports_is_written(step: Step, passing: Inputs) -> None:
    before = set(step.workspace.rglob("*"))
    step.run(**passing)
    new = {path.relative_to(step.workspace).as_posix() for path in set(step.workspace.rglob("*")) - before}
    assert new == {"gate-report", *(f"gate-report/{name}" for name in REPORT_FILES.values())}


# errors


ERRORS: Sequence[tuple[str, Mapping[str, object], str]] = [
    ("nothing to judge", {}, "there is nothing to judge"),
    ("no such file", {"candidate": "nowhere.csv", "threshold": "0.5"}, "there is no such file"),
    ("a name too long", {"candidate": "x" * 300, "threshold": "0.5"}, "File name too long"),
    ("an empty folder", {"candidate": "empty/", "threshold": "0.5"}, "the folder holds no file"),
    ("not a number", {"candidate": "b.csv", "threshold": "0,7"}, "the input 'threshold' is not a number: '0,7'"),
    ("not a choice", {"candidate": "b.csv", "fail_on": "always"}, "the input 'fail-on' cannot be 'always'"),
    ("not a format", {"candidate": "b.csv", "format": "pdf"}, "the input 'format' cannot be 'pdf'"),
    ("several lines", {"candidate": "b.csv\nc.csv"}, "the input 'candidate' has several lines"),
    ("a slip", {"candidate": "b.csv", "treshold": "0.7"}, "there is no input 'treshold'"),
    ("broken scores", {"candidate": "broken.csv", "threshold": "0.5"}, "is not a score"),
    ("no common item", {"baseline": "other.csv", "candidate": "b.csv"}, "no item id stands in both files"),
    ("a broken configuration", {"config": "broken.yml"}, "unknown key 'candidat'"),
    ("no configuration", {"config": "nowhere.yml"}, "there is no such file"),
    ("several suites", {"config": "two.yml", "threshold": "0.7"}, "two.yml has 2 suites"),
    ("no scale", {"candidate": "high.csv", "threshold": "70"}, "needs the scale of the scores"),
    ("no metric", {"candidate": "b.csv", "metric": "f1", "threshold": "0.5"}, "f1"),
    ("no corpus", {"candidate": "b.csv", "corpus": "nowhere"}, "there is no such file or folder"),
    ("a working directory outside", {"working_directory": ".."}, "leads out of the workspace"),
    ("no working directory", {"working_directory": "nowhere"}, "the input 'working-directory' names no folder"),
    ("a report folder outside", {"candidate": "b.csv", "report_dir": "/tmp"}, "leads out of the workspace"),  # noqa: S108  # ditto
    (
        "a report folder that is a file",
        {"candidate": "b.csv", "report_dir": "b.csv", "threshold": "0.5"},
        "cannot be written",
    ),
    (
        "a report that is a folder",
        {"candidate": "b.csv", "report_dir": "full", "threshold": "0.5"},
        "cannot be written",
    ),
]


@pytest.fixture
def faulty(step: Step) -> Step:
    """A workspace in which much can go wrong."""
    step.write("b.csv", [1] * 5)
    step.write("other.csv", {"x": 1, "y": 0})
    step.write("high.csv", [10, 50, 90])
    step.write("broken.csv", {"i01": 1, "i02": "many"})
    (step.workspace / "empty").mkdir()
    (step.workspace / "full" / "report.json").mkdir(parents=True)
    (step.workspace / "broken.yml").write_text("version: 1\nsuites:\n  - name: a\n    candidat: b.csv\n")
    (step.workspace / "two.yml").write_text(
        "version: 1\nsuites: [{name: a, candidate: b.csv}, {name: b, candidate: b.csv}]\n"
    )
    return step


@pytest.mark.parametrize(("inputs", "what"), [case[1:] for case in ERRORS], ids=[case[0] for case in ERRORS])
def test_an_error_is_told_everywhere_and_exits_2(inputs: Inputs, what: str, faulty: Step) -> None:
    assert_error(faulty.run(**inputs), what)


def test_an_error_lands_in_the_reports_too(faulty: Step) -> None:
    told = faulty.run(candidate="b.csv", threshold="0,7")
    assert told.outputs["report-json"] == "gate-report/report.json"
    report = report_in(faulty, told)
    assert report.fault is not None
    assert report.fault.what == "the input 'threshold' is not a number: '0,7'"


def test_an_error_of_gate_yml_stands_at_its_line(faulty: Step) -> None:
    (command,) = faulty.run(config="broken.yml").commands
    assert (command.properties["file"], command.properties["line"]) == ("broken.yml", "4")
    assert "did you mean 'candidate'?" in command.message


def test_the_file_of_an_error_is_named_from_the_workspace_s_root(step: Step) -> None:
    step.write("evals/broken.csv", {"i01": "many"})
    (command,) = step.run(working_directory="evals", candidate="broken.csv", threshold="0.5").commands
    assert command.properties["file"] == "evals/broken.csv"
    assert command.properties["line"] == "2"


def test_a_report_of_an_earlier_run_is_not_named_as_this_one_s(faulty: Step) -> None:
    faulty.run(candidate="b.csv", threshold="0.5", report_dir="old")
    (faulty.workspace / "old" / "report.md").unlink()
    (faulty.workspace / "old" / "report.md").mkdir()
    told = faulty.run(candidate="b.csv", threshold="0.5", report_dir="old")
    assert told.outputs["verdict"] == "ERROR"
    assert told.outputs["report-markdown"] == ""
    assert report_in(faulty, told).verdict.word is Word.ERROR


def test_a_link_in_the_place_of_a_report_is_an_error_and_its_target_is_left_alone(faulty: Step, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    (faulty.workspace / "gate-report").mkdir()
    (faulty.workspace / "gate-report" / "report.json").symlink_to(victim)
    assert_error(faulty.run(candidate="b.csv", threshold="0.5"), "a link lies where a report goes")
    assert victim.read_text(encoding="utf-8") == "mine"


def test_an_internal_error_exits_3_with_its_traceback_in_the_log_alone(
    faulty: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "run_gate", lambda *_, **__: 1 / 0)
    told = faulty.run(candidate="b.csv", threshold="0.5")
    assert_error(told, "internal error: ZeroDivisionError", code=3)
    assert "Traceback (most recent call last):" in told.log
    assert "Traceback" not in told.summary


def test_a_report_that_cannot_be_drawn_still_leaves_a_summary(faulty: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(*_: object, **__: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(markdown, "render", fall_over)
    told = faulty.run(candidate="b.csv", threshold="0.5")
    assert_error(told, "internal error: ZeroDivisionError", code=3)
    assert told.summary.count("the report could not be drawn") == 1


def test_memory_that_runs_out_is_an_error_and_no_verdict(faulty: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhaust(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(entry, "run_gate", exhaust)
    assert_error(faulty.run(candidate="b.csv", threshold="0.5"), "internal error: MemoryError", code=3)


def test_a_fault_of_the_telling_itself_is_an_error_and_no_verdict(
    faulty: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action, "annotations_of", lambda *_: 1 / 0)
    told = faulty.run(candidate="b.csv", threshold="0.5")
    assert (told.code, told.outputs["verdict"]) == (3, "ERROR")
    assert "## 🟣 ERROR: internal error: ZeroDivisionError" in told.summary
    assert levels(told) == ["error"]


# the runner's files


def test_by_hand_without_the_runner_s_files_it_works_and_says_nothing_bad(
    step: Step, passing: Inputs, monkeypatch: pytest.MonkeyPatch, obeyed: Callable[[str], Sequence[Any]]
) -> None:
    monkeypatch.chdir(step.workspace)
    log = io.StringIO()
    environ = {f"INPUT_{name.upper()}": str(text) for name, text in passing.items()}
    assert run_guarded(environ, log) == 0
    assert [command.name for command in obeyed(log.getvalue())] == ["notice"]
    assert "GITHUB" not in log.getvalue()
    assert (step.workspace / "gate-report" / "report.json").exists()


def test_outputs_that_cannot_be_written_are_an_error_before_anything_is_judged(step: Step, passing: Inputs) -> None:
    step.environ["GITHUB_OUTPUT"] = str(step.workspace)
    told = step.run(**passing)
    assert told.code == 2
    (command,) = told.commands
    assert "the file GITHUB_OUTPUT names cannot be written: Is a directory" in command.message
    assert "## 🟣 ERROR: the file `GITHUB_OUTPUT` names cannot be written: Is a directory" in told.summary
    assert not (step.workspace / "gate-report").exists()


def test_a_summary_that_cannot_be_written_makes_the_verdict_an_error(step: Step, passing: Inputs) -> None:
    step.environ["GITHUB_STEP_SUMMARY"] = str(step.workspace)
    told = step.run(**passing)
    assert (told.code, told.outputs["verdict"]) == (2, "ERROR")
    assert "GITHUB_STEP_SUMMARY" in told.outputs["reason"]
    assert levels(told) == ["error"]
    assert report_in(step, told).verdict.word is Word.ERROR


def test_outputs_that_fail_in_the_end_leave_the_verdict_an_error(
    step: Step, passing: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise WriteError("the disk is full", remedy="make room")

    monkeypatch.setattr(action, "set_outputs", fail)
    told = step.run(**passing)
    assert (told.code, told.outputs["verdict"]) == (2, "ERROR")
    assert told.outputs["reason"] == "the disk is full"


def test_a_full_summary_is_told_in_the_log_and_the_verdict_stands(step: Step, passing: Inputs) -> None:
    step.summary.write_text("x" * (1 << 20), encoding="utf-8")
    told = step.run(**passing)
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")
    assert "the summary is full" in told.log


def test_what_stands_in_the_runner_s_files_stays(step: Step, passing: Inputs) -> None:
    step.output.write_text("theirs<<d\n1\nd\n", encoding="utf-8")
    step.summary.write_text("# Theirs\n", encoding="utf-8")
    told = step.run(**passing)
    assert told.outputs["theirs"] == "1"
    assert told.summary.startswith("# Theirs\n\n## 🟢 PASS")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_log_that_cannot_be_written_makes_the_verdict_an_error(number: int, step: Step, passing: Inputs) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(number, os.strerror(number))

    code = run_guarded(step.with_inputs(passing), Full())
    told = step.told(code, "")
    assert (told.code, told.outputs["verdict"]) == (2, "ERROR")
    assert "standard output cannot be written" in told.outputs["reason"]


def test_a_log_that_nobody_reads_any_more_changes_nothing(step: Step, passing: Inputs) -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

        def fileno(self) -> int:
            raise OSError(errno.EBADF, "no descriptor")

    told = step.told(run_guarded(step.with_inputs(passing), Closed()), "")
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")


# foreign text


@pytest.fixture
def poisoned(step: Step, hostile: Sequence[str]) -> Inputs:
    """Ids, questions and metric names that would command the log or mark up the summary."""
    metric = "::error::metric\n<b>"
    for name, score in (("a.jsonl", 1), ("b.jsonl", 0)):
        rows = [{"id": f"{text} {row}", "question": text, metric: score} for row, text in enumerate(hostile)]
        (step.workspace / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {"baseline": "a.jsonl", "candidate": "b.jsonl"}


def test_hostile_ids_and_metrics_command_nothing(
    step: Step, poisoned: Inputs, obeyed_unstopped: Callable[[str], Sequence[Any]]
) -> None:
    told = step.run(**poisoned)
    assert told.outputs["verdict"] == "BLOCK"
    assert {command.name for command in told.commands} == {"error"}
    assert all(command.properties["title"].startswith("gate: ") for command in told.commands)
    # even a runner that does not stop would obey our own annotations only
    assert len(obeyed_unstopped(told.log)) == len(told.commands)
    assert set(told.outputs) == set(OUTPUTS)


def test_hostile_ids_and_metrics_are_text_in_the_summary(step: Step, poisoned: Inputs) -> None:
    told = step.run(**poisoned)
    assert "`::error::x 0`" in told.summary
    assert "`<img src=x onerror=y> 15`" in told.summary
    assert not any(line.startswith(("::", "<img", "##[")) for line in told.summary.splitlines())
    assert "\x1b" not in told.summary
    assert "\u202e" not in told.summary


def test_hostile_waivers_command_nothing_and_are_text_in_the_summary(
    step: Step, hostile: Sequence[str], obeyed_unstopped: Callable[[str], Sequence[Any]]
) -> None:
    step.write("a.csv", [1] * 20)
    step.write("b.csv", [0] * 20)
    for text in hostile:
        said = json.dumps(f"{text} and more")
        waivers = [
            f"{{check: {check}, suite: {said}, reason: {said}, approved_by: {said}, expires: {day}}}"
            for check, day in {"regression": "2999-12-31", "drift": "2026-01-31", "coverage": "2999-12-31"}.items()
        ]
        suite = f"{{name: {said}, baseline: a.csv, candidate: b.csv, checks: {{drift: false}}}}"
        (step.workspace / "gate.yml").write_text(
            f"version: 1\nsuites: [{suite}]\nwaivers: [{', '.join(waivers)}]\n", encoding="utf-8"
        )
        told = step.run(config="gate.yml")
        if "\ud800" in text:  # no YAML may hold half a character
            assert told.outputs["verdict"] == "ERROR"
            continue
        assert (told.outputs["verdict"], levels(told)) == ("WARN", ["warning", "notice"])
        assert "waived until 2999-12-31 by " in told.outputs["reason"]
        assert len(obeyed_unstopped(told.log)) == len(told.commands)
        assert not any(line.startswith(("::", "<img", "##[")) for line in told.summary.splitlines())
        assert not {"\x1b", "\u202e", "\u2028"}.intersection(told.summary)


@pytest.mark.parametrize("name", ["candidate", "config", "metric", "format", "fail_on", "threshold", "report_dir"])
def test_hostile_inputs_command_nothing(
    name: str, step: Step, hostile: Sequence[str], obeyed_unstopped: Callable[[str], Sequence[Any]]
) -> None:
    step.write("b.csv", [1] * 5)
    for text in hostile:
        if "\ud800" in text:
            continue
        told = step.run(**{"candidate": "b.csv", name: text})
        assert len(obeyed_unstopped(told.log)) == len(told.commands) == 1
        assert told.commands[0].properties["title"].startswith("gate: ")
        assert told.outputs["verdict"] in {"ERROR", "PASS"}


def test_a_hostile_file_name_commands_nothing(step: Step) -> None:
    name = step.write("::error file=x,line=1::y%0A.csv", {"i01": "many"})
    (command,) = step.run(candidate=name, threshold="0.5").commands
    assert command.properties["file"] == name
    assert command.properties["line"] == "2"


def test_an_unknown_input_is_named_in_the_log_harmlessly(step: Step, passing: Inputs) -> None:
    step.environ["INPUT_::ERROR::X"] = "1"
    told = step.run(**passing)
    assert told.code == 0
    assert "the input '::error::x' is not known, and was not read" in told.log
    assert levels(told) == ["notice"]


def test_no_question_stands_in_log_summary_or_annotation(step: Step) -> None:
    rows = "".join(f"q{row},what did witness {row} see,{{score}}\n" for row in range(20))
    for name, score in (("a.csv", 1), ("b.csv", 0)):
        (step.workspace / name).write_text(
            "id,question,score\n" + rows.replace("{score}", str(score)), encoding="utf-8"
        )
    told = step.run(baseline="a.csv", candidate="b.csv")
    assert told.outputs["verdict"] == "BLOCK"
    assert "witness" not in told.log + told.summary + str(told.outputs)


# whatever happens


INPUT_TEXTS = st.one_of(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(["a.csv", "b.csv", "0.5", "warn", "csv", "score", ".", "..", "gate.yml", "x\ny", "1e999", "~"]),
)
NAMES = ["BASELINE", "CANDIDATE", "THRESHOLD", "CONFIG", "METRIC", "FORMAT", "CORPUS", "FAIL-ON", "WORKING-DIRECTORY"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(inputs=st.dictionaries(st.sampled_from([*NAMES, "FAIL_ON", "OTHER"]), INPUT_TEXTS))
def test_a_verdict_is_never_empty_whatever_the_inputs_say(inputs: dict[str, str], step: Step) -> None:
    step.write("a.csv", [1] * 5)
    step.write("b.csv", [1] * 4 + [0])
    step.output.write_bytes(b"")
    step.summary.write_bytes(b"")
    log = io.StringIO()
    environ = {**step.environ, **{f"INPUT_{name}": text for name, text in inputs.items()}}
    told = step.told(run_guarded(environ, log), log.getvalue())
    assert told.outputs["verdict"] in set(Word)
    assert told.outputs["reason"]
    assert told.summary.count("## ") >= 1
    assert levels(told) != []
    assert (told.code == 2) == (told.outputs["verdict"] == "ERROR")
