"""Commands that hand their arguments to the room that answers, and print what it says."""

import sys
from pathlib import Path
from typing import Any

import click

from gate.checks import CHECKS
from gate.commands.options import (
    with_format,
    with_json,
    with_metrics,
    with_reduce,
    with_rho,
    with_seed,
    with_threshold,
    with_unfinished,
)
from gate.console import say
from gate.entry import this_day
from gate.reports.answers import render_lines
from gate.scores import FORMATS
from gate.scores.model import Wanted


@click.command(
    short_help="Print how a score file, or a folder of them, is read.", epilog=f"Formats: {', '.join(FORMATS)}."
)
@click.argument("file")
@click.option(
    "--format", type=click.Choice(list(FORMATS)), metavar="NAME", help="How to read the file: one of the formats below."
)
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="The metric to read, by name or pattern; may repeat."
)
@click.option("--select", metavar="NAME", help="Which of several variants in the file; or all.")
@with_unfinished
@with_json
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
    say(sys.stdout, text)


@click.command()
@click.argument("config", metavar="GATE.YML")
def validate(config: str) -> None:
    """Say whether a gate.yml is sound, and what it would do."""
    from gate.descriptions import describe_config  # noqa: PLC0415  # only this command needs it

    text = describe_config(config, this_day())
    say(sys.stdout, text)


@click.command(short_help="Say what a check asks, its options, and what to do.")
@click.argument("name", metavar="CHECK", type=click.Choice(list(CHECKS)))
def explain(name: str) -> None:
    """Say what a check asks, its options, and what to do when it fails."""
    from gate.descriptions import explain_check  # noqa: PLC0415  # only this command needs it

    say(sys.stdout, explain_check(name))


@click.command(short_help="Write a commented gate.yml and workflow for your files.")
@click.argument("files", nargs=-1, required=True)
@click.option("--directory", default=".", metavar="DIR", help="Where to write gate.yml.  [default: here]")
@click.option("--uses", metavar="TEXT", help="The action in the workflow: its repository and tag.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
def init(files: tuple[str, ...], directory: str, *, uses: str | None, force: bool) -> None:
    """Write a commented gate.yml and workflow that run on FILES: a candidate, or a baseline and a candidate.

    The workflow goes to the root of the repository, where GitHub looks for it.
    """
    from gate.starter import write_starter  # noqa: PLC0415  # only this command needs it

    written = write_starter(files, Path(directory), force=force, uses=uses)
    say(sys.stdout, render_lines(f"wrote {path}" for path in written))


@click.command(short_help="How many items does it take to see a drop?")
@click.argument("pilots", nargs=-1, metavar="[PILOT [PILOT2]]")
@click.option("--p", type=float, metavar="P", help="Pass rate; with --sd the mean score, on a scale of 0 to 1.")
@click.option("--sd", type=float, metavar="SD", help="Standard deviation of scores that are not pass or fail.")
@with_rho
@click.option("--n", type=int, metavar="N", help="How many items there are.  [default: the pilot's]")
@click.option("--bar", type=float, metavar="BAR", help="The bar that the mean is to prove to clear.")
@click.option("--margin", type=float, metavar="M", help="A drop that is tolerable: items that show no worse.")
@click.option("--drop", type=float, metavar="D", help="The drop to catch.  [default: 5 % of the scale]")
@click.option("--power", type=float, default=0.8, show_default=True, metavar="CHANCE", help="Chance of each statement.")
@click.option("--metric", metavar="NAME", help="The pilots' metric.")
@click.option("--reduce", metavar="HOW", help="What is made of an item's samples: pass@5, for one.")
@with_format("pilots")
@with_json
def power(*, as_json: bool, **asked: Any) -> None:
    """How many items? From a PILOT run, a baseline and a candidate, or from --p, --n and --rho."""
    from gate.planning import Question, make_plan, render_json, render_text  # noqa: PLC0415  # only this command needs it

    plan = make_plan(Question(**asked))
    say(sys.stdout, render_json(plan) if as_json else render_text(plan))


@click.command(short_help="How often is an unchanged run blocked, a drop caught?")
@click.argument("file")
@click.argument("other", required=False)
@click.option("--config", metavar="FILE", help="gate.yml; its files give way to FILE, flags override the rest.")
@click.option("--suite", metavar="NAME", help="Which suite of gate.yml.  [default: the only one]")
@with_threshold
@with_metrics
@with_reduce
@with_format("files")
@click.option("--drop", type=float, metavar="D", help="The drop to catch.  [default: the margin, or 5 % of the scale]")
@click.option("--runs", type=int, default=500, show_default=True, metavar="N", help="Pairs of runs to simulate.")
@with_rho
@with_seed
@with_json
def selfcheck(*, as_json: bool, **asked: Any) -> None:
    """How often is an unchanged run blocked, how often a drop caught? Measured on FILE; OTHER is an unchanged run."""
    from gate import selfcheck as room  # noqa: PLC0415  # only this command needs it

    measured = room.measure(room.Question(**asked), room.progress_on(sys.stderr))
    say(sys.stdout, room.render_json(measured) if as_json else room.render_text(measured))


@click.command(short_help="A leaderboard of models from files of battles.")
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
@with_seed
@click.option("--trace", is_flag=True, help="Show the iterations of the algorithm that is taught, MM.")
@click.option("--markdown", "form", flag_value="markdown", help="Print markdown.")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
def arena(*, form: str | None, **asked: Any) -> None:
    """A leaderboard from FILES of battles: Bradley-Terry with intervals, chances to win, Elo and its orders."""
    from gate import arena as room  # noqa: PLC0415  # only this command needs it

    board = room.make_board(room.Question(**asked))
    render = {"markdown": room.render_markdown, "json": room.render_json}.get(form or "", room.render_text)
    say(sys.stdout, render(board))


@click.command("pass-at-k", short_help="pass@k of a task or a file, and what it takes to measure it.")
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
@with_format("file")
@with_json
def pass_at_k(*, as_json: bool, **asked: Any) -> None:
    """pass@k of one task (--n, --c), of a results FILE over k, or of a known rate; and what it takes to measure it."""
    from gate import pass_at_k as room  # noqa: PLC0415  # only this command needs it

    answer = room.answer(room.Question(**asked))
    say(sys.stdout, room.render_json(answer) if as_json else room.render_text(answer))


ROOMS = (show, validate, explain, init, power, selfcheck, arena, pass_at_k)
