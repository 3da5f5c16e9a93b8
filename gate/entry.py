"""What both entrances share: options to configuration, reports to where they were asked for, errors to exits."""

import os
import re
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from gate.baselines import is_in_git, reading_once, working_copy
from gate.config import GateConfig, load_config, validate_config
from gate.config.overlay import Flags, overlay, refuse_empty
from gate.console import Console, complain, printing, write_utf8
from gate.errors import ConfigError, ExitCode, GateError, UsageError
from gate.pipeline import run_gate
from gate.reports import REPORTS, text
from gate.results import SCHEMA_VERSION, ConfigChange, Fault, Provenance, Report, Verdict, Word
from gate.targets import STDOUT, TERMINAL, ReportTarget, find_page, harmless, input_files, refuse_clashes
from gate.unchanged import digests_of, require_same
from gate.unguarded import find_unguarded
from gate.verdict import is_failing
from gate.writing import take_away, write_atomically

__all__ = [
    "STDOUT",
    "TERMINAL",
    "Conclusion",
    "ReportTarget",
    "Request",
    "build_config",
    "carry_out",
    "conclude",
    "error_report",
    "fail",
    "fault_of",
    "this_day",
]

_SUITE_NAME = "scores"
_PINNED = "SOURCE_DATE_EPOCH"
_MOST_TOLD = 40
# readers name keys as if there were a gate.yml
_KEY = re.compile(r"\b(columns: \{|scale: \[)")


@dataclass(frozen=True, slots=True)
class Request(Flags):
    """A run as its user asks for it: the flags laid over gate.yml, and what only the entrances need.

    Attributes:
        config: path of gate.yml, if any.
        proposed_config: path of the gate.yml that a pull request proposes; what it changes is told, and nothing else.
            Not needed where ``config`` is in git.
        targets: the reports to write.
        command: the shell command that repeats the run.
    """

    config: str | None = None
    proposed_config: str | None = None
    targets: tuple[ReportTarget, ...] = ()
    command: str = ""

    @property
    def proposed(self) -> str | None:
        """The proposed gate.yml: the one named, or that of the working tree where the one in force comes from git."""
        if self.proposed_config is None and self.config is not None and is_in_git(self.config):
            with suppress(UsageError):  # what is no whole spec is refused where it is read
                return working_copy(self.config)
        return self.proposed_config


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


@reading_once()
def conclude(request: Request, console: Console) -> Conclusion:
    """Judge and report.

    Every error that a user can mend is told on ``console.err`` and, as verdict ERROR, in every report asked for.
    """
    try:
        before = digests_of([request.config] if request.config is not None else [])
        config = build_config(request)
        refuse_clashes(request.targets, _inputs(request, config))
        report = run_gate(
            config, command=request.command, path=request.config, progress=console.progress, today=this_day()
        )
        changes, unguarded = _config_changes(request, report), find_unguarded(config, request.config)
        report = replace(report, config_changes=changes, from_working_tree=unguarded)
        require_same(before, digests_of(before), dict.fromkeys(before, ConfigError))
        _deliver(report, request.targets, console)
    except Exception as error:  # the last line of defence: an internal error must not look like a verdict
        return fail(error, request, console)
    failing = is_failing(report.verdict.word, config.policies.fail_on)
    return Conclusion(report, ExitCode.BLOCKED if failing else ExitCode.OK)


def this_day() -> date:
    """The day by which waivers hold and ages are told: of UTC, so that a laptop and a runner agree.

    The only look at a clock. SOURCE_DATE_EPOCH stands in for it where it is set, so that a report can be had again.

    Raises:
        UsageError: where that is no time.
    """
    pinned = os.environ.get(_PINNED, "").strip()
    if not pinned:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(pinned), UTC).date()
    except (ValueError, OverflowError, OSError) as fault:
        raise UsageError(
            f"{_PINNED} is no time: {pinned[:_MOST_TOLD]!r}",
            remedy="set it to whole seconds since 1970, e.g. $(date +%s), or unset it",
        ) from fault


def build_config(request: Request) -> GateConfig:
    """The configuration in force: gate.yml where there is one, the flags over it, the defaults under both.

    Raises:
        GateError: where gate.yml is wrong or the flags do not fit it.
    """
    _require_no_empty(request)
    if request.config is None:
        if request.proposed_config is not None:
            raise UsageError(
                "--proposed-config has nothing to be compared with", remedy="give the gate.yml in force by --config"
            )
        if request.candidate is None:
            raise UsageError("there is nothing to judge", remedy="give --candidate FILE, or --config gate.yml")
        data = {"version": 1, "suites": [{"name": _SUITE_NAME}]}
        return validate_config(overlay(data, request), flags={("suites", 0): "the command line", **request.places()})
    config = load_config(Path(request.config), whole=not request.speak_of_scores)
    if len(config.suites) > 1 and request.speak_of_scores:
        raise UsageError(
            f"{request.config} has {len(config.suites)} suites: the flags do not say which one they mean",
            remedy="put score files, metric, format, threshold and corpus into gate.yml",
        )
    return validate_config(overlay(_explicit(config), request), origin=request.config, flags=request.places())


