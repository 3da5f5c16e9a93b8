"""The command line: argv to a request, and nothing that knows what a gate decides."""

import errno
import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from gate import __version__
from gate.commands import COMMANDS, progress_on
from gate.commands.options import with_format, with_metrics, with_reduce, with_threshold, with_unfinished
from gate.console import Console, complain, printing, say
from gate.entry import STDOUT, TERMINAL, ReportTarget, Request, carry_out, fail
from gate.errors import ExitCode, UsageError, WriteError
from gate.reports import REPORTS
from gate.results import FailOn

_FORMS = "|".join(REPORTS)
_SHELLS = ("bash", "zsh", "fish")
_COMPLETE = "_GATE_COMPLETE"
_HELP = frozenset({"-h", "--help", "--version"})
_OF_WRITING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="gate", message="%(prog)s %(version)s")
def cli() -> None:
    """May this candidate ship? PASS, WARN or BLOCK from two files of per-item scores.

    Exit codes: 0 the verdict is below --fail-on; 1 at or above it; 2 usage, configuration or input; 3 internal error;
    130 and 143 interrupted; 137 killed, as where memory runs out.
    """


@cli.command(short_help="Judge a candidate: against a baseline, a bar, a corpus.")
@click.option("--baseline", metavar="FILE", help="Score file of the run to compare with; or git:REF:PATH.")
@click.option("--candidate", metavar="FILE", help="Score file of the run that asks to ship.")
@with_threshold
@click.option("--config", metavar="FILE", help="gate.yml, or git:REF:PATH; flags override it.")
@click.option("--proposed-config", metavar="FILE", help="A pull request's own gate.yml: what it changes is told.")
@with_metrics
@with_reduce
@with_format("score files")
@click.option("--select", metavar="NAME", help="Which of several variants in the files: a filter, a provider; or all.")
@with_unfinished
@click.option("--corpus", multiple=True, metavar="PATH", help="Training text to search for the questions; may repeat.")
@click.option("--scan", metavar="FILE", help="Instead of a corpus: what `gate scan` wrote where it lives.")
@click.option("--history", metavar="FILE", help="What `gate history add` wrote: trends, and slow decline.")
@click.option("--report", "reports", multiple=True, metavar="FORM:PATH", help=f"{_FORMS}, PATH or - ; may repeat.")
@click.option(
    "--fail-on",
    type=click.Choice(FailOn, case_sensitive=False),
    help="The mildest verdict that exits 1.  [default: block]",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict's line only.")
@click.option("-v", "--verbose", is_flag=True, help="Print everything.")
def check(
    reports: tuple[str, ...],
    fail_on: FailOn | None,
    *,
    quiet: bool,
    verbose: bool,
    **asked: Any,
) -> ExitCode:
    """Judge a candidate: against a baseline, a bar, a corpus, or a whole gate.yml."""
    targets = tuple(map(ReportTarget.parse, reports))
    if not any(target.path == STDOUT for target in targets):
        targets = (*targets, TERMINAL)
    request = Request(fail_on=fail_on, targets=targets, command=_command(), **asked)
    console = Console(
        sys.stdout, sys.stderr, quiet=quiet, verbose=verbose, progress=None if quiet else progress_on(sys.stderr)
    )
    return carry_out(request, console)


for command in COMMANDS:
    cli.add_command(command)


@cli.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print the completion script: `eval "$(gate completion bash)"`."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415  # only this command needs it

    complete = get_completion_class(shell)
    if complete is not None:
        say(sys.stdout, complete(cli, {}, "gate", _COMPLETE).source() + "\n")


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit code; whatever goes wrong is told here and gets its own."""
    completes = _is_completion(arguments)
    if not completes:
        # a variable that is left over from elsewhere must not keep the gate from judging
        os.environ.pop(_COMPLETE, None)
    try:
        code = cli(arguments, prog_name="gate", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as fault:
        complain(sys.stderr, fault.format_message().splitlines())
        return ExitCode.USAGE
    except click.ClickException as fault:
        return _fail(_usage_error(fault), arguments)
    except click.Abort as fault:
        raise KeyboardInterrupt from fault
    except SystemExit:
        # the library exits so for a shell that completes a line, and with 1, which must not look like a BLOCK, where
        # the reader of its help has seen enough and closed the pipe
        return ExitCode.OK if completes or not _HELP.isdisjoint(arguments) else ExitCode.INTERNAL
    except OSError as fault:
        return _fail(_of_stdout(fault), arguments)
    except Exception as fault:
        return _fail(fault, arguments)
    return ExitCode.OK if code is None else int(code)


def _is_completion(arguments: Sequence[str]) -> bool:
    """Whether a shell's completion script asks: it says what it completes in variables, and gives no arguments."""
    asked = os.environ.get(_COMPLETE, "").removesuffix("_complete") in _SHELLS
    return asked and not arguments and "COMP_WORDS" in os.environ and "COMP_CWORD" in os.environ


def _fail(error: Exception, arguments: Sequence[str]) -> ExitCode:
    """Tell an error that came before a request was made: also in the reports, where the last run's still stand."""
    return fail(error, _presumed(arguments), Console(sys.stdout, sys.stderr, verbose=True)).code


def _presumed(arguments: Sequence[str]) -> Request:
    """What ``check`` was asked for, as far as arguments tell that could not be understood as a whole."""
    names = ("baseline", "candidate", "config", "proposed-config", "corpus", "scan", "history", "report")
    given: dict[str, list[str]] = {name: [] for name in names}
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        flag, equals, value = word.partition("=")
        name = flag.removeprefix("--")
        if flag.startswith("--") and name in given:
            given[name].append(value if equals else following)
    if "check" not in arguments:
        return Request()
    last = {name: values[-1] for name, values in given.items() if values}
    targets = []
    for wanted in given["report"]:
        with suppress(UsageError):
            targets.append(ReportTarget.parse(wanted))
    return Request(
        config=last.get("config"),
        proposed_config=last.get("proposed-config"),
        baseline=last.get("baseline"),
        candidate=last.get("candidate"),
        corpus=tuple(given["corpus"]),
        scan=last.get("scan"),
        history=last.get("history"),
        targets=tuple(targets),
        command=_command(),
    )


def _command() -> str:
    return shlex.join(["gate", *sys.argv[1:]])


def _usage_error(fault: click.ClickException) -> UsageError:
    """The library's error in the form of all others."""
    context = fault.ctx if isinstance(fault, click.UsageError) else None
    path = "gate" if context is None else context.command_path
    return UsageError(fault.format_message().rstrip("."), remedy=f"`{path} --help` tells what it takes")


def _of_stdout(fault: OSError) -> Exception:
    """The fault of standard output, where that is what cannot be written: a flush would fail again."""
    try:
        with printing(sys.stdout):
            # unbuffered, what could not be written is not kept, and a flush finds nothing; files have names
            if fault.filename is None and fault.errno in _OF_WRITING:
                raise fault
    except WriteError as error:
        return error
    return fault
