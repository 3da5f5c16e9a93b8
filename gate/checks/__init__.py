"""JUDGE: the registry of checks. A new check is one module and one line here.

A check that judges a metric's pairs has ``check(pairs, options, rng) -> CheckResult`` and stands in PAIR_CHECKS;
coverage and contamination judge the suite's items, arena its battles and decline the runs of a history; they are called
by the pipeline itself.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gate.checks import arena, contamination, coverage, decline, drift, regression, threshold
from gate.checks.base import Options
from gate.results import CheckResult


class Check(NamedTuple):
    """What the rest of the house knows of a check: its options model and the two texts of ``gate explain``."""

    options: type[Options]
    asks: str
    when_it_fails: str


CHECKS: Mapping[str, Check] = {
    "coverage": Check(coverage.CoverageOptions, coverage.ASKS, coverage.WHEN_IT_FAILS),
    "threshold": Check(threshold.ThresholdOptions, threshold.ASKS, threshold.WHEN_IT_FAILS),
    "regression": Check(regression.RegressionOptions, regression.ASKS, regression.WHEN_IT_FAILS),
    "drift": Check(drift.DriftOptions, drift.ASKS, drift.WHEN_IT_FAILS),
    "contamination": Check(contamination.ContaminationOptions, contamination.ASKS, contamination.WHEN_IT_FAILS),
    "decline": Check(decline.DeclineOptions, decline.ASKS, decline.WHEN_IT_FAILS),
    "arena": Check(arena.ArenaOptions, arena.ASKS, arena.WHEN_IT_FAILS),
}

PAIR_CHECKS: Mapping[str, Callable[..., CheckResult]] = {
    "threshold": threshold.check,
    "regression": regression.check,
    "drift": drift.check,
}
