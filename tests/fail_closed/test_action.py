"""The same rows by the action's own door: none is green there, and log, summary and outputs say what and what to do."""

import io
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.github.__main__ import run_guarded
from gate.github.inputs import INPUTS
from gate.reports.escape import prose, terminal
from gate.results import Word
from tests.fail_closed.case import PAIR, Case, Expected, error
from tests.fail_closed.page import numbered
from tests.fail_closed.running import changing, folder_for_everybody, in_time, lay, without_rights
from tests.runner import Told, read_outputs

LEVELS = {Word.ERROR: "error", Word.BLOCK: "error", Word.WARN: "warning"}
# What the command line's own library says of a flag, the action says of an input.
TOLD_OTHERWISE: Mapping[str, Expected] = {
    "A bar on the command line is NaN": error(
        "usage", "", "the input 'threshold' is not a number: 'nan'", "write a number with a decimal point"
    ),
}


def inputs_of(case: Case) -> Mapping[str, str] | None:
    """The inputs that mean what the arguments mean; None where it is about a flag that is no input, or a blank one."""
    pairs = list(zip(case.arguments[::2], case.arguments[1::2], strict=True))
    if any(flag.removeprefix("--") not in INPUTS or not value for flag, value in pairs):
        return None
    return {f"INPUT_{flag.removeprefix('--').upper()}": value for flag, value in pairs}


def act(inputs: Mapping[str, str], folder: Path, *, unprivileged: bool = False) -> Told:
    """Run the action in this process; it fails where that takes too long."""
    with folder_for_everybody() as told:
        output, summary = told / "output", told / "summary"
        for file in (output, summary):
            file.touch()
            file.chmod(0o666)
        named = {"GITHUB_WORKSPACE": folder, "GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary}
        environ = {**os.environ, **inputs, **{name: str(path) for name, path in named.items()}}
        log = io.StringIO()
        with in_time(), without_rights(asked=unprivileged):
            code = run_guarded(environ, log)
        return Told(code, log.getvalue(), read_outputs(output.read_text("utf-8")), summary.read_text("utf-8"))


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Once with sound files: it passes, and everything is imported that is needed where nothing may be read."""
    with folder_for_everybody() as made:
        lay({}, made)
        flags = zip(PAIR[::2], PAIR[1::2], strict=True)
        step = act({f"INPUT_{flag.removeprefix('--').upper()}": file for flag, file in flags}, made)
    assert step.outputs["verdict"] == "PASS"


ROWS = [(name, case, inputs) for name, case in numbered() if (inputs := inputs_of(case)) is not None]


@pytest.mark.parametrize(("case", "inputs"), [pytest.param(case, inputs, id=name) for name, case, inputs in ROWS])
def test_an_input_that_is_wrong_never_passes_a_step(
    case: Case, inputs: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(case.files, folder)
    for name, value in case.environ.items():
        monkeypatch.setenv(name, value)
    with changing(case.meanwhile, folder):
        step = act(inputs, folder, unprivileged=case.unprivileged)
    expected = TOLD_OTHERWISE.get(case.wrong, case.expected)
    assert (step.code, step.outputs["verdict"]) == (expected.exit_code, expected.verdict), step.log
    assert step.outputs["reason"]
    assert "Traceback" not in step.log
    loud = [command for command in step.commands if command.name == LEVELS[expected.verdict]]
    told = [terminal(text) for text in (expected.says, f"What to do: {expected.remedy}")]
    assert any(all(text in command.message for text in told) for command in loud), loud
    heading = next(line for line in step.summary.splitlines() if line.startswith("## "))
    assert f" {expected.verdict}" in heading
    assert prose(expected.remedy.partition("`")[0]) in step.summary


def test_all_rows_but_those_of_flags_alone_are_run_by_the_action() -> None:
    left_out = [case.arguments for name, case in numbered() if inputs_of(case) is None]
    assert len(ROWS) >= 200
    assert len(left_out) <= 7
    assert all({"--report", "--treshold"} & set(arguments) or "" in arguments for arguments in left_out)
