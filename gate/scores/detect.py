"""Which reader a file is for: told by its content, never by its name."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Protocol

from gate.errors import ScoreFileError
from gate.scores.archive import open_archive
from gate.scores.content import Kind, ScoreFile
from gate.scores.delimited import iter_rows
from gate.scores.first_record import Container, FirstRecord
from gate.scores.markup import root_of
from gate.scores.parquet_file import column_tree
from gate.scores.quoting import did_you_mean, quote
from gate.scores.records import iter_lines
from gate.scores.refusals import refuse_archive, refuse_summary
from gate.scores.roles import ID_NAMES, INPUTS_NAMES, guess
from gate.scores.strict_json import parse_document, starts_whole, walk_array

_REPORT = "gate_report"


class Signed(Protocol):
    """Whatever reads files of one format, and knows them."""

    def matches(self, first: FirstRecord) -> bool:
        """Whether the first record carries the format's signature."""


def detect(file: ScoreFile, readers: Mapping[str, Signed], format_name: str | None) -> str:
    """The name of the file's reader: the format that the user names, or the one whose signature its content carries.

    A tool's signature goes before a plain container's. A report of the gate is one, whatever format is named: that is
    meant for the files that the other tool wrote.

    Raises:
        ScoreFileError: where the name is unknown, the file is an aggregate or a foreign tool's, or none or several
            signatures match.
    """
    if format_name is not None:
        known = _known(format_name, readers, file)
        return _REPORT if is_report(file, readers) else known
    views = _views(file)
    for first in views:
        refuse_summary(first, file.place())
    names = [name for name, reader in readers.items() if any(reader.matches(first) for first in views)]
    tools = [name for name in names if name not in list(Container)]
    candidates = tools or names
    if len(candidates) == 1:
        return candidates[0]
    if file.kind is Kind.ZIP and not candidates:
        refuse_archive(views[0].fields.keys(), file.place())
    raise ScoreFileError(
        f"the file can be read in several ways: {', '.join(candidates)}"
        if candidates
        else "the file's content matches no format that this version reads",
        where=file.place(),
        remedy="say which format it has, e.g. format: "
        + (candidates[-1] if candidates else f"{_plain(readers)}; there are {', '.join(readers)}"),
    )


def is_report(file: ScoreFile, readers: Mapping[str, Signed]) -> bool:
    """Whether the gate wrote it; what cannot be looked through is no report, and is refused where it is read."""
    if _REPORT not in readers or file.kind is not Kind.TEXT or file.first != "{":
        return False
    with suppress(ScoreFileError):
        return any(readers[_REPORT].matches(first) for first in _views(file))
    return False


def _plain(readers: Mapping[str, Signed]) -> str:
    """The likeliest format of a file that no tool wrote."""
    return Container.CSV if Container.CSV in readers else next(iter(readers))


def _known(name: str, readers: Mapping[str, Signed], file: ScoreFile) -> str:
    if name not in readers:
        raise ScoreFileError(
            f"there is no format {quote(name)}{did_you_mean(name, readers)}",
            where=file.place(),
            remedy=f"name one of {', '.join(readers)}",
        )
    return name


def _views(file: ScoreFile) -> list[FirstRecord]:
    """What the file's first record looks like; two views where it can be seen in two ways."""
    match file.kind, file.first:
        case Kind.ZIP, _:
            with open_archive(file) as archive:
                return [FirstRecord(Container.ZIP, dict.fromkeys(archive.names))]
        case Kind.PARQUET, _:
            return [FirstRecord(Container.PARQUET, column_tree(file))]
        case _, "<":
            root = root_of(file)
            return [FirstRecord(Container.XML, {root.name: root.attributes})]
        case _, "[":
            first = next(walk_array(file.text(), file), None)
            record = first.value if first is not None else None
            return [FirstRecord(Container.JSON, record if isinstance(record, dict) else {})]
        case _, "{":
            return _views_of_objects(file)
    header = next(iter_rows(file, doubled=True), None)
    return [FirstRecord(Container.CSV, dict.fromkeys(header.fields, "") if header is not None else {})]


def _views_of_objects(file: ScoreFile) -> list[FirstRecord]:
    lines = (line for line in file.raw_lines() if not line.isspace())
    if starts_whole(_first_of(lines)):
        several = next(lines, None) is not None
        record = next(iter_lines(file)).record
        if several:
            return [FirstRecord(Container.JSONL, record)]
        return _views_of_one_line(record)
    whole = parse_document(file)
    return [FirstRecord(Container.JSON, whole if isinstance(whole, dict) else {}, is_map=True)]


def _first_of(lines: Iterator[bytes]) -> bytes:
    """The first line; none where it is too long for a record: a whole document may stand on one."""
    try:
        return next(lines, b"")
    except ScoreFileError:
        return b""


def _views_of_one_line(record: Mapping[str, object]) -> list[FirstRecord]:
    """One object on one line: a row of JSON Lines, a map from ids to scores, or, where it can be either, both."""
    row, whole = FirstRecord(Container.JSONL, record), FirstRecord(Container.JSON, record, is_map=True)
    is_row = guess([*ID_NAMES, *INPUTS_NAMES], list(record)) is not None
    is_map = all(isinstance(value, int | float | dict | None) for value in record.values())
    if is_row:
        return [row, whole] if is_map else [row]
    return [whole]
