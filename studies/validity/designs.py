"""Items that come in groups or strata: does what holds for single items hold there?"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.dirichlet import exact_p
from gate.stats.units import Units, gather_units
from studies.validity.bounds import exact_faults
from studies.validity.methods import Sample, judge_bootstrap, judge_exact
from studies.validity.study import TAIL, Cell, Measures, Rate, Results, Runs, Section, percent, table

SECTION = "designs"
SIZES = (50, 100, 300, 1000)
_RUNS = Runs(1_500, 600)
_BOOTSTRAP_RUNS = Runs(150, 60)
_GROUP = 5
# The correlation between two items of one group.
_CORRELATION = 0.3


class Drawn(NamedTuple):
    """Scores of items with their groups or strata."""

    scores: NDArray[np.float64]
    groups: NDArray[np.intp] | None = None
    strata: NDArray[np.intp] | None = None

    def units(self) -> Units:
        """What varies as one."""
        return gather_units(self.scores, groups=self.groups, strata=self.strata)


class Design(NamedTuple):
    """How items hang together: draws about n of them, whose true mean is known."""

    mean: float
    draw: Callable[[int, np.random.Generator], Drawn]


def _grouped(sizes: NDArray[np.int64], means: NDArray[np.float64], rng: np.random.Generator) -> Drawn:
    """Pass/fail items in groups, each with a pass rate of its own around its mean."""
    strength = 1 / _CORRELATION - 1
    rates = rng.beta(strength * means, strength * (1 - means))
    groups = np.repeat(np.arange(sizes.size), sizes)
    return Drawn((rng.random(groups.size) < rates[groups]).astype(np.float64), groups=groups)


def _draw_even(n: int, rng: np.random.Generator) -> Drawn:
    sizes = np.full(n // _GROUP, _GROUP)
    return _grouped(sizes, np.full(sizes.size, 0.9), rng)


def _draw_uneven(n: int, rng: np.random.Generator) -> Drawn:
    sizes = rng.integers(1, 2 * _GROUP, n // _GROUP)
    return _grouped(sizes, np.full(sizes.size, 0.9), rng)


_SMALL, _LARGE = 0.95, 0.85
# One group in fifty is of twenty items, and few of them pass.
_RARE, _HUGE, _SELDOM = 0.02, 20, 0.3


def _draw_harder(n: int, rng: np.random.Generator) -> Drawn:
    sizes = rng.integers(1, 2 * _GROUP, n // _GROUP)
    return _grouped(sizes, np.where(sizes > _GROUP, _LARGE, _SMALL), rng)


def _mean_of_harder() -> float:
    sizes = np.arange(1, 2 * _GROUP)
    return float(np.average(np.where(sizes > _GROUP, _LARGE, _SMALL), weights=sizes))


def _draw_rare(n: int, rng: np.random.Generator) -> Drawn:
    large = rng.random(n // 2) < _RARE
    return _grouped(np.where(large, _HUGE, 1), np.where(large, _SELDOM, _SMALL), rng)


def _mean_of_rare() -> float:
    return float(np.average([_SMALL, _SELDOM], weights=[1 - _RARE, _RARE * _HUGE]))


def _draw_strata(n: int, rng: np.random.Generator) -> Drawn:
    strata = np.arange(n, dtype=np.intp) % 2
    rates = np.where(strata == 0, 0.99, 0.81)
    return Drawn((rng.random(n) < rates).astype(np.float64), strata=strata)


_UNSEEN = "single items, but one group in 50 of 20 hard ones"
DESIGNS = {
    "groups of 5": Design(0.9, _draw_even),
    "groups of 1 to 9": Design(0.9, _draw_uneven),
    "groups of 1 to 9, the larger ones harder": Design(_mean_of_harder(), _draw_harder),
    "two strata, .99 and .81": Design(0.9, _draw_strata),
    _UNSEEN: Design(_mean_of_rare(), _draw_rare),
}


def measure(cell: Cell, short: bool) -> Measures:
    """The rates of both methods, and of the exact bound where groups are overlooked."""
    design, rng = DESIGNS[cell.name], cell.rng()
    bootstraps = _BOOTSTRAP_RUNS.of(short=short)
    runs = bootstraps if cell.name == _UNSEEN else _RUNS.of(short=short)
    exact, percentile, overlooked = np.zeros(2), np.zeros(2), 0
    for run in range(runs):
        drawn = design.draw(cell.n, rng)
        units = drawn.units()
        exact += judge_exact(Sample(units, design.mean, rng))
        if run < bootstraps:
            percentile += judge_bootstrap(Sample(units, design.mean, rng))
            overlooked += exact_p(gather_units(drawn.scores), design.mean, lowest=0.0) <= TAIL
    return {
        "exact passes": Rate(float(exact[0]) / runs, runs),
        "exact covers": Rate(float(exact[1]) / runs, runs),
        "bootstrap passes": Rate(float(percentile[0]) / bootstraps, bootstraps),
        "bootstrap covers": Rate(float(percentile[1]) / bootstraps, bootstraps),
        "overlooked passes": Rate(overlooked / bootstraps, bootstraps),
    }


_LABELS = {
    "bootstrap passes": "`bootstrap`: false passes",
    "exact passes": "`exact`: false passes",
    "bootstrap covers": "`bootstrap`: coverage",
    "exact covers": "`exact`: coverage",
    "overlooked passes": "`exact` with groups or strata left out: false passes",
}


def tell(results: Results) -> str:
    """The table of designs."""
    rows = [
        [name, label, *[percent(results[Cell(SECTION, name, n)][key]) for n in SIZES]]
        for name in DESIGNS
        for key, label in _LABELS.items()
    ]
    some = results[Cell(SECTION, "groups of 5", SIZES[0])]
    return _PAGE.format(
        table=table(["items", "method", *[f"n = {n}" for n in SIZES]], rows),
        correlation=f"{_CORRELATION:g}",
        runs=some["exact passes"].runs,
        error=f"{100 * some['exact passes'].error_at(TAIL):.2f}",
        bootstraps=some["bootstrap passes"].runs,
        other=f"{100 * some['bootstrap passes'].error_at(2 * TAIL):.2f}",
    )


def faults(results: Results, short: bool) -> list[str]:
    """Where the exact bound of groups or strata passes or misses more than it may."""
    return exact_faults({cell: results[cell] for cell in DESIGN_SECTION.cells if cell.name != _UNSEEN}, short)


_PAGE = """\
## Groups and strata

The same where items come in groups (pass/fail, correlation {correlation} between two items of a group, n / 5 groups on
average) or were drawn from strata of fixed size. The exact bound takes whole groups and leaves strata out, which must
err on the safe side. {runs} runs a cell for `exact` (standard error {error} at 2.5 %), {bootstraps} for the rest
({other} at 5 %).

{table}

The last design is beyond what any bound can promise, and no limit holds there: where the sample holds no large group,
nothing tells that there are any. The exact bound takes it that no group is larger than the largest seen.
"""

DESIGN_SECTION = Section(
    cells=tuple(Cell(SECTION, name, n) for name in DESIGNS for n in SIZES), measure=measure, tell=tell, faults=faults
)