def _config_changes(request: Request, report: Report) -> tuple[ConfigChange, ...]:
    """What the proposed gate.yml would change in the one in force, as both stand there: no flag is laid over them."""
    proposed = request.proposed
    if request.config is None or proposed is None:
        return ()
    # imported here: most runs have nothing to compare, and start-up time counts
    from gate.config.changes import read_changes  # noqa: PLC0415

    in_force = load_config(Path(request.config), whole=False, base="")
    return read_changes(in_force, proposed, report.suites)


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
    """Conclude with an error: tell it on standard error and in every report that was asked for and can be written.

    Raises:
        BaseException: where the error is but what went wrong while an interrupt was on its way out: that one again.
    """
    _require_uninterrupted(error)
    fault = fault_of(error)
    if request.config is None and _KEY.search(fault.remedy) and "gate.yml" not in fault.remedy:
        fault = replace(fault, remedy=f"{fault.remedy} (a key of gate.yml, which `gate init` writes)")
    if not isinstance(error, GateError) and console.verbose:
        complain(console.err, "".join(traceback.format_exception(error)).splitlines())
    place = f"{fault.where}: " if fault.where else ""
    complain(console.err, [f"ERROR: {place}{fault.what}", f"  remedy: {fault.remedy}"])
    if isinstance(error, GateError) and console.err.isatty():  # the eval's own text: for a terminal, never for a log
        complain(console.err, [f"  {line}" for line in error.excerpt.splitlines()])
    report = error_report(fault, request)
    with suppress(Exception):  # the gate.yml in force may be why there is an error
        report = replace(report, config_changes=_config_changes(request, report))
    for target in harmless(request.targets, _inputs(request, _readable_config(request))):
        if target != TERMINAL:
            _deliver_error(report, target, console)
    return Conclusion(report, error.exit_code if isinstance(error, GateError) else ExitCode.INTERNAL, error)


def _require_uninterrupted(error: BaseException) -> None:
    """Raise the interrupt that an error took the place of, as where what was in use could not be closed."""
    before = error.__context__
    while before is not None:
        # what closes a generator, or ends a process by itself, is none
        if not isinstance(before, Exception | GeneratorExit | SystemExit):
            raise before
        before = before.__context__


def _deliver_error(report: Report, target: ReportTarget, console: Console) -> None:
    """Write one report of an error; where that fails too, the others must still be written.

    On a full disk there may be no room for it beside an older one, which says what does not hold any more.
    """
    with suppress(Exception):
        return _deliver(report, [target], console)
    try:
        if target.path != STDOUT:
            take_away(Path(target.path))
        _deliver(report, [target], console)
    except Exception as error:
        second = fault_of(error)
        if report.fault is None or second.what != report.fault.what:
            complain(console.err, [f"ERROR: {second.where or target.path}: {second.what}"])


def _deliver(report: Report, targets: Sequence[ReportTarget], console: Console) -> None:
    """Render everything first, then write: a report that cannot be rendered leaves no half of the others."""
    rendered = [(target, _render(report, target, targets)) for target in targets if target != TERMINAL]
    for target, content in rendered:
        if target.path != STDOUT:
            write_atomically(Path(target.path), content)
    with printing(console.out):
        for target, content in rendered:
            if target.path == STDOUT:
                write_utf8(console.out, content)
        if TERMINAL in targets:
            text.print_text(report, console.out, verbose=console.verbose, quiet=console.quiet)


def _render(report: Report, target: ReportTarget, targets: Sequence[ReportTarget]) -> str:
    """One report; the one in markdown says where the page is that is written with it."""
    page = find_page(targets, target) if target.form == "markdown" else None
    if page is None:
        return REPORTS[target.form](report)
    # imported here: most runs write no markdown, and start-up time counts
    from gate.reports import markdown  # noqa: PLC0415

    return markdown.render(report, page=markdown.Page(*page))


def _require_no_empty(request: Request) -> None:
    given: dict[str, Sequence[str | None]] = {
        "--config": (request.config,),
        "--proposed-config": (request.proposed_config,),
        "--baseline": (request.baseline,),
        "--candidate": (request.candidate,),
        "--metric": request.metrics,
        "--reduce": request.reduce,
        "--corpus": request.corpus,
        "--scan": (request.scan,),
        "--history": (request.history,),
    }
    refuse_empty(given)


def _inputs(request: Request, config: GateConfig | None) -> dict[str, str]:
    listed = any(target.replaces_something for target in request.targets)
    return input_files(config, request, path=request.config, corpora=listed, proposed=request.proposed)


def _readable_config(request: Request) -> GateConfig | None:
    """What gate.yml says, where it says anything: after an error, too, its files must not be overwritten."""
    with suppress(Exception):  # it may be why there is an error
        return load_config(Path(request.config), whole=False) if request.config else None
    return None


def _explicit(config: GateConfig) -> dict[str, Any]:
    """What gate.yml says, without the defaults, so that what was asked for stays known."""
    return config.model_dump(mode="json", exclude_unset=True)
