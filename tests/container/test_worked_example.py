"""The published worked example, every figure of it, through the container."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Folder = Callable[..., Path]


@pytest.fixture(scope="module")
def step(act: Callable[..., Any], new_workspace: Folder, example: Path) -> Any:
    """Run B against run A, with the questions beside them."""
    return act(new_workspace(copied=[example]), {"config": "gate.yml"})


@pytest.fixture(scope="module")
def trusted(act: Callable[..., Any], new_workspace: Folder, example: Path) -> Any:
    """Run A against itself."""
    inputs = {"baseline": "run_a.csv", "candidate": "run_a.csv", "threshold": "0.70"}
    return act(new_workspace(copied=[example]), inputs)


def report_of(step: Any) -> Any:
    return json.loads((step.workspace / step.outputs["report-json"]).read_text(encoding="utf-8"))


def result_of(step: Any, check: str, *, suite: int = 0) -> Any:
    (result,) = [result for result in report_of(step)["suites"][suite]["results"] if result["check"] == check]
    return result


def test_run_b_is_blocked(step: Any) -> None:
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")


def test_the_reason_has_both_numbers(step: Any) -> None:
    for words in ("low 0.550 is under the bar 0.70", "PSI 0.334 is over 0.25"):
        assert words in step.outputs["reason"]
        assert words in step.summary.splitlines()[0]
        assert words in step.log


def test_the_summary_shows_every_figure_of_run_b(step: Any) -> None:
    assert step.summary.startswith("## 🔴 BLOCK")
    for figure in ("mean 0.725", "[0.550, 0.875]", "bar 0.70", "PSI 0.334", "n = 20", "1 of 4 items leaked: E1"):
        assert figure in step.summary.replace("\\", "")


def test_the_blocking_checks_are_errors_beside_the_run(step: Any) -> None:
    errors = [command for command in step.commands if command.name == "error"]
    assert any("0.550" in command.message for command in errors)
    assert any("0.334" in command.message for command in errors)


def test_the_interval_of_run_b_is_the_published_one(step: Any) -> None:
    figures = result_of(step, "threshold")["figures"]
    assert [round(figures[name], 3) for name in ("mean", "low", "high", "bar")] == [0.725, 0.55, 0.875, 0.7]


def test_the_drift_is_the_published_one_bucket_by_bucket(step: Any) -> None:
    drift = result_of(step, "drift")
    assert round(drift["figures"]["psi"], 3) == 0.334
    assert drift["evidence"]["baseline"] == [1, 2, 17]
    assert drift["evidence"]["candidate"] == [3, 5, 12]


def test_the_overlaps_of_the_four_questions_are_the_published_ones(step: Any) -> None:
    evidence = result_of(step, "contamination", suite=1)["evidence"]
    assert evidence["overlaps"] == {"E1": 1.0, "E2": 0.0, "E3": 0.0, "E4": 0.2}
    assert [leak["id"] for leak in evidence["leaks"]] == ["E1"]
    assert evidence["documents"] == 4


def test_both_reports_stand_where_the_outputs_say(step: Any) -> None:
    assert report_of(step)["verdict"]["word"] == "BLOCK"
    markdown = (step.workspace / step.outputs["report-markdown"]).read_text(encoding="utf-8")
    assert markdown.startswith("## 🔴 BLOCK")


def test_run_a_against_itself_passes_with_its_published_interval(trusted: Any) -> None:
    assert (trusted.exit_code, trusted.outputs["verdict"]) == (0, "PASS")
    figures = result_of(trusted, "threshold")["figures"]
    assert [round(figures[name], 3) for name in ("mean", "low", "high")] == [0.9, 0.775, 1.0]
    assert result_of(trusted, "drift")["figures"]["psi"] == 0


def test_run_a_against_itself_shows_nothing_yellow_or_red(trusted: Any) -> None:
    assert not {"🟡", "🔴", "🟣"} & set(trusted.summary)
    assert not {"warning", "error"} & {command.name for command in trusted.commands}


def test_the_reports_have_the_same_bytes_outside_of_the_container(
    step: Any, new_workspace: Folder, example: Path, tmp_path: Path
) -> None:
    workspace = new_workspace(copied=[example])
    named = {"WORKSPACE": workspace, "OUTPUT": tmp_path / "output", "STEP_SUMMARY": tmp_path / "summary"}
    environ = {f"GITHUB_{name}": str(path) for name, path in named.items()}
    command = [sys.executable, "-m", "gate.github"]
    search = {"PYTHONPATH": os.pathsep.join(sys.path), "INPUT_CONFIG": "gate.yml"}
    done = subprocess.run(command, cwd=workspace, env={**environ, **search}, capture_output=True, check=False)
    assert done.returncode == 1
    reports = sorted((workspace / step.outputs["report-json"]).parent.iterdir())
    assert len(reports) > 1
    for report in reports:
        inside = (step.workspace / report.relative_to(workspace)).read_bytes()
        assert without_numpy(inside, step.workspace) == without_numpy(report.read_bytes(), workspace), report.name


def without_numpy(content: bytes, workspace: Path) -> bytes:
    """Another numpy is pinned for older Pythons, and a report tells which one it was."""
    (report,) = workspace.glob("*/report.json")
    version: str = json.loads(report.read_text(encoding="utf-8"))["provenance"]["versions"]["numpy"]
    return content.replace(version.encode(), b"numpy's")
