"""A pandas DataFrame as it was written: CSV, Parquet, or JSON by row, one object a line, or by column."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gate.errors import Place
from gate.scores import parquet_file
from gate.scores.content import Kind, ScoreFile
from gate.scores.delimited import iter_rows
from gate.scores.ids import name_part
from gate.scores.quoting import quote
from gate.scores.records import Numbered, iter_lines, iter_records
from gate.scores.strict_json import parse_document, starts_whole

_PART = "row {number}"


@dataclass(frozen=True, slots=True)
class Frame:
    """A table in a file.

    Attributes:
        file: the file.
        columns: name -> row label -> cell, where the file is one JSON object of these, which is what ``to_json`` writes
            unless it is told otherwise.
    """

    file: ScoreFile
    columns: Mapping[str, Mapping[str, object]] | None

    @property
    def part(self) -> str | None:
        """How a row is named, as in Form; None where rows stand on lines of their own."""
        return _PART if self.columns is not None or self.file.kind is Kind.PARQUET else None

    @property
    def is_typed(self) -> bool:
        """Whether a cell holds lists and objects as they are, and not as text."""
        return self.file.kind is not Kind.TEXT or self.file.first in {"[", "{"}

    def place(self, line: int, column: str) -> Place:
        """Where a cell stands: its row as ``rows`` numbers it, and its column."""
        named = f"column {quote(column)}"
        if self.part is None:
            return self.file.place(line, named)
        return self.file.place(part=f"{name_part(self.part, line)}, {named}")

    def rows(self) -> Iterator[Numbered]:
        """The rows with the line that each starts on, or its number where lines mean nothing.

        Raises:
            ScoreFileError: where the file is broken.
        """
        if self.columns is not None:
            return _rows_of(self.columns)
        if self.file.kind is Kind.PARQUET:
            return parquet_file.iter_rows(self.file)
        return iter_records(self.file) if self.is_typed else rows_of_csv(self.file)


def open_frame(file: ScoreFile) -> Frame:
    """The table in a file; ScoreFileError where its JSON is broken."""
    if file.kind is not Kind.TEXT or file.first != "{":
        return Frame(file, None)
    whole = next(iter_lines(file)).record if starts_whole(next(file.raw_lines())) else parse_document(file)
    return Frame(file, _columns_of(whole))


def is_by_column(record: Mapping[str, object]) -> bool:
    """Whether a JSON object holds a table by column."""
    return bool(record) and all(isinstance(column, dict) for column in record.values())


def _columns_of(whole: object) -> Mapping[str, Mapping[str, object]] | None:
    if not isinstance(whole, dict) or not is_by_column(whole):
        return None
    return whole


def _rows_of(columns: Mapping[str, Mapping[str, object]]) -> Iterator[Numbered]:
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    for number, label in enumerate(labels, start=1):
        yield Numbered(number, {name: column.get(label) for name, column in columns.items()})


def rows_of_csv(file: ScoreFile) -> Iterator[Numbered]:
    """The rows of a CSV file as records, by the names in its header; errors as in ``iter_rows``."""
    rows = iter_rows(file)
    header = next(rows)
    for line, fields in rows:
        yield Numbered(line, dict(zip(header.fields, fields, strict=True)))
