import json
from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores.model import Columns, ItemStatus, Run

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


@pytest.mark.parametrize(
    "content",
    [
        '[{"id": "q1", "score": 1}, {"id": "q2", "score": 0}]',
        '\ufeff[\n  {"id": "q1", "score": true},\n  {"id": "q2", "score": "fail"}\n]\n',
        '{"q1": 1, "q2": 0}',
        '{\n "q1": true,\n "q2": false\n}\n',
        '{"q1": {"score": 1, "note": "fine"}, "q2": {"score": 0, "note": "hm"}}',
    ],
    ids=["array", "pretty array", "map", "pretty map", "map of objects"],
)
def test_the_shapes_of_a_json_file_are_one_run(read: Read, content: str) -> None:
    run = read(content)
    assert run.ids == ("q1", "q2")
    assert run.metrics["score"].values.tolist() == [1.0, 0.0]
    assert run.source.format == "json"


def test_a_map_of_objects_names_its_metrics_by_their_keys(read: Read) -> None:
    run = read('{"q1": {"f1": 0.5, "em": 1}, "q2": {"f1": 0.25, "em": null}, "q3": null}')
    assert list(run.metrics) == ["f1", "em"]
    assert run.metrics["em"].status.tolist() == [0, ItemStatus.UNSCORED, ItemStatus.UNSCORED]


def test_the_keys_of_a_map_are_the_ids_even_where_the_objects_have_an_id(read: Read) -> None:
    run = read('{"q1": {"id": 7, "score": 1}, "q2": {"id": 7, "score": 1}}')
    assert run.ids == ("q1", "q2")
    assert list(run.metrics) == ["score"]


def test_a_mapped_id_goes_before_the_keys_of_a_map(read: Read) -> None:
    run = read('{"x": {"case": "q1", "score": 1}, "y": {"case": "q2", "score": 1}}', columns=Columns(id=("case",)))
    assert run.ids == ("q1", "q2")


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ('[\n{"id": 1, "score": 1},\n{"id": 2, "score": 0},\n', 4, "this is not valid JSON (expecting value)"),
        ('[{"id": 1, "score": 1}\n', 2, 'this is not valid JSON (a "," is missing)'),
        ('[\n{"id": 1, "score": 1},\n]', 3, "this is not valid JSON (a comma stands before the closing bracket)"),
        ('[\n{"id": 1, "score": 1}\n]\n[]', 4, "this is not valid JSON (more follows after the end"),
        ('{\n"a": 1,\n"a": 0}', 3, 'the key "a" stands twice'),
        ('[\n{"id": 1, "id": 2}]', 2, 'the key "id" stands twice in one object'),
        ('{\n"a": 1,\nb: 0}', 3, "this is not valid JSON (a key in double quotes is missing)"),
        ('{\n"a" 1}', 2, 'this is not valid JSON (a ":" is missing)'),
        ("[\n1, 2]", 2, 'a JSON object is expected here, not "1"'),
        ('[\n[{"id": 1}]]', 2, "a JSON object is expected here"),
        ('{\n"a": 1,\n"b": [1]}', 3, 'the value of "b" is "[1]", where a score'),
        ('{\n"a": 1,\n"b": {"score": 1}}', 3, "the object has scores and objects as values"),
        ('[\n{"id": 1, "score": "x"}, {"id": 2,\n"score": 1}]', 2, '"x" is not a score'),
        ("[\n" + "[" * 100_000, 2, "the value is nested too deeply"),
    ],
)
def test_a_broken_file_is_an_error_naming_the_line(refused: Refused, content: str, line: int, what: str) -> None:
    fault = refused(content)
    assert fault.what.startswith(what)
    assert fault.where is not None
    assert fault.where.line == line


@pytest.mark.parametrize("content", ['[{"id": 1, "score": 1}', '[{"id": 1, "score": 1},', '{"a": 1,\n"b', '[{"id": "q'])
def test_a_file_that_ends_early_is_called_cut_short(refused: Refused, content: str) -> None:
    assert "cut short" in refused(content, format="json").what


@pytest.mark.parametrize("content", ["[]", "{}", " [ ] "])
def test_an_empty_array_or_object_is_an_error(refused: Refused, content: str) -> None:
    assert refused(content).what == "the file has no items"


def test_json_lines_read_as_json_are_told_their_format(refused: Refused) -> None:
    assert "format: jsonl" in refused('{"a": 1}\n{"b": 2}\n', format="json").remedy


def test_anything_but_an_array_or_an_object_is_an_error(refused: Refused) -> None:
    assert refused("id,score\nq1,1\n", format="json").what == 'the file begins with "i"; JSON begins with [ or { here'


def test_a_result_of_livecodebenchs_documented_shape_is_read_with_its_columns(read: Read) -> None:
    def question(number: int, *graded: bool) -> dict[str, object]:
        return {
            "question_title": f"T{number}",
            "question_content": f"Write {number}",
            "question_id": f"lc-{number}",
            "difficulty": "easy",
            "output_list": ["x"] * len(graded),
            "code_list": ["x"] * len(graded),
            "graded_list": list(graded),
            "pass@1": sum(graded) / len(graded),
            "metadata": ["{}"] * len(graded),
        }

    content = json.dumps([question(1, True, False), question(2, True, True), question(3, False, False)], indent=4)
    assert read(content).ids == ("lc-1", "lc-2", "lc-3")
    run = read(content, columns=Columns(id=("question_id",), score="pass@1", inputs="question_content"))
    assert run.source.format == "json"
    assert run.metrics["pass@1"].values.tolist() == [0.5, 1.0, 0.0]
    assert run.inputs == ("Write 1", "Write 2", "Write 3")
