"""Options that several commands have, with one meaning everywhere."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gate.scores import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_REDUCERS = "mean, pass@K, pass^K, majority, best, worst; may repeat"

with_threshold = click.option(
    "--threshold", type=float, metavar="BAR", help="The bar that the mean must prove to clear."
)
with_metrics = click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="The metric to judge; may repeat."
)
with_reduce = click.option(
    "--reduce", multiple=True, metavar="HOW", help=f"What is made of an item's samples: {_REDUCERS}."
)
with_unfinished = click.option(
    "--allow-unfinished", is_flag=True, help="Also read a run that by its own status did not end."
)
with_rho = click.option(
    "--rho", type=float, metavar="RHO", help="Correlation of two runs' scores of an item.  [default: 0.5]"
)
with_seed = click.option(
    "--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed of every random draw."
)
with_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def with_format(files: str) -> Callable[[Command], Command]:
    """The option ``--format``; its help says that ``files`` are read so."""
    told = f"How to read the {files}: a format that `gate show -h` names."
    return click.option("--format", type=click.Choice(list(FORMATS)), metavar="NAME", help=told)
