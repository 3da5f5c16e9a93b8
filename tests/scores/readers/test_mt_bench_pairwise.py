"""MT-bench's pairwise judgments."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# written by FastChat 0.2.36's play_a_match_pair, with a judge that says what a list tells it to
WRITTEN = Path(__file__).parents[1] / "samples" / "mt_bench_pairwise" / "fschat-0.2.36_pair.jsonl"


def judgment(question: object, first: object, second: object, **others: object) -> str:
    row = {"question_id": question, "model_1": "new", "model_2": "old", "g1_winner": first, "g2_winner": second,
           "judge": ["gpt-4", "pair-v2"], "g1_judgment": "[[A]]", "g2_judgment": "[[B]]", "turn": 1}  # fmt: skip
    return json.dumps({key: value for key, value in {**row, **others}.items() if value is not None}) + "\n"


def test_the_tool_s_own_file_gives_its_own_win_rate() -> None:
    # show_result.py --mode pairwise-baseline: 1 win, 1 loss, 3 ties of 5 in each turn, (1 + 3 / 2) / 5
    run = read_run(WRITTEN, Wanted(variant="turn 1"))
    column = run.metrics["win"]
    assert column.values[column.status == ItemStatus.SCORED].tolist() == [1.0, 0.5, 0.0, 0.5, 0.5]
    assert run.ids == ("81", "82", "83", "84", "85", "86")
    assert ItemStatus(column.status[4]) is ItemStatus.ERROR
    assert column.scale == Scale(0.0, 1.0)
    assert run.facts == {"judge": "gpt-4", "model": "new", "task": "against old"}


def test_of_several_pairs_the_task_is_against_the_opponent_of_the_one_that_is_read(read: Read) -> None:
    both = judgment(1, "tie", "tie") + judgment(1, "tie", "tie", model_2="older")
    assert read(both, variant="*older").facts == {"judge": "gpt-4", "model": "new", "task": "against older"}


def test_judges_are_variants(read: Read, refused: Refused) -> None:
    both = judgment(1, "model_1", "model_1") + judgment(1, "tie", "tie", judge=["claude", "pair-v2"])
    assert refused(both).what == 'the file holds 2 variants: "gpt-4", "claude"'
    assert read(both, variant="claude").metrics["win"].values.tolist() == [0.5]


def test_the_page_says_whose_wins_are_counted(read: Read) -> None:
    assert read(judgment(1, "tie", "tie")).notes == ("a win is one of model_1, the first of its pair",)


def test_the_turns_of_a_question_are_one_group_when_all_are_read() -> None:
    run = read_run(WRITTEN, Wanted(variant="all"))
    assert run.n_items == 12
    assert run.groups == ("81", "82", "83", "84", "85", "86") * 2


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("model_1", "model_1", 1.0),
        ("model_2", "model_2", 0.0),
        ("tie", "tie", 0.5),
        ("model_1", "model_2", 0.5),
        ("model_1", "tie", 0.5),
        ("tie", "model_2", 0.5),
    ],
)
def test_a_win_counts_only_where_both_games_agree(read: Read, first: str, second: str, score: float) -> None:
    assert read(judgment(1, first, second)).metrics["win"].values.tolist() == [score]


@pytest.mark.parametrize(("first", "second"), [("error", "model_1"), ("tie", "error"), ("error", "error")])
def test_a_game_that_could_not_be_judged_is_no_score(read: Read, first: str, second: str) -> None:
    status = read(judgment(1, first, second) + judgment(2, "tie", "tie")).metrics["win"].status
    assert status.tolist() == [ItemStatus.ERROR, ItemStatus.SCORED]


def test_pairs_are_variants_and_are_named_with_the_turn_where_both_differ(read: Read, refused: Refused) -> None:
    both = judgment(1, "tie", "tie") + judgment(1, "model_1", "model_1", model_1="newer")
    assert refused(both).what == 'the file holds 2 variants: "new vs old", "newer vs old"'
    assert read(both, variant="newer*").metrics["win"].values.tolist() == [1.0]
    three = both + judgment(1, "tie", "tie", turn=2)
    assert '"new vs old/turn 2"' in refused(three).what


def test_a_file_without_turns_is_read(read: Read) -> None:
    run = read("".join(judgment(n, "tie", "tie", turn=None) for n in range(2)))
    assert (run.ids, run.groups) == (("0", "1"), None)


@pytest.mark.parametrize("key", ["g1_winner", "g2_winner"])
@pytest.mark.parametrize("winner", ["A", "new", "", 1, ["tie"], {"model_1": 1}])
def test_an_unknown_winner_is_an_error_with_its_line(refused: Refused, key: str, winner: object) -> None:
    fault = refused(judgment(1, "tie", "tie") + judgment(2, "tie", "tie", **{key: winner}))
    assert fault.what.startswith("the winner is ")
    assert str(fault.where).endswith(f'line 2, key "{key}"')
    assert '"model_1", "model_2", "tie", "error"' in fault.remedy


def test_a_judgment_of_nobody_is_an_error(refused: Refused) -> None:
    assert refused(judgment(1, "tie", "tie", model_2="")).what == "a judgment needs two models"


def test_a_question_judged_twice_is_an_error_that_says_how_it_comes_about(refused: Refused) -> None:
    fault = refused(judgment(1, "tie", "tie") * 2)
    assert fault.what == '1 id stands more than once: "1" (lines 1, 2)'
    assert "FastChat appends to a file that is there" in fault.remedy


def test_questions_are_asked_for_elsewhere() -> None:
    with pytest.raises(ScoreFileError, match="only together with the answers"):
        read_items(WRITTEN)
