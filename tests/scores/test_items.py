from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns

Write = Callable[[str], Path]


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("id,question\na,Why?\nb,How?\n", (2, 3)),
        ('{"id": "a", "question": "Why?"}\n\n{"id": "b", "question": "How?"}\n', (1, 3)),
        ('[\n{"id": "a", "question": "Why?"},\n{"id": "b", "question": "How?"}]', (2, 3)),
        ('{\n"a": {"question": "Why?"},\n"b": {"question": "How?"}}', (2, 3)),
    ],
    ids=["csv", "jsonl", "json", "map"],
)
def test_questions_are_read_without_scores(write: Write, content: str, lines: tuple[int, int]) -> None:
    items = read_items(write(content))
    assert [(item.id, item.text) for item in items] == [("a", "Why?"), ("b", "How?")]
    assert tuple(item.line for item in items) == lines


def test_a_file_of_one_column_is_a_list_of_questions(write: Write) -> None:
    assert [item.text for item in read_items(write("question\nWhy?\nHow?\n"))] == ["Why?", "How?"]


def test_the_ids_are_those_of_a_run_with_the_same_questions(write: Write) -> None:
    items = read_items(write("question\nWhy?\nHow?\n"))
    run = read_run(write("question,score\nWhy?,1\nHow?,0\n"))
    assert tuple(item.id for item in items) == run.ids


def test_a_mapped_column_holds_the_questions(write: Write) -> None:
    items = read_items(write("id,passage\na,Why?\n"), columns=Columns(inputs="passage", score="not here"))
    assert items[0].text == "Why?"


def test_a_question_that_stands_twice_comes_once(write: Write) -> None:
    assert len(read_items(write("id,question\na,Why?\na,Why?\n"))) == 1


def test_an_id_for_two_questions_is_an_error_naming_both_lines(write: Write) -> None:
    with pytest.raises(ScoreFileError, match='the id "a" stands for another question on line 2') as caught:
        read_items(write("id,question\na,Why?\na,How?\n"))
    assert caught.value.where is not None
    assert caught.value.where.line == 3


def test_a_row_without_a_question_has_an_empty_text(write: Write) -> None:
    assert read_items(write("id,question\na,\n"))[0].text == ""


def test_without_a_column_of_questions_the_error_lists_the_columns(write: Write) -> None:
    with pytest.raises(ScoreFileError, match="no column holds the questions") as caught:
        read_items(write("id,score\na,1\n"))
    assert '"id", "score"' in caught.value.remedy
