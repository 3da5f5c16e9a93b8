"""`make fuzz` finds what is planted, and goes on."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris comes with `make fuzz`")
ROOT = Path(__file__).parent.parent.parent


def fuzzed(folder: Path, seconds: float, *names: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.planted", str(seconds), *names],
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def kept(folder: Path, name: str) -> list[bytes]:
    return [path.read_bytes() for path in (folder / "build" / "fuzz" / name).rglob("own.txt")]


def test_what_chance_alone_would_not_find_is_found_by_the_ways_that_lead_there(tmp_path: Path) -> None:
    # each run begins where the one before ended
    code, told = next(done for done in (fuzzed(tmp_path, 10, "doors") for _ in range(20)) if done[0])
    assert code == 1
    assert "FAULT doors: IndexError in planted.py" in told
    assert all(word in data for data in kept(tmp_path, "doors") for word in (b"NaN", b"&a;", b"0x10"))


def test_an_error_without_a_remedy_is_a_fault_and_told_once(tmp_path: Path) -> None:
    code, told = fuzzed(tmp_path, 3, "poor")
    assert code == 1
    assert told.count("FAULT poor: PoorErrorError") == 1


def test_what_ends_the_process_or_hears_no_alarm_is_kept_and_the_next_reader_is_fed(tmp_path: Path) -> None:
    code, told = fuzzed(tmp_path, 5, "deadly", "deaf", "sound")
    assert code == 1
    assert "FAULT deadly: the process ended with" in told
    assert "FAULT deaf: it hung" in told
    for name in ("deadly", "deaf"):
        assert kept(tmp_path, name)
        assert b"a sample of words that are sound" not in kept(tmp_path, name)
    last = told.splitlines()[-2]
    assert last.startswith("sound: ")
    assert last.endswith(", 0 faults")
    assert not last.startswith("sound: 0 inputs")


def test_where_nothing_is_wrong_the_exit_code_is_0(tmp_path: Path) -> None:
    assert fuzzed(tmp_path, 2, "sound")[0] == 0


def test_an_interrupt_ends_it_with_what_was_found_so_far(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.planted", "600", "sound"],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    log = tmp_path / "build" / "fuzz" / "corpus" / "sound.log"
    while process.poll() is None and not (log.exists() and "INITED" in log.read_text("utf-8", "replace")):
        time.sleep(0.1)
    # as a terminal does: to every process of the group
    os.killpg(process.pid, signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.splitlines()[-1].endswith("0 faults")
