"""Items: plain text one a line, or whatever a reader knows."""

import gzip
from pathlib import Path

import pytest

from gate.contamination import Item
from gate.errors import ConfigError, ScoreFileError
from gate.scanning.items import find_allowed, find_items


def test_a_text_has_one_item_a_line_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "items.txt.gz"
    path.write_bytes(gzip.compress("\ufefffirst item\n\n  \nfourth\n".encode()))
    found = find_items(str(path), format_name=None, columns=())
    assert found == (Item("1", "first item"), Item("4", "fourth"))


def test_a_table_has_questions_and_answers(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "a", "question": "why?", "target": "so"}\n{"id": "b", "question": "how?"}\n')
    assert find_items(str(path), format_name=None, columns=()) == (Item("a", "why?", "so"), Item("b", "how?", None))


def test_a_file_without_a_question_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "a", "question": ""}\n')
    with pytest.raises(ScoreFileError, match="no question"):
        find_items(str(path), format_name=None, columns=())


def test_no_allow_list_allows_nothing() -> None:
    assert find_allowed(None) == ()


@pytest.mark.parametrize("text", ["", "text: a", "- a", "- {text: a}", "- {text: '', reason: b}", "[", "- {text: 1}"])
def test_what_is_no_allow_list_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "allow.yml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        find_allowed(str(path))
    assert caught.value.where is not None
    assert caught.value.where.path == str(path)
