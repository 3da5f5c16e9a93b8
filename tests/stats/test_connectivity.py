import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from gate.stats.connectivity import find_components, unbounded_models


def beat(size: int, *pairs: tuple[int, int]) -> NDArray[np.float64]:
    wins = np.zeros((size, size))
    for winner, loser in pairs:
        wins[winner, loser] += 1
    return wins


def test_a_circle_of_wins_is_one_component() -> None:
    found = find_components(beat(3, (0, 1), (1, 2), (2, 0)))
    assert found.strong.tolist() == found.weak.tolist() == [0, 0, 0]
    assert not found.unbounded.any()
    assert not found.undefeated.any()
    assert not found.winless.any()
    assert found.comparable.all()


def test_a_component_comes_before_those_it_beat() -> None:
    found = find_components(beat(4, (2, 3), (3, 2), (3, 0), (0, 1)))
    assert found.strong.tolist() == [1, 2, 0, 0]
    assert found.unbounded.all()


def test_the_undefeated_and_the_winless_are_told() -> None:
    found = find_components(beat(4, (0, 1), (1, 2), (2, 1)))
    assert found.undefeated.tolist() == [True, False, False, False]
    assert found.winless.tolist() == [False, False, False, False]
    assert find_components(beat(2, (1, 0))).winless.tolist() == [True, False]


def test_who_tied_is_not_undefeated() -> None:
    found = find_components(np.array([[0, 0.5], [0.5, 0]]))
    assert not np.concatenate([found.undefeated, found.winless, found.unbounded]).any()


def test_only_the_component_that_lacks_a_circle_is_unbounded() -> None:
    found = find_components(beat(5, (0, 1), (1, 0), (2, 3)))
    assert found.weak.tolist() == [0, 0, 1, 1, 2]
    assert found.unbounded.tolist() == [False, False, True, True, False]
    assert not found.comparable.all()
    assert found.comparable[2].tolist() == [False, False, True, True, False]


@pytest.mark.parametrize("kind", ["chain", "tournament", "circle"])
def test_a_thousand_models_are_no_burden(kind: str) -> None:
    size = 1000
    wins = np.triu(np.ones((size, size)), 1) if kind == "tournament" else np.eye(size, k=1)
    if kind == "circle":
        wins[-1, 0] = 1.0
    found = find_components(wins)
    assert found.comparable.all()
    assert found.strong.tolist() == ([0] * size if kind == "circle" else list(range(size)))


def test_components_that_have_not_met_come_in_the_order_of_their_first_models() -> None:
    found = find_components(np.zeros((300, 300)))
    assert found.weak.tolist() == found.strong.tolist() == list(range(300))
    assert found.weak.dtype == found.strong.dtype == np.intp


@given(st.integers(1, 9), st.integers(0, 2**32 - 1), st.floats(0.02, 0.5))
def test_the_components_are_those_of_scipy(size: int, seed: int, density: float) -> None:
    wins = (np.random.default_rng(seed).random((size, size)) < density) * (1 - np.eye(size))
    found = find_components(wins)
    for ours, kind in ((found.strong, "strong"), (found.weak, "weak")):
        theirs = connected_components(wins, directed=True, connection=kind)[1]
        assert ((ours[:, None] == ours) == (theirs[:, None] == theirs)).all()


@given(st.integers(1, 8), st.integers(0, 2**32 - 1), st.floats(0.05, 0.6))
def test_many_win_matrices_are_judged_as_each_alone(size: int, seed: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    met = rng.random((size, size)) < 0.5
    many = (rng.random((6, size, size)) < density) * (met & ~np.eye(size, dtype=bool))
    whole = find_components(many.sum(axis=0).astype(np.float64))
    found = unbounded_models(many.astype(np.float64), whole.comparable)
    for own, wins in zip(found, many, strict=True):
        parts = connected_components(wins, directed=True, connection="strong")[1]
        assert own.tolist() == [len({parts[j] for j in range(size) if whole.comparable[i, j]}) > 1 for i in range(size)]
