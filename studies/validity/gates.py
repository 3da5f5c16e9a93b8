"""The whole gate, from files to the exit code: what it says of unchanged runs, and of a drop of 5 points."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gate.config import validate_config
from gate.pipeline import run_gate
from gate.results import FailOn, Report, Word
from gate.verdict import is_failing
from studies.validity.models import Model, Pair, drop_by, graded, grouped, irregular, pass_or_fail, with_partial_credit
from studies.validity.study import Cell, Measures, Rate, Results, Runs, Section, percent, table

SECTION = "gates"
MOST_FALSE_BLOCKS = 0.05
_SIZES = (20, 30, 100, 300)
_UNCHANGED_RUNS = Runs(240, 60)
_DROP_RUNS = Runs(40, 8)
# How many times as many runs there are near the limit, and where even so many do not tell the rate from it.
_CLOSER, _CLOSEST = 3, 12
_UNCHANGED, _DROP = "unchanged", "a drop of 5 points"
_DROP_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration, and the model whose runs it judges.

    Attributes:
        model: makes the runs.
        sizes: the numbers of items.
        checks: of gate.yml.
        top: the best score.
        metrics: how many metrics the files hold.
        paired: both runs are of the same items.
        promised: the gate's promise holds for it: at most 5 % of unchanged runs are blocked.
        closer: number of items -> how many times as many runs there are, where the rate of false BLOCKs is near that.
    """

    model: Model
    sizes: tuple[int, ...] = _SIZES
    checks: Mapping[str, Any] = field(default_factory=dict)
    top: float = 1.0
    metrics: int = 1
    paired: bool = True
    promised: bool = True
    closer: Mapping[int, int] = field(default_factory=dict)


SETUPS = {
    "default, 0 / 1": Setup(pass_or_fail),
    "default, 0 / 0.5 / 1": Setup(with_partial_credit),
    "default, 0 to 10": Setup(graded, top=10.0, closer={**dict.fromkeys(_SIZES, _CLOSER), 30: _CLOSEST}),
    "default, irregular": Setup(irregular, (20, 100), closer={20: _CLOSER, 100: _CLOSEST}),
    "default, 0 / 1 in groups of 5": Setup(grouped, (100, 300)),
    "three metrics, 0 / 0.5 / 1": Setup(with_partial_credit, (30, 100), metrics=3),
    "different items, 0 / 0.5 / 1": Setup(
        with_partial_credit, (30, 100), paired=False, closer={30: _CLOSER, 100: _CLOSER}
    ),
    "bar .3, 0 / 1": Setup(pass_or_fail, (30, 100), {"threshold": {"bar": 0.3}}),
    "margin .05, 0 / 1": Setup(pass_or_fail, (100, 300), {"regression": {"margin": 0.05}}),
    "bar .6 with `guard: fail`, 0 / 1": Setup(
        pass_or_fail, (30, 100, 300), {"threshold": {"bar": 0.6, "guard": "fail"}}, promised=False
    ),
    "`rule: bands`, 0 / 0.5 / 1": Setup(
        with_partial_credit, (20, 100, 300), {"drift": {"rule": "bands"}}, promised=False
    ),
}


def _cell(name: str, what: str, n: int) -> Cell:
    return Cell(SECTION, f"{name}; {what}", n)


def measure(cell: Cell, short: bool) -> Measures:
    """How often each verdict comes, and how often each the gate itself says that it would."""
    name, what = cell.name.split("; ")
    setup, rng = SETUPS[name], cell.rng()
    runs = _DROP_RUNS.of(short=short)
    if what == _UNCHANGED:
        runs = _UNCHANGED_RUNS.of(short=short) * setup.closer.get(cell.n, 1)
    with tempfile.TemporaryDirectory() as folder:
        reports = [_judge(setup, cell.n, Path(folder), rng, drop=what == _DROP) for _ in range(runs)]
    words = [report.verdict.word for report in reports]
    stated = [report.error_rates for report in reports if report.error_rates is not None]
    drops = [rates.drop for rates in stated if rates.drop is not None]
    measures = {
        "block": Rate(words.count(Word.BLOCK) / runs, runs),
        "warn": Rate(words.count(Word.WARN) / runs, runs),
        "exit 1, block": Rate(sum(is_failing(word, FailOn.BLOCK) for word in words) / runs, runs),
        "exit 1, warn": Rate(sum(is_failing(word, FailOn.WARN) for word in words) / runs, runs),
        "stated block": Rate(float(np.mean([rates.block for rates in stated])), runs),
    }
    if drops and np.allclose(drops, _DROP_SHARE * setup.top):
        caught = [rates.caught for rates in stated if rates.caught is not None]
        measures["stated caught"] = Rate(float(np.mean(caught)), runs)
    return measures


def _judge(setup: Setup, n: int, folder: Path, rng: np.random.Generator, *, drop: bool) -> Report:
    """One pair of runs, written to files and put through the gate."""
    pairs = [_make_pair(setup, n, rng, drop=drop) for _ in range(setup.metrics)]
    metrics = ["score"] if setup.metrics == 1 else [f"metric{number}" for number in range(setup.metrics)]
    suite: dict[str, Any] = {"name": "study", "metrics": metrics, "checks": dict(setup.checks), "paired": setup.paired}
    for role in ("baseline", "candidate"):
        path = folder / f"{role}.csv"
        path.write_text(_csv_of(pairs, metrics, role, apart=not setup.paired), encoding="utf-8")
        suite[role] = str(path)
    return run_gate(validate_config({"version": 1, "suites": [suite]}))


