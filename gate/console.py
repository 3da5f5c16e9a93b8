"""Standard output and standard error: what is written there is harmless, and a closed or full one is told."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TextIO

from gate.errors import WriteError
from gate.leaks import Progress
from gate.reports.escape import terminal


@dataclass(frozen=True, slots=True)
class Console:
    """Where a run speaks, and how much.

    Attributes:
        out: reports go here.
        err: messages go here.
        quiet: the verdict's line only.
        verbose: everything, and the traceback of an internal error.
        progress: called while a corpus is read.
    """

    out: TextIO
    err: TextIO
    quiet: bool = False
    verbose: bool = False
    progress: Progress | None = None


@contextmanager
def printing(out: TextIO) -> Iterator[None]:
    """Print and flush; a reader that has closed the pipe has seen enough, any other failure is told.

    Raises:
        WriteError: where standard output cannot be written.
    """
    try:
        if isinstance(out, TextIOWrapper):
            # this flushes, too
            out.reconfigure(errors="backslashreplace")
        yield
        out.flush()
    except BrokenPipeError:
        _silence(out)
    except OSError as fault:
        _silence(out)
        raise WriteError(
            f"standard output cannot be written: {fault.strerror or fault}",
            remedy="write to a file: --report text:PATH",
        ) from fault


def say(out: TextIO, text: str) -> None:
    """Print a text whole; errors as in ``printing``."""
    with printing(out):
        out.write(text)


def write_utf8(out: TextIO, content: str) -> None:
    """Write a report as its file would hold it, whatever the terminal's encoding: JSON in another one is none."""
    if isinstance(out, TextIOWrapper):
        out.reconfigure(encoding="utf-8", errors="backslashreplace")
    out.write(content)


def complain(err: TextIO, lines: Sequence[str]) -> None:
    """Write harmless lines to standard error; where nobody can hear them, the exit code must still say it."""
    try:
        err.writelines(f"{terminal(line)}\n" for line in lines)
        err.flush()
    except OSError:
        _silence(err)


def _silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: at the interpreter's exit it would fail again and change the exit code."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
