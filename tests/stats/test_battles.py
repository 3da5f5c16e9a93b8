from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.battles import Battles, count_battles, joint_numbers, share_out, win_matrix

MakeBattles = Callable[..., Battles]


def test_the_four_bots_battles_make_their_win_matrix(
    listed: list[tuple[int, int, float]], four_bots: NDArray[np.float64], make_battles: MakeBattles
) -> None:
    assert (win_matrix(make_battles(listed, 4)) == four_bots).all()


def test_a_win_as_second_is_a_win(make_battles: MakeBattles) -> None:
    assert win_matrix(make_battles([(0, 1, 0.0)], 2)).tolist() == [[0, 0], [1, 0]]


def test_a_tie_is_half_a_win_each_way(make_battles: MakeBattles) -> None:
    assert win_matrix(make_battles([(0, 1, 0.5), (1, 0, 0.5)], 2)).tolist() == [[0, 1], [1, 0]]


def test_a_battle_counts_by_its_weight(make_battles: MakeBattles) -> None:
    found = win_matrix(make_battles([(0, 1, 1.0), (1, 0, 0.5)], 2, weights=[3.0, 0.5]))
    assert found.tolist() == [[0, 3.25], [0.25, 0]]


def test_no_battles_are_no_wins() -> None:
    empty = np.empty(0, dtype=np.intp)
    nothing = Battles(empty, empty, np.empty(0), 3)
    assert (win_matrix(nothing) == np.zeros((3, 3))).all()
    assert len(count_battles(nothing).battles) == 0
    assert len(count_battles(Battles(empty, empty, np.empty(0), 1, np.empty(0))).battles) == 0
    assert share_out(nothing).n_units == 0


