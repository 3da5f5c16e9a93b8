"""The JSON objects of a file, one by one, whether it is an array of objects or has one on each line."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.ids import as_text
from gate.scores.quoting import quote
from gate.scores.strict_json import parse_line, walk_array


class Numbered(NamedTuple):
    """A record and the line that it starts on, counted from 1."""

    line: int
    record: Mapping[str, object]


def iter_records(file: ScoreFile) -> Iterator[Numbered]:
    """The objects of a JSON array, or else of JSON Lines.

    Raises:
        ScoreFileError: where the JSON is broken, cut short, or an element is not an object.
    """
    return iter_array(file) if file.first == "[" else iter_lines(file)


def iter_array(file: ScoreFile) -> Iterator[Numbered]:
    """The objects of the JSON array that is the whole file."""
    for entry in walk_array(file.text(), file):
        yield _object(entry.value, file, entry.line)


def iter_lines(file: ScoreFile) -> Iterator[Numbered]:
    """The objects of JSON Lines; blank lines are passed over."""
    # one line of look-ahead: only a broken line that nothing follows means a file cut short
    line, waiting = 0, b""
    for number, raw in enumerate(file.raw_lines(), start=1):
        if not raw or raw.isspace():
            continue
        if waiting:
            yield _object(parse_line(waiting, file, line, last=False), file, line)
        line, waiting = number, raw
    if waiting:
        yield _object(parse_line(waiting, file, line, last=True), file, line)


def text_under(numbered: Numbered, key: str, file: ScoreFile, *, missing: str, remedy: str) -> str:
    """The text under a key that every record must have; ScoreFileError, which says ``missing``, where it has none."""
    text = as_text(numbered.record.get(key))
    if text is None:
        raise ScoreFileError(missing, where=file.place(numbered.line, f"key {quote(key)}"), remedy=remedy)
    return text


def _object(value: object, file: ScoreFile, line: int) -> Numbered:
    if not isinstance(value, dict):
        raise ScoreFileError(
            f"a JSON object is expected here, not {quote(value)}",
            where=file.place(line),
            remedy='write one object per item, e.g. {"id": "q1", "score": 1}',
        )
    return Numbered(line, value)
