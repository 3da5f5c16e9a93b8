"""The drop that is simulated: the one asked for, the margin, or a twentieth of the scale."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gate.checks.regression import RegressionOptions
from gate.config import SuiteConfig
from gate.errors import UsageError
from gate.metrics import Metric
from gate.scores.model import Direction
from gate.selfcheck.material import Material
from gate.selfcheck.question import Question
from gate.selfcheck.trials import Drop
from gate.wording import amount

_USUAL_SHARE = 0.05
# What is told as room to give is rounded to six digits.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class ChosenDrop:
    """The drops, at most one a metric, and what was assumed for them."""

    drops: tuple[Drop, ...]
    notes: tuple[str, ...]


def choose_drops(question: Question, suite: SuiteConfig, material: Material) -> ChosenDrop:
    """The drop of each metric that has one to lose.

    Raises:
        UsageError: where the drop asked for is more than a mean leaves room for.
    """
    drops, notes = [], []
    for metric in material.metrics:
        worst = _worst(material, metric)
        room = abs(material.mean(metric.name) - worst)
        if question.drop is not None and question.drop > room * (1 + _ROUNDING):
            raise UsageError(
                f"--drop {question.drop!r} is more than the mean of {metric.name!r} leaves room for",
                remedy=f"give at most {room:.6g}, in the unit of the scores",
            )
        if room <= _ROUNDING * abs(worst):
            notes.append(f"{metric.name}: every score is the worst there is, so that no drop can be simulated")
            continue
        size = question.drop
        if size is None:
            usual = _usual(suite, material, metric)
            size, why = usual if usual.size <= room else (room / 2, "half of what the mean leaves room for")
            notes.append(f"{metric.name}: no drop was named, and {amount(size)} is taken: {why}; --drop names another")
        drops.append(Drop(metric.name, size, room, worst))
    if drops:
        notes.append("a drop: every item above the worst score has the same chance of falling to it, beside the noise")
    return ChosenDrop(tuple(drops), tuple(notes))


class _Usual(NamedTuple):
    size: float
    why: str


def _usual(suite: SuiteConfig, material: Material, metric: Metric) -> _Usual:
    options = suite.options_for("regression", metric.name)
    if suite.baseline is not None and isinstance(options, RegressionOptions) and options.margin is not None:
        return _Usual(options.margin, "the margin")
    if metric.scale is not None:
        return _Usual(_USUAL_SHARE * (metric.scale.high - metric.scale.low), "5 % of the scale")
    values = material.pool.columns[metric.name].values
    seen = float(np.nanmax(values) - np.nanmin(values))
    return _Usual(_USUAL_SHARE * seen, "5 % of the range of the scores, for the scale is not known")


def _worst(material: Material, metric: Metric) -> float:
    """The worst score of the scale, else the worst one seen."""
    lower = metric.direction is Direction.LOWER
    if metric.scale is not None:
        return metric.scale.high if lower else metric.scale.low
    values = material.pool.columns[metric.name].values
    return float(np.nanmax(values) if lower else np.nanmin(values))
