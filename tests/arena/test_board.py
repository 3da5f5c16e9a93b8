"""Every published figure of the four bots, and what holds for any board."""

import csv
import dataclasses
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.arena import Question, make_board
from gate.arena.board import Board, Row
from gate.errors import GateError, ScoreFileError, UsageError

BoardOf = Callable[..., Board]
Write = Callable[..., Path]


@pytest.fixture(scope="module")
def board(bots: Path, board_of: BoardOf) -> Board:
    return board_of(bots, trace=True)


def rows_of(board: Board) -> dict[str, Row]:
    return {row.model: row for row in board.rows}


# the published example


def test_the_example_is_the_published_win_matrix_read_row_by_row(bots: Path) -> None:
    wins = [[0, 2, 3, 3], [1, 0, 2, 3], [0, 1, 0, 2], [0, 0, 1, 0]]
    with bots.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    beaten = [(row["model_a"], row["model_b"]) for row in rows if row["winner"] == "model_a"]
    assert beaten == [("ABCD"[i], "ABCD"[j]) for i in range(4) for j in range(4) for _ in range(wins[i][j])]
    assert len(beaten) == len(rows) == 18


@pytest.mark.parametrize(
    ("iteration", "strengths"),
    [
        (1, [0.4444, 0.3333, 0.1667, 0.0556]),
        (2, [0.5195, 0.3274, 0.1179, 0.0352]),
        (3, [0.5655, 0.3122, 0.0933, 0.0290]),
        (20, [0.7015, 0.2314, 0.0506, 0.0164]),
    ],
)
def test_the_iterations_of_mm(iteration: int, strengths: list[float], board: Board) -> None:
    assert board.trace is not None
    steps = {step.iteration: step.strengths for step in board.trace.steps}
    assert [round(strength, 4) for strength in steps[iteration]] == strengths


def test_chances_at_iteration_20(board: Board) -> None:
    assert board.trace is not None
    a, b, c, d = next(step.strengths for step in board.trace.steps if step.iteration == 20)
    assert (round(a / (a + d), 3), round(b / (b + c), 3)) == (0.977, 0.821)


def test_the_iteration_ends_at_the_likeliest_strengths(board: Board) -> None:
    assert board.trace is not None
    assert board.trace.converged
    assert [round(strength, 5) for strength in board.trace.steps[-1].strengths] == [0.70524, 0.22875, 0.04984, 0.01617]


def test_chances_of_the_converged_fit(board: Board) -> None:
    a_over_d, b_over_c = board.chances[0][3], board.chances[1][2]
    assert a_over_d is not None
    assert b_over_c is not None
    assert (round(a_over_d.value, 3), round(b_over_c.value, 3)) == (0.978, 0.821)


def test_ratings_on_the_scale_of_elo(board: Board) -> None:
    assert [row.model for row in board.rows] == ["A", "B", "C", "D"]
    assert [round(row.rating, 1) for row in board.rows] == [1327.9, 1132.4, 867.6, 672.1]
    assert [row.rank for row in board.rows] == [1, 2, 3, 4]
    assert (board.converged, board.regularised, board.method) == (True, False, "Wald")


def test_elo_as_listed(board: Board) -> None:
    listed = [round(row.elo.listed, 4) for row in board.rows]
    assert listed == [1083.7259, 1034.8446, 962.2433, 919.1862]
    assert [round(rating, 1) for rating in listed] == [1083.7, 1034.8, 962.2, 919.2]


def test_elo_of_the_shuffled_battles_moves_and_the_strengths_do_not(
    bots: Path, board: Board, write: Write, board_of: BoardOf
) -> None:
    with bots.open(encoding="utf-8", newline="") as file:
        rows = [(row["model_a"], row["model_b"], row["winner"]) for row in csv.DictReader(file)]
    random.Random(0).shuffle(rows)  # noqa: S311  # the published order
    shuffled = board_of(write(rows))
    assert [round(row.elo.listed, 4) for row in shuffled.rows] == [1087.1898, 1038.8473, 961.4129, 912.5500]
    assert [row.model for row in shuffled.rows] == ["A", "B", "C", "D"]
    assert [row.rating for row in shuffled.rows] == pytest.approx([row.rating for row in board.rows], abs=1e-9)
    assert shuffled.share_reranked == 0.0


