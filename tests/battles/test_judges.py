"""Who judged, each by itself, and how far they agree."""

from collections.abc import Callable

from gate.battles import BattleLog
from gate.battles.judges import MOST_SPLIT, JudgeSplit, split_by_judge

Battle = Callable[..., dict[str, object]]
Read = Callable[..., BattleLog]


def splits(log: BattleLog) -> dict[str, JudgeSplit]:
    return {split.name: split for split in split_by_judge(log)}


def test_one_judge_or_none_is_not_split(read: Read, battle: Battle) -> None:
    assert split_by_judge(read([battle("x", "y", "tie")])) == ()
    assert split_by_judge(read([battle("x", "y", "tie", judge="j")])) == ()


def test_each_judge_has_a_ranking_of_the_models_that_it_judged(read: Read, battle: Battle) -> None:
    rows = [battle("x", "y", "model_a", judge="i"), battle("x", "y", "model_b", judge="j")]
    found = splits(read([*rows, battle("y", "z", "model_a", judge="j")]))
    assert {name: (split.n_battles, split.ranking) for name, split in found.items()} == {
        "i": (1, ("x", "y")),
        "j": (2, ("y", "x", "z")),
    }


def test_without_prompts_nobody_agrees(read: Read, battle: Battle) -> None:
    found = splits(read([battle("x", "y", "model_a", judge=judge) for judge in ("i", "j")]))
    assert [(split.n_shared, split.agreement) for split in found.values()] == [(0, None), (0, None)]


def test_agreement_by_hand(read: Read, battle: Battle) -> None:
    verdicts = {  # of x against y, by prompt and judge
        "p": {"i": "model_a", "j": "model_a", "k": "model_b"},
        "q": {"i": "tie", "j": "tie"},
        "r": {"i": "model_a", "k": "tie"},
        "s": {"i": "model_b"},
    }
    rows = [
        battle("x", "y", winner, question_id=prompt, judge=judge)
        for prompt, by in verdicts.items()
        for judge, winner in by.items()
    ]
    found = splits(read(rows))
    assert {name: (split.n_shared, split.agreement) for name, split in found.items()} == {
        "i": (4, 2 / 4),  # with j on p and q; not with k on p and r
        "j": (3, 2 / 3),
        "k": (3, 0.0),
    }


def test_a_judge_is_taken_by_all_its_verdicts_on_a_question_whichever_stood_first(read: Read, battle: Battle) -> None:
    rows = [
        battle("x", "y", "model_a", question_id="p", judge="i"),
        battle("y", "x", "model_b", question_id="p", judge="i"),
        battle("y", "x", "model_b", question_id="p", judge="j"),
        battle("x", "y", "tie", question_id="p", judge="j"),
    ]
    assert [split.agreement for split in split_by_judge(read(rows))] == [1.0, 1.0]


def test_two_games_that_contradict_each_other_are_no_winner(read: Read, battle: Battle) -> None:
    rows = [battle(a, b, "model_a", question_id="p", judge="i") for a, b in (("x", "y"), ("y", "x"))]
    found = splits(read([*rows, battle("x", "y", "tie", question_id="p", judge="j")]))
    assert found["i"].agreement == found["j"].agreement == 1.0


def test_turns_are_questions_of_their_own(read: Read, battle: Battle) -> None:
    rows = [
        battle("x", "y", winner, question_id="p", judge=judge, turn=turn)
        for judge, turn, winner in (("i", 1, "model_a"), ("i", 2, "model_b"), ("j", 1, "model_a"), ("j", 2, "model_b"))
    ]
    assert [(split.n_shared, split.agreement) for split in split_by_judge(read(rows))] == [(2, 1.0), (2, 1.0)]


def test_a_weighted_verdict_is_for_the_heavier_side(read: Read, battle: Battle) -> None:
    rows = [
        battle("x", "y", "model_a", question_id="p", judge="i", weight=0.7),
        battle("x", "y", "model_b", question_id="p", judge="i", weight=0.3),
        battle("x", "y", "model_a", question_id="p", judge="j"),
    ]
    assert [split.agreement for split in split_by_judge(read(rows))] == [1.0, 1.0]


def test_of_a_crowd_the_ten_with_the_most_battles_are_split(read: Read, battle: Battle) -> None:
    rows = [battle("x", "y", "model_a", question_id=row, judge=f"voter {row % 4000:04d}") for row in range(8000)]
    log = read(rows + [battle("x", "y", "tie", question_id=row, judge="the busiest") for row in range(5)])
    found = split_by_judge(log)
    assert len(found) == MOST_SPLIT
    assert found[0].name == "the busiest"
