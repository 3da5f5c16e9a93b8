"""How the PSI behaves where nothing changed: the result of the swap test and of the pooled test."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.psi import MODERATE, SIGNIFICANT

# Indices that differ by less are equal: they differ by rounding.
_TIE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class DriftTest:
    """What chance does to the PSI of two runs like these.

    Attributes:
        p_value: the probability of at least the observed PSI where nothing changed, in (0, 1].
        draws: float64 (r,), r >= 1, rising: the PSI of runs between which nothing changed.
    """

    p_value: float
    draws: NDArray[np.float64]

    @property
    def moderate_share(self) -> float:
        """The share of unchanged runs with a PSI over 0.10."""
        return float(np.mean(self.draws > MODERATE))

    @property
    def significant_share(self) -> float:
        """The share of unchanged runs with a PSI over 0.25."""
        return float(np.mean(self.draws > SIGNIFICANT))


def own_p_values(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each draw's p-value among all (r,) of them, r >= 1: the share of at least its PSI."""
    below = np.searchsorted(np.sort(values), values - _TIE)
    return (1 + values.size - below) / (1 + values.size)


class Unlikely(NamedTuple):
    """A Monte Carlo p-value and whether the draws reached it.

    Attributes:
        p_value: the share of draws with at least the observed PSI, the observed one being one more of them; (0, 1].
        resolved: some draw reached the observed PSI; otherwise the true p-value may be any smaller one.
    """

    p_value: float
    resolved: bool


def share_at_least(observed: float, draws: NDArray[np.float64]) -> Unlikely:
    """How likely the observed PSI is by chance.

    Args:
        observed: the PSI of the two runs.
        draws: float64 (r,), r >= 1, rising.
    """
    at_least = draws.size - int(np.searchsorted(draws, observed - _TIE))
    return Unlikely((1 + at_least) / (1 + draws.size), at_least > 0)


def share_of_all(observed: float, every: NDArray[np.float64]) -> float:
    """The exact p-value where ``every`` (r,), rising, holds all that may be by chance, the observed PSI among them."""
    at_least = every.size - int(np.searchsorted(every, observed - _TIE))
    return max(1, at_least) / every.size