def test_ten_thousand_orders_move_elo_by_as_much_as_published(bots: Path, board_of: BoardOf) -> None:
    elo = rows_of(board_of(bots, n_orders=10_000))["A"].elo
    # the extremes of ten thousand orders are those of the draw; published are 1078.9 and 1100.1
    assert (elo.lowest, elo.highest) == pytest.approx((1078.9, 1100.1), abs=1.5)
    assert elo.lowest < elo.mean < elo.highest


def test_elo_of_one_battle_between_equals(write: Write, board_of: BoardOf) -> None:
    rows = rows_of(board_of(write([("x", "y", "model_a")])))
    assert (rows["x"].elo.listed, rows["y"].elo.listed) == (1016.0, 984.0)
    assert rows["x"].elo.sd == 0.0


# what holds for any board


def test_points_are_only_moved_never_made(bots: Path, board_of: BoardOf) -> None:
    board = board_of(bots, k=7.0, start=1500.0, scale=200.0)
    for name in ("listed", "mean"):
        assert sum(getattr(row.elo, name) for row in board.rows) == pytest.approx(6000)
    assert sum(row.rating for row in board.rows) == pytest.approx(6000)


def test_the_tallies_count_every_battle_of_a_model(board: Board, write: Write, board_of: BoardOf) -> None:
    assert [dataclasses.astuple(row.tally) for row in board.rows] == [
        (9, 8, 0, 1),
        (9, 6, 0, 3),
        (9, 3, 0, 6),
        (9, 1, 0, 8),
    ]
    rows = [("x", "y", "model_a"), ("y", "x", "model_a"), ("y", "x", "tie")]
    weighted = rows_of(board_of(write(rows, weight=1.5)))
    assert dataclasses.astuple(weighted["x"].tally) == (4.5, 1.5, 1.5, 1.5)


def test_a_verdict_in_two_parts_is_one_battle(tmp_path: Path, board_of: BoardOf) -> None:
    path = tmp_path / "annotations.json"
    row = '{"instruction":"%d","output_1":"","output_2":"","generator_1":"x","generator_2":"y","annotator":"j",'
    row += '"preference":1.25}'
    path.write_text(f"[{','.join(row % number for number in range(3))}]")
    board = board_of(path)
    assert (board.n_battles, board.n_prompts) == (3, 3)
    assert dataclasses.astuple(rows_of(board)["y"].tally) == (3, 0.75, 0, 2.25)


def test_an_anchor_has_the_start_for_certain_and_moves_all_others(board: Board, bots: Path, board_of: BoardOf) -> None:
    anchored = board_of(bots, anchor="B", start=1200.0)
    by_name, plain = rows_of(anchored), rows_of(board)
    assert by_name["B"].rating == 1200.0
    assert by_name["B"].interval == (1200.0, 1200.0)
    assert by_name["A"].rating - 1200.0 == pytest.approx(plain["A"].rating - plain["B"].rating)
    assert by_name["A"].interval != plain["A"].interval
    assert anchored.chances == board.chances


def test_across_groups_an_anchor_says_nothing(write: Write, board_of: BoardOf) -> None:
    board = board_of(write([("a", "b", "tie"), ("a", "c", "tie"), ("x", "y", "tie")]), anchor="a", start=1500.0)
    assert {row.model: (row.group, row.rating) for row in board.rows} == {
        "a": (1, 1500.0), "b": (1, 1500.0), "c": (1, 1500.0), "x": (2, 1500.0), "y": (2, 1500.0),
    }  # fmt: skip
    x, a = (next(place for place, row in enumerate(board.rows) if row.model == name) for name in "xa")
    assert board.chances[x][a] is None
    assert board.chances[x][x] is None


