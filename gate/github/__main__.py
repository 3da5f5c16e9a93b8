"""``python -m gate.github``: the container's entry point, where signals and errors become exit codes."""

import os
import signal
import sys
import traceback
from collections.abc import Mapping
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn, TextIO

from gate.errors import ExitCode, GateError
from gate.github.undecided import presume_error, tell_undecided
from gate.startup import importing


class Stopped(BaseException):
    """The process was asked to end; ``code`` is how it should exit."""

    def __init__(self, code: ExitCode) -> None:
        super().__init__(code)
        self.code = code


def main() -> NoReturn:
    """Run the action on this process's environment and exit with a code of the README's table."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        code = run_guarded(os.environ, _require_stdout())
    except Stopped as stop:
        what = "interrupted" if stop.code is ExitCode.INTERRUPTED else "terminated"
        tell_undecided(os.environ, _require_stdout(), what=f"{what}: nothing was decided", remedy="start the job again")
        code = stop.code
    sys.exit(code)


def run_guarded(environ: Mapping[str, str], stream: TextIO) -> ExitCode:
    """Run the action; whatever goes wrong, the verdict is told as ERROR where there is no other."""
    try:
        presume_error(environ)
        with importing():
            # imported here, so that a verdict stands already where an import fails or is interrupted
            from gate.github.action import run  # noqa: PLC0415

        return run(environ, stream)
    except GateError as error:
        tell_undecided(environ, stream, what=error.what, remedy=error.remedy)
        return error.exit_code
    except Exception as error:
        tell_undecided(
            environ,
            stream,
            what=f"internal error: {type(error).__name__}: {error}",
            remedy="this is a fault of gate, or its installation is not whole: report it with what the log shows",
            traceback="".join(traceback.format_exception(error)),
        )
        return ExitCode.INTERNAL


def _require_stdout() -> TextIO:
    """The log, in the encoding that the runner reads, or a hole where there is none."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # open to the end
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    return sys.stdout


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    """A second signal must not stop the telling of the first."""
    for each in (signal.SIGINT, signal.SIGTERM):
        # not SIG_IGN: Python complains of a signal that was on its way while the handler changed to that
        signal.signal(each, lambda *_: None)
    raise Stopped(ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.TERMINATED)


if __name__ == "__main__":
    main()