def _make_pair(setup: Setup, n: int, rng: np.random.Generator, *, drop: bool) -> Pair:
    pair = setup.model(n, rng)
    if not setup.paired:
        pair = pair._replace(candidate=setup.model(n, rng).candidate)
    return drop_by(pair, _DROP_SHARE * setup.top, rng) if drop else pair


def _csv_of(pairs: list[Pair], metrics: list[str], role: str, *, apart: bool) -> str:
    """A score file; ``apart``: its items have names that the other run's have not."""
    columns = [getattr(pair, role).tolist() for pair in pairs]
    groups = pairs[0].groups
    prefix = role if apart else "item"
    head = ",".join(["id", *(["group"] if groups is not None else []), *metrics])
    rows = [head]
    for row, scores in enumerate(zip(*columns, strict=True)):
        group = [] if groups is None else [f"g{groups[row]}"]
        rows.append(",".join([f"{prefix}-{row}", *group, *(repr(score) for score in scores)]))
    return "\n".join(rows) + "\n"


def tell(results: Results) -> str:
    """The tables of unchanged runs and of drops."""
    unchanged, dropped = [], []
    for name, setup in SETUPS.items():
        for n in setup.sizes:
            same, lower = results[_cell(name, _UNCHANGED, n)], results[_cell(name, _DROP, n)]
            label = name if setup.promised else f"{name} *"
            unchanged.append([label, str(n), *_shares(same), percent(same["stated block"]), str(same["block"].runs)])
            dropped.append([label, str(n), *_shares(lower), percent(same.get("stated caught"))])
    lower_some = results[_cell("default, 0 / 1", _DROP, _SIZES[0])]["block"]
    head = ["gate.yml, scores", "n", "BLOCK", "WARN", "ships, `block`", "ships, `warn`", "BLOCK as stated"]
    return _PAGE.format(
        unchanged=table([*head, "pairs"], unchanged),
        dropped=table(head, dropped),
        errors=_errors(results),
        drop_runs=lower_some.runs,
        drop_error=f"{100 * lower_some.error_at(0.5):.1f}",
    )


def _errors(results: Results) -> str:
    """The standard errors that the numbers of pairs leave, the fewest pairs first."""
    found = {
        rate.runs: f"with {rate.runs} pairs {100 * rate.error_at(MOST_FALSE_BLOCKS):.1f}"
        for name, setup in SETUPS.items()
        for n in setup.sizes
        if (rate := results[_cell(name, _UNCHANGED, n)]["block"]).runs is not None
    }
    return ", ".join(told for _, told in sorted(found.items()))


def _shares(measures: Measures) -> list[str]:
    ships = [Rate(1 - measures[f"exit 1, {level}"].share) for level in ("block", "warn")]
    return [percent(rate) for rate in (measures["block"], measures["warn"], *ships)]


def faults(results: Results, short: bool) -> list[str]:  # noqa: ARG001  # both forms allow for chance
    """Where the gate blocks more unchanged runs than it promises."""
    told = []
    for name, setup in SETUPS.items():
        for n in setup.sizes if setup.promised else ():
            block = results[_cell(name, _UNCHANGED, n)]["block"]
            if block.is_over(MOST_FALSE_BLOCKS):
                told.append(f"the gate blocks {percent(block)} % of unchanged runs: {name}, n = {n}")
    return told


_PAGE = """\
## The whole gate

Pairs of score files through the whole gate, as a user's would go: how often it says BLOCK or WARN, and how often a run
ships (exit code 0) with `fail-on: block` and with `fail-on: warn`, in %. Each item has a difficulty of its own, from
which both runs draw. *BLOCK as stated* is the mean of what the gate's own summary line says of these very runs.

**Nothing changed**: at most 5 % may be blocked. The standard error at 5 % is
{errors}: there are more of them where the rate is near its limit. Either
half of it, that of regression and that of drift, is a test of its own at 2.5 %: the two sections above measure them.

{unchanged}

\\* The promise does not hold here: a bar that is near and must be proven, or the published bands, which take no notice
of chance, block what they must.

The gate knows of the truth only what one pair of runs shows, so near a bar its statement is blurred. Where scores are
sorted by their deciles it errs upwards.

**A drop of 5 points** of 100 (each item has the same chance of falling to zero): {drop_runs} pairs a row (standard
error {drop_error} at 50 %). *BLOCK as stated* is what the summaries of the unchanged runs above say of such a drop.
They do not count what drift would catch; of several metrics they speak of the one in which the drop is caught least,
and of scores whose scale is not known they speak of another drop.

{dropped}
"""

GATES = Section(
    cells=tuple(
        _cell(name, what, n) for name, setup in SETUPS.items() for n in setup.sizes for what in (_UNCHANGED, _DROP)
    ),
    measure=measure,
    tell=tell,
    faults=faults,
)
