"""Readers with faults of every kind, fed as `make fuzz` does it: ``python -m tests.fuzz.planted SECONDS NAME...``"""

import ctypes
import signal
import sys
import time
from pathlib import Path

import atheris

from tests.fuzz import __main__ as fuzzing
from tests.fuzz.target import Target


@atheris.instrument_func
def _behind_three_doors(path: Path) -> None:
    """A fault that chance alone comes to once in 16 million inputs: each door that is passed is a new way."""
    data = path.read_bytes()
    if data[:1] == b"F" and data[1:2] == b"U" and data[2:3] == b"Z":
        raise IndexError("behind three doors")


@atheris.instrument_func
def _without_a_remedy(path: Path) -> None:
    from gate.errors import ScoreFileError  # noqa: PLC0415  # instrumented by then

    if path.read_bytes() != b"sound":
        raise ScoreFileError("it is not sound", remedy="")


def _deadly(path: Path) -> None:
    if path.read_bytes() != b"sound":
        ctypes.string_at(0)


def _deaf(path: Path) -> None:
    if path.read_bytes() != b"sound":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(600)


def _sound(path: Path) -> None:
    path.read_bytes()


READERS = {"doors": _behind_three_doors, "poor": _without_a_remedy, "deadly": _deadly, "deaf": _deaf, "sound": _sound}

if __name__ == "__main__":
    # a job in the background is started with interrupts ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fuzzing.MOST_WAITED = 1
    seconds, *names = sys.argv[1:]
    targets = [Target(name, {"own.txt": b"sound"}, READERS[name]) for name in names]
    sys.exit(fuzzing.run_all(targets, float(seconds) * len(targets), 1))
