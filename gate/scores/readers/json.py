"""JSON: an array of objects; or one object from id to score, or from id to an object of scores and other fields."""

from collections.abc import Iterator

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.model import Columns, Run, Wanted
from gate.scores.plain import read_table, read_table_items
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.records import Numbered, iter_array
from gate.scores.strict_json import walk_object
from gate.scores.table import Table, gather

_KEYS = "(key)"
_SCORE = "score"


def matches(first: FirstRecord) -> bool:
    """Whether the file is one JSON value."""
    return first.container is Container.JSON


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a JSON file; see ``plain``. The one metric of an object from id to score is ``score``."""
    return read_table(_table(file, whole_texts=wanted.whole_texts), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions in a JSON file; see ``plain``."""
    return read_table_items(_table(file), columns)


def _table(file: ScoreFile, *, whole_texts: bool = True) -> Table:
    if file.first == "{":
        return gather(_keyed(file), file, Container.JSON, keys=_KEYS, whole_texts=whole_texts)
    if file.first == "[":
        return gather(iter_array(file), file, Container.JSON, whole_texts=whole_texts)
    raise ScoreFileError(
        f"the file begins with {quote(file.first)}; JSON begins with [ or {{ here",
        where=file.place(1),
        remedy="write an array of objects, one per item, or name the format that the file has",
    )


def _keyed(file: ScoreFile) -> Iterator[Numbered]:
    """The entries of the object as rows, with the key as a column of its own."""
    kinds: set[str] = set()
    for line, key, value in walk_object(file.text(), file):
        kind = "objects" if isinstance(value, dict) else "scores"
        if value is not None:
            kinds.add(kind)
        if isinstance(value, list) or len(kinds) > 1:
            raise ScoreFileError(
                f"the value of {quote(key)} is {quote(value)}, where a score or an object of scores is expected"
                if isinstance(value, list)
                else f"the object has scores and objects as values: {quote(key)} differs from those before",
                where=file.place(line),
                remedy='write an array of rows, or one object from ids to scores, e.g. {"q1": 1, "q2": 0.5}',
            )
        row = value if isinstance(value, dict) else {_SCORE: value} if value is not None else {}
        yield Numbered(line, {**row, _KEYS: key})