@pytest.mark.parametrize(
    ("rows", "n_models", "weights", "message"),
    [
        ([(0, 1, 1.0), (1, 1, 1.0)], 2, None, "battle 1 is of a model with itself"),
        ([(0, 2, 1.0)], 2, None, "a model's number is not in 0 to 1"),
        ([(-1, 1, 1.0)], 2, None, "a model's number is not in 0 to 1"),
        ([(2, 0, 1.0)], 2, None, "a model's number is not in 0 to 1"),
        ([(1, -1, 1.0)], 2, None, "a model's number is not in 0 to 1"),
        ([(0, 1, 0.25)], 2, None, "the outcome of battle 0 is none of 1, 0 and 0.5"),
        ([(0, 1, 1.0), (0, 1, float("nan"))], 2, None, "the outcome of battle 1 is none of 1, 0 and 0.5"),
        ([(0, 1, 1.0)], 2, [0.0], "a battle's weight is not a finite number over 0"),
        ([(0, 1, 1.0)], 2, [float("inf")], "a battle's weight is not a finite number over 0"),
        ([(0, 1, 1.0)], 2, [1.0, 1.0], "the columns of the battles differ in length"),
        ([(0, 1, 1.0)], 0, None, "there are no models"),
    ],
)
def test_what_is_no_battle_is_refused(
    rows: list[tuple[int, int, float]],
    n_models: int,
    weights: list[float] | None,
    message: str,
    make_battles: MakeBattles,
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        make_battles(rows, n_models, weights=weights)


def test_columns_of_two_dimensions_are_no_battles() -> None:
    first, second = np.zeros((1, 1), dtype=np.intp), np.ones((1, 1), dtype=np.intp)
    with pytest.raises(ValueError, match=r"^the columns of the battles differ in length$"):
        Battles(first, second, np.ones((1, 1)), 2)


def test_equal_battles_are_counted_whichever_model_stood_first(make_battles: MakeBattles) -> None:
    rows = [(0, 1, 1.0), (1, 0, 0.0), (1, 0, 1.0), (2, 0, 0.5), (0, 2, 0.5)]
    distinct, counts = count_battles(make_battles(rows, 3))
    assert distinct.first.tolist() == [0, 0, 0]
    assert distinct.second.tolist() == [1, 1, 2]
    assert distinct.outcomes.tolist() == [0.0, 1.0, 0.5]
    assert counts.tolist() == [1, 2, 2]


def test_kinds_of_battles_are_told_by_pair_outcome_and_weight_together(
    draw_battles: Callable[..., Battles], rng: np.random.Generator
) -> None:
    drawn = draw_battles(rng, 200, np.zeros(4), ties=0.3)
    battles = Battles(drawn.first, drawn.second, drawn.outcomes, 4, rng.choice([0.5, 1.0, 3.0], 200))
    assert battles.weights is not None
    turned = battles.first > battles.second
    outcomes = np.where(turned, 1 - battles.outcomes, battles.outcomes).tolist()
    pairs = np.sort([battles.first, battles.second], axis=0).tolist()
    wanted = Counter(zip(*pairs, outcomes, battles.weights.tolist(), strict=True))
    kinds, counts = count_battles(battles)
    assert kinds.weights is not None
    columns = (kinds.first, kinds.second, kinds.outcomes, kinds.weights)
    found = zip(*(column.tolist() for column in columns), strict=True)
    assert dict(zip(found, counts.tolist(), strict=True)) == wanted


def test_battles_of_different_weight_are_not_equal(make_battles: MakeBattles) -> None:
    rows = [(0, 1, 1.0), (1, 0, 0.0), (0, 1, 1.0)]
    distinct, counts = count_battles(make_battles(rows, 2, weights=[2.0, 2.0, 3.0]))
    assert distinct.weights is not None
    assert (distinct.weights.tolist(), counts.tolist()) == ([2.0, 3.0], [2, 1])


@pytest.mark.parametrize("weighted", [False, True])
def test_counted_and_shared_out_battles_have_the_same_win_matrix(
    weighted: bool, draw_battles: Callable[..., Battles], rng: np.random.Generator
) -> None:
    battles = draw_battles(rng, 300, np.zeros(5), ties=0.3)
    weights = rng.choice([0.5, 1.0, 3.0], 300) if weighted else None
    battles = Battles(battles.first, battles.second, battles.outcomes, 5, weights)
    wanted = win_matrix(battles)
    distinct, counts = count_battles(battles)
    assert share_out(distinct).win_matrix(counts) == pytest.approx(wanted)
    assert share_out(battles).win_matrix(np.ones(300)) == pytest.approx(wanted)
    shares = share_out(battles, rng.integers(7, 20, 300))
    assert shares.n_units == 13
    assert shares.win_matrix(np.full(13, 2)) == pytest.approx(2 * wanted)


def test_what_a_unit_adds_to_the_win_matrix_is_summed_up(make_battles: MakeBattles) -> None:
    battles = make_battles([(0, 1, 1.0), (1, 0, 0.0), (2, 1, 0.5), (1, 2, 1.0)], 3, weights=[1.0, 2.0, 1.0, 4.0])
    shares = share_out(battles, np.array([9, 9, 9, 4], dtype=np.intp))
    rows = zip(shares.units.tolist(), shares.winners.tolist(), shares.losers.tolist(), shares.amounts, strict=True)
    assert list(rows) == [(0, 1, 2, 4.0), (1, 0, 1, 3.0), (1, 1, 2, 0.5), (1, 2, 1, 0.5)]
    assert (shares.n_units, shares.n_models) == (2, 3)
    assert shares.win_matrix(np.array([1, 0])).tolist() == [[0, 0, 0], [0, 0, 4], [0, 0, 0]]


@pytest.mark.parametrize(("first", "second"), [(2**32, 2**31 - 1), (2**31 - 1, 2**32)])
def test_rows_that_barely_do_not_fit_into_one_integer_keep_their_order(first: int, second: int) -> None:
    # the product of their ranges is 2 to the power of 63, and a little more
    assert joint_numbers(np.array([0, first, first, 1]), np.array([5, second, 1, 0])).tolist() == [0, 3, 2, 1]


@pytest.mark.parametrize("largest", [3, np.iinfo(np.intp).max])
@pytest.mark.parametrize("n_columns", [1, 2, 4])
def test_equal_rows_of_columns_and_they_alone_have_one_number_in_the_rows_order(
    largest: int, n_columns: int, rng: np.random.Generator
) -> None:
    values = np.array([0, 1, largest - 1, largest], dtype=np.intp)
    columns = values[rng.integers(0, 4, (n_columns, 60))]
    expected = np.unique(columns, axis=1, return_inverse=True)[1].reshape(-1)
    assert joint_numbers(*columns).tolist() == expected.tolist()
