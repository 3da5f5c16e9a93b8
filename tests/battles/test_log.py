"""The columns that battles are kept in."""

from collections.abc import Callable

import numpy as np
import pytest

from gate.battles import BattleLog
from gate.errors import ScoreFileError

Battle = Callable[..., dict[str, object]]
Read = Callable[..., BattleLog]

PAIR = {"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": "model_1"}


def test_models_are_sorted_and_their_numbers_follow(read: Read, battle: Battle) -> None:
    log = read([battle("z", "a", "model_a"), battle("m", "z", "model_b")])
    assert log.models == ("a", "m", "z")
    assert (log.battles.first.tolist(), log.battles.second.tolist()) == ([2, 1], [0, 2])


def test_without_prompts_and_judges_there_are_none(read: Read, battle: Battle) -> None:
    log = read([battle("x", "y", "tie")])
    assert (log.prompts, log.questions, log.judges, log.judge_names, log.n_prompts) == (None, None, None, (), 0)


def test_a_battle_that_does_not_tell_its_prompt_is_the_only_one_of_its_own(read: Read, battle: Battle) -> None:
    prompts = ["p", None, "p", "", "q"]
    log = read([battle("x", "y", "tie", question_id=prompt) for prompt in prompts])
    assert log.prompts is not None
    assert log.n_prompts == 4
    assert log.prompts[0] == log.prompts[2]
    assert np.unique(log.prompts).size == 4


def test_a_turn_is_a_question_of_its_own_on_the_same_prompt(read: Read, battle: Battle) -> None:
    log = read([battle("x", "y", "tie", question_id="p", turn=turn) for turn in (1, 2, 1)])
    assert (log.prompts is not None, log.n_prompts) == (True, 1)
    assert log.questions is not None
    assert log.questions[0] == log.questions[2] != log.questions[1]


def test_where_some_judges_are_not_told_they_stand_last_under_a_name_of_their_own(read: Read, battle: Battle) -> None:
    log = read([battle("x", "y", "tie", judge=judge) for judge in ("n", None, "b")])
    assert log.judges is not None
    assert (log.judge_names, log.judges.tolist()) == (("b", "n", "(not told)"), [1, 2, 0])


def test_a_judge_without_a_verdict_is_no_judge_of_the_log(read: Read) -> None:
    lost = {**PAIR, "g1_winner": "error", "g2_winner": "error", "judge": ["broken", "pair"]}
    log = read([{**PAIR, "judge": ["sound", "pair"]}, lost])
    assert (log.judge_names, log.n_unjudged, len(log)) == (("sound",), 2, 2)


def test_weights_of_unjudged_games_are_no_weights(read: Read) -> None:
    games = [{"score": None, "judgment": ""}, {"score": "A>B", "judgment": ""}]
    log = read([{"question_id": "q", "model": "m", "judge": "j", "games": games}])
    assert (len(log), log.n_unjudged, log.battles.weights) == (1, 1, None)


def test_battles_without_any_verdict_are_an_error(refused: Callable[..., ScoreFileError]) -> None:
    fault = refused([{**PAIR, "g1_winner": "error", "g2_winner": "error"}])
    assert fault.what == "none of the 2 battles has a verdict"
    assert "judges" in fault.remedy


def test_a_part_of_a_log_is_of_the_same_models(read: Read, battle: Battle) -> None:
    log = read([battle("x", "y", "model_a", weight=2), battle("y", "z", "model_b")])
    part = log.pick(np.array([True, False]))
    assert (len(part), part.n_models) == (1, 3)
    assert part.weights is not None
    assert part.weights.tolist() == [2.0]


@pytest.mark.parametrize("n", [1, 1000])
def test_a_log_is_as_long_as_its_file(n: int, read: Read, battle: Battle) -> None:
    log = read([battle(f"m{row % 7}", f"m{row % 7 + 1}", "tie", question_id=row) for row in range(n)])
    assert len(log) == log.n_verdicts == log.n_prompts == n
