"""Whatever the scores, every check answers: no crash, no NaN, no bound outside the scale."""

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from gate.alignment import Design, MetricPairs
from gate.checks import PAIR_CHECKS
from gate.config import SuiteConfig, validate_config
from gate.error_rates import measure_metric, tell_rates
from gate.results import CheckResult
from gate.scores.model import Direction, ItemStatus, Scale

MakePairs = Callable[..., MetricPairs]

TINY, HUGE = 5e-324, 1e100
RUNS: dict[str, tuple[list[float | ItemStatus], list[float | ItemStatus], Scale | None, float]] = {
    "one item": ([1.0], [0.0], Scale(0, 1), 0.5),
    "two items": ([1.0, 0.0], [0.0, 1.0], Scale(0, 1), 0.5),
    "all right": ([1.0] * 30, [1.0] * 30, Scale(0, 1), 0.9),
    "all wrong": ([0.0] * 30, [0.0] * 30, Scale(0, 1), 0.0),
    "from all right to all wrong": ([1.0] * 30, [0.0] * 30, Scale(0, 1), 0.5),
    "one irregular value": ([1 / 3] * 12, [1 / 3] * 12, Scale(0, 1), 1 / 3),
    "denormals": ([0.0, TINY, TINY * 3] * 9, [TINY, 0.0, TINY * 2] * 9, Scale(0, 1), 0.5),
    "a scale of denormals": ([0.0, TINY] * 9, [TINY, 0.0] * 9, Scale(0, TINY), TINY),
    "huge": ([HUGE, -HUGE, HUGE / 3] * 9, [-HUGE, HUGE, HUGE / 7] * 9, Scale(-HUGE, HUGE), 1.0),
    "huge beside tiny": ([HUGE, 1e-100] * 9, [HUGE, 1e-100] * 9, Scale(0, HUGE), 1.0),
    "no scale": ([3.0, -2.0, 7.5] * 5, [3.0, -2.0, 7.5] * 5, None, 1.0),
    "a hair outside by rounding": ([1 + 2e-16, 0.5] * 9, [1 + 2e-16, -1e-17] * 9, Scale(0, 1), 0.5),
    "all missing in the candidate": ([1.0] * 5, [ItemStatus.ERROR] * 5, Scale(0, 1), 0.5),
    "all missing in the baseline": ([ItemStatus.ERROR] * 5, [1.0] * 5, Scale(0, 1), 0.5),
    "half missing": ([1.0, ItemStatus.ERROR] * 6, [ItemStatus.TIMEOUT, 1.0] * 6, Scale(0, 1), 0.5),
    "one outlier": ([0.5] * 50 + [1e9], [0.5] * 50 + [0.0], Scale(0, 1e9), 1.0),
}
DESIGNS = ["none", "one group", "groups", "weights", "strata"]


def design_of(kind: str, n: int) -> Design:
    numbers = np.arange(n)
    return {
        "none": Design(),
        "one group": Design(groups=np.zeros(n, dtype=np.intp), group_names=("g",)),
        "groups": Design(groups=(numbers**0.7).astype(np.intp), group_names=tuple(map(str, range(n)))),
        "weights": Design(weights=np.power(10.0, numbers % 7 - 3)),
        "strata": Design(strata=numbers % 3, stratum_names=("a", "b", "c")),
    }[kind]


def suite_of(bar: float) -> SuiteConfig:
    checks = {"threshold": {"bar": bar}, "regression": {"margin": 0.1}, "drift": {"n_swaps": 1000}}
    return validate_config(
        {"version": 1, "suites": [{"name": "s", "baseline": "a", "candidate": "b", "checks": checks}]}
    ).suites[0]


def require_sound(result: CheckResult, scale: Scale | None) -> None:
    figures = {name: value for name, value in result.figures.items() if isinstance(value, float)}
    assert not [name for name, value in figures.items() if not math.isfinite(value)], figures
    assert "nan" not in f"{result.sentence} {result.detail} {result.notes}"
    slack = 0.0 if scale is None else 1e-9 * (scale.high - scale.low)
    if scale is not None and result.check == "threshold":
        for name in ("low", "high", "exact_low", "exact_high"):
            assert scale.low - slack <= figures.get(name, scale.low) <= scale.high + slack
    for name in ("p", "p_at_bar", "exact_p_at_bar", "p_at_margin"):
        assert 0 <= figures.get(name, 0.5) <= 1


@pytest.mark.parametrize(("runs", "design"), list(product(RUNS, DESIGNS)))
@pytest.mark.parametrize("direction", Direction)
def test_degenerate_scores_are_judged(make_pairs: MakePairs, runs: str, design: str, direction: Direction) -> None:
    baseline, candidate, scale, bar = RUNS[runs]
    pairs = make_pairs(baseline, candidate, direction=direction, scale=scale)
    pairs = replace(pairs, design=design_of(design, len(pairs.ids)))
    suite = suite_of(bar)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for judged in (pairs, pairs.with_worst_for_missing()):
            for name, check in PAIR_CHECKS.items():
                require_sound(check(judged, suite.options_for(name, "score"), np.random.default_rng(0)), scale)
        rates = measure_metric(pairs, suite, 0)
        told = None if rates is None else tell_rates([rates])
    if told is not None:
        assert 0 <= told.block <= 1
        assert 0 <= told.warn <= 1
        assert told.caught is None or 0 <= told.caught <= 1


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("direction", Direction)
def test_degenerate_scores_of_different_items_are_judged(
    make_samples: MakePairs, runs: str, direction: Direction
) -> None:
    baseline, candidate, scale, bar = RUNS[runs]
    pairs = replace(make_samples(baseline, candidate, direction=direction), scale=scale)
    suite = suite_of(bar)
    for name, check in PAIR_CHECKS.items():
        require_sound(check(pairs, suite.options_for(name, "score"), np.random.default_rng(0)), scale)
    measure_metric(pairs, suite, 0)
