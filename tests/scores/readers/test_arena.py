"""Arena battles."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Direction, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# what get_battles_from_row of Arena-Hard v0.1 (weight 3, the default) makes of samples/arena_hard/v0.1-01109e9.jsonl
WRITTEN = Path(__file__).parents[1] / "samples" / "arena" / "arena_hard_battles.jsonl"


def battle(question: object, winner: object, a: str = "old", b: str = "new", **others: object) -> str:
    return json.dumps({"question_id": question, "model_a": a, "model_b": b, "winner": winner, **others}) + "\n"


def test_the_score_is_that_of_model_b(read: Read) -> None:
    run = read("".join(battle(n, winner) for n, winner in enumerate(["model_a", "model_b", "tie", "tie (bothbad)"])))
    column = run.metrics["win"]
    assert column.values.tolist() == [0.0, 1.0, 0.5, 0.5]
    assert (column.scale, column.direction) == (Scale(0.0, 1.0), Direction.HIGHER)


def test_the_battles_that_arena_hard_makes_of_its_judgments_have_its_win_rate() -> None:
    # the mean of its 14 battles, of which a game won by far is three
    run = read_run(WRITTEN)
    assert (run.n_items, run.n_samples) == (7, 14)
    assert run.metrics["win"].values.mean() == pytest.approx(7.5 / 14, abs=1e-12)
    assert dict(zip(run.ids, run.item_scores("win").values, strict=True)) == {
        "81b7": 1.0, "82b7": 0.0, "83b7": 0.5, "84b7": 1.0, "85b7": 0.0, "86b7": 1.0, "87b7": 0.5
    }  # fmt: skip


def test_battles_of_one_question_are_samples_of_it(read: Read) -> None:
    run = read(battle(1, "model_b") + battle(2, "tie") + battle(1, "model_a"))
    assert (run.ids, run.item_of_sample.tolist()) == (("1", "2"), [0, 1, 0])
    assert run.item_scores("win").values.tolist() == [0.5, 0.5]


def test_a_pair_of_models_is_a_variant(read: Read, refused: Refused) -> None:
    both = battle(1, "model_b") + battle(1, "model_a", b="other")
    assert refused(both).what == 'the file holds 2 variants: "old vs new", "old vs other"'
    assert read(both, variant="*other").metrics["win"].values.tolist() == [0.0]


def test_another_opponent_is_another_task_of_the_pair_that_is_read(read: Read) -> None:
    both = battle(1, "tie") + battle(1, "tie", a="older")
    assert read(battle(1, "tie")).facts == {"model": "new", "task": "against old"}
    assert read(both, variant="older*").facts == {"model": "new", "task": "against older"}
    assert read(both, variant="all").facts["task"] == "against old, against older"


def test_the_page_says_whose_wins_are_counted(read: Read) -> None:
    assert read(battle(1, "model_b")).notes == ("a win is one of model_b, the second of its pair",)


def test_the_turns_of_a_question_are_no_samples_of_it(refused: Refused) -> None:
    # as in the human judgments of MT-bench, of which each question was asked in two turns
    fault = refused(battle(81, "model_b", turn=1) + battle(81, "model_a", turn=2))
    assert fault.what == 'the question "81" has battles of turn "1" and of turn "2"'
    assert str(fault.where).endswith('line 2, key "turn"')


def test_questions_may_differ_in_their_number_of_turns(read: Read) -> None:
    # as in the Chatbot Arena's conversations, of which each is a question of its own
    run = read(battle("x", "model_b", turn=1) + battle("y", "model_a", turn=3) + battle("y", "tie", turn=3))
    assert run.item_scores("win").values.tolist() == [1.0, 0.25]


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
