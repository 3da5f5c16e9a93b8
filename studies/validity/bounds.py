"""The mean against a bar: how often a method passes a run that is just under it, and how often it covers the mean."""

from collections.abc import Mapping

import numpy as np

from gate.stats.units import units_of_items
from studies.validity.distributions import DISTRIBUTIONS, BetaWithZeros, Marks
from studies.validity.methods import METHODS, Outcome, Sample, judge_mean
from studies.validity.study import Cell, Measures, Rate, Results, Runs, Section, percent, table

SECTION = "bounds"
SIZES = (10, 20, 50, 100, 300, 1000)
MOST_FALSE_PASSES = 0.026
LEAST_COVERAGE = 0.95
_SIMULATED = "beta(40, 4) + 3 % zeros"
_PRICE = "price"
_PRICE_BAR, _PRICE_N = 0.8, 100
_PRICE_METHODS = ("exact", "bootstrap", "point mean")

# Of simulated samples the exact bound sees all, the other methods a part, and resampling a small part: it is slow.
_EXACT_RUNS = Runs(10_000, 2_000)
_OTHER_RUNS = Runs(600, 200)
_RESAMPLED_SCORES = 60_000
# What the short form looks at: what has a limit, and what the figure shows.
_SHORT = ("bootstrap", "exact", "t")
# Where the bootstrap's p-value lies between these, resampling may say either: it is asked so many times.
_UNSURE = (0.015, 0.04)
_REPEATS = 10


def measure(cell: Cell, short: bool) -> Measures:
    """All methods' rates for one distribution at one n."""
    if cell.name == _PRICE:
        return _measure_price()
    distribution = DISTRIBUTIONS[cell.name]
    methods = [
        name
        for name in (_SHORT if short else METHODS)
        if name != "wilson" or (isinstance(distribution, Marks) and distribution.is_pass_fail)
    ]
    if isinstance(distribution, Marks):
        return _enumerate(distribution, cell, methods)
    return _simulate(distribution, cell, {name: _runs_of(name, cell.n, short=short) for name in methods})


