"""MT-bench's single-answer judgments."""

import json
from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items
from gate.scores.model import Direction, ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def judgment(
    question: int | str, score: object, *, model: str = "m", turn: int | None = 1, judge: str = "gpt-4"
) -> str:
    row = {"question_id": question, "model": model, "judge": [judge, "single-v1"], "user_prompt": "[Question]…",
           "judgment": "Rating: [[9]]", "score": score, "tstamp": 1.5}  # fmt: skip
    return json.dumps(row if turn is None else {**row, "turn": turn}) + "\n"


def test_the_scale_is_1_to_10_and_higher_is_better(read: Read) -> None:
    column = read(judgment(81, 9) + judgment(82, 1.5)).metrics["score"]
    assert (column.values.tolist(), column.scale, column.direction) == ([9.0, 1.5], Scale(1.0, 10.0), Direction.HIGHER)


def test_a_judge_that_gave_no_rating_is_an_error_and_never_a_score(read: Read) -> None:
    run = read(judgment(81, 9) + judgment(82, -1) + judgment(83, None))
    assert run.metrics["score"].status.tolist() == [ItemStatus.SCORED, ItemStatus.ERROR, ItemStatus.UNSCORED]
    assert run.metrics["score"].scale == Scale(1.0, 10.0)


def test_turns_are_variants(read: Read, refused: Refused) -> None:
    both = judgment(81, 9) + judgment(81, 3, turn=2)
    assert refused(both).what == 'the file holds 2 variants: "turn 1", "turn 2"'
    assert read(both, variant="turn 2").metrics["score"].values.tolist() == [3.0]


def test_the_turns_of_a_question_are_one_group_when_all_are_read(read: Read) -> None:
    run = read(judgment(81, 9) + judgment(81, 3, turn=2) + judgment(82, 5), variant="all")
    assert run.ids == ("turn 1/81", "turn 2/81", "turn 1/82")
    assert run.groups == ("81", "81", "82")


def test_models_are_variants_and_are_named_with_the_turn_where_both_differ(read: Read, refused: Refused) -> None:
    several = judgment(81, 9) + judgment(81, 3, turn=2) + judgment(81, 7, model="n")
    assert refused(several).what == 'the file holds 3 variants: "m/turn 1", "m/turn 2", "n/turn 1"'
    assert read(judgment(81, 9) + judgment(81, 7, model="n"), variant="n").metrics["score"].values.tolist() == [7.0]


def test_a_file_without_turns_is_read(read: Read) -> None:
    run = read(judgment("a1", 9, turn=None))
    assert (run.ids, run.groups) == (("a1",), None)


def test_judge_and_model_are_told(read: Read) -> None:
    assert read(judgment(81, 9)).facts == {"judge": "gpt-4", "model": "m"}


def test_judges_are_variants_whatever_questions_they_judged(read: Read, refused: Refused) -> None:
    for question in (81, 82):
        both = judgment(81, 9) + judgment(question, 3, judge="claude")
        assert refused(both).what == 'the file holds 2 variants: "gpt-4", "claude"'
        run = read(both, variant="claude")
        assert (run.ids, run.metrics["score"].values.tolist()) == ((str(question),), [3.0])
        assert run.facts == {"judge": "claude", "model": "m"}


def test_a_question_judged_twice_is_an_error_that_says_how_it_comes_about(refused: Refused) -> None:
    fault = refused(judgment(81, 9) + judgment(81, 2))
    assert fault.what == '1 id stands more than once: "81" (lines 1, 2)'
    assert "FastChat appends to a file that is there" in fault.remedy


@pytest.mark.parametrize("score", ["9", "good", [9], {"a": 1}, 1e999])
def test_anything_but_a_number_is_an_error_with_its_line(refused: Refused, score: object) -> None:
    fault = refused(judgment(81, 9) + judgment(82, score))
    assert "a number, or -1 where the judge gave none" in fault.remedy
    assert str(fault.where).endswith('line 2, key "score"')


def test_a_judgment_without_a_question_is_an_error(refused: Refused) -> None:
    assert refused(judgment(81, 9) + judgment("", 9)).what == "the row has no id"


def test_questions_are_asked_for_elsewhere(write: Callable[[str], object]) -> None:
    with pytest.raises(ScoreFileError, match="only together with the answers"):
        read_items(write(judgment(81, 9)))  # type: ignore[arg-type]  # the fixture gives a path
