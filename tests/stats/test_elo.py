import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.battles import Battles
from gate.stats.elo import EloRule, OrderEffect, elo_ratings, order_effect

MakeBattles = Callable[..., Battles]
Rows = list[tuple[int, int, float]]


@pytest.fixture(scope="module")
def effect(listed: Rows, make_battles: MakeBattles) -> OrderEffect:
    return order_effect(make_battles(listed, 4), n_orders=10_000, rng=np.random.default_rng(0))


def rounded(ratings: list[float], digits: int = 4) -> list[float]:
    return [round(rating, digits) for rating in ratings]


# the published figures


def test_equal_ratings_expect_a_half() -> None:
    assert EloRule().expected(1000.0, 1000.0) == 0.5


def test_a_win_between_equals_moves_sixteen_points(make_battles: MakeBattles) -> None:
    assert elo_ratings(make_battles([(0, 1, 1.0)], 2)) == [1016.0, 984.0]


def test_the_listed_order_gives_the_published_ratings(listed: Rows, make_battles: MakeBattles) -> None:
    assert rounded(elo_ratings(make_battles(listed, 4))) == [1083.7259, 1034.8446, 962.2433, 919.1862]


def test_the_shuffled_order_gives_the_published_ratings(listed: Rows, make_battles: MakeBattles) -> None:
    shuffled = list(listed)
    random.Random(0).shuffle(shuffled)  # noqa: S311 -- the published order, no secret
    assert rounded(elo_ratings(make_battles(shuffled, 4))) == [1087.1898, 1038.8473, 961.4129, 912.5500]


def test_ten_thousand_orders_move_the_first_bot_over_the_published_range(effect: OrderEffect) -> None:
    assert (round(effect.lowest[0], 1), round(effect.highest[0], 1)) == (1078.9, 1100.1)


def test_no_order_of_the_four_bots_changes_their_ranking(effect: OrderEffect) -> None:
    assert (effect.share_reranked, effect.n_orders) == (0.0, 10_000)


# the rule


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0])), max_size=40))
def test_points_are_only_moved(rows: Rows) -> None:
    first = np.array([row[0] for row in rows], dtype=np.intp)
    second = (first + np.array([row[1] for row in rows], dtype=np.intp)) % 5
    ratings = elo_ratings(Battles(first, second, np.array([row[2] for row in rows], dtype=float), 5))
    assert sum(ratings) == pytest.approx(5000.0, abs=1e-9)


def test_a_tie_moves_points_to_the_weaker(make_battles: MakeBattles) -> None:
    ratings = elo_ratings(make_battles([(0, 1, 1.0), (1, 0, 0.5)], 2))
    expected = 1 / (1 + 10 ** (32 / 400))
    assert ratings == pytest.approx([1016 - 32 * (0.5 - expected), 984 + 32 * (0.5 - expected)])


def test_a_weight_multiplies_the_points_at_stake(make_battles: MakeBattles) -> None:
    assert elo_ratings(make_battles([(0, 1, 1.0)], 2, weights=[0.5])) == [1008.0, 992.0]


def test_stake_start_and_scale_are_the_users(make_battles: MakeBattles) -> None:
    rule = EloRule(k=10, start=1500, scale=200)
    ratings = elo_ratings(make_battles([(0, 1, 1.0), (0, 1, 1.0)], 3), rule)
    second = 10 * (1 - 1 / (1 + 10 ** (-10 / 200)))
    assert ratings == pytest.approx([1505 + second, 1495 - second, 1500])


def test_ratings_far_apart_neither_overflow_nor_stop(make_battles: MakeBattles) -> None:
    rows = [(0, 1, 1.0)] * 3 + [(1, 0, 1.0)]
    rule = EloRule(k=1e6, scale=1.0)
    assert elo_ratings(make_battles(rows, 2), rule) == [1000.0 + 500_000 - 1e6, 1000.0 - 500_000 + 1e6]
    assert order_effect(make_battles(rows, 2), rule, n_orders=9, rng=np.random.default_rng(0)).sd[0] > 0


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ({"k": 0}, "the points at stake and the scale of an Elo rule are over 0"),
        ({"scale": -1}, "the points at stake and the scale of an Elo rule are over 0"),
        ({"start": float("inf")}, "the figures of an Elo rule are finite"),
        ({"k": float("nan")}, "the figures of an Elo rule are finite"),
    ],
)
def test_a_rule_that_is_none_is_refused(figures: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        EloRule(**figures)


# the order


def test_orders_side_by_side_are_what_each_is_alone(
    draw_battles: Callable[..., Battles], monkeypatch: pytest.MonkeyPatch
) -> None:
    battles = draw_battles(np.random.default_rng(3), 30, np.array([1.0, 0.0, -1.0]), ties=0.2)
    battles = Battles(battles.first, battles.second, battles.outcomes, 3, np.linspace(0.5, 2, 30))
    monkeypatch.setattr("gate.stats.elo._BATCH_CELLS", 120)  # four orders at a time
    found = order_effect(battles, n_orders=10, rng=np.random.default_rng(5))
    draws, alone = np.random.default_rng(5), []
    for rows in (4, 4, 2):
        for order in draws.permuted(np.tile(np.arange(30, dtype=np.int32), (rows, 1)), axis=1):
            columns = (battles.first, battles.second, battles.outcomes)
            first, second, outcomes = (column[order] for column in columns)
            weights = np.linspace(0.5, 2, 30)[order]
            alone.append(elo_ratings(Battles(first, second, outcomes, 3, weights)))
    ratings = np.array(alone)
    assert found.mean == pytest.approx(ratings.mean(axis=0))
    assert found.sd == pytest.approx(ratings.std(axis=0))
    assert found.lowest == pytest.approx(ratings.min(axis=0))
    assert found.highest == pytest.approx(ratings.max(axis=0))
    order_listed = np.argsort(elo_ratings(battles))
    assert found.share_reranked == np.mean([(np.argsort(row) != order_listed).any() for row in ratings])


def test_orders_that_change_the_ranking_are_counted(make_battles: MakeBattles) -> None:
    # who wins last is ahead: half of the orders
    found = order_effect(make_battles([(0, 1, 1.0), (1, 0, 1.0)], 2), n_orders=4000, rng=np.random.default_rng(1))
    assert found.share_reranked == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 4000))


def test_the_order_as_listed_is_ranked_by_the_users_rule_too(make_battles: MakeBattles) -> None:
    # with so much at stake who wins last as the underdog is ahead: as listed, and in one order of four, the second
    rule = EloRule(k=1e6, scale=1.0)
    battles = make_battles([(0, 1, 1.0)] * 3 + [(1, 0, 1.0)], 2)
    found = order_effect(battles, rule, n_orders=400, rng=np.random.default_rng(0))
    assert found.share_reranked == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 400))


def test_without_a_battle_everyone_stays_at_the_start() -> None:
    empty = np.empty(0, dtype=np.intp)
    nothing = Battles(empty, empty, np.empty(0), 2)
    assert elo_ratings(nothing) == [1000.0, 1000.0]
    found = order_effect(nothing, n_orders=3, rng=np.random.default_rng(0))
    assert (found.mean.tolist(), found.share_reranked) == ([1000.0, 1000.0], 0.0)
