"""Pairs of runs in which nothing changed, made of the runs there are: which sample stands where."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


class Draw(NamedTuple):
    """One run's samples.

    Attributes:
        rows: intp (s,), which of the samples there are.
        items: intp (s,), the item that each now belongs to.
    """

    rows: Indices
    items: Indices


class DrawnPair(NamedTuple):
    """Two runs between which nothing changed."""

    baseline: Draw
    candidate: Draw


class Redraw(Protocol):
    """A way to make such pairs."""

    def draw(self, rng: np.random.Generator) -> DrawnPair:
        """One pair."""
        ...


class Exchange(NamedTuple):
    """Of two runs, each unit's scores change places with chance one half.

    Attributes:
        runs: intp (s,), 0 or 1: the run that each sample is of.
        items: intp (s,), its item.
        units: intp (n,), the unit of each item, 0 to g - 1.
    """

    runs: Indices
    items: Indices
    units: Indices

    def draw(self, rng: np.random.Generator) -> DrawnPair:
        """See Redraw."""
        swapped = rng.random(int(self.units.max()) + 1) < 0.5  # noqa: PLR2004  # a fair coin
        first = self.runs == swapped[self.units][self.items]
        ours, theirs = np.flatnonzero(first), np.flatnonzero(~first)
        return DrawnPair(Draw(ours, self.items[ours]), Draw(theirs, self.items[theirs]))


class Repeats(NamedTuple):
    """Each item's repeats are drawn from its own, with replacement, for both runs.

    A mean of k values drawn so varies by (k - 1) / k of what k new repeats would. So each draw is, with chance
    1 / (k - 1), the item's common draw, which gives any two of them the correlation 1 / (k - 1)**2 and their mean the
    right variance. Items of one group draw alike, as far as their repeats are numbered alike.

    Attributes:
        items: intp (s,), the item of each sample.
        order: intp (s,), the samples by item.
        starts: intp (n,), where each item's samples begin in ``order``.
        counts: intp (n,), how many there are, >= 1.
        units: intp (n,), the unit of each item, 0 to g - 1.
    """

    items: Indices
    order: Indices
    starts: Indices
    counts: Indices
    units: Indices

    def draw(self, rng: np.random.Generator) -> DrawnPair:
        """See Redraw."""
        return DrawnPair(self._redraw(rng), self._redraw(rng))

    def _redraw(self, rng: np.random.Generator) -> Draw:
        items = self.items[self.order]
        counts, units = self.counts[items], self.units[items]
        positions = np.arange(items.size) - self.starts[items]
        shape = (int(self.units.max()) + 1, int(self.counts.max()))
        places, chances = (rng.random(shape)[units, positions] for _ in range(2))
        common = rng.random(shape[0])[units]
        places = np.where(chances * np.maximum(counts - 1, 1) < 1, common, places)
        rows = self.order[self.starts[items] + (places * counts).astype(np.intp)]
        return Draw(rows, items)


def repeats_of(items: Indices, units: Indices) -> Repeats:
    """The redraw of these samples: intp (s,) the item of each, and intp (n,) the unit of each item."""
    counts = np.bincount(items, minlength=units.size)
    return Repeats(items, np.argsort(items, kind="stable"), np.cumsum(counts) - counts, counts, units)


class Mixture(NamedTuple):
    """In either run a unit keeps its scores with chance sqrt(rho), and otherwise gets those of a random unit.

    That keeps the mean, and gives two runs' scores of an item the correlation rho. Both runs are drawn: against the
    file itself, a redraw would vary too little.

    Attributes:
        units: the items of each unit.
        strata: intp (g,), the stratum of each unit, within which scores move.
        sizes: float64 (g,), how much each unit counts: the likelier its scores are to be drawn.
        rho: 0 to 1.
    """

    units: tuple[Indices, ...]
    strata: Indices
    sizes: NDArray[np.float64]
    rho: float

    def draw(self, rng: np.random.Generator) -> DrawnPair:
        """See Redraw."""
        return DrawnPair(self._redraw(rng), self._redraw(rng))

    def _redraw(self, rng: np.random.Generator) -> Draw:
        donors = self._donors(rng)
        items = np.arange(sum(unit.size for unit in self.units))
        rows = items.copy()
        if items.size == len(self.units):
            own = np.concatenate(self.units)
            rows[own] = own[donors]
            return Draw(rows, items)
        for unit, donor in enumerate(donors.tolist()):
            if donor != unit:
                # from a larger unit some of its items, from a smaller one some of them more than once
                rows[self.units[unit]] = np.resize(rng.permutation(self.units[donor]), self.units[unit].size)
        return Draw(rows, items)

    def _donors(self, rng: np.random.Generator) -> Indices:
        """Intp (g,): the unit whose scores each unit gets."""
        own = np.arange(len(self.units))
        drawn = own.copy()
        for stratum in np.unique(self.strata):
            members = np.flatnonzero(self.strata == stratum)
            shares = self.sizes[members] / self.sizes[members].sum()
            drawn[members] = rng.choice(members, size=members.size, p=shares)
        return np.where(rng.random(own.size) < np.sqrt(self.rho), own, drawn)


def mixture_of(
    units: Indices, rho: float, *, strata: Indices | None = None, weights: NDArray[np.float64] | None = None
) -> Mixture:
    """The redraw of one score an item.

    Args:
        units: intp (n,), the unit of each item, 0 to g - 1.
        rho: 0 to 1.
        strata: intp (n,), the stratum of each item, the same throughout a unit; None: there is but one.
        weights: float64 (n,), how much each item counts; None: all alike.
    """
    counts = np.bincount(units)
    members = np.split(np.argsort(units, kind="stable"), np.cumsum(counts)[:-1])
    first = np.array([unit[0] for unit in members], dtype=np.intp)
    layers = np.zeros(counts.size, dtype=np.intp) if strata is None else strata[first]
    return Mixture(tuple(members), layers, np.bincount(units, weights=weights).astype(np.float64), rho)
