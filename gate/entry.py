"""What both entrances share: options to configuration, reports to where they were asked for, errors to exits."""

import os
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from gate.config import GateConfig, load_config, validate_config
from gate.errors import ExitCode, GateError, UsageError, WriteError
from gate.files import write_atomically
from gate.pipeline import Progress, run_gate
from gate.reports import REPORTS, text
from gate.reports.escape import terminal
from gate.results import SCHEMA_VERSION, FailOn, Fault, Provenance, Report, Verdict, Word
from gate.verdict import is_failing

STDOUT = "-"
_SUITE_NAME = "scores"


class ReportTarget(NamedTuple):
    """One report wanted: a form of REPORTS and a path, or ``-`` for standard output."""

    form: str
    path: str

    @classmethod
    def parse(cls, wanted: str) -> "ReportTarget":
        """Read ``FORM:PATH``.

        Raises:
            UsageError: where the form is unknown or the path is missing.
        """
        form, _, path = wanted.partition(":")
        if form not in REPORTS or not path:
            raise UsageError(
                f"--report {wanted!r} is not FORM:PATH", remedy=f"FORM is one of {', '.join(REPORTS)}; PATH may be -"
            )
        return cls(form, path)


TERMINAL = ReportTarget("text", STDOUT)


@dataclass(frozen=True, slots=True)
class Request:
    """A run as its user asks for it; None or empty means: as in gate.yml, or by default.

    Attributes:
        config: path of gate.yml.
        baseline: path of the baseline's score file.
        candidate: path of the candidate's score file.
        threshold: the bar.
        corpus: paths of the corpus.
        metrics: names of the metrics to judge.
        format: how to read the score files.
        fail_on: the mildest verdict that exits 1.
        targets: the reports to write.
        command: the shell command that repeats the run.
    """

    config: str | None = None
    baseline: str | None = None
    candidate: str | None = None
    threshold: float | None = None
    corpus: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    format: str | None = None
    fail_on: FailOn | None = None
    targets: tuple[ReportTarget, ...] = ()
    command: str = ""


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


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a run came to.

    Attributes:
        report: the judgement, or the report of the error.
        code: how the process should exit.
        error: what kept the run from being judged or told.
    """

    report: Report
    code: ExitCode
    error: Exception | None = None


def carry_out(request: Request, console: Console) -> ExitCode:
    """``conclude``, for an entrance that needs the exit code alone."""
    return conclude(request, console).code


def conclude(request: Request, console: Console) -> Conclusion:
    """Judge and report.

    Every error that a user can mend is told on ``console.err`` and, as verdict ERROR, in every report asked for.
    """
    try:
        config = build_config(request)
        report = run_gate(config, command=request.command, progress=console.progress)
        _deliver(report, request.targets, console)
    except Exception as error:  # the last line of defence: an internal error must not look like a verdict
        return fail(error, request, console)
    failing = is_failing(report.verdict.word, config.policies.fail_on)
    return Conclusion(report, ExitCode.BLOCKED if failing else ExitCode.OK)


def build_config(request: Request) -> GateConfig:
    """The configuration in force: gate.yml where there is one, the flags over it, the defaults under both.

    Raises:
        GateError: where gate.yml is wrong or the flags do not fit it.
    """
    if request.config is None:
        if request.candidate is None:
            raise UsageError("there is nothing to judge", remedy="give --candidate FILE, or --config gate.yml")
        return validate_config(_overlaid({"version": 1, "suites": [{"name": _SUITE_NAME}]}, request))
    config = load_config(Path(request.config))
    if len(config.suites) > 1 and _speaks_of_scores(request):
        raise UsageError(
            f"{request.config} has {len(config.suites)} suites: the flags do not say which one they mean",
            remedy="put score files, metric, format, threshold and corpus into gate.yml",
        )
    return validate_config(_overlaid(_explicit(config), request))


def fault_of(error: Exception) -> Fault:
    """The error in the words of a report."""
    if isinstance(error, GateError):
        return Fault(error.kind, error.what, str(error.where) if error.where is not None else "", error.remedy)
    what = f"internal error: {type(error).__name__}: {error}"
    remedy = "this is a fault of gate, not of your files: report it with what `gate check --verbose` prints"
    return Fault("internal", what, "", remedy)


def error_report(fault: Fault, request: Request) -> Report:
    """The report of a run that could not be judged."""
    verdict = Verdict(Word.ERROR, ())
    return Report(SCHEMA_VERSION, verdict, (), Provenance(request.command, 0, {}, {}), fault=fault)


def fail(error: Exception, request: Request, console: Console) -> Conclusion:
    """Conclude with an error: tell it on standard error and in every report that was asked for and can be written."""
    fault = fault_of(error)
    if not isinstance(error, GateError) and console.verbose:
        complain(console.err, "".join(traceback.format_exception(error)).splitlines())
    place = f"{fault.where}: " if fault.where else ""
    complain(console.err, [f"ERROR: {place}{fault.what}", f"  remedy: {fault.remedy}"])
    report = error_report(fault, request)
    for target in request.targets:
        if target != TERMINAL:
            _deliver_error(report, target, console)
    return Conclusion(report, error.exit_code if isinstance(error, GateError) else ExitCode.INTERNAL, error)


def _deliver_error(report: Report, target: ReportTarget, console: Console) -> None:
    """Write one report of an error; where that fails too, the others must still be written."""
    try:
        _deliver(report, [target], console)
    except Exception as error:
        second = fault_of(error)
        if report.fault is None or second.what != report.fault.what:
            complain(console.err, [f"ERROR: {second.where or target.path}: {second.what}"])


def _deliver(report: Report, targets: Sequence[ReportTarget], console: Console) -> None:
    """Render everything first, then write: a report that cannot be rendered leaves no half of the others."""
    rendered = [(target, REPORTS[target.form](report)) for target in targets if target != TERMINAL]
    for target, content in rendered:
        if target.path != STDOUT:
            write_atomically(Path(target.path), content)
    with printing(console.out):
        for target, content in rendered:
            if target.path == STDOUT:
                _write_utf8(console.out, content)
        if TERMINAL in targets:
            text.print_text(report, console.out, verbose=console.verbose, quiet=console.quiet)


@contextmanager
def printing(out: TextIO) -> Iterator[None]:
    """Print and flush; a reader that has closed the pipe has seen enough, any other failure is told.

    Raises:
        WriteError: where standard output cannot be written.
    """
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
    try:
        yield
        out.flush()
    except BrokenPipeError:
        _silence(out)
    except OSError as fault:
        _silence(out)
        raise WriteError(
            f"standard output cannot be written: {fault.strerror}", remedy="write to a file: --report text:PATH"
        ) from fault


def _write_utf8(out: TextIO, content: str) -> None:
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


def _speaks_of_scores(request: Request) -> bool:
    files = (request.baseline, request.candidate, request.format)
    chosen = request.corpus or request.metrics
    return bool(chosen) or request.threshold is not None or any(value is not None for value in files)


def _explicit(config: GateConfig) -> dict[str, Any]:
    """What gate.yml says, without the defaults, so that what was asked for stays known."""
    return config.model_dump(mode="json", exclude_unset=True)


def _overlaid(data: dict[str, Any], request: Request) -> dict[str, Any]:
    """The data of a configuration with the flags laid over its suite and its policies."""
    if request.fail_on is not None:
        data["policies"] = {**data.get("policies", {}), "fail_on": request.fail_on.value}
    if _speaks_of_scores(request):
        suite = data["suites"][0]
        given = {"baseline": request.baseline, "candidate": request.candidate, "format": request.format}
        suite.update({key: value for key, value in given.items() if value is not None})
        if request.metrics:
            suite["metrics"] = _chosen(suite.get("metrics", {}), request.metrics)
        checks = suite["checks"] = dict(suite.get("checks", {}))
        if request.threshold is not None:
            checks["threshold"] = {**(checks.get("threshold") or {}), "bar": request.threshold}
        if request.corpus:
            checks["contamination"] = {**(checks.get("contamination") or {}), "corpus": list(request.corpus)}
    return data


def _chosen(known: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
    """The wanted metrics, with their settings where gate.yml has any."""
    return {name: known.get(name, {}) for name in wanted}
