"""promptfoo's results one by one: in one object with its configuration (schema 2 and 3), or one on each line."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import Place, ScoreFileError
from gate.scores.cells import require_score
from gate.scores.content import LONGEST_LINE, ScoreFile
from gate.scores.model import ItemStatus
from gate.scores.quoting import quote
from gate.scores.records import iter_records
from gate.scores.strict_json import parse_document

_AGAIN = "run `promptfoo eval` again with -o naming a file that is not there yet"


class Result(NamedTuple):
    """One result.

    Attributes:
        line: its number, or its line where it has one, from 1.
        place: where it stands.
        fields: what it holds.
    """

    line: int
    place: Place
    fields: Mapping[str, object]

    def place_of(self, key: str) -> Place:
        """Where one of its fields stands."""
        return self.place._replace(part=f"{self.place.part}.{key}" if self.place.part else f'key "{key}"')

    def fault(self, key: str, what: str) -> ScoreFileError:
        """The error of a field that is not as promptfoo writes it."""
        return ScoreFileError(what, where=self.place_of(key), remedy=_AGAIN)

    def mapping(self, key: str) -> Mapping[str, object]:
        """A field that holds an object, or is not there; ScoreFileError where it holds something else."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.fault(key, f"{quote(value)} is not an object")
        return value or {}

    def score(self, key: str, value: object) -> float | ItemStatus:
        """The value of a field as a score; ScoreFileError where it is none."""
        return require_score(value, self.place_of(key))


def document_of(file: ScoreFile) -> Mapping[str, object] | None:
    """The object that is the whole file; None where a result stands on each line."""
    with file.open() as stream:
        line = stream.readline(LONGEST_LINE).decode("utf-8-sig", "replace")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = {}
    if file.first == "[" or (isinstance(record, dict) and "testIdx" in record):
        return None
    document = parse_document(file)
    return document if isinstance(document, dict) else {}


def results_of(file: ScoreFile, document: Mapping[str, object] | None) -> Iterator[Result]:
    """The results of the document, or of the lines where there is none.

    Raises:
        ScoreFileError: where they are not as promptfoo writes them.
    """
    if document is None:
        yield from (Result(line, file.place(line), record) for line, record in iter_records(file))
        return
    results = within(document, "results").get("results")
    if not isinstance(results, list):
        raise ScoreFileError("there is no list of results", where=file.place(part="results.results"), remedy=_AGAIN)
    for index, fields in enumerate(results):
        place = file.place(part=f"results.results[{index}]")
        if not isinstance(fields, dict):
            raise ScoreFileError(f"{quote(fields)} is not a result", where=place, remedy=_AGAIN)
        yield Result(index + 1, place, fields)


def within(document: object, *keys: str) -> Mapping[str, object]:
    """The object under these keys, one in another; empty where there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}
