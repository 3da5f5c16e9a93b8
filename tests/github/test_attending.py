"""The process that waits for the one at work: it tells of its end where that one cannot, and never changes it."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gate.github import attending

Step = Any  # the runner of conftest.py
Inputs = dict[str, object]


def run(step: Step, inputs: Inputs, lines: str) -> tuple[Any, str]:
    """The action, once these lines have changed it; what it told, and what stands on standard error."""
    script = f"import os, signal, sys\nfrom gate import entry\nfrom gate.github.__main__ import main\n{lines}\nmain()\n"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=step.workspace,
        env={**step.with_inputs(inputs), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return step.told(done.returncode, done.stdout), done.stderr


def ended_by(number: signal.Signals) -> str:
    return f"entry.run_gate = lambda *_, **__: os.kill(os.getpid(), {int(number)})"


def test_a_work_that_is_killed_is_told_in_log_summary_and_outputs(step: Step, passing: Inputs) -> None:
    told, err = run(step, passing, ended_by(signal.SIGKILL))
    assert (told.code, err) == (137, "")
    assert told.outputs["verdict"] == "ERROR"
    assert told.outputs["reason"].startswith("the gate was killed before it could decide; most likely memory ran out")
    assert "## 🟣 ERROR: the gate was killed before it could decide" in told.summary
    assert "- What to do: give the container or its machine more memory" in told.summary
    (command,) = told.commands
    assert command.name == "error"
    assert "give the container or its machine more memory" in command.message


def test_a_work_that_crashes_is_an_internal_error(step: Step, passing: Inputs) -> None:
    told, err = run(step, passing, ended_by(signal.SIGSEGV))
    assert (told.code, err) == (3, "")
    assert told.outputs == {"verdict": "ERROR", "reason": "the gate crashed (SIGSEGV) before it could decide"}
    assert "ERROR: the gate crashed" in told.summary


@pytest.mark.parametrize(("verdict", "code"), [("passing", 0), ("blocking", 1)])
def test_where_there_may_be_no_other_process_it_is_done_here(
    verdict: str, code: int, step: Step, request: pytest.FixtureRequest
) -> None:
    lines = "def fork():\n    raise BlockingIOError\nos.fork = fork"
    told, err = run(step, request.getfixturevalue(verdict), lines)
    assert (told.code, err) == (code, "")
    assert told.outputs["verdict"] == {0: "PASS", 1: "BLOCK"}[code]


@pytest.mark.parametrize(
    ("told", "limit"),
    [({"a": "67108864\n"}, 64 << 20), ({"a": "max\n"}, None), ({"b": "9223372036854771712\n"}, None), ({}, None)],
    ids=str,
)
def test_the_limit_of_the_memory_is_what_the_control_group_says(
    told: dict[str, str], limit: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in told.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(attending, "_LIMITS", (str(tmp_path / "a"), str(tmp_path / "b")))
    assert attending.memory_limit() == limit


def test_the_limit_stands_in_what_is_told(step: Step, passing: Inputs, tmp_path: Path) -> None:
    (tmp_path / "limit").write_text("67108864\n", encoding="ascii")
    lines = f"from gate.github import attending\nattending._LIMITS = ({str(tmp_path / 'limit')!r},)\n"
    told, _ = run(step, passing, lines + ended_by(signal.SIGKILL))
    assert "of which the container may use 64 MB" in told.outputs["reason"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_work_that_lets_no_signal_through_is_ended_in_time_and_told_all_the_same(
    number: signal.Signals, code: int, step: Step, passing: Inputs, tmp_path: Path
) -> None:
    """As a parser with hundreds of megabytes before it: Python's handlers wait until it returns."""
    begun = tmp_path / "begun"
    script = (
        "import signal, time\nfrom pathlib import Path\nfrom gate import entry\nfrom gate.github.__main__ import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*_, **__):\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})\n"
        f"    Path({str(begun)!r}).touch()\n    time.sleep(60)\n"
        "entry.run_gate = wait\nmain()\n"
    )
    environ = {**step.with_inputs(passing), "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=step.workspace, env=environ, stdout=subprocess.PIPE
    ) as job:
        while not begun.exists():
            assert job.poll() is None
            time.sleep(0.01)
        sent = time.monotonic()
        job.send_signal(number)
        out, _ = job.communicate(timeout=60)
        seconds = time.monotonic() - sent
    assert seconds < 2
    told = step.told(job.returncode, out.decode())
    assert (told.code, told.outputs["verdict"]) == (code, "ERROR")
    assert told.summary.count("nothing was decided") == 1
