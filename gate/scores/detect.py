"""Which reader a file is for: told by its content, never by its name."""

from collections.abc import Mapping

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.delimited import iter_rows
from gate.scores.first_record import Container, FirstRecord
from gate.scores.quoting import did_you_mean, quote
from gate.scores.reader import Reader
from gate.scores.records import iter_lines
from gate.scores.refusals import refuse_foreign
from gate.scores.roles import ID_NAMES, INPUTS_NAMES, guess
from gate.scores.strict_json import starts_whole, walk_array, walk_object


def detect(file: ScoreFile, readers: Mapping[str, Reader], format_name: str | None) -> str:
    """The name of the file's reader: the format that the user names, or the one whose signature its content carries.

    A tool's signature goes before a plain container's.

    Raises:
        ScoreFileError: where the name is unknown, the file is an aggregate or a foreign tool's, or none or several
            signatures match.
    """
    if format_name is not None:
        return _known(format_name, readers, file)
    views = _views(file)
    for first in views:
        refuse_foreign(first, file.place())
    names = [name for name, reader in readers.items() if any(reader.matches(first) for first in views)]
    tools = [name for name in names if name not in list(Container)]
    candidates = tools or names
    if len(candidates) == 1:
        return candidates[0]
    raise ScoreFileError(
        f"the file can be read in several ways: {', '.join(candidates)}"
        if candidates
        else "the file's content matches no format that this version reads",
        where=file.place(),
        remedy="say which format it has, e.g. format: "
        + (candidates[-1] if candidates else f"csv; there are {', '.join(readers)}"),
    )


def _known(name: str, readers: Mapping[str, Reader], file: ScoreFile) -> str:
    if name not in readers:
        raise ScoreFileError(
            f"there is no format {quote(name)}{did_you_mean(name, readers)}",
            where=file.place(),
            remedy=f"name one of {', '.join(readers)}",
        )
    return name


def _views(file: ScoreFile) -> list[FirstRecord]:
    """What the file's first record looks like; two views where it can be seen in two ways."""
    if file.first == "[":
        first = next(walk_array(file.text(), file), None)
        record = first.value if first is not None else None
        return [FirstRecord(Container.JSON, record if isinstance(record, dict) else {})]
    if file.first == "{":
        return _views_of_objects(file)
    header = next(iter_rows(file), None)
    return [FirstRecord(Container.CSV, dict.fromkeys(header.fields, "") if header is not None else {})]


def _views_of_objects(file: ScoreFile) -> list[FirstRecord]:
    lines = (line for line in file.lines() if not line.isspace())
    if starts_whole(next(lines, "")):
        several = next(lines, None) is not None
        record = next(iter_lines(file)).record
        if several:
            return [FirstRecord(Container.JSONL, record)]
        return _views_of_one_line(record)
    whole = {entry.key: entry.value for entry in walk_object(file.text(), file)}
    return [FirstRecord(Container.JSON, whole, is_map=True)]


def _views_of_one_line(record: Mapping[str, object]) -> list[FirstRecord]:
    """One object on one line: a row of JSON Lines, a map from ids to scores, or, where it can be either, both."""
    row, whole = FirstRecord(Container.JSONL, record), FirstRecord(Container.JSON, record, is_map=True)
    is_row = guess([*ID_NAMES, *INPUTS_NAMES], list(record)) is not None
    is_map = all(isinstance(value, int | float | dict | None) for value in record.values())
    if is_row:
        return [row, whole] if is_map else [row]
    return [whole]
