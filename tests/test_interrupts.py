"""A signal that would come at the wrong moment comes after it, also where other threads could take it."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from gate.interrupts import STOPS, held_back


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
