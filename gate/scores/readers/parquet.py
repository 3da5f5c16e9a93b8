"""Parquet: a plain table, one row per sample. It needs the extra ``parquet``."""

from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.model import Columns, Run, Wanted
from gate.scores.parquet_file import iter_rows
from gate.scores.plain import read_table, read_table_items
from gate.scores.reader import Item
from gate.scores.table import gather


def matches(first: FirstRecord) -> bool:
    """Whether the file is Parquet."""
    return first.container is Container.PARQUET


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a Parquet file; see ``plain``."""
    return read_table(gather(iter_rows(file), file, Container.PARQUET, whole_texts=wanted.whole_texts), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions in a Parquet file; see ``plain``."""
    return read_table_items(gather(iter_rows(file), file, Container.PARQUET), columns)
