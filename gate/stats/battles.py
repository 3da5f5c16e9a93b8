"""Battles between two models as columns, and the win matrix: how often each model beat each other."""

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_OUTCOMES = 3  # lost, tied, won


@dataclass(frozen=True, slots=True)
class Battles:
    """Battles, n of them, between m models.

    A weight says how much a battle counts. Merging equal battles into one of their summed weight therefore changes
    neither the fit nor its Wald interval, but a resample draws battles, and sees one where there were several.

    Attributes:
        first: intp (n,), 0 to m - 1: the model that stands first.
        second: intp (n,), likewise, and another than the first.
        outcomes: float64 (n,), as the first sees it: 1 won, 0 lost, 0.5 tied.
        n_models: m, >= 1.
        weights: float64 (n,), finite and > 0; None: all 1.

    Raises:
        ValueError: where any of this does not hold.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    outcomes: NDArray[np.float64]
    n_models: int
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        columns = [self.first, self.second, self.outcomes, *([] if self.weights is None else [self.weights])]
        if len({column.shape for column in columns}) > 1 or self.first.ndim != 1:
            raise ValueError("the columns of the battles differ in length")
        if self.n_models < 1:
            raise ValueError("there are no models")
        if self.first.size == 0:
            return
        if any(model.min() < 0 or model.max() >= self.n_models for model in (self.first, self.second)):
            raise ValueError(f"a model's number is not in 0 to {self.n_models - 1}")
        if (self.first == self.second).any():
            raise ValueError(f"battle {int(np.argmax(self.first == self.second))} is of a model with itself")
        known = (self.outcomes == 1.0) | (self.outcomes == 0.0) | (self.outcomes == 0.5)  # noqa: PLR2004
        if not known.all():
            raise ValueError(f"the outcome of battle {int(np.argmin(known))} is none of 1, 0 and 0.5")
        if self.weights is not None and not (np.isfinite(self.weights) & (self.weights > 0)).all():
            raise ValueError("a battle's weight is not a finite number over 0")

    def __len__(self) -> int:
        return int(self.first.size)


def win_matrix(battles: Battles) -> NDArray[np.float64]:
    """The weight of the battles that row won over column, a tie being half a win each way.

    Returns:
        float64 (m, m), >= 0, the diagonal 0.
    """
    size = battles.n_models
    pairs = battles.first * size + battles.second
    won = battles.outcomes if battles.weights is None else battles.outcomes * battles.weights
    lost = (1.0 if battles.weights is None else battles.weights) - won
    return _sums(pairs, won, size**2).reshape(size, size) + _sums(pairs, lost, size**2).reshape(size, size).T


class CountedBattles(NamedTuple):
    """The kinds of battles there are.

    Attributes:
        battles: c battles of which no two are equal; the first has the lower number.
        counts: int64 (c,), how many there are of each, >= 1.
    """

    battles: Battles
    counts: NDArray[np.int64]


def count_battles(battles: Battles) -> CountedBattles:
    """Gather equal battles: those of one pair, outcome and weight, whichever model stood first."""
    size, swapped = battles.n_models, battles.first > battles.second
    low, high = np.minimum(battles.first, battles.second), np.maximum(battles.first, battles.second)
    halves = (2 * battles.outcomes).astype(np.intp)
    kinds = (low * size + high) * _OUTCOMES + np.where(swapped, _OUTCOMES - 1 - halves, halves)
    if battles.weights is None:
        counts = np.bincount(kinds)
        found = np.flatnonzero(counts)
        counts, weights = counts[found], None
    else:
        values, places = np.unique(battles.weights, return_inverse=True)
        joint, counts = np.unique(kinds * values.size + places, return_counts=True)
        found, weights = joint // values.size, values[joint % values.size]
    pairs = found // _OUTCOMES
    distinct = Battles(pairs // size, pairs % size, found % _OUTCOMES / 2, size, weights)
    return CountedBattles(distinct, counts.astype(np.int64, copy=False))


@dataclass(frozen=True, slots=True)
class Shares:
    """What each unit that is resampled as one, a battle or a prompt's battles, adds to the win matrix.

    Attributes:
        units: intp (e,), ascending, 0 to n_units - 1.
        winners: intp (e,).
        losers: intp (e,); a tie stands both ways.
        amounts: float64 (e,), > 0.
        n_units: how many units there are.
        n_models: m.
    """

    units: NDArray[np.intp]
    winners: NDArray[np.intp]
    losers: NDArray[np.intp]
    amounts: NDArray[np.float64]
    n_units: int
    n_models: int

    def win_matrix(self, times: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """The win matrix (m, m) where unit u is there ``times[u]`` times, (n_units,)."""
        size = self.n_models
        return _sums(self.winners * size + self.losers, self.amounts * times[self.units], size**2).reshape(size, size)


def share_out(battles: Battles, units: NDArray[np.intp] | None = None) -> Shares:
    """Sum battles up to their units.

    Args:
        battles: n battles.
        units: intp (n,), any numbers: battles with the same one are one unit; None: each battle is a unit.
    """
    size = battles.n_models
    if units is None:
        n_units, numbers = len(battles), np.arange(len(battles))
    else:
        distinct, numbers = np.unique(units, return_inverse=True)
        n_units = distinct.size
    weights = np.ones(len(battles)) if battles.weights is None else battles.weights
    cells = [numbers * size**2 + a * size + b for a, b in _both_ways(battles)]
    joint, places = np.unique(np.concatenate(cells), return_inverse=True)
    amounts = _sums(places, np.concatenate([weights * battles.outcomes, weights * (1 - battles.outcomes)]), joint.size)
    joint, amounts = joint[amounts > 0], amounts[amounts > 0]
    return Shares(joint // size**2, joint // size % size, joint % size, amounts, n_units, size)


def joint_numbers(first: NDArray[np.intp], *others: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers from 0 for the distinct rows of columns, in the order of the rows.

    Args:
        first: intp (n,), n >= 1, each >= 0.
        others: likewise.

    Returns:
        intp (n,): rows that are equal have the same one.
    """
    # in one integer a row sorts many times faster than as a row
    return _ranked(reduce(_joined, others, first))


def _joined(high: NDArray[np.intp], low: NDArray[np.intp]) -> NDArray[np.intp]:
    if (int(high.max()) + 1) * (int(low.max()) + 1) > np.iinfo(np.intp).max:
        high, low = _ranked(high), _ranked(low)
    return high * (int(low.max()) + 1) + low


def _ranked(column: NDArray[np.intp]) -> NDArray[np.intp]:
    """Equal values to equal numbers from 0, in the order of the values."""
    return np.unique(column, return_inverse=True)[1]


def _both_ways(battles: Battles) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]:
    return (battles.first, battles.second), (battles.second, battles.first)


def _sums(places: NDArray[np.intp], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)
