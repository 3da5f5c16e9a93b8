"""Work that may wait for another machine, and for no longer than it is given."""

import time
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Deadline:
    """A moment after which nothing more is begun.

    Attributes:
        seconds: how long after its making that is.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds until then, 0 afterwards."""
        return max(0.0, self._end - time.monotonic())


def finish_by(deadline: Deadline, work: Callable[[], T]) -> T:
    """What ``work`` returns or raises.

    A look-up of a name, or an answer that comes in drops, knows no timeout of its own: the work is done in a thread,
    which is left behind where it does not come back.

    Raises:
        TimeoutError: where it has not ended by the deadline.
    """
    returned: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            returned.append(work())
        except BaseException as error:  # told by the thread that waits
            raised.append(error)

    thread = Thread(target=run, daemon=True, name="gate-comment")
    thread.start()
    thread.join(deadline.left())
    if raised:
        raise raised[0]
    if not returned:
        raise TimeoutError
    return returned[0]
