"""What is the text of a record: of a JSON value, or of a row."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.contamination.decoding import printable
from gate.contamination.documents import Fields
from gate.errors import CorpusError, Place

TEXT_FIELDS = ("text", "content")
PART_FIELDS = ("question", "prompt", "instruction", "input", "answer", "completion", "response", "output")
ID_FIELD = "id"


class Record(NamedTuple):
    """A record's text, and its own id where it has one."""

    text: str
    id: str | None


class UnreadableRecordError(ValueError):
    """A record without text; whoever reads it knows where it stands.

    Attributes:
        what: what is wrong.
        remedy: what to do about it.
    """

    def __init__(self, what: str, *, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy

    def at(self, where: Place) -> CorpusError:
        """The same with its place."""
        return CorpusError(self.what, where=where, remedy=self.remedy)


class RecordReader:
    """Takes the text and the id out of records, all by the same fields."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._id = fields.id or ID_FIELD
        # most records hold their text in one field, and this is asked of every record of a corpus
        self._first = fields.text[0] if len(fields.text) == 1 else "" if fields.text else TEXT_FIELDS[0]

    def read(self, value: object) -> Record:
        """The text of one value: a string itself, or an object's fields.

        Where no fields were asked for it is ``text``, else ``content``; else all of ``question``, ``prompt``,
        ``instruction``, ``input``, ``answer``, ``completion``, ``response`` and ``output`` that are there, one under
        the other, as a model would be trained on them. Only what is a string counts.

        Raises:
            UnreadableRecordError: where there is no such field.
        """
        if isinstance(value, str):
            return Record(value, None)
        if not isinstance(value, dict):
            raise UnreadableRecordError(
                "the record is neither a text nor an object",
                remedy='write each record as "the text" or as {"text": "the text"}',
            )
        text = value.get(self._first)
        if not isinstance(text, str):
            text = self._text(value)
        identity = value.get(self._id)
        if identity is None and self._fields.id is not None:
            identity = next(values_at(value, self._id), None)
        return Record(text, None if identity is None else _id(identity))

    def _text(self, record: Mapping[str, object]) -> str:
        if self._fields.text:
            parts = [part for path in self._fields.text for part in values_at(record, path) if isinstance(part, str)]
        else:
            parts = usual_parts(record)
        if parts:
            return "\n".join(parts)
        asked = self._fields.text or TEXT_FIELDS + PART_FIELDS
        raise UnreadableRecordError(
            "the record has no text",
            remedy=f"give its text in the field {asked[0]!r}, or name the field that holds it; read are "
            f"{', '.join(map(printable, asked))}",
        )


def usual_parts(record: Mapping[str, object]) -> list[str]:
    """The texts of a record in the fields where text usually stands."""
    for field in TEXT_FIELDS:
        value = record.get(field)
        if isinstance(value, str):
            return [value]
    return [value for field in PART_FIELDS if isinstance(value := record.get(field), str)]


def values_at(value: object, path: str) -> Iterator[object]:
    """What stands at a dotted path; a name that holds dots itself goes first, and lists are walked through."""
    # a list of what is still to be looked through, not calls: lists may lie in each other deeper than calls can
    waiting = [(value, path)]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, list):
            waiting.extend((element, path) for element in reversed(value))
        elif isinstance(value, dict) and path in value:
            found = value[path]
            yield from found if isinstance(found, list) else [found]
        elif isinstance(value, dict):
            head, _, rest = path.partition(".")
            if rest and head in value:
                waiting.append((value[head], rest))


def parse_json(text: str, where: Place) -> object:
    """The value that ``text`` stands for.

    Raises:
        CorpusError: where it is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        if isinstance(fault, json.JSONDecodeError) and where.line is None:
            where = where._replace(line=fault.lineno)
        what = fault.msg if isinstance(fault, json.JSONDecodeError) else "a number or a nesting too large"
        raise CorpusError(
            f"this is not JSON that can be read: {what}",
            where=where,
            remedy="write one JSON value a line in .jsonl, one value in .json, or give the text as .txt",
        ) from fault


def _id(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return printable(str(value))
