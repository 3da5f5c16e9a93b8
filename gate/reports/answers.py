"""What the answers of commands share: harmless lines, folded notes, columns of figures, JSON."""

import dataclasses
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gate.json_text import dump
from gate.reports.drawing import align_columns
from gate.reports.escape import terminal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

WIDTH = 80


def render_json(answer: "DataclassInstance") -> str:
    """An answer's fields as JSON; the same answer gives the same bytes."""
    return dump(dataclasses.asdict(answer), indent=2) + "\n"


def render_lines(lines: Iterable[str]) -> str:
    """The lines as a terminal or a log may have them: nothing foreign in them acts."""
    return "".join(f"{terminal(line)}\n" for line in lines)


def fold(sentence: str, label: str = "note", *, margin: int = 0) -> list[str]:
    """The sentence in lines of at most 80 characters, behind a label that takes ``margin`` characters or its own."""
    start = f"{label:<{margin}}  "
    return textwrap.wrap(
        sentence, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False
    )


def align_figures(columns: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The rows of a table, each column, of which the first cell is the head, to the right."""
    return align_columns([[cell.rjust(max(map(len, column))) for cell in column] for column in columns])
