"""Simulated models under test: each makes two runs over the same items between which nothing changed."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]

_GROUP = 5


class Pair(NamedTuple):
    """Two runs over the same items, and the items' groups where they come in groups."""

    baseline: Scores
    candidate: Scores
    groups: NDArray[np.intp] | None = None

    @property
    def differences(self) -> Scores:
        """Candidate less baseline."""
        return self.candidate - self.baseline


Model = Callable[[int, np.random.Generator], Pair]


def _twice(run: Callable[[], Scores]) -> Pair:
    return Pair(run(), run())


def pass_or_fail(n: int, rng: np.random.Generator) -> Pair:
    """0 or 1: most items easy, some hard; about 0.73 pass."""
    chance = rng.beta(4, 1.5, n)
    return _twice(lambda: (rng.random(n) < chance).astype(np.float64))


def with_partial_credit(n: int, rng: np.random.Generator) -> Pair:
    """0, 0.5 or 1: each item with its own three probabilities."""
    chances = rng.dirichlet([1, 1, 4], n).cumsum(axis=1)[:, :2]
    return _twice(lambda: (rng.random((n, 1)) > chances).sum(axis=1) / 2)


def graded(n: int, rng: np.random.Generator) -> Pair:
    """Whole marks from 0 to 10 around each item's own level."""
    level = rng.beta(5, 2, n) * 10
    return _twice(lambda: np.clip(np.rint(level + rng.normal(0, 1.5, n)), 0, 10))


def irregular(n: int, rng: np.random.Generator) -> Pair:
    """Scores in [0, 1] of which hardly two are equal, around each item's own level."""
    level = rng.beta(8, 3, n)
    return _twice(lambda: np.clip(level + rng.normal(0, 0.1, n), 0, 1))


def grouped(n: int, rng: np.random.Generator) -> Pair:
    """0 or 1 in groups of five: in each run a whole group does better or worse together."""
    groups = np.arange(n, dtype=np.intp) // _GROUP
    chance = rng.beta(4, 1.5, n)

    def run() -> Scores:
        luck = rng.normal(0, 0.15, int(groups[-1]) + 1)[groups]
        return (rng.random(n) < chance + luck).astype(np.float64)

    return _twice(run)._replace(groups=groups)


def drop_by(pair: Pair, drop: float, rng: np.random.Generator) -> Pair:
    """Let candidate's items fall to zero, each with the same chance, until its mean is lower by about ``drop``."""
    fall = min(1.0, drop * pair.candidate.size / max(float(pair.candidate.sum()), 1.0))
    return pair._replace(candidate=np.where(rng.random(pair.candidate.size) < fall, 0.0, pair.candidate))


MODELS: dict[str, Model] = {
    "0 / 1": pass_or_fail,
    "0 / 0.5 / 1": with_partial_credit,
    "0 to 10": graded,
    "irregular": irregular,
    "0 / 1 in groups of 5": grouped,
}
