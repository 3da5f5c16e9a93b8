"""Work with a deadline: its result, its error, or neither in time."""

import threading
import time

import pytest

from gate.github.patience import Deadline, finish_by


def test_what_the_work_returns_is_returned() -> None:
    assert finish_by(Deadline(5), lambda: 7) == 7


def test_work_that_returns_nothing_has_still_ended() -> None:
    assert finish_by(Deadline(5), lambda: None) is None


def test_what_the_work_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        finish_by(Deadline(5), lambda: 1 // 0)


def test_work_without_end_is_left_behind() -> None:
    never = threading.Event()
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        finish_by(Deadline(0.1), never.wait)
    assert time.monotonic() - begun < 4
    # the process may end although it goes on
    assert {thread.daemon for thread in threading.enumerate() if thread.name == "gate-comment"} == {True}
    never.set()


def test_a_deadline_runs_down_and_no_further() -> None:
    deadline = Deadline(0.05)
    assert 0 < deadline.left() <= 0.05
    time.sleep(0.06)
    assert deadline.left() == 0
