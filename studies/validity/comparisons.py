"""The regression check: how often it sees a drop where there is none, and where there is one."""

from collections import Counter

import numpy as np

from gate.alignment import MetricPairs, align, pair_metric
from gate.checks.regression import RegressionOptions, check
from gate.scores.model import Direction, MetricScores, Run, Scale, Source
from gate.stats.mcnemar import mcnemar_power
from gate.stats.paired import sign_flip_p
from gate.stats.units import gather_units
from studies.validity.models import MODELS, Pair
from studies.validity.study import TAIL, Cell, Measures, Rate, Results, Runs, Section, percent, table

SECTION = "comparisons"
SIZES = (20, 50, 100, 300)
_SIZE_RUNS = Runs(1_500, 200)
_POWER_RUNS = Runs(2_000, 300)
_MARGIN_RUNS = Runs(400, 60)

_BEFORE, _AFTER, _CORRELATION, _POWER_N = 0.80, 0.75, 0.7, 200
_POWER = "power"
_MARGIN = 0.05
_MARGIN_SIZES = (200, 1000)
_MARGIN_DROPS = {"margin: no drop": 0.0, "margin: a drop of .025": 0.025, "margin: a drop of .05": 0.05}
_OUTCOMES = {
    "no worse": "no worse than the margin: PASS",
    "within": "cannot tell, the drop seen is within the margin: PASS",
    "beyond": "cannot tell, the drop seen is beyond it: WARN",
    "worse": "worse: BLOCK",
}


def measure(cell: Cell, short: bool) -> Measures:
    """How often a drop is shown; with a margin, how often each of the outcomes comes."""
    rng = cell.rng()
    if cell.name in _MARGIN_DROPS:
        return _measure_margin(_MARGIN_DROPS[cell.name], cell.n, _MARGIN_RUNS.of(short=short), rng)
    if cell.name == _POWER:
        runs = _POWER_RUNS.of(short=short)
        pairs = (_correlated(_BEFORE, _AFTER, cell.n, rng) for _ in range(runs))
    else:
        runs = _SIZE_RUNS.of(short=short)
        pairs = (MODELS[cell.name](cell.n, rng) for _ in range(runs))
    shown = sum(_shows_drop(pair) for pair in pairs)
    return {"shown": Rate(shown / runs, runs)}


def _shows_drop(pair: Pair) -> bool:
    return sign_flip_p(gather_units(pair.differences, groups=pair.groups).totals) <= TAIL


def _correlated(before: float, after: float, n: int, rng: np.random.Generator) -> Pair:
    """Pass/fail scores of two runs with these pass rates and this correlation within an item."""
    both = before * after + _CORRELATION * float(np.sqrt(before * (1 - before) * after * (1 - after)))
    kinds = rng.choice(4, n, p=[both, before - both, after - both, 1 - before - after + both])
    return Pair((kinds <= 1).astype(np.float64), (kinds % 2 == 0).astype(np.float64))


def _measure_margin(drop: float, n: int, runs: int, rng: np.random.Generator) -> Measures:
    options = RegressionOptions(margin=_MARGIN)
    counts: Counter[str] = Counter()
    for _ in range(runs):
        result = check(side_by_side(_correlated(_BEFORE, _BEFORE - drop, n, rng)), options, rng)
        within = "within" if result.status.value == "pass" else "beyond"
        counts[{"no-worse": "no worse", "regression-shown": "worse"}.get(result.reason, within)] += 1
    return {outcome: Rate(counts[outcome] / runs, runs) for outcome in _OUTCOMES}


def side_by_side(pair: Pair) -> MetricPairs:
    """Two runs on the scale [0, 1] as a check gets them."""
    baseline, candidate = (_run_of(scores, name) for name, scores in zip(Pair._fields, pair[:2], strict=False))
    return pair_metric(align(baseline, candidate), "score", direction=Direction.HIGHER, scale=Scale(0.0, 1.0))


def _run_of(scores: np.ndarray[tuple[int], np.dtype[np.float64]], name: str) -> Run:
    return Run(
        source=Source(name, name, 0, "csv"),
        ids=tuple(f"{row:06}" for row in range(scores.size)),
        item_of_sample=np.arange(scores.size, dtype=np.intp),
        metrics={"score": MetricScores(scores, np.zeros(scores.size, dtype=np.uint8))},
    )


def tell(results: Results) -> str:
    """The tables of size and of a margin."""
    size = table(
        ["scores", *[f"n = {n}" for n in SIZES]],
        [[name, *[percent(results[Cell(SECTION, name, n)]["shown"]) for n in SIZES]] for name in MODELS],
    )
    margin = table(
        ["the regression check says", *[f"{name.removeprefix('margin: ')}, n = {n}" for name, n in _margin_cells()]],
        [
            [label, *[percent(results[Cell(SECTION, name, n)][key]) for name, n in _margin_cells()]]
            for key, label in _OUTCOMES.items()
        ],
    )
    power = results[Cell(SECTION, _POWER, _POWER_N)]["shown"]
    some = results[Cell(SECTION, "0 / 1", SIZES[0])]["shown"]
    return _PAGE.format(
        size=size,
        size_runs=some.runs,
        size_error=f"{100 * some.error_at(TAIL):.2f}",
        n=_POWER_N,
        power=percent(power),
        power_error=f"{100 * power.error:.1f}",
        power_runs=power.runs,
        computed=percent(Rate(mcnemar_power(_BEFORE, _AFTER, n=_POWER_N, rho=_CORRELATION))),
        margin=margin,
        margin_runs=results[Cell(SECTION, *_margin_cells()[0])]["worse"].runs,
    )


def _margin_cells() -> list[tuple[str, int]]:
    return [(name, n) for name in _MARGIN_DROPS for n in _MARGIN_SIZES]


def faults(results: Results, short: bool) -> list[str]:  # noqa: ARG001  # both forms allow for chance
    """Where the test shows a drop in unchanged runs more often than it may."""
    return [
        f"regression is shown in {percent(measures['shown'])} % of unchanged runs: {cell.name}, n = {cell.n}"
        for cell, measures in results.items()
        if cell.section == SECTION and cell.name in MODELS and measures["shown"].is_over(TAIL)
    ]


_PAGE = """\
## Regression

**Unchanged runs**: how often the regression check shows a drop where nothing changed, in %; at most 2.5. Each item has
a difficulty of its own, from which both runs draw. {size_runs} runs a cell (standard error {size_error} at 2.5 %).

{size}

**Power**: a fall of the pass rate from .80 to .75, n = {n}, correlation .7 between the two runs, is shown in {power} %
of {power_runs} runs (standard error {power_error}); computed, as `gate power` does: {computed} %.

**With a margin** of .05, the same pass rate and correlation: what is said how often, in % of {margin_runs} runs.
`cannot_tell: note` is the default; `warn` and `fail` turn both lines of "cannot tell" into WARN or BLOCK.

{margin}
"""

COMPARISONS = Section(
    cells=(
        *[Cell(SECTION, name, n) for name in MODELS for n in SIZES],
        Cell(SECTION, _POWER, _POWER_N),
        *[Cell(SECTION, name, n) for name, n in _margin_cells()],
    ),
    measure=measure,
    tell=tell,
    faults=faults,
)
