"""The signals that end a run, held back where one at the wrong moment would leave something behind."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STOPS = frozenset({signal.SIGINT, signal.SIGTERM})


@contextmanager
def held_back() -> Iterator[None]:
    """Let a signal wait until what was begun is known, so that it can be ended: a process, a folder.

    A process that is begun inherits this: Ctrl-C, which the terminal sends to both, is for this one alone to act on.
    """
    late: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    # a library's threads, which mask nothing, may take the signal: Python then still lets this one act on it
    handlers = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.signal(number, lambda number, _: late.append(number)) for number in STOPS}
    try:
        yield
    finally:
        # what is pending comes in now, and is noted like the rest
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for waited in late:
            signal.raise_signal(waited)


@contextmanager
def acted_on_at_once() -> Iterator[None]:
    """Let a signal end this process then and there, where one long call of a library would keep Python from it.

    What is left behind then is what a kill leaves.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in STOPS}
    told = {number: handler for number, handler in handlers.items() if callable(handler)}  # others say so already
    for number in told:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in told.items():
            signal.signal(number, handler)
