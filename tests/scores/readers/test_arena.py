"""Arena battles."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items
from gate.scores.model import Direction, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def battle(question: object, winner: object, a: str = "old", b: str = "new") -> str:
    return json.dumps({"question_id": question, "model_a": a, "model_b": b, "winner": winner}) + "\n"


def test_the_score_is_that_of_model_b(read: Read) -> None:
    run = read("".join(battle(n, winner) for n, winner in enumerate(["model_a", "model_b", "tie", "tie (bothbad)"])))
    column = run.metrics["win"]
    assert column.values.tolist() == [0.0, 1.0, 0.5, 0.5]
    assert (column.scale, column.direction) == (Scale(0.0, 1.0), Direction.HIGHER)


def test_battles_of_one_question_are_samples_of_it(read: Read) -> None:
    run = read(battle(1, "model_b") + battle(2, "tie") + battle(1, "model_a"))
    assert (run.ids, run.item_of_sample.tolist()) == (("1", "2"), [0, 1, 0])
    assert run.item_scores("win").values.tolist() == [0.5, 0.5]


def test_a_pair_of_models_is_a_variant(read: Read, refused: Refused) -> None:
    both = battle(1, "model_b") + battle(1, "model_a", b="other")
    assert refused(both).what == 'the file holds 2 variants: "old vs new", "old vs other"'
    assert read(both, variant="*other").metrics["win"].values.tolist() == [0.0]


@pytest.mark.parametrize("winner", ["Model_A", "model_c", "", None, 1, ["model_a"]])
def test_an_unknown_winner_is_an_error_that_lists_the_known(refused: Refused, winner: object) -> None:
    fault = refused(battle(1, "tie") + battle(2, winner))
    assert fault.what.startswith("the winner is ")
    assert str(fault.where).endswith('line 2, key "winner"')
    assert '"tie (bothbad)"' in fault.remedy


def test_a_battle_of_nobody_is_an_error(refused: Refused) -> None:
    assert refused(battle(1, "tie", a="")).what == "a battle needs two models"


def test_battles_may_stand_in_an_array(read: Read) -> None:
    rows = [json.loads(battle(n, "tie")) for n in range(3)]
    assert read(json.dumps(rows)).source.format == "arena"


def test_questions_are_asked_for_elsewhere(write: Callable[[str], Path]) -> None:
    with pytest.raises(ScoreFileError, match="arena battles hold no question texts"):
        read_items(write(battle(1, "tie")))
