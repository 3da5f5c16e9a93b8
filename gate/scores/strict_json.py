"""JSON as scores need it: no key twice, faults told with their line, arrays and objects walked entry by entry."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from typing import NamedTuple

import jiter

from gate.errors import ScoreFileError
from gate.interrupts import acted_on_at_once
from gate.scores.content import ScoreFile
from gate.scores.quoting import quote

_SPACE = re.compile(r"[ \t\n\r]*")
_CUT_SHORT = "; the file was probably cut short"
_TOO_DEEP = ("the value is nested too deeply", "write the fields that matter without their nesting")
# Nested no deeper than this, a value can be written again, to name an item by it, on every Python that gate runs on.
MOST_NESTED = 500
_WHOLE = "json"
# Takes the parser, which hears no signal meanwhile, a second or more.
_LARGE = 16 << 20
_REMEDY = "write the file again and check that the step that writes it runs to its end"


class Entry(NamedTuple):
    """One element of a JSON array or one entry of a JSON object (key "" in an array), with the line it starts on."""

    line: int
    key: str
    value: object


class _DoubledKeyError(ValueError):
    """A key stands twice in one object."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) != len(pairs):
        doubled = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _DoubledKeyError(f"the key {quote(doubled)} stands twice in one object")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def parse_line(raw: bytes, file: ScoreFile, line: int, *, last: bool) -> object:
    """The JSON value on one line.

    Args:
        raw: the line's bytes.
        file: named in errors.
        line: its number.
        last: nothing follows it, so that a broken value means a file cut short.

    Raises:
        ScoreFileError: where it is not one JSON value.
    """
    try:
        return parse_fast(raw)
    except ValueError:
        return _parse_slowly(raw, file, line, last=last)


