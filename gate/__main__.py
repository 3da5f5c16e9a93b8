"""``python -m gate`` and the command ``gate``: the one place where errors become exit codes."""

import os
import signal
import sys
import traceback
from types import FrameType
from typing import NoReturn

from gate.errors import ExitCode
from gate.startup import importing


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def main() -> NoReturn:
    """Run the command line and exit with a code of the README's table."""
    # a job in the background ignores SIGINT, and goes on ignoring it
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    _require_streams()
    try:
        with importing():
            # imported here, so that an interrupt while the modules load ends as quietly as a later one
            from gate.cli import run  # noqa: PLC0415

        signal.signal(signal.SIGTERM, _terminate)
        if interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        _say("\ninterrupted: nothing was decided\n")
        sys.exit(ExitCode.INTERRUPTED)
    except Terminated:
        _say("terminated: nothing was decided\n")
        sys.exit(ExitCode.TERMINATED)
    except Exception:
        # Python's own exit code for this is 1, which would look like a BLOCK
        # it may quote a file, and the room that would make that harmless may be what is missing
        lines = [ascii(line)[1:-1].replace("##[", r"\x23#[") for line in traceback.format_exc().splitlines()]
        told = "".join(f"| {line}\n" for line in lines)
        _say(f"{told}internal error: nothing was decided; is the installation whole?\n")
        sys.exit(ExitCode.INTERNAL)


def _say(text: str) -> None:
    """Write to standard error; where nobody can hear it, the exit code must still say it."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        # what is still buffered would fail once more at the interpreter's exit, which then is another one
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _require_streams() -> None:
    """A job may start with its streams closed: what would be said is lost then, the verdict is not."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # open to the end


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    """End at once: an exception in the middle of an import would come out of it as another one."""
    os._exit(ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.TERMINATED)


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


if __name__ == "__main__":
    main()
