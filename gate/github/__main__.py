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
from gate.github.attending import attend, memory_limit
from gate.interrupts import STOPS
from gate.startup import importing


class Stopped(BaseException):
    """The process was asked to end; ``code`` is how it should exit."""

    def __init__(self, code: ExitCode) -> None:
        super().__init__(code)
        self.code = code


def main() -> NoReturn:
    """Run the action on this process's environment and exit with a code of the README's table."""
    try:
        for number in STOPS:
            signal.signal(number, _stop)
        code = attend(lambda: run_guarded(os.environ, _require_stdout()))
        if code < 0:
            code = _tell_killed(signal.Signals(-code))
    except Stopped as stop:
        code = _tell_stopped(stop.code)
    sys.exit(code)


def _tell_stopped(code: ExitCode) -> ExitCode:
    what = "interrupted" if code is ExitCode.INTERRUPTED else "terminated"
    _tell(f"{what}: nothing was decided", "start the job again")
    return code


def _tell_killed(number: signal.Signals) -> ExitCode:
    """Tell that the work was ended from outside, or crashed; returns the exit code."""
    if number is signal.SIGKILL:
        limit = memory_limit()
        told = f", of which the container may use {limit >> 20} MB" if limit is not None else ""
        _tell(
            f"the gate was killed before it could decide; most likely memory ran out{told}",
            "give the container or its machine more memory (--memory; a million items by five metrics need 1 GB), or "
            "judge fewer suites in one step",
        )
        return ExitCode.KILLED
    if number in STOPS:  # it was asked to end, and did not come to it
        return _tell_stopped(_code_of(number))
    _tell(
        f"the gate crashed ({number.name}) before it could decide",
        "this is a fault of gate or of its installation: report it with what the log shows",
    )
    return ExitCode.INTERNAL


def _code_of(number: int) -> ExitCode:
    return ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.TERMINATED


def _tell(what: str, remedy: str) -> None:
    # imported here, as in ``run_guarded``
    from gate.github.undecided import tell_undecided  # noqa: PLC0415

    tell_undecided(os.environ, _require_stdout(), what=what, remedy=remedy)


def run_guarded(environ: Mapping[str, str], stream: TextIO) -> ExitCode:
    """Run the action; whatever goes wrong, the verdict is told as ERROR where there is no other."""
    # imported here, so that the process that only waits for this one needs no memory for it
    from gate.github.undecided import presume_error, tell_undecided  # noqa: PLC0415

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
    for each in STOPS:
        # not SIG_IGN: Python complains of a signal that was on its way while the handler changed to that
        signal.signal(each, lambda *_: None)
    raise Stopped(_code_of(number))


if __name__ == "__main__":
    main()
