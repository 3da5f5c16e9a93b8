"""A plain table: the raw cells of a CSV, JSON or JSON Lines file in columns."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.scores.cells import ABSENT
from gate.scores.content import ScoreFile
from gate.scores.ids import short_form
from gate.scores.records import Numbered
from gate.scores.tabulation import refuse_sparse, require_text


@dataclass(frozen=True, slots=True)
class Table:
    """The raw cells of a plain file.

    Attributes:
        file: where they come from.
        format: the reader's name.
        columns: name -> cells, each (n_rows,): text from CSV, any JSON value, or ABSENT.
        lines: (n_rows,) the line of each row.
        keys: the column with the keys of a JSON object, which are the ids there.
        notes: what a user should know of the file.
    """

    file: ScoreFile
    format: str
    columns: Mapping[str, Sequence[object]]
    lines: Sequence[int]
    keys: str | None = None
    notes: tuple[str, ...] = ()


def gather(
    records: Iterable[Numbered],
    file: ScoreFile,
    format_name: str,
    *,
    keys: str | None = None,
    whole_texts: bool = True,
) -> Table:
    """The table of these records: one column for every key that any of them has; long texts whole, or in short form.

    Raises:
        ScoreFileError: where their keys differ so much that the table would be nearly all holes.
    """
    columns: dict[str, list[object]] = {}
    lines = array("q")
    n_cells = 0
    for line, record in records:
        for name, cell in record.items():
            column = columns.get(name)
            if column is None:
                require_text(name, file)
                refuse_sparse(len(columns) + 1, len(lines), n_cells, file)
                column = columns[name] = []
            if len(column) < len(lines):
                column.extend([ABSENT] * (len(lines) - len(column)))
            column.append(cell if whole_texts or not isinstance(cell, str) else short_form(cell))
        n_cells += len(record)
        lines.append(line)
    refuse_sparse(len(columns), len(lines), n_cells, file)
    for column in columns.values():
        column.extend([ABSENT] * (len(lines) - len(column)))
    return Table(file, format_name, columns, lines, keys=keys)
