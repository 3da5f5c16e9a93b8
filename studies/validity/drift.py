"""Drift: how often runs between which nothing changed are over the bands, and what the calibrated rule makes of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.buckets import count_buckets, sort_into_buckets
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.pooling import pooled_test
from gate.stats.psi import MODERATE, SIGNIFICANT, psi
from gate.stats.swaps import swap_test
from studies.validity.study import Cell, Measures, Rate, Results, Runs, Section, percent, table

SECTION = "drift"
SIZES = (20, 50, 100, 1000)
_RUNS = Runs(800, 150)
# As many as the check draws.
_N_DRAWS = 10_000
_SHARES = np.array([0.1, 0.2, 0.7])
# How alike an item's two scores are: the weight of its own level against that of chance.
_OWN = 0.7

_MARKS, _DECILES = "three marks at .1/.2/.7", "continuous scores in deciles"
_SAME, _OTHER = "same items", "different items"
_MEASURES = {
    "over moderate": "PSI over .10 (`bands`: WARN or BLOCK)",
    "over significant": "PSI over .25 (`bands`: BLOCK)",
    "warns": "`calibrated`: WARN",
    "fails": "`calibrated`: BLOCK",
}


class Drawn(NamedTuple):
    """The scores of two unchanged runs."""

    baseline: NDArray[np.float64]
    candidate: NDArray[np.float64]


def _draw(kind: str, items: str, n: int, rng: np.random.Generator) -> Drawn:
    if kind == _MARKS:
        if items == _OTHER:
            return Drawn(*(rng.choice([0.0, 0.5, 1.0], n, p=_SHARES) for _ in range(2)))
        chances = rng.dirichlet(2 * _SHARES, n).cumsum(axis=1)[:, :2]
        return Drawn(*((rng.random((n, 1)) > chances).sum(axis=1) / 2 for _ in range(2)))
    own = _OWN if items == _SAME else 0.0
    level = rng.normal(size=n)
    return Drawn(*(np.sqrt(own) * level + np.sqrt(1 - own) * rng.normal(size=n) for _ in range(2)))


def measure(cell: Cell, short: bool) -> Measures:
    """Both rules' false alarms."""
    kind, items = cell.name.split(", ")
    rng, runs = cell.rng(), _RUNS.of(short=short)
    counts = dict.fromkeys(_MEASURES, 0)
    for _ in range(runs):
        buckets = sort_into_buckets(*_draw(kind, items, cell.n, rng))
        k = len(buckets.labels)
        value = psi(count_buckets(buckets.baseline, k), count_buckets(buckets.candidate, k)).value
        # up to this band no rule asks for the p-value
        unlikely = (
            value > MODERATE
            and (
                swap_test(buckets, n_swaps=_N_DRAWS, rng=rng)
                if items == _SAME
                else pooled_test(buckets, n_permutations=_N_DRAWS, rng=rng)
            ).p_value
            <= ERROR_SHARE
        )
        counts["over moderate"] += value > MODERATE
        counts["over significant"] += value > SIGNIFICANT
        counts["warns"] += unlikely and value <= SIGNIFICANT
        counts["fails"] += unlikely and value > SIGNIFICANT
    return {name: Rate(count / runs, runs) for name, count in counts.items()}


_NAMES = [f"{kind}, {items}" for kind in (_MARKS, _DECILES) for items in (_SAME, _OTHER)]


def tell(results: Results) -> str:
    """The table of false alarms."""
    rows = [
        [name, label, *[percent(results[Cell(SECTION, name, n)][key]) for n in SIZES]]
        for name in _NAMES
        for key, label in _MEASURES.items()
    ]
    some = results[Cell(SECTION, _NAMES[0], SIZES[0])]["fails"]
    return _PAGE.format(
        table=table(["runs", "alarm", *[f"n = {n}" for n in SIZES]], rows),
        runs=some.runs,
        error=f"{100 * some.error_at(ERROR_SHARE):.2f}",
        large=f"{100 * some.error_at(0.3):.1f}",
    )


def faults(results: Results, short: bool) -> list[str]:  # noqa: ARG001  # both forms allow for chance
    """Where the calibrated rule blocks, or warns and blocks, more unchanged runs than it may."""
    told = []
    for cell, measures in results.items():
        if cell.section != SECTION:
            continue
        alarms = Rate(measures["warns"].share + measures["fails"].share, measures["fails"].runs)
        if alarms.is_over(ERROR_SHARE):
            told.append(f"calibrated drift alarms in {percent(alarms)} % of unchanged runs: {cell.name}, n = {cell.n}")
    return told


_PAGE = """\
## Drift

How often two runs between which nothing changed are over the bands of the PSI, and what the check says by its rules,
in %. `calibrated` (the default) also asks for p <= .025, so both its lines together may have 2.5. {runs} runs a cell
(standard error {error} at 2.5 %, {large} at 30 %).

{table}
"""

DRIFT = Section(
    cells=tuple(Cell(SECTION, name, n) for name in _NAMES for n in SIZES), measure=measure, tell=tell, faults=faults
)
