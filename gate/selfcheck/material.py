"""What runs are simulated from: the samples there are, their items and metrics, and the way to redraw them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Alignment, Design, MetricPairs, pair_metric
from gate.metrics import Metric
from gate.scores.model import Direction, MetricScores, Run
from gate.scores.reducers import ItemSamples
from gate.selfcheck.redraws import Draw, Redraw, mixture_of

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Way(StrEnum):
    """How a run in which nothing changed is made."""

    EXCHANGE = "exchange"
    REPEATS = "repeats"
    MIXTURE = "mixture"
    SAMPLES = "samples"


class Pool(NamedTuple):
    """The samples there are to draw from.

    Attributes:
        items: intp (s,), the item of each.
        columns: metric -> scores of (s,) samples.
    """

    items: Indices
    columns: Mapping[str, MetricScores]


class Drawn(NamedTuple):
    """Two simulated runs, aligned, and every metric's scores of both."""

    alignment: Alignment
    pairs: tuple[MetricPairs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What is redrawn, and how.

    Attributes:
        alignment: the items; its runs lend the simulated ones all but their scores.
        design: the items' groups, strata and weights.
        metrics: to judge.
        pool: the samples.
        way: how a pair of runs is made of them.
        redraw: what makes it.
        rho: the correlation that is assumed; None where it is measured.
        repeats: of an item, in the middle; 1 where each has one score.
        notes: what was left out or is worth knowing.
    """

    alignment: Alignment
    design: Design
    metrics: tuple[Metric, ...]
    pool: Pool
    way: Way
    redraw: Redraw
    rho: float | None = None
    repeats: int = 1
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.alignment.ids)

    @property
    def n_units(self) -> int:
        """The number of groups, or of items where there are none."""
        return int(units_of(self.design, self.n).max()) + 1

    def direction(self, metric: str) -> Direction:
        """Which way a metric is better."""
        return next(each.direction for each in self.metrics if each.name == metric)

    def levels(self, metric: str) -> Floats:
        """Float64 (n,): each item's score of all its samples, NaN where it has none."""
        column = self.pool.columns[metric]
        scored = ~np.isnan(column.values)
        samples = ItemSamples(self.pool.items[scored], column.values[scored], self.n)
        return column.reducer.reduce(samples, lower_is_better=self.direction(metric) is Direction.LOWER)

    def mean(self, metric: str) -> float:
        """The weighted mean of these."""
        levels = self.levels(metric)
        scored = ~np.isnan(levels)
        return self.design.pick(scored).units(levels[scored]).mean

    def draw(self, rng: np.random.Generator, redraw: Redraw | None = None) -> Drawn:
        """Two runs in which nothing changed, by ``redraw`` where that is another way."""
        drawn = (redraw or self.redraw).draw(rng)
        baseline, candidate = self._run(drawn.baseline), self._run(drawn.candidate)
        return self.paired(baseline, candidate)

    def paired(self, baseline: Run, candidate: Run) -> Drawn:
        """Two runs of these items side by side."""
        known = self.alignment
        alignment = replace(
            known,
            baseline=None if known.baseline is None else baseline,
            candidate=candidate,
            reference=None if known.reference is None else baseline,
        )
        return Drawn(alignment, tuple(self.pair(alignment, metric) for metric in self.metrics))

    def pair(self, alignment: Alignment, metric: Metric) -> MetricPairs:
        """One metric of them."""
        return pair_metric(alignment, metric.name, direction=metric.direction, scale=metric.scale, design=self.design)

    def _run(self, draw: Draw) -> Run:
        # item by item, as a run with one sample each has to stand
        order = np.argsort(draw.items, kind="stable")
        rows, items = draw.rows[order], draw.items[order]
        columns = {
            name: replace(column, values=column.values[rows], status=column.status[rows])
            for name, column in self.pool.columns.items()
        }
        return replace(self.alignment.candidate, item_of_sample=items, metrics=columns)

    def mixture(self, rho: float) -> Redraw:
        """The redraw of one score an item, with this correlation."""
        return mixture_of(units_of(self.design, self.n), rho, strata=self.design.strata, weights=self.design.weights)


def units_of(design: Design, n: int) -> Indices:
    """Intp (n,): the number of each item's unit, 0 to g - 1: its group, or itself."""
    return np.arange(n) if design.groups is None else np.unique(design.groups, return_inverse=True)[1].astype(np.intp)
