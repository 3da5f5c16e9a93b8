"""The four bots of the published example, and battles to try strengths on."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.battles import Battles

FOUR_BOTS = ((0, 2, 3, 3), (1, 0, 2, 3), (0, 1, 0, 2), (0, 0, 1, 0))


def battles_of(
    rows: Sequence[tuple[int, int, float]], n_models: int, weights: Sequence[float] | None = None
) -> Battles:
    first, second, outcomes = (np.array([row[column] for row in rows]) for column in range(3))
    return Battles(
        first.astype(np.intp),
        second.astype(np.intp),
        outcomes.astype(np.float64),
        n_models,
        None if weights is None else np.array(weights, dtype=np.float64),
    )


def random_battles(
    rng: np.random.Generator, n: int, log_strengths: NDArray[np.float64], *, ties: float = 0.0
) -> Battles:
    size = log_strengths.size
    first = rng.integers(0, size, n)
    second = (first + rng.integers(1, size, n)) % size
    won = rng.random(n) < 1 / (1 + np.exp(log_strengths[second] - log_strengths[first]))
    return Battles(first, second, np.where(rng.random(n) < ties, 0.5, won), size)


@pytest.fixture(scope="session")
def four_bots() -> NDArray[np.float64]:
    """The win matrix."""
    return np.array(FOUR_BOTS, dtype=np.float64)


@pytest.fixture(scope="session")
def listed() -> list[tuple[int, int, float]]:
    """The battles of the four bots, in the order of the win matrix read row by row."""
    return [(i, j, 1.0) for i in range(4) for j in range(4) for _ in range(FOUR_BOTS[i][j])]


@pytest.fixture(scope="session")
def make_battles() -> Callable[..., Battles]:
    return battles_of


@pytest.fixture(scope="session")
def draw_battles() -> Callable[..., Battles]:
    return random_battles
