"""``python -m gate`` and the command ``gate``: the one place where errors become exit codes."""

import signal
import sys
from types import FrameType
from typing import NoReturn

from gate.errors import ExitCode


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def main() -> NoReturn:
    """Run the command line and exit with a code of the README's table."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        # imported here, so that an interrupt while the modules load ends as quietly as a later one
        from gate.cli import run  # noqa: PLC0415

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted: nothing was decided\n")
        sys.exit(ExitCode.INTERRUPTED)
    except Terminated:
        sys.stderr.write("terminated: nothing was decided\n")
        sys.exit(ExitCode.TERMINATED)


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


if __name__ == "__main__":
    main()
