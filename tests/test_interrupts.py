"""A signal that would come at the wrong moment comes after it, also where other threads could take it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from gate.interrupts import STOPS, acted_on_at_once, held_back


class StoppedError(Exception):
    pass


@pytest.fixture(params=sorted(STOPS))
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal whose handler raises."""

    def stop(*_: object) -> None:
        raise StoppedError

    before = signal.signal(request.param, stop)
    yield request.param
    signal.signal(request.param, before)


@pytest.fixture(params=["alone", "with another thread"])
def threads(request: pytest.FixtureRequest) -> Iterator[None]:
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    if request.param != "alone":
        other.start()
    yield
    end.set()
    if request.param != "alone":
        other.join()


@pytest.mark.usefixtures("threads")
def test_a_signal_waits(number: signal.Signals) -> None:
    reached = []

    def work() -> None:
        with held_back():
            os.kill(os.getpid(), number)
            reached.append("the end")

    with pytest.raises(StoppedError):
        work()
    assert reached == ["the end"]


def test_afterwards_everything_is_as_it_was(number: signal.Signals) -> None:
    handler, mask = signal.getsignal(number), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with held_back():
        pass
    assert signal.getsignal(number) is handler
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


def test_what_went_wrong_meanwhile_is_not_lost() -> None:
    with pytest.raises(ZeroDivisionError), held_back():
        _ = 1 / 0


def test_another_thread_may_use_it_too() -> None:
    done = []

    def work() -> None:
        with held_back():
            done.append("work")

    other = threading.Thread(target=work)
    other.start()
    other.join()
    assert done == ["work"]


LONG_CALL = """
import signal
from gate.interrupts import acted_on_at_once

def tell(*_):
    raise SystemExit(7)

for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, tell)
with acted_on_at_once():
    print("begun", flush=True)
    sum(range(10**12))
"""


@pytest.mark.parametrize("number", sorted(STOPS))
def test_a_long_call_of_a_library_is_ended_at_once(number: signal.Signals) -> None:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", LONG_CALL], env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        sent = time.monotonic()
        process.send_signal(number)
        assert process.wait(timeout=60) == -number
        assert time.monotonic() - sent < 2


def test_after_such_a_call_the_signals_are_heard_as_before(number: signal.Signals) -> None:
    handler = signal.getsignal(number)
    with acted_on_at_once():
        assert signal.getsignal(number) is signal.SIG_DFL
    assert signal.getsignal(number) is handler


def test_a_signal_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with acted_on_at_once():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
