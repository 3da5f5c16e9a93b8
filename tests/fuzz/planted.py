"""Readers with faults of every kind, fed as `make fuzz` does it: ``python -m tests.fuzz.planted SECONDS NAME...``"""

import ctypes
import signal
import sys
import time
from pathlib import Path

import atheris

from gate.errors import ScoreFileError
from tests.fuzz.__main__ import run_all
from tests.fuzz.target import Target

SOUND = b"a sample of words that are sound"


def _behind_three_doors(path: Path) -> None:
    """A fault that chance alone comes to once in a million inputs: each door that is passed is a new way."""
    data = path.read_bytes()
    if b"NaN" in data and b"&a;" in data and b"0x10" in data:
        raise IndexError("behind three doors")


def _without_a_remedy(path: Path) -> None:
    if path.read_bytes() != SOUND:
        raise ScoreFileError("it is not sound", remedy="")


def _deadly(path: Path) -> None:
    if path.read_bytes() != SOUND:
        ctypes.string_at(0)


def _deaf(path: Path) -> None:
    if path.read_bytes() != SOUND:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(600)


def _sound(path: Path) -> None:
    path.read_bytes()


READERS = {
    "doors": atheris.instrument_func(_behind_three_doors),
    "poor": _without_a_remedy,
    "deadly": _deadly,
    "deaf": _deaf,
    "sound": _sound,
}

if __name__ == "__main__":
    # a job in the background is started with interrupts ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seconds, *names = sys.argv[1:]
    targets = [Target(name, {"own.txt": SOUND}, READERS[name]) for name in names]
    sys.exit(run_all(targets, float(seconds) * len(targets), 1, patience=20))