def _parse_slowly(raw: bytes, file: ScoreFile, line: int, *, last: bool) -> object:
    """The same of a line that the fast parser refuses: what is wrong with it, if anything is."""
    text = file.decode(raw, line)
    try:
        return decode(text)
    except json.JSONDecodeError as fault:
        what = f"the line is not valid JSON ({fault.msg.lower()}: column {fault.colno})"
        raise ScoreFileError(
            what + (_CUT_SHORT if last else ""),
            where=file.place(line),
            remedy=_REMEDY if last else "each line must hold one whole JSON object",
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise _refused(fault, file, line) from fault


def parse_fast(raw: bytes) -> object:
    """The JSON value in these bytes, no key twice; ValueError where ``decode`` must tell what is wrong.

    It also takes what this one refuses without need: half surrogate pairs, and nesting that is not too deep.
    """
    with acted_on_at_once() if len(raw) > _LARGE else nullcontext():
        return jiter.from_json(raw, catch_duplicate_keys=True, cache_mode="keys")


def decode(text: str) -> object:
    """The JSON value that is the whole text, no key twice.

    Raises:
        ValueError: where it is none.
        RecursionError: where it is nested too deeply.
    """
    value = _DECODER.decode(text)
    _require_shallow(value, text.count("[") + text.count("{"))
    return value


def _require_shallow(value: object, brackets: int) -> None:
    """Raise RecursionError at a value that is nested deeper than MOST_NESTED; so many brackets open in its text."""
    level: list[object] = [value] if brackets > MOST_NESTED else []
    for _ in range(MOST_NESTED):
        inner = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [each for values in inner for each in values if isinstance(each, dict | list)]
    if level:
        raise RecursionError


def parse_document(file: ScoreFile) -> object:
    """The JSON value that is the whole file; ScoreFileError at the first fault in it."""
    if _WHOLE not in file.parsed:
        file.parsed[_WHOLE] = _parse_whole(file)
    return file.parsed[_WHOLE]


def _parse_whole(file: ScoreFile) -> object:
    with suppress(ValueError):
        return parse_fast(file.document())
    text = file.text()
    if file.first == "{":
        return {entry.key: entry.value for entry in walk_object(text, file)}
    return [entry.value for entry in walk_array(text, file)]


def starts_whole(raw: bytes) -> bool:
    """Whether the bytes are one whole JSON value, so that a file whose first line they are can be JSON Lines."""
    try:
        parse_fast(raw)
    except ValueError:
        return _is_whole(raw.decode("utf-8", "replace"))
    return True


def _is_whole(text: str) -> bool:
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return True


def canonical(value: object) -> str:
    """The value as one JSON text that does not depend on the order of keys.

    Raises:
        ScoreFileError: where it is nested too deeply.
    """
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except RecursionError as fault:
        raise ScoreFileError(_TOO_DEEP[0], remedy=_TOO_DEEP[1]) from fault


def as_object(value: object) -> Mapping[str, object]:
    """The value where it is an object, else an empty one: for what a file may tell, and need not."""
    return value if isinstance(value, dict) else {}


def walk_array(text: str, file: ScoreFile) -> Iterator[Entry]:
    """The elements of the array that is the whole text, one by one; ScoreFileError at the first fault."""
    walk = _Walk(text, file)
    yield from walk.entries("]", keyed=False)


def walk_object(text: str, file: ScoreFile) -> Iterator[Entry]:
    """The entries of the object that is the whole text, one by one; ScoreFileError at the first fault."""
    walk = _Walk(text, file)
    seen: set[str] = set()
    for entry in walk.entries("}", keyed=True):
        if entry.key in seen:
            raise _refused(_DoubledKeyError(f"the key {quote(entry.key)} stands twice"), file, entry.line)
        seen.add(entry.key)
        yield entry


class _Walk:
    """A position in a JSON text that moves over one array or object, and the line it is on."""

    def __init__(self, text: str, file: ScoreFile) -> None:
        self._text = text
        self._file = file
        self._at = 0
        self._line = 1

    def entries(self, closing: str, *, keyed: bool) -> Iterator[Entry]:
        self._skip()
        self._move(self._at + 1)
        self._skip()
        while self._peek() != closing:
            line = self._line
            key = self._key() if keyed else ""
            yield Entry(line, key, self._value())
            self._skip()
            if self._peek() == closing:
                break
            self._expect(",")
            if self._peek() == closing:
                raise self._fault("a comma stands before the closing bracket")
        self._move(self._at + 1)
        self._skip()
        if self._at < len(self._text):
            raise self._fault(
                "more follows after the end of the JSON value",
                "leave one JSON value in the file; if every line is an object, it is JSON Lines: format: jsonl",
            )

    def _key(self) -> str:
        if self._peek() != '"':
            raise self._fault("a key in double quotes is missing")
        key = self._value()
        self._skip()
        self._expect(":")
        return str(key)

    def _value(self) -> object:
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
            _require_shallow(value, self._text.count("[", self._at, end) + self._text.count("{", self._at, end))
        except json.JSONDecodeError as fault:
            unfinished = fault.pos >= len(self._text.rstrip()) or fault.msg.startswith("Unterminated")
            raise ScoreFileError(
                f"this is not valid JSON ({fault.msg.lower()})" + (_CUT_SHORT if unfinished else ""),
                where=self._file.place(fault.lineno),
                remedy=_REMEDY,
            ) from fault
        except (ValueError, RecursionError) as fault:
            raise _refused(fault, self._file, self._line) from fault
        self._move(end)
        return value

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise self._fault(f"a {quote(sign)} is missing")
        self._move(self._at + 1)
        self._skip()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> None:
        if found := _SPACE.match(self._text, self._at):
            self._move(found.end())

    def _move(self, to: int) -> None:
        self._line += self._text.count("\n", self._at, to)
        self._at = to

    def _fault(self, what: str, remedy: str = _REMEDY) -> ScoreFileError:
        cut = _CUT_SHORT if self._at >= len(self._text) else ""
        return ScoreFileError(
            f"this is not valid JSON ({what}){cut}", where=self._file.place(self._line), remedy=remedy
        )


def _refused(fault: Exception, file: ScoreFile, line: int) -> ScoreFileError:
    """The fault of a text that is JSON by its grammar and still not to be read."""
    if isinstance(fault, RecursionError):
        what, remedy = _TOO_DEEP
    elif isinstance(fault, _DoubledKeyError):
        what, remedy = str(fault), "write each key once; nobody can tell which of the two values is meant"
    else:
        what, remedy = "the line holds a number with thousands of digits", "write scores as plain numbers"
    return ScoreFileError(what, where=file.place(line), remedy=remedy)
