"""Arena-Hard-Auto's judgments."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
SAMPLES = Path(__file__).parents[1] / "samples" / "arena_hard"
# written by gen_judgment.py of lmarena/arena-hard-auto, at these commits, on questions, answers and settings of our
# own; the judge was an endpoint that says what a table tells it to, and once answers with HTTP 400
V01 = SAMPLES / "v0.1-01109e9.jsonl"
V20 = SAMPLES / "v2.0-9aa749d.jsonl"
UNSCORED, ERROR = ItemStatus.UNSCORED, ItemStatus.ERROR


def judgment(question: object, *verdicts: object, **others: object) -> str:
    games = [{"score": verdict, "judgment": {"answer": "so I say"}, "prompt": []} for verdict in verdicts]
    row = {"uid": question, "category": "hard_prompt", "judge": "gpt", "model": "new", "baseline": "old",
           "games": games}  # fmt: skip
    return json.dumps({key: value for key, value in {**row, **others}.items() if value != "-"}) + "\n"


def games_of(run: Run) -> dict[str, list[float | ItemStatus]]:
    column = run.metrics["score"]
    games: dict[str, list[float | ItemStatus]] = {name: [] for name in run.ids}
    for item, value, status in zip(run.item_of_sample, column.values, column.status, strict=True):
        games[run.ids[item]].append(float(value) if status == ItemStatus.SCORED else ItemStatus(status))
    return games


def test_a_file_of_v2_0_gives_what_the_tool_makes_of_each_game() -> None:
    # load_judgments(..., weight=1) of show_result.py at 005ac12 has the same of each question with two verdicts, the
    # second game before the first; at 0a07f3, where the judge said [[A]], it stops
    run = read_run(V20, Wanted(variant="hard_prompt*"))
    assert games_of(run) == {
        "0a01f3": [1.0, 1.0],
        "0a02f3": [0.0, 0.0],
        "0a03f3": [0.5, 0.5],
        "0a04f3": [1.0, UNSCORED],
        "0a05f3": [1.0, 0.0],
        "0a06f3": [ERROR, 0.0],
        "0a07f3": [ERROR, 0.0],
    }
    assert run.metrics["score"].scale == Scale(0.0, 1.0)


def test_a_file_of_v0_1_gives_what_the_tool_makes_of_each_game() -> None:
    # 86b7's second game, A<B, is the one that get_battles_from_row leaves out beside those without a score
    run = read_run(V01)
    assert games_of(run) == {
        "81b7": [1.0, 1.0],
        "82b7": [0.0, 0.0],
        "83b7": [0.5, 0.5],
        "84b7": [UNSCORED, 1.0],
        "85b7": [UNSCORED, 0.0],
        "86b7": [1.0, 0.0],
        "87b7": [0.5, ERROR],
    }
    assert run.facts == {"judge": "judge-4", "model": "new-2"}


def test_another_baseline_is_another_task(read: Read) -> None:
    assert read(judgment(1, "A=B", "A=B")).facts == {"judge": "gpt", "model": "new", "task": "against old"}
    both = judgment(1, "A=B", "A=B") + judgment(1, "A=B", "A=B", baseline="older", judge="claude")
    assert read(both, variant="claude*").facts == {"judge": "claude", "model": "new", "task": "against older"}


@pytest.mark.parametrize(
    ("verdict", "first", "second"),
    [
        ("A>>B", 0.0, 1.0),
        ("A>B", 0.0, 1.0),
        ("B<A", 0.0, 1.0),
        ("B<<A", 0.0, 1.0),
        ("A=B", 0.5, 0.5),
        ("B=A", 0.5, 0.5),
        ("A<B", 1.0, 0.0),
        ("A<<B", 1.0, 0.0),
        ("B>A", 1.0, 0.0),
        ("B>>A", 1.0, 0.0),
    ],
)
def test_the_model_is_b_in_the_first_game_and_a_in_the_second(
    read: Read, verdict: str, first: float, second: float
) -> None:
    run = read(judgment(1, verdict, verdict))
    assert run.metrics["score"].values.tolist() == [first, second]
    assert run.item_of_sample.tolist() == [0, 0]


@pytest.mark.parametrize("verdict", ["A", "B", "AB", "A>>>B", "=", "A>A"])
def test_what_the_judge_put_in_brackets_but_is_no_verdict_is_an_error_of_the_judge(read: Read, verdict: str) -> None:
    assert games_of(read(judgment(1, verdict, "A>B"))) == {"1": [ERROR, 1.0]}


@pytest.mark.parametrize("verdict", ["", "tie", "model_a", "a>b", "A > B", "C", 1, 0.5, True, ["A>B"], {"A": 1}])
def test_an_unknown_verdict_is_refused_with_its_place(refused: Refused, verdict: object) -> None:
    fault = refused(judgment(1, "A>B", "A>B") + judgment(2, "A>B", verdict))
    assert fault.what.startswith("the verdict is ")
    assert str(fault.where).endswith("line 2, games[1].score")
    assert '"A=B"' in fault.remedy


@pytest.mark.parametrize("game", [{}, {"judgment": "A>B"}, "A>B", 1, ["A>B"]])
def test_a_game_without_a_score_is_refused_and_not_taken_for_one_without_a_verdict(
    refused: Refused, game: object
) -> None:
    fault = refused(judgment(1, "A>B", "A>B") + judgment(2, games=[game, game]))
    assert fault.what == "the game has no verdict, not even null"


@pytest.mark.parametrize("games", [[], [None], [None] * 3, None, "A>B", {"0": None, "1": None}])
def test_other_than_two_games_are_refused_for_their_place_tells_who_is_a(refused: Refused, games: object) -> None:
    fault = refused(judgment(1, "A>B", "A>B") + judgment(2, games=games))
    assert fault.what == "a judgment needs two games, with the positions swapped between them"
    assert str(fault.where).endswith('line 2, key "games"')


def test_a_first_judgment_of_which_both_calls_failed_is_still_known(read: Read) -> None:
    run = read(judgment(1, games=[None, None]) + judgment(2, "A>B", "A>B"))
    assert games_of(run) == {"1": [ERROR, ERROR], "2": [0.0, 1.0]}


def test_a_question_judged_twice_is_refused_even_in_an_array_on_one_line(refused: Refused) -> None:
    rows = [json.loads(judgment(n, "A>B", "A>B")) for n in (1, 2, 1)]
    for content in ("".join(json.dumps(row) + "\n" for row in rows), json.dumps(rows)):
        fault = refused(content)
        assert fault.what == 'the question "1" is judged twice: on line 1 already'
        assert "appends" in fault.remedy


def test_models_judges_categories_and_baselines_are_variants(read: Read, refused: Refused) -> None:
    for other in ({"model": "x"}, {"judge": "x"}, {"category": "x"}, {"baseline": "x"}):
        both = judgment(1, "A>B", "A>B") + judgment(1, "B>A", "A>B", **other)
        assert refused(both).what.startswith("the file holds 2 variants: ")
        assert read(both, variant="x").metrics["score"].values.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("model", [None, ""])
def test_a_judgment_of_nobody_is_refused(refused: Refused, model: object) -> None:
    assert refused(judgment(1, "A>B", "A>B") + judgment(2, "A>B", "A>B", model=model)).what == (
        "the judgment names no model"
    )


@pytest.mark.parametrize("uid", [None, "", "-", True, ["a"]])
def test_a_judgment_of_no_question_is_refused(refused: Refused, uid: object) -> None:
    fault = refused(judgment(1, "A>B", "A>B") + judgment(uid, "A>B", "A>B"))
    assert "id" in fault.what
    assert str(fault.where).endswith("line 2")


def test_the_first_files_of_v0_1_which_name_no_judge_are_read(read: Read) -> None:
    row = judgment("-", "A>B", "A>B", question_id="q", judge="-", category="-", baseline="-")
    run = read(row)
    assert (run.source.format, run.ids, run.facts) == ("arena_hard", ("q",), {"model": "new"})


def test_questions_are_asked_for_elsewhere() -> None:
    with pytest.raises(ScoreFileError, match="only together with the answers"):
        read_items(V20)
