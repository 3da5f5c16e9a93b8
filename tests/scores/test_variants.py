"""Several variants in one file: one is chosen, or all are kept apart."""

from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile, open_score_file
from gate.scores.variants import Chosen, choose_variant, name_variants


@pytest.fixture
def file(tmp_path: Path) -> ScoreFile:
    path = tmp_path / "scores"
    path.write_text("{}")
    return open_score_file(path, "scores")


BOTH = ["gpt", "gpt", "claude"]


def test_without_variants_all_records_are_read(file: ScoreFile) -> None:
    assert choose_variant([None, None], None, file) == Chosen(range(2))


def test_the_only_variant_needs_no_choice(file: ScoreFile) -> None:
    assert choose_variant(BOTH[:2], None, file) == Chosen(range(2))


def test_of_several_one_must_be_named_and_they_are_listed(file: ScoreFile) -> None:
    with pytest.raises(ScoreFileError, match='the file holds 2 variants: "gpt", "claude"'):
        choose_variant(BOTH, None, file)


def test_variants_that_differ_in_the_last_words_of_a_long_name_are_told_apart(file: ScoreFile) -> None:
    names = [f"{'a long prompt ' * 5}({number})" for number in range(15)]
    with pytest.raises(ScoreFileError) as fault:
        choose_variant(names, None, file)
    assert all(f'"{name}"' in fault.value.what for name in names)
    assert choose_variant(names, names[7], file).notes == (f'of 15 variants it is "{names[7]}" that was read',)


@pytest.mark.parametrize("wanted", ["claude", "c*"])
def test_the_one_that_is_named_is_read_and_told(file: ScoreFile, wanted: str) -> None:
    chosen = choose_variant(BOTH, wanted, file)
    assert (chosen.rows, chosen.apart) == ([2], False)
    assert chosen.notes == ('of 2 variants it is "claude" that was read',)


@pytest.mark.parametrize("wanted", ["all", "*"])
def test_of_several_that_fit_each_keeps_its_items_apart(file: ScoreFile, wanted: str) -> None:
    chosen = choose_variant(BOTH, wanted, file)
    assert (chosen.rows, chosen.apart) == ([0, 1, 2], True)
    assert chosen.notes == ('the items of 2 variants: "gpt", "claude"',)


def test_a_variant_that_is_called_all_is_meant_by_its_name(file: ScoreFile) -> None:
    assert choose_variant(["all", "other"], "all", file).rows == [0]


def test_one_that_is_not_there_is_an_error_with_the_likely_one(file: ScoreFile) -> None:
    with pytest.raises(ScoreFileError, match='there is no variant "clade"') as fault:
        choose_variant(BOTH, "clade", file)
    assert "claude" in fault.value.what + fault.value.remedy


def test_a_choice_where_nothing_tells_variants_apart_is_an_error(file: ScoreFile) -> None:
    with pytest.raises(ScoreFileError, match="no variant") as fault:
        choose_variant([None], "gpt", file)
    assert fault.value.remedy == "leave `select` out: the file tells no variants apart"


def test_parts_that_are_the_same_throughout_are_not_named() -> None:
    assert name_variants([("m", "turn 1"), ("m", "turn 2")]) == ["turn 1", "turn 2"]
    assert name_variants([("m", "turn 1"), ("n", "turn 2")]) == ["m/turn 1", "n/turn 2"]
    assert name_variants([("m", "turn 1"), ("m", "turn 1")]) == [None, None]
    assert name_variants([("m", ""), ("n", ""), None, "own"]) == ["m", "n", None, "own"]
    assert name_variants([]) == []


def test_all_of_a_file_that_tells_no_variants_apart_is_the_file(file: ScoreFile) -> None:
    assert choose_variant([None, None], "all", file) == Chosen(range(2))
