"""JSON Lines: one object per sample and line; blank lines are passed over."""

from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.model import Columns, Run, Wanted
from gate.scores.plain import read_table, read_table_items
from gate.scores.reader import Item
from gate.scores.records import iter_lines
from gate.scores.table import gather


def matches(first: FirstRecord) -> bool:
    """Whether the file holds JSON Lines."""
    return first.container is Container.JSONL


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a JSON Lines file; see ``plain``."""
    return read_table(gather(iter_lines(file), file, Container.JSONL, whole_texts=wanted.whole_texts), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions in a JSON Lines file; see ``plain``."""
    return read_table_items(gather(iter_lines(file), file, Container.JSONL), columns)
