"""The rows of a CSV file, each with the line that it starts on and as many fields as the header."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.content import LONGEST_LINE, ScoreFile
from gate.scores.quoting import quote, quoted_listing
from gate.scores.tabulation import refuse_wide
from gate.wording import count

_OTHER_DELIMITERS = {"\t": "tabs", ";": "semicolons"}


class Row(NamedTuple):
    """One row: the line that it starts on, counted from 1, and its fields."""

    line: int
    fields: list[str]


def iter_rows(file: ScoreFile, *, doubled: bool = False) -> Iterator[Row]:
    """The header, its names stripped of white space, then every row that is not blank.

    Args:
        file: the file.
        doubled: a name may stand twice in the header; columns are then known by their place.

    Raises:
        ScoreFileError: where the header is not one, quoting is broken, a row has too few or too many fields, or the
            last one breaks off before its last field.
    """
    with _long_fields():
        lines = _Lines(file)
        rows = _raw_rows(lines, file)
        header = next(rows, None)
        if header is None:
            return
        refuse_wide(len(header.fields), file)
        names = [name.strip() for name in header.fields]
        if not doubled:
            _refuse_doubled(names, file, header.line)
        _check_header(names, file, header.line)
        yield Row(header.line, names)
        for row in rows:
            if len(row.fields) != len(names):
                if len(row.fields) == 1 and not row.fields[0].strip():
                    continue
                raise _wrong_width(row, len(names), file)
            if not lines.ended and not row.fields[-1].strip():
                raise _cut_short(row, names[-1], file)
            yield row


class _Lines:
    """A file's lines.

    Attributes:
        ended: the latest of them ends with a line break, as all but the last do.
    """

    def __init__(self, file: ScoreFile) -> None:
        self.ended = True
        self._file = file

    def __iter__(self) -> Iterator[str]:
        for line in self._file.lines():
            self.ended = line.endswith("\n")
            yield line


def _raw_rows(lines: Iterable[str], file: ScoreFile) -> Iterator[Row]:
    reader = csv.reader(lines, strict=True)
    start = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as fault:
            raise _broken(fault, file, start) from fault
        if fields:
            yield Row(start, fields)
        start = reader.line_num + 1


def _broken(fault: csv.Error, file: ScoreFile, line: int) -> ScoreFileError:
    if "unexpected end of data" in str(fault):
        return ScoreFileError(
            "a quoted field that begins here is never closed; the file was probably cut short",
            where=file.place(line),
            remedy="write the file again and check that the step that writes it runs to its end",
        )
    # its own words for this speak to who wrote the program
    told = "a carriage return in a field without quotes" if "new-line character" in str(fault) else str(fault)
    return ScoreFileError(
        f"the row is not valid CSV ({told})",
        where=file.place(line),
        remedy='put fields with commas, quotes or line breaks in double quotes, and write a quote in one as ""',
    )


def _refuse_doubled(names: list[str], file: ScoreFile, line: int) -> None:
    doubled = [name for name, count in Counter(names).items() if count > 1 and name]
    if doubled:
        raise ScoreFileError(
            f"the header names a column twice: {quoted_listing(doubled)}",
            where=file.place(line),
            remedy="give each column a name of its own",
        )


def _check_header(names: list[str], file: ScoreFile, line: int) -> None:
    if any(_is_number(name) for name in names):
        raise ScoreFileError(
            f"the first row looks like data, not like column names: {quoted_listing(names)}",
            where=file.place(line),
            remedy="put a header with the columns' names on the first line, e.g. id,score",
        )
    if len(names) == 1:
        for delimiter, plural in _OTHER_DELIMITERS.items():
            if delimiter in names[0]:
                raise ScoreFileError(
                    f"the fields are separated by {plural}, not by commas",
                    where=file.place(line),
                    remedy="save the file with commas between fields and a point in decimal numbers",
                )


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return name.lower() not in {"nan", "inf", "infinity"}


def _wrong_width(row: Row, width: int, file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        f"the row has {count(len(row.fields), 'field')}, the header has {width}",
        where=file.place(row.line),
        remedy="put a field with a comma in it in double quotes; if this is the last row, the file was probably cut"
        " short",
        excerpt=f"the row begins with {quote(row.fields[0], 30)}",
    )


def _cut_short(row: Row, name: str, file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        "the last row breaks off before its last field, without a line break: the file was probably cut short",
        where=file.place(row.line, f"column {quote(name)}"),
        remedy="write the file again and check that the step that writes it runs to its end; if it did, end the row"
        " with a line break",
    )


@contextmanager
def _long_fields() -> Iterator[None]:
    """Fields as long as a line may be: the csv module's own limit is one for the whole process."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)