def test_an_unknown_anchor_is_an_error_that_lists_the_models(bots: Path, board_of: BoardOf) -> None:
    with pytest.raises(UsageError, match='no model "E"') as caught:
        board_of(bots, anchor="E")
    assert '"A", "B", "C", "D"' in caught.value.remedy


def test_the_same_question_has_the_same_board_and_another_seed_other_orders(bots: Path, board_of: BoardOf) -> None:
    asked = {"interval": "bootstrap", "n_resamples": 200}
    assert board_of(bots, **asked) == board_of(bots, **asked)
    assert board_of(bots, **asked) != board_of(bots, seed=1, **asked)


def test_orders_are_fewer_where_there_are_very_many_battles(
    bots: Path, board_of: BoardOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.arena.board._MOST_STEPS", 18 * 50)
    assert [board_of(bots, n_orders=orders).n_orders for orders in (10, 50, 1000)] == [10, 50, 50]
    monkeypatch.setattr("gate.arena.board._MOST_STEPS", 1)
    assert board_of(bots, n_orders=1000).n_orders == 20


def test_the_mean_of_the_orders_is_that_of_evenly_matched_models(write: Write, board_of: BoardOf) -> None:
    board = board_of(write([("x", "y", "model_a"), ("x", "y", "model_b")]), n_orders=500)
    x = rows_of(board)["x"].elo
    # the one order gives y the last word, the other x
    assert x.lowest == pytest.approx(2000 - x.highest)
    assert x.mean == pytest.approx(1000, abs=0.2)
    assert 0.3 < board.share_reranked < 0.7


def test_a_trace_without_an_end_is_refused(write: Write, board_of: BoardOf) -> None:
    with pytest.raises(UsageError, match="the iteration has no end"):
        board_of(write([("x", "y", "model_a")]), trace=True)


def test_a_file_of_scores_is_no_board(tmp_path: Path, board_of: BoardOf) -> None:
    (tmp_path / "scores.csv").write_text("id,score\na,1\n")
    with pytest.raises(ScoreFileError, match="matches no format"):
        board_of(tmp_path / "scores.csv")


@pytest.mark.parametrize(
    ("flag", "asked"),
    [
        ("--resamples", {"n_resamples": 99}),
        ("--resamples", {"n_resamples": 100_001}),
        ("--orders", {"n_orders": 0}),
        ("--orders", {"n_orders": 100_001}),
        ("--k", {"k": 0.0}),
        ("--k", {"k": float("nan")}),
        ("--k", {"k": 1e308}),
        ("--start", {"start": float("inf")}),
        ("--start", {"start": -1e308}),
        ("--scale", {"scale": 0.0}),
        ("--scale", {"scale": 1e-320}),
        ("--scale", {"scale": 1e308}),
        ("--seed", {"seed": -1}),
    ],
)
def test_a_value_out_of_range_is_an_error_that_names_the_flag_and_the_value(
    flag: str, asked: dict[str, float], bots: Path
) -> None:
    with pytest.raises(GateError) as caught:
        make_board(Question(files=(str(bots),), **asked))  # type: ignore[arg-type]
    (value,) = asked.values()
    assert caught.value.what == f"{flag} {value!r} is out of range"


@pytest.mark.parametrize("asked", [{"k": 1e9}, {"k": 1e-3}, {"start": -1e9}, {"scale": 1e-3}, {"scale": 1e9}])
def test_values_at_the_ends_of_the_range_give_finite_figures(
    asked: dict[str, float], bots: Path, board_of: BoardOf
) -> None:
    for row in board_of(bots, **asked).rows:
        assert all(abs(figure) < 1e15 for figure in (row.rating, *dataclasses.astuple(row.elo)))
