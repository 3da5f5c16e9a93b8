"""What counts as the text of a JSON record."""

import pytest

from gate.contamination.records import Record, parse_json, read_record
from gate.errors import CorpusError, Place

WHERE = Place("a.jsonl", line=7)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", Record("plain", None)),
        ({"text": "t"}, Record("t", None)),
        ({"content": "c", "text": "t", "question": "q"}, Record("t", None)),
        ({"content": "c", "question": "q"}, Record("c", None)),
        ({"text": None, "content": "c"}, Record("c", None)),
        ({"text": ""}, Record("", None)),
        ({"answer": "a", "question": "q", "other": "x"}, Record("q\na", None)),
        ({"instruction": "i", "input": "", "output": "o"}, Record("i\n\no", None)),
        ({"prompt": "p", "completion": "c"}, Record("p\nc", None)),
        ({"question": "q", "answer": 42}, Record("q", None)),
        ({"response": "r"}, Record("r", None)),
        ({"text": "t", "id": "d1"}, Record("t", "d1")),
        ({"text": "t", "id": 12}, Record("t", "12")),
        ({"text": "t", "id": True}, Record("t", None)),
        ({"text": "t", "id": {"a": 1}}, Record("t", None)),
        ({"text": "t", "id": "\ud800"}, Record("t", "\\ud800")),
    ],
)
def test_a_record_has_this_text_and_id(value: object, expected: Record) -> None:
    assert read_record(value, WHERE) == expected


@pytest.mark.parametrize("value", [{}, {"title": "t"}, {"text": 5}, {"text": ["a"]}, {"question": None}])
def test_an_object_without_text_is_an_error_naming_the_place_and_the_fields(value: object) -> None:
    with pytest.raises(CorpusError, match="the record has no text") as caught:
        read_record(value, WHERE)
    assert caught.value.where == WHERE
    for field in ("text", "content", "question", "prompt", "input", "output"):
        assert field in caught.value.remedy


@pytest.mark.parametrize("value", [1, None, True, 2.5, ["text"]])
def test_a_record_that_is_neither_text_nor_object_is_an_error(value: object) -> None:
    with pytest.raises(CorpusError, match="neither a text nor an object") as caught:
        read_record(value, WHERE)
    assert caught.value.where == WHERE


@pytest.mark.parametrize(
    "text",
    ["{", "", "what is it", '{"text": "a"} {"text": "b"}', "[" * 200_000, "1" * 5000],
    ids=["cut", "empty", "prose", "two-values", "deep", "long-number"],
)
def test_what_is_not_json_is_an_error_naming_the_line(text: str) -> None:
    with pytest.raises(CorpusError, match="not JSON") as caught:
        parse_json(text, WHERE)
    assert caught.value.where == WHERE
    assert ".txt" in caught.value.remedy


def test_a_fault_in_a_whole_file_of_json_is_an_error_naming_the_line_in_it() -> None:
    with pytest.raises(CorpusError) as caught:
        parse_json('[\n"a",\n"b" "c"]', Place("a.json"))
    assert caught.value.where == Place("a.json", line=3)
