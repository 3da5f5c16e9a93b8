"""What is the text of a JSON record."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from gate.contamination.decoding import printable
from gate.errors import CorpusError, Place

TEXT_FIELDS = ("text", "content")
PART_FIELDS = ("question", "prompt", "instruction", "input", "answer", "completion", "response", "output")


class Record(NamedTuple):
    """A record's text, and its own id where it has one."""

    text: str
    id: str | None


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


def read_record(value: object, where: Place) -> Record:
    """The text of one JSON value: a string itself, or an object's field.

    Of an object it is ``text``, else ``content``; else all of ``question``, ``prompt``, ``instruction``, ``input``,
    ``answer``, ``completion``, ``response`` and ``output`` that are there, one under the other, as a model would be
    trained on them. Only fields that hold a string count.

    Raises:
        CorpusError: where there is no such field.
    """
    if isinstance(value, str):
        return Record(value, None)
    if not isinstance(value, dict):
        raise CorpusError(
            "the record is neither a text nor an object",
            where=where,
            remedy='write each record as "the text" or as {"text": "the text"}',
        )
    text = _text(value)
    if text is None:
        raise CorpusError(
            "the record has no text",
            where=where,
            remedy=f"give its text in the field {TEXT_FIELDS[0]!r}; read are {', '.join(TEXT_FIELDS + PART_FIELDS)}",
        )
    return Record(text, _id(value.get("id")))


def _text(record: Mapping[str, object]) -> str | None:
    for field in TEXT_FIELDS:
        value = record.get(field)
        if isinstance(value, str):
            return value
    parts = [value for field in PART_FIELDS if isinstance(value := record.get(field), str)]
    return "\n".join(parts) if parts else None


def _id(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return printable(str(value))
