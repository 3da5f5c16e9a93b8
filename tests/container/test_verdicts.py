"""A warning, a broken file, a misuse: exit code, outputs, summary and annotation of each."""

import subprocess
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gate.reports.markdown import LIMIT

Act = Callable[..., Any]
Folder = Callable[..., Path]

HEADER = "id,score\n"
GOOD = HEADER + "".join(f"q{row:02d},1\n" for row in range(40))
LOST = HEADER + "".join(f"q{row:02d},1\n" for row in range(39))


@pytest.fixture(scope="module")
def warned(act: Act, new_workspace: Folder) -> Any:
    """One item of forty is gone, and the rest would stand the worst score for it."""
    return act(new_workspace({"a.csv": GOOD, "b.csv": LOST}), {"baseline": "a.csv", "candidate": "b.csv"})


@pytest.fixture(scope="module")
def broken(act: Act, new_workspace: Folder) -> Any:
    files = {"a.csv": GOOD, "results/b.csv": HEADER + "q01,1\nq02,perhaps\n"}
    return act(new_workspace(files), {"baseline": "a.csv", "candidate": "results/b.csv"})


def test_a_warning_exits_0_and_is_a_yellow_word(warned: Any) -> None:
    assert (warned.exit_code, warned.outputs["verdict"]) == (0, "WARN")
    assert warned.summary.startswith("## 🟡 WARN")


def test_a_warning_is_annotated_as_one(warned: Any) -> None:
    assert {"warning"} == {command.name for command in warned.commands if command.name in {"warning", "error"}}


def test_a_warning_fails_the_step_where_that_is_asked_for(act: Act, new_workspace: Folder) -> None:
    inputs = {"baseline": "a.csv", "candidate": "b.csv", "fail-on": "warn"}
    step = act(new_workspace({"a.csv": GOOD, "b.csv": LOST}), inputs)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "WARN")


def test_a_broken_file_exits_2_and_the_verdict_is_error(broken: Any) -> None:
    assert (broken.exit_code, broken.outputs["verdict"]) == (2, "ERROR")
    assert broken.outputs["reason"]


def test_a_broken_file_has_a_summary_with_its_place(broken: Any) -> None:
    assert broken.summary.startswith("## 🟣 ERROR")
    assert "line 3" in broken.summary


def test_a_broken_file_is_annotated_at_its_line(broken: Any) -> None:
    (error,) = [command for command in broken.commands if command.name == "error"]
    assert (error.properties["file"], error.properties["line"]) == ("results/b.csv", "3")


def test_a_file_that_is_not_there_is_an_error(act: Act, new_workspace: Folder) -> None:
    step = act(new_workspace(), {"candidate": "no-such-file.csv", "threshold": "0.5"})
    assert (step.exit_code, step.outputs["verdict"]) == (2, "ERROR")
    assert step.outputs["reason"].endswith("there is no such file")
    assert "`no-such-file.csv`" in step.summary


def test_a_step_without_inputs_is_an_error_that_says_what_to_give(act: Act, new_workspace: Folder) -> None:
    step = act(new_workspace(), {})
    assert (step.exit_code, step.outputs["verdict"]) == (2, "ERROR")
    assert "candidate" in step.summary


def test_a_cancelled_job_is_an_error_and_ends_at_once(
    act: Act, new_workspace: Folder, docker: Callable[..., str]
) -> None:
    workspace, name = new_workspace({"a.csv": GOOD}), f"gate-{uuid.uuid4()}"
    slow = ["--name", name, "--cpus", "0.05"]
    with ThreadPoolExecutor() as threads:
        running = threads.submit(act, workspace, {"baseline": "a.csv", "candidate": "a.csv"}, docker=slow)
        while not running.done():
            time.sleep(0.2)
            with suppress(subprocess.CalledProcessError):  # not yet there, or there no more
                docker("kill", "--signal", "TERM", name)
    step = running.result()
    assert (step.exit_code, step.outputs["verdict"]) == (143, "ERROR")
    assert "terminated" in step.summary


def test_fifty_thousand_worse_items_fit_into_a_summary_that_says_what_it_left_out(
    act: Act, new_workspace: Folder
) -> None:
    ids = [f"item-{row:05d}" for row in range(50_000)]
    files = {name: HEADER + "".join(f"{key},{score}\n" for key in ids) for name, score in (("a.csv", 1), ("b.csv", 0))}
    step = act(new_workspace(files), {"baseline": "a.csv", "candidate": "b.csv"}, docker=["--memory", "256m"])
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert len(step.summary.encode()) < LIMIT <= 1024 * 1024
    assert "Items that got worse: 50000" in step.summary
    assert " more" in step.summary
