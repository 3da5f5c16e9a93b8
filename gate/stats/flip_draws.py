"""Runs in which nothing changed, drawn from a pair of runs: each unit's two scores may as well have been exchanged."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import ROUNDING, find_lattice
from gate.stats.normal import normal_cdf
from gate.stats.sign_flips import lattice_pmf

_MOST_DRAWS = 4000
_LEAST_DRAWS = 1000
_MOST_CELLS = 4_000_000
# Beyond so many units a sum of random signs is normal for all that a rate in percent can show.
_MOST_UNITS = 4000
_BATCH_CELLS = 1_000_000


class FlipDraws(NamedTuple):
    """Random exchanges of two runs, r of them.

    Attributes:
        sums: float64 (r,), the sum of the differences with the signs of the exchange.
        moves: float64 (r, k), likewise of the units' vectors; None where there are too many units to draw one by one.
    """

    sums: NDArray[np.float64]
    moves: NDArray[np.float64] | None


def draw_flips(
    differences: NDArray[np.float64], vectors: NDArray[np.float64], *, rng: np.random.Generator
) -> FlipDraws:
    """Give every unit a random sign.

    Args:
        differences: float64 (g,), g >= 1, finite.
        vectors: float64 (g, k), what else changes its sign with the unit; k may be 0.
        rng: the source of randomness.
    """
    moved = (np.abs(differences) > ROUNDING) | vectors.any(axis=1)
    kept = np.column_stack([differences[moved], vectors[moved]])
    units = kept.shape[0]
    if units > _MOST_UNITS:
        return FlipDraws(rng.normal(0.0, math.sqrt(float(differences @ differences)), _MOST_DRAWS), None)
    n_draws = max(_LEAST_DRAWS, min(_MOST_DRAWS, _MOST_CELLS // max(1, units)))
    sums = np.zeros((n_draws, kept.shape[1]))
    batch = max(1, _BATCH_CELLS // max(1, units))
    for start in range(0, n_draws, batch):
        signs = rng.integers(2, size=(min(batch, n_draws - start), units), dtype=np.int8) * 2.0 - 1.0
        sums[start : start + batch] = signs @ kept
    return FlipDraws(sums[:, 0], sums[:, 1:])


def flip_p_values(differences: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sign-flip test's one-sided p-value for each of many sums of the same sizes.

    Args:
        differences: float64 (g,), whose sizes they are.
        sums: float64 (r,), r >= 1; where the sizes lie on no lattice they must be random exchanges, for then they are
            held against each other.
    """
    moved = differences[np.abs(differences) > ROUNDING]
    if moved.size == 0:
        return np.ones(sums.size)
    lattice = find_lattice(moved)
    pmf = None if lattice is None else lattice_pmf(lattice.steps)
    if lattice is not None and pmf is not None:
        steps = np.rint(sums * lattice.denominator / pmf.unit).astype(np.int64) + pmf.half
        below = np.cumsum(pmf.pmf)
        known: NDArray[np.float64] = below[np.clip(steps, 0, below.size - 1)] / below[-1]
        return known
    size = math.sqrt(float(moved @ moved))
    if moved.size > _MOST_UNITS:
        return normal_cdf(sums / size)
    at_most: NDArray[np.intp] = np.searchsorted(np.sort(sums), sums + ROUNDING * size)
    return at_most / sums.size
