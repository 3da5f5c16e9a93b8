"""Random relabelling: which units of two pooled runs might as well have been the first run's."""

import numpy as np
from numpy.typing import NDArray

# One hypergeometric number costs as much as shuffling so many units.
HYPERGEOMETRIC_COST = 6
_MAX_SHUFFLED = 100_000_000
_LEAST_DRAWS = 1000
_BATCH_CELLS = 2_000_000


def relabelled_sums(
    rows: NDArray[np.float64], counts: NDArray[np.int64], chosen: int, *, n_draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The sums over random subsets of units, all subsets of one size being equally likely.

    Few distinct units are drawn by how many there are of each (multivariate hypergeometric), others by shuffles.

    Args:
        rows: float64 (d, c), the distinct units.
        counts: int64 (d,), how many there are of each, each >= 1, fewer than 1e9 in all.
        chosen: the size of a subset, 0 to ``counts.sum()``.
        n_draws: how many to draw, >= 1; fewer, but at least 1000, where 1e8 shuffled units would not do.
        rng: the source of randomness.

    Returns:
        float64 (r, c), r <= n_draws.
    """
    units = int(counts.sum())
    if counts.size * HYPERGEOMETRIC_COST <= units:
        return _by_numbers(rows, counts, chosen, n_draws=n_draws, rng=rng)
    affordable = min(n_draws, max(_LEAST_DRAWS, _MAX_SHUFFLED // max(1, units)))
    return _by_shuffles(np.repeat(rows, counts, axis=0), chosen, n_draws=affordable, rng=rng)


def _by_numbers(
    rows: NDArray[np.float64], counts: NDArray[np.int64], chosen: int, *, n_draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    sums = np.empty((n_draws, rows.shape[1]))
    batch = max(1, _BATCH_CELLS // max(1, counts.size))
    for start in range(0, n_draws, batch):
        stop = min(start + batch, n_draws)
        sums[start:stop] = rng.multivariate_hypergeometric(counts, chosen, stop - start) @ rows
    return sums


def _by_shuffles(
    rows: NDArray[np.float64], chosen: int, *, n_draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    units = rows.shape[0]
    sums = np.empty((n_draws, rows.shape[1]))
    batch = max(1, _BATCH_CELLS // max(1, units))
    for start in range(0, n_draws, batch):
        stop = min(start + batch, n_draws)
        labels = np.zeros((stop - start, units), dtype=np.uint8)
        labels[:, :chosen] = 1
        sums[start:stop] = rng.permuted(labels, axis=1, out=labels).astype(np.float64) @ rows
    return sums
