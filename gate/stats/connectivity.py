"""Who can be compared with whom: the components of the graph of who beat whom."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Connectivity:
    """Of m models, the components of the win graph, in which an arrow goes from a winner to who it beat.

    A tie, half a win each way, is an arrow both ways.

    Attributes:
        strong: intp (m,), the number of each model's strongly connected component, in which everyone is reached from
            everyone; numbered from 0 on so that a component comes before all that its models beat.
        weak: intp (m,), the number of each model's component in the graph of who met whom, in order of the first model.
        undefeated: bool (m,), has met another, and neither lost nor tied.
        winless: bool (m,), has met another, and neither won nor tied.
    """

    strong: NDArray[np.intp]
    weak: NDArray[np.intp]
    undefeated: NDArray[np.bool_]
    winless: NDArray[np.bool_]

    @property
    def comparable(self) -> NDArray[np.bool_]:
        """Bool (m, m): the two models met, or are linked by others who did; each with itself too."""
        return np.asarray(self.weak[:, None] == self.weak)

    @property
    def unbounded(self) -> NDArray[np.bool_]:
        """Bool (m,): no finite strengths are the likeliest in the model's weak component.

        Source: Ford, Solution of a Ranking Problem from Binary Comparisons (1957).
        """
        return np.asarray((self.comparable & (self.strong[:, None] != self.strong)).any(axis=1))


def find_components(wins: NDArray[np.float64]) -> Connectivity:
    """The components of a win matrix.

    Args:
        wins: float64 (m, m), m >= 1, >= 0: how often row beat column.
    """
    beat = wins > 0
    reached = _closure(beat)
    strong = _in_order(reached & reached.T, -reached.sum(axis=1))
    weak = _in_order(_closure(beat | beat.T), np.zeros(len(beat), dtype=np.intp))
    won, lost = beat.any(axis=1), beat.any(axis=0)
    return Connectivity(strong, weak, np.asarray(won & ~lost), np.asarray(lost & ~won))


def unbounded_models(wins: NDArray[np.float64], comparable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``Connectivity.unbounded`` of many win matrices whose weak components are given.

    A component is strongly connected where its first model reaches all of it, and is reached from all of it.

    Args:
        wins: float64 (b, m, m).
        comparable: bool (m, m), whether two models are of one weak component; pairs of others have not met.

    Returns:
        bool (b, m).
    """
    beat = (wins > 0).astype(np.float32)
    first = (comparable.argmax(axis=1) == np.arange(len(comparable))).astype(np.float32)
    missed = ~(_reached(beat, first) & _reached(beat.swapaxes(1, 2), first))
    return np.asarray(missed.astype(np.float32) @ comparable.astype(np.float32) > 0)


def _reached(arrows: NDArray[np.float32], start: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The models (b, m) that arrows (b, m, m) lead to from those of ``start`` (m,)."""
    reached = np.repeat((start > 0)[None], len(arrows), axis=0)
    while True:
        further = reached | ((reached[:, None, :].astype(np.float32) @ arrows)[:, 0] > 0)
        if (further == reached).all():
            return reached
        reached = further


def _closure(arrows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who is reached from whom (m, m) by any number of arrows, none included; the paths double with each product."""
    reached = arrows | np.eye(len(arrows), dtype=np.bool_)
    while True:
        steps = reached.astype(np.float32)
        further = steps @ steps > 0
        if (further == reached).all():
            return reached
        reached = further


def _in_order(together: NDArray[np.bool_], keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Components numbered by ascending key, which is one for a component's models, then by their first models."""
    first = together.argmax(axis=1)
    heads = np.flatnonzero(first == np.arange(len(first)))
    heads = heads[np.argsort(keys[heads], kind="stable")]
    numbers = np.empty(len(first), dtype=np.intp)
    numbers[heads] = np.arange(heads.size)
    return np.asarray(numbers[first])
