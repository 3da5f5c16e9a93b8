"""The command line: argv to a request, and nothing that knows what a gate decides."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import __version__
from gate.checks import CHECKS
from gate.entry import STDOUT, TERMINAL, Console, ReportTarget, Request, carry_out, complain, fail, printing, this_day
from gate.errors import ExitCode, UsageError, WriteError
from gate.reports import REPORTS
from gate.reports.escape import terminal
from gate.results import FailOn
from gate.scores import FORMATS
from gate.scores.model import Wanted

if TYPE_CHECKING:
    from gate.contamination import ScanProgress

_FORMS = "|".join(REPORTS)
_REDUCERS = "mean, pass@K, pass^K, majority, best, worst; may repeat"
_SHELLS = ("bash", "zsh", "fish")
_COMPLETE = "_GATE_COMPLETE"
_HELP = frozenset({"-h", "--help", "--version"})


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
@click.option("--reduce", multiple=True, metavar="HOW", help=f"What is made of an item's samples: {_REDUCERS}.")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the score files.")
@click.option("--select", metavar="NAME", help="Which of several variants in the files: a filter, a provider; or all.")
@click.option("--allow-unfinished", is_flag=True, help="Also read a run that by its own status did not end.")
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
    request = Request(fail_on=fail_on, targets=targets, command=_command(), **asked)
    console = Console(sys.stdout, sys.stderr, quiet=quiet, verbose=verbose, progress=_progress(quiet=quiet))
    return carry_out(request, console)


@cli.command()
@click.argument("file")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the file.")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="The metric to read, by name or pattern; may repeat."
)
@click.option("--select", metavar="NAME", help="Which of several variants in the file; or all.")
@click.option("--allow-unfinished", is_flag=True, help="Also read a run that by its own status did not end.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(file: str, *, format: str | None, as_json: bool, **asked: Any) -> None:  # noqa: A002  # the flag's own name
    """Print how a score file, or each task in a folder, is read: format, metrics, scale, counts, distribution."""
    from gate.descriptions import describe_path  # noqa: PLC0415  # only this command needs it

    wanted = Wanted(
        metrics=asked["metrics"],
        variant=asked["select"],
        unfinished=asked["allow_unfinished"],
        whole_texts=False,
    )
    text = describe_path(file, wanted, format_name=format, as_json=as_json)
    with printing(sys.stdout):
        sys.stdout.write(text)


@cli.command()
@click.argument("config", metavar="GATE.YML")
def validate(config: str) -> None:
    """Say whether a gate.yml is sound, and what it would do."""
    from gate.descriptions import describe_config  # noqa: PLC0415  # only this command needs it

    text = describe_config(config, this_day())
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
@click.option("--uses", metavar="TEXT", help="The action in the workflow: its repository and tag.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
def init(files: tuple[str, ...], directory: str, *, uses: str | None, force: bool) -> None:
    """Write a commented gate.yml and workflow that run on FILES: a candidate, or a baseline and a candidate."""
    from gate.starter import write_starter  # noqa: PLC0415  # only this command needs it

    written = write_starter(files, Path(directory), force=force, uses=uses)
    with printing(sys.stdout):
        sys.stdout.writelines(terminal(f"wrote {path}") + "\n" for path in written)


@cli.command()
@click.argument("pilots", nargs=-1, metavar="[PILOT [PILOT2]]")
@click.option("--p", type=float, metavar="P", help="Pass rate; with --sd the mean score, on a scale of 0 to 1.")
@click.option("--sd", type=float, metavar="SD", help="Standard deviation of scores that are not pass or fail.")
@click.option("--rho", type=float, metavar="RHO", help="Correlation of two runs' scores of an item.  [default: 0.5]")
@click.option("--n", type=int, metavar="N", help="How many items there are.  [default: the pilot's]")
@click.option("--bar", type=float, metavar="BAR", help="The bar that the mean is to prove to clear.")
@click.option("--margin", type=float, metavar="M", help="A drop that is tolerable: items that show no worse.")
@click.option("--drop", type=float, metavar="D", help="The drop to catch.  [default: 5 % of the scale]")
@click.option("--power", type=float, default=0.8, show_default=True, metavar="CHANCE", help="Chance of each statement.")
@click.option("--metric", metavar="NAME", help="The pilots' metric.")
@click.option("--reduce", metavar="HOW", help="What is made of an item's samples: pass@5, for one.")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the pilots.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def power(*, as_json: bool, **asked: Any) -> None:
    """How many items? From a PILOT run, a baseline and a candidate, or from --p, --n and --rho."""
    from gate.planning import Question, make_plan, render_json, render_text  # noqa: PLC0415  # only this command needs it

    plan = make_plan(Question(**asked))
    with printing(sys.stdout):
        sys.stdout.write(render_json(plan) if as_json else render_text(plan))


@cli.command()
@click.argument("file")
@click.argument("other", required=False)
@click.option("--config", metavar="FILE", help="gate.yml; its files give way to FILE, flags override the rest.")
@click.option("--suite", metavar="NAME", help="Which suite of gate.yml.  [default: the only one]")
@click.option("--threshold", type=float, metavar="BAR", help="The bar that the mean must prove to clear.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="The metric to judge; may repeat.")
@click.option("--reduce", multiple=True, metavar="HOW", help=f"What is made of an item's samples: {_REDUCERS}.")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the files.")
@click.option("--drop", type=float, metavar="D", help="The drop to catch.  [default: the margin, or 5 % of the scale]")
@click.option("--runs", type=int, default=500, show_default=True, metavar="N", help="Pairs of runs to simulate.")
@click.option("--rho", type=float, metavar="RHO", help="Correlation of two runs' scores of an item.  [default: 0.5]")
@click.option("--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed of every random draw.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def selfcheck(*, as_json: bool, **asked: Any) -> None:
    """How often is an unchanged run blocked, how often a drop caught? Measured on FILE; OTHER is an unchanged run."""
    from gate import selfcheck as room  # noqa: PLC0415  # only this command needs it

    measured = room.measure(room.Question(**asked), room.progress_on(sys.stderr))
    with printing(sys.stdout):
        sys.stdout.write(room.render_json(measured) if as_json else room.render_text(measured))


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--format", metavar="NAME", help="How to read the files, where their content does not tell.")
@click.option("--interval", type=click.Choice(["wald", "bootstrap"]), default="wald", help="How to make intervals.")
@click.option("--resamples", "n_resamples", type=int, default=1000, show_default=True, metavar="N", help="To draw.")
@click.option("--anchor", metavar="MODEL", help="The model whose rating is the start.  [default: the mean is]")
@click.option("--k", type=float, default=32.0, show_default=True, metavar="K", help="Elo: points at stake in a battle.")
@click.option("--start", type=float, default=1000.0, show_default=True, metavar="R", help="The rating in the middle.")
@click.option("--scale", type=float, default=400.0, show_default=True, metavar="S", help="Points for odds of 10 to 1.")
@click.option(
    "--orders", "n_orders", type=int, default=1000, show_default=True, metavar="N", help="Elo: random orders."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed of every random draw.")
@click.option("--trace", is_flag=True, help="Show the iterations of the algorithm that is taught, MM.")
@click.option("--markdown", "form", flag_value="markdown", help="Print markdown.")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
def arena(*, form: str | None, **asked: Any) -> None:
    """A leaderboard from FILES of battles: Bradley-Terry with intervals, chances to win, Elo and its orders."""
    from gate import arena as room  # noqa: PLC0415  # only this command needs it

    board = room.make_board(room.Question(**asked))
    render = {"markdown": room.render_markdown, "json": room.render_json}.get(form or "", room.render_text)
    with printing(sys.stdout):
        sys.stdout.write(render(board))


@cli.command("pass-at-k")
@click.argument("file", required=False)
@click.option("--n", type=int, metavar="N", help="How many samples one task has.")
@click.option("--c", type=int, metavar="C", help="How many of them pass.")
@click.option("--k", metavar="K", help="Which k: 5, or 1,5,10, or 1:5.")
@click.option("--explain", is_flag=True, help="List the subsets behind each figure.")
@click.option("--rate", type=float, metavar="P", help="The chance of a single sample to pass: what k of them would do.")
@click.option("--plan", is_flag=True, help="How many samples and tasks? From FILE as a pilot, or from --rate.")
@click.option("--half-width", type=float, metavar="W", help="With --plan: the half of the 95 % interval.")
@click.option("--tasks", type=int, metavar="T", help="With --plan: how many tasks there are.")
@click.option("--rho", type=float, metavar="RHO", help="With --plan: correlation of a task's samples.  [default: 0.5]")
@click.option("--metric", metavar="NAME", help="The file's metric: 1 where a sample passes, 0 where it does not.")
@click.option("--select", metavar="NAME", help="Which of several variants in the file.")
@click.option("--format", type=click.Choice(list(FORMATS)), help="How to read the file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def pass_at_k(*, as_json: bool, **asked: Any) -> None:
    """pass@k of one task (--n, --c), of a results FILE over k, or of a known rate; and what it takes to measure it."""
    from gate import pass_at_k as room  # noqa: PLC0415  # only this command needs it

    answer = room.answer(room.Question(**asked))
    with printing(sys.stdout):
        sys.stdout.write(room.render_json(answer) if as_json else room.render_text(answer))


@cli.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print the completion script: `eval "$(gate completion bash)"`."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415  # only this command needs it

    complete = get_completion_class(shell)
    if complete is not None:
        with printing(sys.stdout):
            sys.stdout.write(complete(cli, {}, "gate", _COMPLETE).source() + "\n")


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
    given: dict[str, list[str]] = {"baseline": [], "candidate": [], "config": [], "corpus": [], "report": []}
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
        baseline=last.get("baseline"),
        candidate=last.get("candidate"),
        corpus=tuple(given["corpus"]),
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
            pass
    except WriteError as error:
        return error
    return fault


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
