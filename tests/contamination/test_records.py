"""What counts as the text of a JSON record."""

import pytest

from gate.contamination.documents import Fields
from gate.contamination.records import Record, RecordReader, UnreadableRecordError, parse_json, values_at
from gate.errors import CorpusError, Place

WHERE = Place("a.jsonl", line=7)
USUAL = RecordReader(Fields())


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
    assert USUAL.read(value) == expected


@pytest.mark.parametrize("value", [{}, {"title": "t"}, {"text": 5}, {"text": ["a"]}, {"question": None}])
def test_an_object_without_text_is_an_error_naming_the_place_and_the_fields(value: object) -> None:
    with pytest.raises(UnreadableRecordError, match="the record has no text") as caught:
        USUAL.read(value)
    assert caught.value.at(WHERE).where == WHERE
    for field in ("text", "content", "question", "prompt", "input", "output"):
        assert field in caught.value.remedy


@pytest.mark.parametrize("value", [1, None, True, 2.5, ["text"]])
def test_a_record_that_is_neither_text_nor_object_is_an_error(value: object) -> None:
    with pytest.raises(UnreadableRecordError, match="neither a text nor an object") as caught:
        USUAL.read(value)
    assert caught.value.at(WHERE).where == WHERE


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


@pytest.mark.parametrize(
    ("fields", "value", "expected"),
    [
        (Fields(("body",)), {"body": "b", "text": "t"}, Record("b", None)),
        (Fields(("body", "title")), {"title": "t", "body": "b"}, Record("b\nt", None)),
        (Fields(("body", "title")), {"title": "t"}, Record("t", None)),
        (Fields(("doc.body",)), {"doc": {"body": "b"}}, Record("b", None)),
        (Fields(("doc.body",)), {"doc.body": "whole", "doc": {"body": "b"}}, Record("whole", None)),
        (Fields(("turns.said",)), {"turns": [{"said": "a"}, {"said": "b"}, {}]}, Record("a\nb", None)),
        (Fields(("lines",)), {"lines": ["a", 1, "b"]}, Record("a\nb", None)),
        (Fields(("body",), "meta.key"), {"body": "b", "id": "x", "meta": {"key": 7}}, Record("b", "7")),
        (Fields((), "key"), {"text": "t", "id": "x"}, Record("t", None)),
        (Fields(("body",)), "plain", Record("plain", None)),
    ],
)
def test_fields_that_are_asked_for_are_read_instead(fields: Fields, value: object, expected: Record) -> None:
    assert RecordReader(fields).read(value) == expected


def test_a_record_without_the_field_asked_for_is_an_error_that_names_it() -> None:
    with pytest.raises(UnreadableRecordError, match="no text") as caught:
        RecordReader(Fields(("doc.body",))).read({"text": "t", "doc": {"title": "x"}})
    assert "doc.body" in caught.value.remedy


def test_a_path_that_leads_nowhere_finds_nothing() -> None:
    assert list(values_at({"a": {"b": 1}}, "a.c")) == []
    assert list(values_at({"a": 1}, "a.b")) == []


def test_lists_in_each_other_are_walked_through_in_order_however_deep_they_lie() -> None:
    nested: object = [{"content": "b"}, [{"content": "c"}]]
    for _ in range(5000):
        nested = [nested]
    record = {"messages": [{"content": "a"}, nested, {"content": ["d", "e"]}]}
    assert list(values_at(record, "messages.content")) == ["a", "b", "c", "d", "e"]
    assert RecordReader(Fields(text=("messages.content",))).read(record).text == "a\nb\nc\nd\ne"
