import time

import pytest

from gate.config.yaml_file import Document, parse_yaml
from gate.errors import ConfigError, Place


def parse(text: str | bytes) -> Document:
    return parse_yaml(text if isinstance(text, bytes) else text.encode(), "gate.yml")


def refuse(text: str | bytes) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        parse(text)
    assert caught.value.where is not None
    assert caught.value.where.path == "gate.yml"
    return caught.value


def test_a_document_becomes_plain_data() -> None:
    text = "a: 1\nb: [x, 0.5, true, ~]\nc: {d: 'on', e: }\n"
    assert parse(text).data == {"a": 1, "b": ["x", 0.5, True, None], "c": {"d": "on", "e": None}}


def test_every_key_and_entry_keeps_its_line() -> None:
    lines = parse("# a comment\na:\n  b:\n    - c: 1\n    -\n      d: 2\n").lines
    assert lines == {
        (): 1,
        ("a",): 2,
        ("a", "b"): 3,
        ("a", "b", 0): 4,
        ("a", "b", 0, "c"): 4,
        ("a", "b", 1): 6,
        ("a", "b", 1, "d"): 6,
    }


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    assert parse(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n").data == {"a": 1, "b": 2}


@pytest.mark.parametrize("text", ["2020-01-02", "2020-99-99", "!!binary aGk="])
def test_what_looks_like_a_date_or_bytes_stays_text(text: str) -> None:
    assert parse(f"name: {text}").data == {"name": text.removeprefix("!!binary ")}


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("a: 1\nb: 2\na: 3\n", 1, "a"),
        ("suites:\n  - name: x\n    candidate: b.csv\n    candidate: c.csv\n", 3, "suites[0].candidate"),
        ("a: {b: 1, 'b': 2}\n", 1, "a.b"),
    ],
)
def test_a_key_that_stands_twice_is_an_error_at_the_first(text: str, line: int, part: str) -> None:
    error = refuse(text)
    assert error.where == Place("gate.yml", line, part)
    assert error.what == f"the key {part.rpartition('.')[2]!r} stands here twice"


def test_a_merge_fills_in_what_the_mapping_does_not_say_itself() -> None:
    text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  c: 3\n"
    assert parse(text).data == {"x": {"a": 1, "b": 1}, "y": {"b": 2, "c": 2}, "z": {"a": 1, "b": 1, "c": 3}}


def test_a_merged_key_has_the_line_where_it_is_written() -> None:
    lines = parse("x: &x\n  a: 1\n  b: 1\nz:\n  <<: *x\n  b: 2\n").lines
    assert (lines["z", "a"], lines["z", "b"]) == (2, 6)


def test_a_key_of_the_mapping_and_of_its_merge_is_no_key_twice() -> None:
    assert parse("x: &x {a: 1}\nz: {<<: *x, a: 2}\n").data == {"x": {"a": 1}, "z": {"a": 2}}


def test_a_merge_of_something_else_is_an_error() -> None:
    error = refuse("x: &x [1]\nz:\n  <<: *x\n")
    assert error.what == "`<<` merges something that is no mapping"


@pytest.mark.parametrize("key", ["[1, 2]", "{a: b}"])
def test_a_key_that_is_no_scalar_is_an_error_with_its_line(key: str) -> None:
    error = refuse(f"a: 1\n? {key}\n: 2\n")
    assert error.where == Place("gate.yml", 2)
    assert error.what == "a key here is a list or a mapping"


def bomb(bottom: str, level: str) -> str:
    """Eleven levels, each of ten times the one below."""
    levels = [f"l0: &l0 {bottom}"]
    levels += [f"l{n}: &l{n} {level.format(', '.join([f'*l{n - 1}'] * 10))}" for n in range(1, 12)]
    return "\n".join(levels)


@pytest.mark.parametrize(
    "text",
    [bomb("[x]", "[{}]"), bomb("{a: 1}", "{{<<: [{}]}}"), bomb("{}", "{{<<: [{}]}}")],
    ids=["lists", "merges", "merges of nothing"],
)
def test_an_alias_bomb_is_an_error_and_soon(text: str) -> None:
    start = time.monotonic()
    error = refuse(text)
    assert error.what == "the file stands for over 50000 values"
    assert error.remedy == "use fewer YAML aliases"
    assert time.monotonic() - start < 5


def test_very_many_keys_are_looked_through_in_no_time() -> None:
    start = time.monotonic()
    data = parse("\n".join(f"k{n}: 1" for n in range(10_000))).data
    assert isinstance(data, dict)
    assert len(data) == 10_000
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("text", ["&a [*a]", "&a {<<: *a}", "[" * 5000 + "]" * 5000, "{a: " * 3000 + "}" * 3000])
def test_endless_nesting_is_an_error(text: str) -> None:
    assert refuse(text).what == "the file is nested too deeply"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n"])
def test_an_empty_file_is_an_error_that_names_the_starter(text: str) -> None:
    error = refuse(text)
    assert error.what == "the file is empty"
    assert "gate init" in error.remedy


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("version: 1\n\tsuites: []\n", 2, "this is not YAML: found character '\\t' that cannot start any token"),
        ("version: [1\n", 2, "this is not YAML: expected ',' or ']', but got '<stream end>'"),
        ("version: 1\nsuites: *none\n", 2, "this is not YAML: found undefined alias 'none'"),
        ("version: 1\n---\nversion: 1\n", 2, "this is not YAML: but found another document"),
        ("version: 1\n  suites: []\n", 2, "this is not YAML: mapping values are not allowed here"),
        ("a: !!python/name:os.system x\n", 1, "this is not YAML: could not determine a constructor"),
    ],
)
def test_broken_syntax_is_an_error_with_its_line(text: str, line: int, what: str) -> None:
    error = refuse(text)
    assert error.where == Place("gate.yml", line)
    assert error.what.startswith(what)


@pytest.mark.parametrize("raw", [b"name: \xff\xfe\n", b"name: \x01\n", b"\x89PNG\r\n\x1a\n\0\0"])
def test_what_is_no_text_is_an_error(raw: bytes) -> None:
    assert refuse(raw).what == "this is not a YAML text file"


@pytest.mark.parametrize("value", ["!!int lots", "!!float much", pytest.param("9" * 5000, id="5000 digits")])
def test_a_value_that_cannot_be_read_is_an_error_with_its_line(value: str) -> None:
    error = refuse(f"a: 1\nb: {value}\n")
    assert error.where == Place("gate.yml", 2, "b")
    assert error.what == "the value cannot be read"
