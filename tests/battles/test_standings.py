"""A ranking as a leaderboard."""

import json
from pathlib import Path

import numpy as np
import pytest

from gate.battles import Ranking, chances_in, order_of, rank_models, read_battles, standings_of, wins_in


def battles(one: str, other: str, words: str) -> list[dict[str, str]]:
    """Battles of two models: for each letter a win of one (w), a tie (t) or a loss (l)."""
    told = {"w": "model_a", "l": "model_b", "t": "tie"}
    return [{"model_a": one, "model_b": other, "winner": told[letter]} for letter in words]


@pytest.fixture
def ranking(tmp_path: Path) -> Ranking:
    rows = [*battles("b", "a", "wwwltt"), *battles("a", "c", "wwl"), *battles("x", "y", "wl")]
    path = tmp_path / "battles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return rank_models(read_battles([str(path)]), rng=np.random.default_rng(0))


def test_the_strongest_of_the_largest_group_stands_first(ranking: Ranking) -> None:
    told = [(row.model, row.group, row.rank) for row in standings_of(ranking, order_of(ranking))]
    assert told == [("b", 1, 1), ("a", 1, 2), ("c", 1, 3), ("x", 2, 1), ("y", 2, 1)]


def test_a_model_is_told_with_its_battles(ranking: Ranking) -> None:
    rows = {row.model: row for row in standings_of(ranking, order_of(ranking))}
    told = [(row.battles, row.won, row.tied, row.lost) for row in (rows["b"], rows["a"])]
    assert told == [(6, 3, 2, 1), (9, 3, 2, 4)]


def test_a_rating_lies_in_its_interval_and_a_rank_in_its_range(ranking: Ranking) -> None:
    for row in standings_of(ranking, order_of(ranking)):
        assert row.best <= row.rank <= row.worst
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.rating < row.high


def test_ratings_and_chances_tell_the_same(ranking: Ranking) -> None:
    order = order_of(ranking)
    first, second, *_ = standings_of(ranking, order)
    chance = 1 / (1 + 10 ** ((second.rating - first.rating) / 400))
    assert chances_in(ranking, order)[0][1] == pytest.approx(chance)


def test_models_that_no_battle_links_have_no_chance_against_each_other(ranking: Ranking) -> None:
    chances = chances_in(ranking, order_of(ranking))
    assert [chances[0][3], chances[4][2], chances[1][1]] == [None, None, None]


def test_a_tie_is_half_a_win_each_way(ranking: Ranking) -> None:
    wins = wins_in(ranking, order_of(ranking))
    assert (wins[0][1], wins[1][0], wins[0][2]) == (4, 2, 0)
