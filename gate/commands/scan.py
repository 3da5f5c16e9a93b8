"""`gate scan` and `gate scan merge`: argv to a question, and what was found to standard output."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from gate.commands.options import with_format
from gate.commands.progress import progress_on
from gate.console import say
from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.contamination import Scan

_NGRAM = click.IntRange(1, 13)
_BAR = click.FloatRange(0, 1, min_open=True)

_with_out = click.option("--out", metavar="FILE", help="Write the scan, for `gate check --scan FILE`.")
_with_bar = click.option(
    "--bar", type=_BAR, default=0.8, show_default=True, metavar="BAR", help="Overlap that is flagged."
)
_with_no_text = click.option("--no-text", is_flag=True, help="Keep the items' words out of what is written.")
_with_json = click.option("--json", "as_json", is_flag=True, help="Print the scan as JSON.")


@click.group(invoke_without_command=True, short_help="How much of the items stands in a corpus?")
@click.option("--items", metavar="FILE", help="Score file or table of questions; a .txt has one item a line.")
@click.option("--corpus", multiple=True, metavar="PATH", help="File, folder, glob or URL to search; may repeat.")
@_with_out
@click.option("--ngram", multiple=True, type=_NGRAM, metavar="N", help="Words an n-gram; may repeat.  [default: 3]")
@click.option(
    "--mode", type=click.Choice(["reference", "normalised"]), default="reference", help="What counts as a word."
)
@click.option("--text-field", multiple=True, metavar="NAME", help="Where the corpus's records have their text.")
@click.option("--id-field", metavar="NAME", help="Where they have their id.")
@click.option("--allow", metavar="FILE", help="YAML list of {text, reason}: texts that are no evidence.")
@with_format("items")
@click.option("--column", "columns", multiple=True, metavar="ROLE=NAME", help="Items' column: id, inputs or target.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", help="What reads the shards.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="How many at once.")
@click.option("--shard", metavar="I/N", help="Only the I-th of N parts, into the store.")
@click.option("--store", metavar="FOLDER", help="Keep finished shards, and take those that are there.")
@click.option("--resume", is_flag=True, help="Go on with what a scan that did not end has kept.")
@_with_bar
@_with_no_text
@_with_json
@click.option("--verbose", "-v", is_flag=True, help="Tell on standard error which kernel searches.")
@click.pass_context
def scan(context: click.Context, /, *, bar: float, as_json: bool, verbose: bool, **asked: Any) -> None:
    """How much of the items stands in a corpus? Made once where the corpus lives, read by `gate check --scan`."""
    if context.invoked_subcommand is not None:
        sources = map(context.get_parameter_source, context.params)
        if click.core.ParameterSource.COMMANDLINE in sources:
            raise UsageError("`gate scan merge` takes no options before `merge`", remedy="the stores know the rest")
        return
    if asked["items"] is None or not asked["corpus"]:
        raise UsageError("a scan needs items and a corpus", remedy="give --items FILE and --corpus PATH")
    from gate import scanning as room  # noqa: PLC0415  # only this command needs it

    if verbose:
        from gate.contamination.kernels import chosen_kernel  # noqa: PLC0415  # loaded with the room

        sys.stderr.write(f"kernel: {chosen_kernel()}\n")
    question = room.Question(**{**asked, "ngram": asked["ngram"] or (3,)})
    _tell(room.carry_out(question, sys.stderr, progress_on(sys.stderr)), bar, as_json=as_json)


@scan.command(short_help="Put together the parts of a scan.")
@click.argument("stores", nargs=-1, required=True, metavar="STORE...")
@_with_out
@_with_bar
@_with_no_text
@_with_json
def merge(stores: tuple[str, ...], *, bar: float, as_json: bool, **asked: Any) -> None:
    """Put together the parts that `gate scan --shard I/N --store STORE` has made."""
    from gate import scanning as room  # noqa: PLC0415  # only this command needs it

    _tell(room.merge(stores, **asked), bar, as_json=as_json)


def _tell(found: "Scan", bar: float, *, as_json: bool) -> None:
    from gate.contamination import render_scan  # noqa: PLC0415  # loaded with the room
    from gate.scanning import render_text  # noqa: PLC0415

    # a terminal is a person's own; a log is public, and an eval that stands there will be trained on
    quoting = sys.stdout.isatty() and not os.environ.get("CI")
    say(sys.stdout, render_scan(found) if as_json else render_text(found, bar=bar, quoting=quoting))
