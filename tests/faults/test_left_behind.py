"""What a run leaves behind that is stopped while it reads a baseline out of git: nothing, or what the next removes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Sandbox

SCRIPT = Path(__file__).with_name("begun.py")
ARGUMENTS = ("check", "--baseline=git:main:a.csv", "--candidate=a.csv", "-q")


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(sandbox: Sandbox) -> Sandbox:
    sandbox.commit(**{"a.csv": "id,score\n" + "".join(f"i{row},{row % 2}\n" for row in range(150_000))})
    return sandbox


def begun(repository: Sandbox, temporary: Path, entrance: str) -> "subprocess.Popen[bytes]":
    """A run that has copied the baseline and reads."""
    mark = temporary.parent / "begun"
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "INPUT_"))},
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TMPDIR": str(temporary),
        "GITHUB_WORKSPACE": str(repository.root),
        "INPUT_BASELINE": "git:main:a.csv",
        "INPUT_CANDIDATE": "a.csv",
    }
    command = [sys.executable, str(SCRIPT), entrance, "gate.pipeline:judge_suite", str(mark), *ARGUMENTS]
    process = subprocess.Popen(
        command, cwd=repository.root, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while not mark.exists():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    assert len(list(temporary.iterdir())) == 1
    return process


@pytest.mark.parametrize("entrance", ["gate", "gate.github"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_leaves_no_copy(
    number: signal.Signals, entrance: str, repository: Sandbox, temporary: Path
) -> None:
    process = begun(repository, temporary, entrance)
    process.send_signal(number)
    assert process.wait(timeout=30) == 128 + number
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("entrance", ["gate", "gate.github"])
def test_the_copy_of_a_run_that_is_killed_is_private_and_the_next_run_removes_it(
    entrance: str, repository: Sandbox, temporary: Path
) -> None:
    process = begun(repository, temporary, entrance)
    process.kill()
    process.wait()
    (left,) = temporary.iterdir()
    assert left.stat().st_mode & 0o777 == 0o700
    command = [sys.executable, "-m", "gate", *ARGUMENTS]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)}
    end = time.monotonic() + 30
    while list(temporary.iterdir()) and time.monotonic() < end:  # the other process of the action takes a moment to end
        subprocess.run(command, cwd=repository.root, env=environ, check=True, stdout=subprocess.DEVNULL)
    assert list(temporary.iterdir()) == []


def test_the_copy_of_a_run_that_goes_on_is_left_alone(repository: Sandbox, temporary: Path) -> None:
    process = begun(repository, temporary, "gate")
    try:
        command = [sys.executable, "-m", "gate", "show", "git:main:a.csv"]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)}
        (copy,) = temporary.iterdir()
        process.send_signal(signal.SIGSTOP)
        subprocess.run(command, cwd=repository.root, env=environ, check=True, stdout=subprocess.DEVNULL)
        assert list(temporary.iterdir()) == [copy]
        assert (copy / "files" / "a.csv").exists()
    finally:
        process.kill()
        process.wait()
