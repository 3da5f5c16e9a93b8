"""The signals that end a run, held back where one at the wrong moment would leave something behind."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

STOPS = frozenset({signal.SIGINT, signal.SIGTERM})


@contextmanager
def held_back() -> Iterator[None]:
    """Let a signal wait until what was begun is known, so that it can be ended: a process, a folder.

    A process that is begun inherits this: Ctrl-C, which the terminal sends to both, is for this one alone to act on.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
