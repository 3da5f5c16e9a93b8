"""Two parsers, one meaning: what the fast one gives is what Python's own gives, and what it refuses is told."""

import json
import math
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jiter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ScoreFileError
from gate.scores import content, strict_json
from gate.scores.content import ScoreFile, open_score_file
from gate.scores.strict_json import MOST_NESTED, canonical, parse_document, parse_fast, parse_line, walk_array

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


def same(one: object, other: object) -> bool:
    """Equal, and of equal types all the way down: true is no 1 here."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)  # noqa: PLR0124  # NaN alone differs from itself


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_the_fast_parser_gives_what_python_s_gives(
    value: object, ascii_only: bool, indent: int | None
) -> None:  # drawn by position
    text = json.dumps(value, ensure_ascii=bool(ascii_only), indent=indent)
    assert same(parse_fast(text.encode("utf-8", "surrogatepass")), json.loads(text))


@given(st.floats(), st.sampled_from(["{!r}", "{:.20g}", "{:e}", "{:.0f}"]))
def test_numbers_are_read_to_the_last_bit(number: float, form: str) -> None:
    text = form.format(number).replace("inf", "Infinity").replace("nan", "NaN")
    if text == "-NaN":
        text = "NaN"
    assert same(parse_fast(text.encode()), json.loads(text))


@pytest.mark.parametrize("text", ["123456789012345678901234567890", "-0", "1E5", "-0.0", "5e-324", "2.5e-324"])
def test_numbers_at_the_borders_are_those_of_python(text: str) -> None:
    assert same(parse_fast(text.encode()), json.loads(text) + 0 if text == "-0" else json.loads(text))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], ScoreFile]:
    def open_content(content: bytes) -> ScoreFile:
        path = tmp_path / "scores"
        path.write_bytes(content)
        return open_score_file(path, "scores")

    return open_content


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a": 1, "a": 2}', 'the key "a" stands twice in one object'),
        (b'{"b": {"a": 1, "\\u0061": 2}}', 'the key "a" stands twice in one object'),
        (b'{"a": 1', "the line is not valid JSON"),
        (b'{"a": 1,}', "the line is not valid JSON"),
        (b'{"a": 01}', "the line is not valid JSON"),
        (b'{"a": "\x01"}', "the line is not valid JSON"),
        (b'{"a": 1} 2', "the line is not valid JSON"),
        (b'{"a": "\xff"}', "the line is not valid UTF-8 (byte 8 of it)"),
        (b'{"a": ' + b"9" * 5000 + b"}", "the line holds a number with thousands of digits"),
        (b"[" * 100_000, "the value is nested too deeply"),
        (b"[" * (MOST_NESTED + 1) + b"]" * (MOST_NESTED + 1), "the value is nested too deeply"),
        (b'{"a": ' * (MOST_NESTED + 1) + b"1" + b"}" * (MOST_NESTED + 1), "the value is nested too deeply"),
    ],
)
def test_what_the_fast_parser_refuses_is_told_with_its_line(
    file: Callable[[bytes], ScoreFile], line: bytes, what: str
) -> None:
    with pytest.raises(ScoreFileError) as caught:
        parse_line(line, file(b"{}"), 7, last=False)
    assert caught.value.what.startswith(what)
    assert caught.value.where is not None
    assert caught.value.where.line == 7


def test_half_a_surrogate_pair_and_deep_nesting_are_read_all_the_same(file: Callable[[bytes], ScoreFile]) -> None:
    assert parse_line(b'"\\ud800"', file(b"{}"), 1, last=False) == "\ud800"
    assert parse_line(b"[" * 300 + b"]" * 300, file(b"{}"), 1, last=False) is not None
    wide = b"[" + b"[]," * (2 * MOST_NESTED) + b'"\\ud800"]'
    assert parse_line(wide, file(b"{}"), 1, last=False) == [*[[]] * (2 * MOST_NESTED), "\ud800"]


def test_what_is_read_can_be_written_again_to_name_an_item_by_it(file: Callable[[bytes], ScoreFile]) -> None:
    deepest = "[" * MOST_NESTED + "]" * MOST_NESTED
    assert canonical(parse_line(deepest.encode(), file(b"{}"), 1, last=False)) == deepest
    (entry,) = walk_array(f"[{deepest}]", file(b"[]"))
    assert canonical(entry.value) == deepest


def test_an_element_that_is_nested_too_deeply_is_told_with_its_line(file: Callable[[bytes], ScoreFile]) -> None:
    deep = "[" * (MOST_NESTED + 1) + "]" * (MOST_NESTED + 1)
    with pytest.raises(ScoreFileError, match="the value is nested too deeply") as caught:
        list(walk_array(f"[1,\n{deep}]", file(b"[]")))
    assert caught.value.where is not None
    assert caught.value.where.line == 2


def test_infinity_and_nan_are_read_and_left_to_the_scores(file: Callable[[bytes], ScoreFile]) -> None:
    parsed = parse_line(b'{"a": NaN, "b": -Infinity}', file(b"{}"), 1, last=False)
    assert isinstance(parsed, dict)
    assert math.isnan(parsed["a"])
    assert parsed["b"] == -math.inf


@pytest.mark.parametrize(
    "content", [b'{"a": [1, 2]}', b'\xef\xbb\xbf {\n"a": [1, 2]}\n', b'{"a": [1, 2], "b": "\\ud800"}']
)
def test_a_document_is_parsed_once_for_all(file: Callable[[bytes], ScoreFile], content: bytes) -> None:
    opened = file(content)
    parsed = parse_document(opened)
    assert isinstance(parsed, dict)
    assert parsed["a"] == [1, 2]
    assert parse_document(opened) is parsed


def test_a_fault_in_a_document_is_told_with_its_line(file: Callable[[bytes], ScoreFile]) -> None:
    with pytest.raises(ScoreFileError) as caught:
        parse_document(file(b'{\n"a": 1,\n"b": oops}'))
    assert caught.value.where is not None
    assert caught.value.where.line == 3


def test_a_document_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.json"
    path.write_text('{"q1": 1, "q2": 0}', encoding="utf-8")
    file = open_score_file(path, "scores.json")
    monkeypatch.setattr(content, "LARGEST_DOCUMENT", 17)
    with pytest.raises(ScoreFileError, match="the file is one JSON value of over") as caught:
        parse_document(file)
    assert "JSON Lines" in caught.value.remedy
    monkeypatch.setattr(content, "LARGEST_DOCUMENT", 18)
    assert parse_document(file) == {"q1": 1, "q2": 0}


def test_while_a_large_value_is_parsed_signals_are_acted_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    real = jiter.from_json

    def parse(raw: bytes, **options: Any) -> object:
        heard.append(signal.getsignal(signal.SIGTERM))
        return real(raw, **options)

    monkeypatch.setattr(jiter, "from_json", parse)
    monkeypatch.setattr(strict_json, "_LARGE", 10)
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        assert parse_fast(b"[1]") == [1]
        assert parse_fast(b"[1, 2, 3, 4, 5]") == [1, 2, 3, 4, 5]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert callable(heard[0])
    assert heard[1] is signal.SIG_DFL
