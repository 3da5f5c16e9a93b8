"""The Bradley-Terry model: strengths of models from who beat whom, whatever the order of the battles."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gate.stats.bradley_terry_newton import maximise, rough_log_strengths, win_chances
from gate.stats.connectivity import Connectivity, find_components
from gate.stats.distributions import Interval
from gate.stats.ranks import ranks_within


@dataclass(frozen=True, slots=True)
class BradleyTerryFit:
    """Strengths of m models. They compare models of one weak component alone: no figure crosses components.

    Attributes:
        log_strengths: float64 (m,), natural logarithms, with mean 0 in each component.
        wins: float64 (m, m), the win matrix that was fitted, with what the regularisation added.
        connectivity: of the win matrix as given.
        regularised_models: bool (m,), the models in whose component no finite strengths are the likeliest, so that half
            a win each way was added to every pair that met.
        iterations: the Newton steps taken.
        converged: whether they came to their end.
        gradient_norm: the largest difference between a model's wins and those expected, in battles.
    """

    log_strengths: NDArray[np.float64]
    wins: NDArray[np.float64]
    connectivity: Connectivity
    regularised_models: NDArray[np.bool_]
    iterations: int
    converged: bool
    gradient_norm: float

    @property
    def regularised(self) -> bool:
        """Some of the figures are those of the regularised fit."""
        return bool(self.regularised_models.any())

    @property
    def strengths(self) -> NDArray[np.float64]:
        """Float64 (m,): the strengths, which in each component add up to 1."""
        comparable = self.connectivity.comparable
        highest = np.where(comparable, self.log_strengths, -np.inf).max(axis=1)
        relative = np.exp(self.log_strengths - highest)
        return np.asarray(relative / (comparable @ relative))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Float64 (m, m): P(row beats column), ties counting half; NaN across components."""
        return np.where(self.connectivity.comparable, win_chances(self.log_strengths), np.nan)

    @property
    def ranks(self) -> NDArray[np.intp]:
        """Intp (m,): the rank within the component, 1 for the strongest."""
        return np.asarray(ranks_within(self.log_strengths[None], self.connectivity.weak)[0])

    def relative_to(self, anchor: int) -> NDArray[np.float64]:
        """Float64 (m,): the log-strengths with that of model ``anchor`` at 0; NaN in other components."""
        comparable = self.connectivity.comparable[anchor]
        return np.where(comparable, self.log_strengths - self.log_strengths[anchor], np.nan)


class StrengthDistribution(Protocol):
    """How well strengths are known; ``alpha`` is the two-sided error, in (0, 1)."""

    def strength_intervals(self, alpha: float) -> NDArray[np.float64]:
        """Float64 (m, 2): of each log-strength less the mean of its component, low and high."""

    def relative_intervals(self, anchor: int, alpha: float) -> NDArray[np.float64]:
        """Float64 (m, 2): of each log-strength less that of model ``anchor``; NaN in other components."""

    def rank_intervals(self, alpha: float) -> NDArray[np.intp]:
        """Intp (m, 2): of each rank within the component, best and worst."""

    def probability_intervals(self, alpha: float) -> NDArray[np.float64]:
        """Float64 (m, m, 2): of P(row beats column); NaN across components."""

    def probability_interval(self, one: int, other: int, *, alpha: float) -> Interval:
        """Of P(one beats other).

        Raises:
            ValueError: where the two models are one, or not comparable.
        """

    def p_below(self, one: int, other: int, *, limit: float) -> float:
        """One-sided p-value against P(one beats other) >= ``limit``, in (0, 1): small where it is shown to be lower.

        Raises:
            ValueError: as ``probability_interval``, or where the limit is not in (0, 1).
        """

    def p_above(self, one: int, other: int, *, limit: float) -> float:
        """One-sided p-value against P(one beats other) <= ``limit``; otherwise as ``p_below``."""


def fit_bradley_terry(wins: NDArray[np.float64]) -> BradleyTerryFit:
    """The likeliest strengths of a win matrix; regularised in those components that have none.

    Args:
        wins: float64 (m, m), m >= 1: how often row beat column, a tie being half a win each way; finite, >= 0, with
            zeros on the diagonal.

    Raises:
        ValueError: where it is no such matrix.

    Source: Bradley and Terry (1952); whether there is a maximum, Ford (1957); half a win each way on each pair that
    met is Jeffreys' prior of a single pair.
    """
    _require_win_matrix(wins)
    connectivity = find_components(wins)
    unbounded = connectivity.unbounded
    fitted = regularise(wins[None], unbounded[None], met=wins + wins.T > 0)
    found = maximise(fitted, connectivity.comparable, rough_log_strengths(fitted[0])[None])
    return BradleyTerryFit(
        log_strengths=found.log_strengths[0],
        wins=fitted[0],
        connectivity=connectivity,
        regularised_models=unbounded,
        iterations=found.iterations,
        converged=bool(found.converged[0]),
        gradient_norm=float(found.gradient_norms[0]),
    )


def regularise(
    wins: NDArray[np.float64], unbounded: NDArray[np.bool_], *, met: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Win matrices (b, m, m) with half a win each way on the pairs ``met`` (m, m) of models ``unbounded`` (b, m)."""
    return wins + 0.5 * (unbounded[:, :, None] & met)


def on_elo_scale(
    log_strengths: NDArray[np.float64], *, start: float = 1000.0, scale: float = 400.0
) -> NDArray[np.float64]:
    """Log-strengths of any shape as Elo ratings about ``start``: ``scale`` points are odds of 10 to 1."""
    return start + scale / math.log(10) * log_strengths


def require_comparable(connectivity: Connectivity, one: int, other: int) -> None:
    """Raise ValueError where the two models' strengths say nothing about each other."""
    if one == other:
        raise ValueError(f"model {one} is asked about itself")
    if connectivity.weak[one] != connectivity.weak[other]:
        raise ValueError(f"models {one} and {other} are not comparable: no chain of battles links them")


def _require_win_matrix(wins: NDArray[np.float64]) -> None:
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1] or wins.size == 0:  # noqa: PLR2004
        raise ValueError("a win matrix has a row and a column for each model, and at least one model")
    if not (np.isfinite(wins) & (wins >= 0)).all():
        raise ValueError("a win matrix holds finite numbers, none below 0")
    if wins.diagonal().any():
        raise ValueError("no model wins over itself")
