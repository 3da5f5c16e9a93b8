"""`gate promote` and `gate history`: what becomes of a run that was judged."""

import os
import sys
from pathlib import Path

import click

from gate.commands.options import with_json
from gate.console import say
from gate.entry import this_day


@click.command(short_help="Make a candidate the baseline, and write down why it may be.")
@click.argument("candidate")
@click.argument("baseline")
@click.option("--report", metavar="FILE", help="The JSON report of the run that judged CANDIDATE.")
@click.option("--force", is_flag=True, help="Promote what was blocked, or what no report speaks of; needs --reason.")
@click.option("--reason", metavar="TEXT", help="Why it is forced: it stands in the file beside the baseline.")
@click.option("--commit", metavar="SHA", help="What CANDIDATE is of.  [default: GITHUB_SHA, or HEAD]")
def promote(
    candidate: str, baseline: str, *, report: str | None, force: bool, reason: str | None, commit: str | None
) -> None:
    """Make CANDIDATE the BASELINE, and write down beside it what it was judged.

    A candidate that was blocked, or that no report speaks of, needs --force and --reason.
    """
    from gate import promoting as room  # noqa: PLC0415  # only this command needs it
    from gate.commits import commit_of  # noqa: PLC0415

    question = room.Question(
        candidate, baseline, report, room.forced_by(reason, force=force), commit_of(commit, os.environ, Path.cwd())
    )
    done = room.promote(question, os.environ, this_day())
    say(sys.stdout, room.render_text(done))


@click.group(short_help="Keep a line of every run: trends, and slow decline.")
def history() -> None:
    """Keep a line of every run: for trends, and to see small steps add up."""


@history.command()
@click.argument("report", metavar="REPORT.JSON")
@click.option("--to", required=True, metavar="FILE", help="The history, JSONL; made where there is none.")
@click.option("--commit", metavar="SHA", help="What was judged.  [default: GITHUB_SHA, or HEAD]")
@click.option("--promoted", is_flag=True, help="The candidate became the baseline.")
def add(report: str, to: str, *, commit: str | None, promoted: bool) -> None:
    """Add the run that a JSON report tells of."""
    from gate import recording as room  # noqa: PLC0415  # only this command needs it
    from gate.commits import commit_of  # noqa: PLC0415

    added = room.add(report, to, commit_of(commit, os.environ, Path.cwd()), this_day(), promoted=promoted)
    say(sys.stdout, room.render_added(added))


@history.command()
@click.argument("file", metavar="HISTORY")
@with_json
def show(file: str, *, as_json: bool) -> None:
    """Print the runs of a history, and how each metric went."""
    from gate import recording as room  # noqa: PLC0415  # only this command needs it
    from gate.history.file import read_history  # noqa: PLC0415

    runs = read_history(file)
    say(sys.stdout, room.render_json(runs) if as_json else room.render_text(runs))
