"""The work in a process of its own: where the kernel kills that, as for want of memory, this one is left to say so."""

import importlib
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gate.interrupts import STOPS

# of control groups, in their second version and in their first
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
# of the two in which a job that is stopped has to end
_GRACE_SECONDS = 0.6
_MOST_BYTES = 1 << 50  # more than that is no limit


def attend(work: Callable[[], int]) -> int:
    """Let a process of its own do the work; it gets the signals that this one gets, and does not outlive it.

    To be called before anything heavy is loaded, which would stay in memory twice. Returns in both processes.

    Args:
        work: returns the exit code.

    Returns:
        In that process what the work returns; in this one its exit code, or the number of the signal that ended it,
        negative.
    """
    alive, held = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        worker = os.fork()
    except OSError:  # there may be no more processes: then nobody is left where this one is killed
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        return work()
    if worker == 0:
        os.close(held)
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        return work()
    os.close(alive)
    return _wait_for(worker)


def memory_limit() -> int | None:
    """The bytes that the container may use; None where nobody says."""
    for path in _LIMITS:
        with suppress(OSError, ValueError):
            limit = int(Path(path).read_text(encoding="ascii"))
            return limit if limit < _MOST_BYTES else None
    return None


def _wait_for(worker: int) -> int:
    stopped_by: list[int] = []

    def stop(number: int, _frame: object) -> None:
        stopped_by.append(number)
        os.kill(worker, number)
        signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS)
        # what may be needed to tell of it, while there is time
        importlib.import_module("gate.github.undecided")

    for number in STOPS:
        signal.signal(number, stop)
    # some calls of libraries, as of a parser with hundreds of megabytes before it, let no signal through to Python
    signal.signal(signal.SIGALRM, lambda *_: os.kill(worker, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    # not reaped before signals come too late for it: its number could be another process's then
    os.waitid(os.P_PID, worker, os.WEXITED | os.WNOWAIT)
    for number in (*STOPS, signal.SIGALRM):
        signal.signal(number, lambda *_: None)
    # once Python has put the signals' own ways back, this one would end the process in its own way
    signal.setitimer(signal.ITIMER_REAL, 0)
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    return -stopped_by[0] if stopped_by and code == -signal.SIGKILL else code


def _end_with(alive: int) -> None:
    # nothing is ever written there: this returns when the other process is gone, however that came
    os.read(alive, 1)
    os._exit(1)
