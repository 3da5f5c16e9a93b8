"""``python -m gate`` and the command ``gate``: the one place where errors become exit codes."""

import os
import signal
import sys
import traceback
from types import FrameType
from typing import NoReturn

from gate.errors import ExitCode


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


def main() -> NoReturn:
    """Run the command line and exit with a code of the README's table."""
    signal.signal(signal.SIGTERM, _terminate)
    _require_streams()
    # the gate multiplies no matrices: the threads that numpy's BLAS would start only cost time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # nor does it use what other packages plug into pydantic: looking for them costs time, finding them could surprise
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
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
    except Exception:
        # Python's own exit code for this is 1, which would look like a BLOCK
        traceback.print_exc()
        sys.stderr.write("internal error: nothing was decided; is the installation whole?\n")
        sys.exit(ExitCode.INTERNAL)


def _require_streams() -> None:
    """A job may start with its streams closed: what would be said is lost then, the verdict is not."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # open to the end


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


if __name__ == "__main__":
    main()