def _runs_of(method: str, n: int, *, short: bool) -> int:
    if method == "exact":
        return _EXACT_RUNS.of(short=short)
    others = _OTHER_RUNS.of(short=short)
    return min(others, _RESAMPLED_SCORES // n) if method == "resample" else others


def _enumerate(distribution: Marks, cell: Cell, methods: list[str]) -> Measures:
    sums = {name: np.zeros(2) for name in methods}
    rng = cell.rng()
    for scores, probability in distribution.enumerate_samples(cell.n):
        sample = Sample(units_of_items(scores), distribution.mean, rng)
        for name in methods:
            judged = _ask_often(sample) if name == "resample" else [METHODS[name](sample)]
            sums[name] += probability * np.mean(judged, axis=0)
    return {
        f"{name} {what}": Rate(float(share))
        for name in methods
        for what, share in zip(Outcome._fields, sums[name], strict=True)
    }


def _ask_often(sample: Sample) -> list[Outcome]:
    low, high = _UNSURE
    repeats = _REPEATS if low <= sample.bootstrap.mass_below(sample.bar) <= high else 1
    return [METHODS["resample"](sample) for _ in range(repeats)]


def _simulate(distribution: BetaWithZeros, cell: Cell, runs: Mapping[str, int]) -> Measures:
    counts = {name: np.zeros(2) for name in runs}
    rng = cell.rng()
    resampling = np.random.default_rng(rng.integers(2**63))
    for run in range(max(runs.values())):
        sample = Sample(units_of_items(distribution.draw(cell.n, rng)), distribution.mean, resampling)
        for name, wanted in runs.items():
            if run < wanted:
                counts[name] += METHODS[name](sample)
    return {
        f"{name} {what}": Rate(float(count) / runs[name], runs[name])
        for name in runs
        for what, count in zip(Outcome._fields, counts[name], strict=True)
    }


def _measure_price() -> Measures:
    """Pass rates at a bar of .8 where the truth is .9, and where it is just under the bar."""
    judges = {"exact": METHODS["exact"], "bootstrap": METHODS["bootstrap"], "point mean": judge_mean}
    measures: Measures = {}
    for truth in (0.9, _PRICE_BAR):
        shares = dict.fromkeys(judges, 0.0)
        for scores, probability in Marks((0.0, 1.0), (1 - truth, truth)).enumerate_samples(_PRICE_N):
            sample = Sample(units_of_items(scores), _PRICE_BAR, np.random.default_rng(0))
            for name, judge in judges.items():
                shares[name] += probability * judge(sample).passes
        measures.update({f"{name} at {truth:g}": Rate(share) for name, share in shares.items()})
    return measures


def tell(results: Results) -> str:
    """The tables of false passes, of coverage and of the price."""
    runs = results[Cell(SECTION, _SIMULATED, SIZES[0])]
    exact, other = runs["exact passes"].runs, runs["bootstrap passes"].runs
    drawn = [results[Cell(SECTION, _SIMULATED, n)].get("resample passes") for n in SIZES]
    return _PAGE.format(
        false_passes=_rates_table(results, "passes"),
        coverage=_rates_table(results, "covers"),
        price=_price_table(results[Cell(SECTION, _PRICE, _PRICE_N)]),
        exact=exact,
        other=other,
        drawn=", ".join(str(rate.runs) for rate in drawn if rate is not None) or "none",
        error=f"{100 * Rate(0.025, exact).error:.2f}",
        other_error=f"{100 * Rate(0.05, other).error:.2f}",
        sizes=", ".join(map(str, SIZES)),
    )


def _rates_table(results: Results, what: str) -> str:
    rows = []
    for name in DISTRIBUTIONS:
        cells = [results[Cell(SECTION, name, n)] for n in SIZES]
        for method in METHODS:
            rates = [cell.get(f"{method} {what}") for cell in cells]
            if any(rates):
                rows.append([name, f"`{method}`" if method in _OWN else method, *map(percent, rates)])
    return table(["scores", "method", *[f"n = {n}" for n in SIZES]], rows)


_OWN = ("bootstrap", "exact", "resample")


def _price_table(measures: Measures) -> str:
    rows = [
        [method, *[percent(measures[f"{method} at {truth:g}"]) for truth in (0.9, _PRICE_BAR)]]
        for method in _PRICE_METHODS
    ]
    return table(["method", "truth .9", "truth just under .8"], rows)


def faults(results: Results, short: bool) -> list[str]:
    """Where the exact bound passes or misses more than it may."""
    return exact_faults({cell: results[cell] for cell in BOUNDS.cells if cell.name != _PRICE}, short)


def exact_faults(results: Results, short: bool) -> list[str]:
    """The same for any cells with rates of the exact bound."""
    told = []
    for cell, measures in results.items():
        passes, covers = measures["exact passes"], measures["exact covers"]
        if passes.is_over(MOST_FALSE_PASSES, by_chance=short):
            told.append(f"exact passes {percent(passes)} % of runs just under the bar: {cell.name}, n = {cell.n}")
        if covers.is_under(LEAST_COVERAGE):
            told.append(f"exact covers the mean in {percent(covers)} % only: {cell.name}, n = {cell.n}")
    return told


_PAGE = """\
## A mean against a bar

A method is judged by its **false passes**: how often the lower end of its interval reaches the bar where the true mean
is just under it, in %. 2.5 is what a 95 % interval promises. `bootstrap`, `exact` and `resample` are the gate's own;
the others stand for comparison: jeffreys (Dirichlet weights with half a pseudo-item at each end), bca (bias-corrected
and accelerated bootstrap), Student's t, and Wilson's score interval for pass/fail scores.

![False passes against the number of items](validity.svg)

{false_passes}

Scores of two or three marks are enumerated: no Monte Carlo error. The last distribution is simulated: {exact} runs a
cell for `exact` (standard error {error} at 2.5 %), {other} for the others ({other_error} at 5 %); for `resample`, which
is slow, at n = {sizes}: {drawn}.

**Coverage**: how often the two-sided 95 % interval holds the true mean, in %.

{coverage}

**The price** of being sure: the share of runs that pass a bar of .8 at n = {n}, in %.

{price}
""".replace("{n}", str(_PRICE_N))

BOUNDS = Section(
    cells=(Cell(SECTION, _PRICE, _PRICE_N), *[Cell(SECTION, name, n) for name in DISTRIBUTIONS for n in SIZES]),
    measure=measure,
    tell=tell,
    faults=faults,
)
