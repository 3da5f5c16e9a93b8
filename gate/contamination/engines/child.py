"""A process of our own beside this one: what it is told, what it answers, and that it ends with this one."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from tempfile import TemporaryFile
from typing import Any, NamedTuple, NoReturn

Wire = Connection  # of picklable values, both ways


class Child:
    """A process that runs one module of ours, started without the script that this process may have been started with.

    Attributes:
        process: it itself; its standard input is what it notices by that this process is gone.
        pipe: to it and back.
    """

    def __init__(
        self, module: str, told: bytes, *, environment: Mapping[str, str] | None = None, files: Sequence[int] = ()
    ) -> None:
        """Start it: under ``held_back``, until it stands where it will be ended from.

        Args:
            module: whose ``main`` calls ``take_over``.
            told: what ``take_over`` hands it: through a file, so that nobody waits for it to start.
            environment: variables beside those of this process.
            files: descriptors that it is to hold open, too.
        """
        ours, theirs = Pipe()
        with TemporaryFile() as file:
            file.write(told)
            file.flush()
            inherited = (theirs.fileno(), file.fileno())
            command = [sys.executable, "-P", "-m", module, *map(str, inherited)]
            self.process = subprocess.Popen(  # noqa: S603  # a module of ours
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": _search_path(), **(environment or {})},
                pass_fds=(*inherited, *files),
            )
        theirs.close()
        self.pipe: Wire = ours

    def release(self, seconds: float) -> None:
        """Let it go: it is told that it is alone, and has so long to end in its own way."""
        self._hang_up()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def join(self) -> None:
        """Wait for its end, which must have been asked for, or be known."""
        self.process.wait()
        self._hang_up()

    def kill(self) -> None:
        """End it now."""
        self.process.kill()
        self.join()

    def _hang_up(self) -> None:
        self.pipe.close()
        if self.process.stdin is not None:
            self.process.stdin.close()


class Start(NamedTuple):
    """What a new process begins with: the pipe to the one that started it, and what that one told."""

    pipe: Wire
    told: bytes


def take_over(alone: Callable[[], object] | None = None) -> Start:
    """Begin, in the new process.

    Args:
        alone: called in a thread of its own once that one is gone; without it this process ends then and there.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    pipe, told = map(int, sys.argv[1:3])
    threading.Thread(target=_notice_the_end, args=(alone or _leave,), daemon=True).start()
    with open(told, "rb", buffering=0, closefd=True) as file:  # noqa: PTH123  # a descriptor
        # the offset is shared with the one that wrote it
        data = os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)
    return Start(Connection(pipe), data)


def _notice_the_end(alone: Callable[[], Any]) -> None:
    # nothing is ever written there: this returns when the other end is closed, however that came
    os.read(0, 1)
    alone()


def _leave() -> NoReturn:
    os._exit(1)


def _search_path() -> str:
    """Where modules are found, as here: a script's own folder, too, which only ``sys.path`` names."""
    return os.pathsep.join(os.path.abspath(path) for path in sys.path)  # noqa: PTH100  # "" is the current folder
