"""The command line: argv to a request, and nothing that knows what a gate decides."""

import shlex
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import __version__
from gate.checks import CHECKS
from gate.entry import STDOUT, TERMINAL, Console, ReportTarget, Request, carry_out, complain, fail, printing
from gate.errors import ExitCode
from gate.reports import REPORTS
from gate.reports.escape import terminal
from gate.results import FailOn
from gate.scores import FORMATS, read_run

if TYPE_CHECKING:
    from gate.contamination import ScanProgress

_FORMS = "|".join(REPORTS)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="gate", message="%(prog)s %(version)s")
def cli() -> None:
    """May this candidate ship? PASS, WARN or BLOCK from two files of per-item scores.

    Exit codes: 0 the verdict is below --fail-on; 1 at or above it; 2 usage, configuration or input; 3 internal error;
    130 and 143 interrupted.
    """


@cli.command()
@click.option("--baseline", metavar="FILE", help="Score file of the run to compare with.")
@click.option("--candidate", metavar="FILE", help="Score file of the run that asks to ship.")
@click.option("--threshold", type=float, metavar="BAR", help="The bar that the mean must prove to clear.")
@click.option("--config", metavar="FILE", help="gate.yml; flags override it.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="The metric to judge; may repeat.")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the score files.")
@click.option("--corpus", multiple=True, metavar="PATH", help="Training text to search for the questions; may repeat.")
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
    request = Request(fail_on=fail_on, targets=targets, command=shlex.join(["gate", *sys.argv[1:]]), **asked)
    console = Console(sys.stdout, sys.stderr, quiet=quiet, verbose=verbose, progress=_progress(quiet=quiet))
    return carry_out(request, console)


@cli.command()
@click.argument("file")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(file: str, format: str | None, *, as_json: bool) -> None:  # noqa: A002  # the flag's own name
    """Print how a score file is read: format, metrics, scale, counts, what is missing, distribution."""
    from gate.descriptions import describe_run, describe_run_json  # noqa: PLC0415  # only this command needs it

    run = read_run(Path(file), format=format)
    with printing(sys.stdout):
        sys.stdout.write(describe_run_json(run) if as_json else describe_run(run))


@cli.command()
@click.argument("config", metavar="GATE.YML")
def validate(config: str) -> None:
    """Say whether a gate.yml is sound, and what it would do."""
    from gate.descriptions import describe_config  # noqa: PLC0415  # only this command needs it

    text = describe_config(config)
    with printing(sys.stdout):
        sys.stdout.write(text)


@cli.command()
@click.argument("name", metavar="CHECK", type=click.Choice(list(CHECKS)))
def explain(name: str) -> None:
    """Say what a check asks, its options, and what to do when it fails."""
    from gate.descriptions import explain_check  # noqa: PLC0415  # only this command needs it

    with printing(sys.stdout):
        sys.stdout.write(explain_check(name))


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--directory", default=".", metavar="DIR", help="Where to write.  [default: here]")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
def init(files: tuple[str, ...], directory: str, *, force: bool) -> None:
    """Write a commented gate.yml and workflow that run on FILES: a candidate, or a baseline and a candidate."""
    from gate.starter import write_starter  # noqa: PLC0415  # only this command needs it

    written = write_starter(files, Path(directory), force=force)
    with printing(sys.stdout):
        sys.stdout.writelines(terminal(f"wrote {path}") + "\n" for path in written)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script: `eval "$(gate completion bash)"`."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415  # only this command needs it

    complete = get_completion_class(shell)
    if complete is not None:
        with printing(sys.stdout):
            sys.stdout.write(complete(cli, {}, "gate", "_GATE_COMPLETE").source() + "\n")


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit code; whatever goes wrong is told here and gets its own."""
    try:
        code = cli(arguments, prog_name="gate", standalone_mode=False)
    except click.ClickException as fault:
        told = StringIO()
        fault.show(told)
        complain(sys.stderr, told.getvalue().splitlines())
        return ExitCode.USAGE
    except click.Abort as fault:
        raise KeyboardInterrupt from fault
    except SystemExit:
        # the library exits so for a shell that completes a line, and with 1, which must not look like a BLOCK, where
        # the reader of its help has seen enough and closed the pipe
        return ExitCode.OK
    except Exception as fault:
        return fail(fault, Request(), Console(sys.stdout, sys.stderr, verbose=True)).code
    return ExitCode.OK if code is None else int(code)


def _progress(*, quiet: bool) -> Callable[["ScanProgress"], None] | None:
    """A line that rewrites itself on a terminal; silence elsewhere."""
    if quiet or not sys.stderr.isatty():
        return None

    def tell(progress: "ScanProgress") -> None:
        done = progress.files_done >= progress.files
        line = f"searching the corpus: file {progress.files_done} of {progress.files}, {progress.bytes_read >> 20} MB"
        sys.stderr.write(f"\r\x1b[K{'' if done else line}")
        sys.stderr.flush()

    return tell
