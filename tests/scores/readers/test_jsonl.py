from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores.model import ItemStatus, Run

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

TWO = '{"id": "q1", "score": 1}\n{"id": "q2", "score": 0}\n'


@pytest.mark.parametrize(
    "content",
    [TWO, TWO.replace("\n", "\r\n"), "\n \n" + TWO + "\n\n", "\ufeff" + TWO, TWO.rstrip("\n")],
    ids=["plain", "CRLF", "blank lines", "byte order mark", "no last line break"],
)
def test_an_object_on_each_line_is_a_run(read: Read, content: str) -> None:
    run = read(content)
    assert run.ids == ("q1", "q2")
    assert run.metrics["score"].values.tolist() == [1.0, 0.0]
    assert run.source.format == "jsonl"


def test_only_a_line_feed_ends_a_line(read: Read) -> None:
    run = read('{"id": "q1", "question": "a\u2028b\u0085c", "score": 1}\n{"id": "q2", "question": "d", "score": 1}')
    assert run.inputs == ("a\u2028b\u0085c", "d")


def test_a_key_that_a_row_lacks_is_an_unscored_cell(read: Read) -> None:
    run = read('{"id": 1, "a": 1}\n{"id": 2, "b": 1}\n{"id": 3, "a": null, "b": NaN}\n{"id": 4, "a": 0, "b": true}\n')
    assert run.metrics["a"].status.tolist() == [0, ItemStatus.UNSCORED, ItemStatus.UNSCORED, 0]
    assert run.metrics["b"].status.tolist() == [ItemStatus.UNSCORED, 0, ItemStatus.UNSCORED, 0]


def test_a_truncated_last_line_is_an_error_naming_the_line(refused: Refused) -> None:
    fault = refused(TWO[:-12])
    assert fault.where is not None
    assert fault.where.line == 2
    assert "the file was probably cut short" in fault.what


def test_a_broken_line_that_others_follow_is_not_called_cut_short(refused: Refused) -> None:
    fault = refused('{"id": 1, "score": 1}\n{"id": 2, "score":\n{"id": 3, "score": 1}\n')
    assert fault.where is not None
    assert fault.where.line == 2
    assert "cut short" not in fault.what


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": 2, "score": 1, "score": 0}', 'the key "score" stands twice in one object'),
        ('{"id": 2, "score": 1, "meta": {"a": 1, "a": 2}}', 'the key "a" stands twice in one object'),
        ("[2, 1]", 'a JSON object is expected here, not "[2, 1]"'),
        ("0.5", 'a JSON object is expected here, not "0.5"'),
        ('{"id": 2, "score": 1} {"id": 3, "score": 1}', "the line is not valid JSON (extra data: column 23)"),
        ('{"id": 2, "x": ' + "[" * 100_000, "the value is nested too deeply"),
        ("{'id': 2}", "the line is not valid JSON"),
        ('{"id": 2, "score": 1e400}', '"inf" is not a finite number'),
        ('{"id": 2, "score": Infinity}', '"inf" is not a finite number'),
    ],
)
def test_a_bad_line_is_an_error_naming_it(refused: Refused, line: str, what: str) -> None:
    fault = refused(f'{{"id": 1, "score": 1}}\n{line}\n{{"id": 4, "score": 1}}\n')
    assert fault.what.startswith(what)
    assert fault.where is not None
    assert fault.where.line == 2


def test_a_single_line_that_can_only_be_a_row_is_a_run_of_one_item(read: Read) -> None:
    assert read('{"id": "q1", "question": "why?", "score": 1}\n').ids == ("q1",)


def test_rows_with_ever_other_keys_are_an_error_and_do_not_fill_the_memory(refused: Refused) -> None:
    lines = "".join(f'{{"id": {row}, "k{row}": 1}}\n' for row in range(10_000))
    fault = refused(lines)
    assert fault.what.startswith("the records differ too much to be one table")


def test_a_key_with_half_a_surrogate_pair_is_an_error(refused: Refused) -> None:
    assert "half a surrogate pair" in refused('{"id": 1, "\\ud800": 1}\n{"id": 2}\n').what


def test_half_a_surrogate_pair_in_a_text_is_replaced(read: Read) -> None:
    run = read('{"id": "a\\ud800", "question": "b\\udc00", "score": 1}\n{"id": "b", "score": 1}\n')
    assert run.ids == ("a?", "b")
    assert run.inputs == ("b?", "")


def test_what_the_readme_writes_of_a_langfuse_experiment_needs_no_mapping(read: Read) -> None:
    # as it wrote it of run_experiment of langfuse 5.0.4
    run = read(
        '{"input": "made-up 1+1?", "expected_output": "2", "exact": 1.0}\n'
        '{"input": "made-up 2+2?", "expected_output": "4", "exact": 0.0}\n'
    )
    assert (run.inputs, run.content_fields) == (("made-up 1+1?", "made-up 2+2?"), ("inputs", "target"))
    assert run.metrics["exact"].values.tolist() == [1.0, 0.0]
