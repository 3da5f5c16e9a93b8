"""A sample of a format made into what nobody meant: in its structure, in its words or in its bytes.

What has structure is mostly damaged there, since a reader gets no further than the parser in what is no JSON at all.
"""

import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pyarrow as pa
import yaml
from pyarrow import parquet

DEEP = "[" * 50_000
# json.dumps would not write it
_DEEP_MARK = "deep!"
_ODD_VALUES: Sequence[object] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e308, float("nan"), float("inf"), 10**400, 2**63, 1.0000000000000002),
    *("", " ", "0", "1", "NaN", "1e400", "-0", "true", "null", "1,5", "\ud800", "\u2028", "\0", "\u202e", "a\nb"),
    *("x" * 3000, "../../etc/passwd", "error", "timeout", "2026-13-45", "{}", "[1]", "=1+1", _DEEP_MARK),
    *([], {}, [None], [[]], {"": ""}, [0, "a", None], {"a": {"b": [1]}}, ["x"] * 50, {"score": 1}),
)
_ODD_WORDS: Sequence[bytes] = (
    *(b"NaN", b"-inf", b"-0.0", b"1e400", b"9" * 5000, b"null", b"true", b'""', b"''", b"~", b"{}", b"[]", b"\x00"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"\xe2\x80\xa8", b"\r", b"\n", b"\t", b"\x1b[31m"),
    *(b"&a [*a]", b"*a", b"<<: *a", b"!!python/object:os.system x", b"!!binary x", b"---", b"? [a]: b", b"%YAML 9.9"),
    *(b'<!DOCTYPE x [<!ENTITY a "b">]>', b"&a;", b"&#0;", b"<![CDATA[", b"]]>", b"-->", b"<?xml version='9'?>"),
    *(b'"', b"'", b",", b";", b"|", b":", b"#", b"@", b"`", b"PK\x03\x04", b"\x1f\x8b\x08", b"(\xb5/\xfd", b"PAR1"),
    *(b"2026-01-01", b"0x10", b"1_0", b"0o7", b"12:30:45", b"1" + b"0" * 99),
    *(DEEP.encode(), b'{"a":' * 5000, b"- " * 2000),
)
_WORD = re.compile(rb"[^\s\"'<>:,={}\[\]]+")
_YAML = re.compile(rb"^(version:|- )", re.MULTILINE)
_MOST_WORDS = 20_000
_FEW = 0.02


def mutated(data: bytes, chance: Random, others: Sequence[bytes] = ()) -> bytes:
    """The data changed in one to four places.

    Args:
        data: a sample.
        chance: what all choices come from.
        others: other samples, pieces of which may get in.
    """
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        ways = [*_structured(data), _word, _word, _lines, _bytes]
        if others:
            ways.append(lambda text, chance: _spliced(text, chance.choice(others), chance))
        data = chance.choice(ways)(data, chance)
    return gzip.compress(data, mtime=0) if chance.random() < 0.01 else data


_Way = Callable[[bytes, Random], bytes]


def _structured(data: bytes) -> Iterator[_Way]:
    start = data[:400].lstrip()[:1]
    if data.startswith(b"PK\x03\x04"):
        yield from (_member,) * 6
    elif data.startswith(b"PAR1"):
        yield from (_table,) * 8
    elif start in {b"{", b"["}:
        yield from (_json,) * 8
    elif _YAML.search(data):
        yield from (_yaml,) * 8
    elif b"," in data[:400] and start != b"<":
        yield from (_cell,) * 4


def _json(data: bytes, chance: Random) -> bytes:
    """One value of a document, or of one line of several."""
    try:
        return _dumped(_changed(json.loads(data), chance), chance)
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        lines[place] = _dumped(_changed(json.loads(lines[place]), chance), chance)
    except (ValueError, RecursionError):
        return _word(data, chance)
    return b"\n".join(lines)


def _yaml(data: bytes, chance: Random) -> bytes:
    """One value of a document, written as JSON, which is YAML too."""
    try:
        return _dumped(_changed(yaml.load(data, yaml.CSafeLoader), chance), chance)
    except (ValueError, TypeError, RecursionError, yaml.YAMLError):
        return _word(data, chance)


