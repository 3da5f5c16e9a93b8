"""The minorise-maximise iteration for Bradley-Terry strengths: slow, simple, the one that is taught."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.connectivity import find_components

_PRECISE = 1e-12


class Iterated(NamedTuple):
    """Where the iteration came to.

    Attributes:
        strengths: float64 (m,), adding up to 1.
        iterations: how many were made.
        converged: every model's wins are those expected to 12 digits; a small change alone may be but slowness.
    """

    strengths: NDArray[np.float64]
    iterations: int
    converged: bool


def trace_mm(wins: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The strengths (m,) after each iteration, from 1/m each, normalised to the sum 1; without end.

    ``p_i <- W_i / sum_j n_ij / (p_i + p_j)``, with W_i the wins of model i and n_ij the battles of i and j. Where
    no finite strengths are the likeliest they wander off for ever.

    Args:
        wins: float64 (m, m): how often row beat column; finite, >= 0, with zeros on the diagonal.

    Raises:
        ValueError: where a model has met no other; on the first iteration.

    Source: Zermelo (1929); Hunter, MM Algorithms for Generalized Bradley-Terry Models (2004), equation 3.
    """
    games, won = wins + wins.T, wins.sum(axis=1)
    if not games.any(axis=1).all():
        raise ValueError("a model without a battle has no strength")
    strengths = np.full(len(wins), 1 / len(wins))
    while True:
        # two strengths of 0 belong to models that have not met
        sums = np.where(games > 0, strengths[:, None] + strengths, 1.0)
        strengths = won / (games / sums).sum(axis=1)
        strengths = strengths / strengths.sum()
        yield strengths


def fit_by_mm(wins: NDArray[np.float64], *, most_iterations: int = 100_000) -> Iterated:
    """The likeliest strengths by MM; ``fit_bradley_terry`` has the same in a few steps.

    Args:
        wins: float64 (m, m), m >= 2, as ``trace_mm``.
        most_iterations: when to give up, >= 1.

    Raises:
        ValueError: where no finite strengths are the likeliest, or not all models can be compared.
    """
    if find_components(wins).strong.any():
        raise ValueError("the win graph is not strongly connected: there are no likeliest strengths")
    games, won = wins + wins.T, wins.sum(axis=1)
    trace = enumerate(trace_mm(wins), 1)
    while True:
        iterations, strengths = next(trace)
        expected = (games * strengths[:, None] / (strengths[:, None] + strengths)).sum(axis=1)
        converged = bool((np.abs(won - expected) <= _PRECISE * won).all())
        if converged or iterations >= most_iterations:
            return Iterated(strengths, iterations, converged)
