from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores import FORMATS
from gate.scores.model import Run

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

HUMAN_EVAL = '{"task_id": "t", "completion": "", "result": "passed", "passed": true}'
LM_EVAL = '{"doc_id": 0, "doc": {}, "target": "", "arguments": [], "resps": [], "filtered_resps": [], "acc": 1}'


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("id,score\na,1\n", "csv"),
        ('"id","score"\na,1\n', "csv"),
        ('[{"id": 1, "score": 1}]', "json"),
        ('{"a": 1}', "json"),
        ('{\n"id": 1\n}', "json"),
        ('{"id": 1, "score": 1}\n{"id": 2, "score": 1}', "jsonl"),
        ('{"id": "a", "score": 1}', "jsonl"),
        (f"{HUMAN_EVAL}\n", "human_eval"),
        (f"[{HUMAN_EVAL}]", "human_eval"),
        (f"{LM_EVAL}\n", "lm_eval"),
        (f"[\n{LM_EVAL}\n]", "lm_eval"),
    ],
)
def test_the_content_tells_the_format(read: Read, content: str, name: str) -> None:
    assert read(content).source.format == name


def test_one_line_that_can_be_a_row_or_a_map_is_an_error_naming_both(read: Read, refused: Refused) -> None:
    content = '{"id": 7, "score": 1}'
    fault = refused(content)
    assert fault.what == "the file can be read in several ways: json, jsonl"
    assert "format: jsonl" in fault.remedy
    assert read(content, format="jsonl").ids == ("7",)
    assert read(content, format="json").ids == ("id", "score")


def test_a_record_with_the_marks_of_two_tools_is_an_error_naming_both(refused: Refused) -> None:
    both = LM_EVAL[:-1] + "," + HUMAN_EVAL[1:]
    assert refused(both).what == "the file can be read in several ways: human_eval, lm_eval"


@pytest.mark.parametrize("content", ["hello\nworld\n", "- id: 1\n  score: 2\n", "42\n"])
def test_text_of_no_known_kind_is_an_error_listing_the_formats(refused: Refused, content: str) -> None:
    fault = refused(content.replace("42", "hello"))
    assert fault.what == "the file's content matches no format that this version reads"
    assert all(name in fault.remedy for name in FORMATS)


def test_a_named_format_goes_before_the_content(read: Read) -> None:
    assert read(HUMAN_EVAL + "\n" + HUMAN_EVAL.replace('"t"', '"u"'), format="jsonl").source.format == "jsonl"


def test_an_unknown_format_is_an_error_with_a_suggestion(refused: Refused) -> None:
    fault = refused("id,score\na,1\n", format="lm-eval")
    assert fault.what == 'there is no format "lm-eval"; did you mean "lm_eval"?'


def test_white_space_before_the_json_does_not_count(read: Read) -> None:
    assert read(" " * 200_000 + '\n\n[{"id": 1, "score": 1}]').ids == ("1",)
