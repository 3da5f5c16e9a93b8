"""The action's story: inputs to a request, a verdict, and the verdict told in summary, log, annotations and outputs."""

import io
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager, suppress
from dataclasses import dataclass
from typing import TextIO

from gate.baselines import is_in_git
from gate.console import Console, complain, printing
from gate.entry import TERMINAL, Conclusion, ReportTarget, Request, conclude, fail
from gate.errors import ExitCode, GateError, WriteError
from gate.github.annotations import annotations_of
from gate.github.commands import annotate, quote
from gate.github.comment import comment_on
from gate.github.comment_settings import CommentSettings, RunPage, refuse_wrong_settings
from gate.github.inputs import DEFAULT_REPORT_DIR, Inputs, build_request
from gate.github.outputs import COMMENT_URL, outputs_of
from gate.github.runner_files import OUTPUT, SUMMARY, RunnerFile, set_outputs
from gate.github.summary import append_bare_error, append_line, append_summary
from gate.github.workspace import ReportFiles, Workspace
from gate.reports.markdown import Page


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a run came to, and what it knows of the workspace: nothing where the inputs are wrong about that.

    Attributes:
        conclusion: the verdict.
        inputs: as they were given; None where they contradict each other.
        workspace: where the run took place.
        written: form of report -> its path from the workspace's root.
    """

    conclusion: Conclusion
    inputs: Inputs | None
    workspace: Workspace | None
    written: Mapping[str, str]


def run(environ: Mapping[str, str], stream: TextIO) -> ExitCode:
    """Do what the inputs ask for, and tell the runner.

    Args:
        environ: names the inputs, the workspace and the runner's files.
        stream: the log.

    Raises:
        WriteError: where the log or the outputs cannot be written.
    """
    log = io.StringIO()
    outcome = _judge(environ, Console(log, log))
    conclusion = outcome.conclusion
    with printing(stream):
        quote(stream, log.getvalue())
        for annotation in annotations_of(conclusion, outcome.workspace):
            annotate(stream, annotation)
    set_outputs(RunnerFile.named_by(OUTPUT, environ), outputs_of(conclusion.report, outcome.written))
    if outcome.inputs is not None:
        # last, and after the outputs: the verdict stands whatever becomes of the comment
        with suppress(Exception):
            _comment(conclusion, outcome.inputs, environ, stream)
    return conclusion.code


def _comment(conclusion: Conclusion, inputs: Inputs, environ: Mapping[str, str], stream: TextIO) -> None:
    told = comment_on(conclusion, CommentSettings.read(inputs, environ), environ)
    if told.line:
        with printing(stream):
            quote(stream, f"{told.line}{f': {told.url}' if told.url else ''}\n")
    if told.url:
        set_outputs(RunnerFile.named_by(OUTPUT, environ), {COMMENT_URL: told.url})
    if told.missing:
        append_line(RunnerFile.named_by(SUMMARY, environ), f"No comment on the pull request: {told.missing}.")


def _judge(environ: Mapping[str, str], console: Console) -> _Outcome:
    """Judge from within the working directory; write reports and summary, also of an error."""
    request, inputs, workspace, files = Request(), None, None, None
    with ExitStack() as stack:
        try:
            inputs = Inputs.read(environ)
            workspace = _workspace(inputs, environ)
            stack.enter_context(chdir(workspace.directory))
            files = ReportFiles.plan(workspace, inputs.text("report-dir") or DEFAULT_REPORT_DIR)
            stack.enter_context(_handing_over(files, console))
            request = Request(targets=_targets(files))
            request = build_request(inputs, request.targets)
            refuse_wrong_settings(inputs)
            complain(console.err, [f"the input {name!r} is not known, and was not read" for name in inputs.strangers])
            conclusion = conclude(request, console)
        except Exception as error:  # the last line of defence, as in ``conclude``
            conclusion = fail(error, request, console)
        page = _page(_written(files), environ)
        conclusion = _summarised(conclusion, request, environ, page=page, console=console)
        _tell_traceback(conclusion, console)
        written = _written(files)
    return _Outcome(conclusion, inputs, workspace, written)


def _workspace(inputs: Inputs, environ: Mapping[str, str]) -> Workspace:
    directory = inputs.text("working-directory")
    workspace = Workspace.find(environ, directory)
    if directory is not None and any(is_in_git(value) for value in inputs.given.values()):
        workspace.require_own_folder(directory)
    return workspace


def _written(files: ReportFiles | None) -> Mapping[str, str]:
    """Form of report -> its path from the workspace's root."""
    return {} if files is None else {form: files.workspace.shown(path) for form, path in files.written().items()}


def _targets(files: ReportFiles) -> tuple[ReportTarget, ...]:
    return (*(ReportTarget(form, str(path)) for form, path in files.paths.items()), TERMINAL)


@contextmanager
def _handing_over(files: ReportFiles, console: Console) -> Iterator[None]:
    """Whatever becomes of the run, what it has written is the workspace owner's in the end."""
    try:
        yield
    finally:
        kept = files.hand_over()
        if kept:
            shown = ", ".join(files.workspace.shown(path) for path in kept)
            complain(console.err, [f"root keeps {shown}: without the capability CHOWN the owner cannot be changed"])


def _page(written: Mapping[str, str], environ: Mapping[str, str]) -> Page | None:
    """Where the HTML report lies: a file of the workspace has no address, but the page of the run lists artifacts."""
    return Page(written["html"], run=RunPage.read(environ).address) if "html" in written else None


def _summarised(
    conclusion: Conclusion, request: Request, environ: Mapping[str, str], *, page: Page | None, console: Console
) -> Conclusion:
    """The conclusion, in the summary; where that cannot be written, the run ends in an error."""
    summary = RunnerFile.named_by(SUMMARY, environ)
    try:
        if not append_summary(summary, conclusion.report, page):
            complain(console.err, ["the summary is full: the verdict stands in the log and in the report files only"])
    except Exception as error:
        with suppress(WriteError):
            append_bare_error(summary)
        return fail(error, request, console)
    return conclusion


def _tell_traceback(conclusion: Conclusion, console: Console) -> None:
    if conclusion.error is not None and not isinstance(conclusion.error, GateError):
        complain(console.err, "".join(traceback.format_exception(conclusion.error)).splitlines())