def _dumped(value: object, chance: Random) -> bytes:
    text = json.dumps(value, ensure_ascii=chance.random() < 0.9)
    return text.replace(f'"{_DEEP_MARK}"', DEEP).encode("utf-8", "surrogatepass")


def _changed(value: Any, chance: Random) -> Any:
    places = list(_places(value))
    if not places or chance.random() < _FEW:
        return chance.choice(_ODD_VALUES)
    holder, key = chance.choice(places)
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1:
            other, its = chance.choice(places)
            # a copy: what holds itself could not be written
            holder[key] = json.loads(json.dumps(other[its]))
        case 2 if isinstance(holder, dict):
            holder[chance.choice([f"{key}2", str(key).upper(), "", "id", "score", "\ud800"])] = holder.pop(key)
        case 3:
            holder[key] = [holder[key]] if chance.random() < 0.5 else {"a": holder[key]}
        case 4 if isinstance(holder[key], list) and holder[key]:
            holder[key] = holder[key] * chance.choice([0, 2, 30])
        case _:
            holder[key] = chance.choice(_ODD_VALUES)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _cell(data: bytes, chance: Random) -> bytes:
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8", "surrogateescape"), newline=""), strict=True))
    except csv.Error:
        return _word(data, chance)
    row = chance.choice(rows[:1] if chance.random() < 0.3 else rows)
    if row:
        odd = chance.choice(_ODD_VALUES)
        row[chance.randrange(len(row))] = odd if isinstance(odd, str) else json.dumps(odd)
    if chance.random() < 0.2:
        del row[chance.randrange(len(row) + 1) :]
    written = io.StringIO()
    csv.writer(written, lineterminator=chance.choice(["\n", "\r\n"])).writerows(rows)
    return written.getvalue().encode("utf-8", "surrogatepass" if "\ud800" in written.getvalue() else "surrogateescape")


def _member(data: bytes, chance: Random) -> bytes:
    """One member of an archive, which stays one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info, archive.read(info)) for info in archive.infolist()]
    except Exception:  # an archive that was damaged before may raise anything
        return _bytes(data, chance)
    place = chance.randrange(len(members) or 1)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for index, (info, content) in enumerate(members):
            odd = chance.choice(["../x.json", "samples/x.json", "", "a" * 300])
            name = odd if chance.random() < _FEW else info.filename
            archive.writestr(name, mutated(content, chance) if index == place else content)
    return written.getvalue()


def _table(data: bytes, chance: Random) -> bytes:
    """One value of a Parquet file, or one name of a column."""
    try:
        rows = json.loads(json.dumps(parquet.read_table(io.BytesIO(data)).to_pylist()))
        table = pa.Table.from_pylist(json.loads(json.dumps(_changed(rows, chance))))
        written = io.BytesIO()
        parquet.write_table(table, written)
    except (
        Exception
    ):  # one that was damaged before may raise anything, and not all that can be written in JSON is a table
        return _bytes(data, chance)
    return written.getvalue()


def _word(data: bytes, chance: Random) -> bytes:
    words = [match.span() for match, _ in zip(_WORD.finditer(data), range(_MOST_WORDS), strict=False)]
    start, end = chance.choice(words) if words else (0, 0)
    odd = chance.choice(_ODD_WORDS)
    return data[:start] + odd + data[end if chance.random() < 0.7 else start :]


def _lines(data: bytes, chance: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = b"  " + lines[one] if chance.random() < 0.5 else lines[one].lstrip()
    return b"\n".join(lines)


def _bytes(data: bytes, chance: Random) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    match chance.randrange(4):
        case 0:
            return data[:start]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:end] + data[start:]
        case _:
            flipped = bytearray(data)
            for place in range(start, min(end, start + 3)):
                flipped[place] ^= 1 << chance.randrange(8)
            return bytes(flipped)


def _spliced(data: bytes, other: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]
