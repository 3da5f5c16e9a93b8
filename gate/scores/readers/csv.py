"""CSV: a header, then a row per sample, fields separated by commas. Unnamed columns are left out."""

from array import array

from gate.scores.content import ScoreFile
from gate.scores.delimited import iter_rows
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import short_form
from gate.scores.model import Columns, Run, Wanted
from gate.scores.plain import read_table, read_table_items
from gate.scores.reader import Item
from gate.scores.roles import ID_NAMES, INPUTS_NAMES, guess
from gate.scores.table import Table
from gate.wording import count

# a column of ids would but fill the memory
_MOST_KNOWN = 1 << 16


def matches(first: FirstRecord) -> bool:
    """Whether the file has a header of two or more columns, or one that names questions or items."""
    names = list(first.fields)
    return first.container is Container.CSV and (len(names) > 1 or guess([*INPUTS_NAMES, *ID_NAMES], names) is not None)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a CSV file; see ``plain``."""
    return read_table(_table(file, whole_texts=wanted.whole_texts), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions in a CSV file; see ``plain``."""
    return read_table_items(_table(file), columns)


def _table(file: ScoreFile, *, whole_texts: bool = True) -> Table:
    rows = iter_rows(file)
    header = next(rows, None)
    names = header.fields if header is not None else []
    cells: list[list[object]] = [[] for _ in names]
    known = [_Known() for _ in names]
    lines = array("q")
    for line, fields in rows:
        lines.append(line)
        for column, same, cell in zip(cells, known, fields, strict=True):
            column.append(same[cell if whole_texts else short_form(cell)])
    columns = {name: column for name, column in zip(names, cells, strict=True) if name}
    unnamed = len(names) - len(columns)
    left_out = count(unnamed, "column without a name is", "columns without a name are")
    notes = (f"{left_out} left out",) if unnamed else ()
    return Table(file, Container.CSV, columns, lines, notes=notes)


class _Known(dict[str, str]):
    """One object for each text of a column's cells: scores are many, their values few, and cells most of the memory."""

    def __missing__(self, cell: str) -> str:
        if len(self) < _MOST_KNOWN:
            self[cell] = cell
        return cell
