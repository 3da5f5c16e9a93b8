"""From draws to the one line: how often an unchanged run is blocked, and how often a drop is caught."""

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gate.alignment import MetricPairs
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig
from gate.error_rates.battles import BattleRates, Contest, measure_battles
from gate.error_rates.draws import Draws
from gate.error_rates.other_items import draw_alone, draw_samples
from gate.error_rates.rules import Asked
from gate.error_rates.same_items import draw_dropped, draw_unchanged
from gate.results import ErrorRates
from gate.scores.model import Direction
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.paired import smallest_detectable_drop
from gate.stats.units import Units
from gate.wording import amount, percent

# The drop that is spoken of where no margin says which one matters, as a share of the scale.
_USUAL_DROP = 0.05
_LEAST_RATE = 0.0005
_BY_DECLINE = f"; decline adds at most {percent(ERROR_SHARE)} to"
_DECLINE = {None: "", "warn": f"{_BY_DECLINE} WARN", "fail": f"{_BY_DECLINE} BLOCK"}
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class MetricRates:
    """What the checks of one metric would say of runs like these.

    Attributes:
        n: the number of items.
        unchanged: of runs in which nothing changed.
        drop: a drop of the mean, in the metric's unit; None without a baseline.
        dropped: of runs with that drop.
        loss_word: what getting worse is called.
    """

    n: int
    unchanged: Draws
    drop: float | None = None
    dropped: Draws | None = None
    loss_word: str = "drop"


def measure_metric(pairs: MetricPairs, suite: SuiteConfig, seed: int) -> MetricRates | None:
    """Draw runs like these and judge them; None where there is nothing to draw from."""
    rng = np.random.default_rng([seed, zlib.crc32(f"error rates\0{pairs.metric}".encode())])
    asked, reference = _asked(suite, pairs.metric), pairs.reference
    scored = int(pairs.candidate_scores().size)
    if pairs.baseline is not None:
        return _measure_pairs(pairs, asked, rng) if pairs.both.any() else None
    if reference is None:
        return MetricRates(scored, draw_alone(pairs, asked, rng)) if scored else None
    if not scored or np.isnan(reference.scores).all():
        return None
    unchanged = draw_samples(pairs, reference, asked, drop=0.0, rng=rng)
    drop = _drop_of(pairs, asked, reference.units())
    if drop is None:
        return MetricRates(scored, unchanged)
    dropped = draw_samples(pairs, reference, asked, drop=drop, rng=rng)
    return MetricRates(scored, unchanged, drop, dropped, _loss_word(pairs))


def _measure_pairs(pairs: MetricPairs, asked: Asked, rng: np.random.Generator) -> MetricRates:
    unchanged, n = draw_unchanged(pairs, asked, rng), int(pairs.both.sum())
    scores = pairs.candidate if pairs.baseline is None else pairs.baseline
    drop = _drop_of(pairs, asked, pairs.design.pick(pairs.both).units(scores[pairs.both]))
    if drop is None or unchanged.fall == 0.0:
        return MetricRates(n, unchanged.draws)
    return MetricRates(n, unchanged.draws, drop, draw_dropped(unchanged, drop, asked, rng), _loss_word(pairs))


def _loss_word(pairs: MetricPairs) -> str:
    return "drop" if pairs.direction is Direction.HIGHER else "rise"


def tell_rates(
    metrics: Sequence[MetricRates],
    contests: Sequence[Contest] = (),
    *,
    decline: Literal["warn", "fail"] | None = None,
) -> ErrorRates | None:
    """The rates of all metrics and battles of all suites together, taken to err independently; None without any.

    By Holm's procedure any test blocks where the smallest p-value is within its share. How often an unchanged series
    of runs is told to decline depends on all of them: no more than the share of decline's tests is known, and told in
    words, beside the figures.

    Args:
        metrics: what the checks of each metric would say of runs like these.
        contests: of each suite of battles.
        decline: what a decline that is shown is worth; None where none was looked for.
    """
    measured = (measure_battles(contest, tests=len(contests)) for contest in contests)
    battles = [each for each in measured if each is not None]
    if not metrics and not battles:
        return None
    tests = Counter(check for metric in metrics for check in metric.unchanged.p_values)
    block = 1 - math.prod(
        [
            *(1 - float(metric.unchanged.blocked(tests).mean()) for metric in metrics),
            *(1 - each.block for each in battles),
        ]
    )
    passed = math.prod(
        [
            *(float(metric.unchanged.passed().mean()) for metric in metrics),
            *(1 - each.block - each.warn for each in battles),
        ]
    )
    warn = max(0.0, 1 - block - passed)
    by = " and ".join(["scores"] * bool(metrics) + ["battles"] * bool(battles))
    sentence = (
        f"error rates: by its {by} an unchanged run would BLOCK {_shown(block)} of the time and WARN {_shown(warn)}"
        f"{_DECLINE[decline]}"
    )
    caught = _caught(metrics, tests) or _caught_in_battles(battles)
    if caught is None:
        return ErrorRates(block, warn, None, None, sentence)
    return ErrorRates(block, warn, caught.drop, caught.share, f"{sentence}; {caught.told}")


class _Caught(NamedTuple):
    """What is caught least: the drop, in the unit of its metric, the share of runs, and both in words."""

    drop: float
    share: float
    told: str


def _caught(metrics: Sequence[MetricRates], tests: Mapping[str, int]) -> _Caught | None:
    caught = [(float(metric.dropped.blocked(tests).mean()), metric) for metric in metrics if metric.dropped is not None]
    if not caught:
        return None
    share, least = min(caught, key=lambda one: one[0])
    where = f"n = {least.n}" if len(metrics) == 1 else f"n = {least.n}, the least of {len(metrics)} metrics"
    drop = least.drop or 0.0
    return _Caught(drop, share, f"a {least.loss_word} of {amount(drop)} is caught {_shown(share)} ({where})")


def _caught_in_battles(battles: Sequence[BattleRates]) -> _Caught | None:
    if not battles:
        return None
    least = min(battles, key=lambda each: each.caught)
    told = f"a chance to win of {amount(least.chance)} is caught {_shown(least.caught)} ({least.battles} battles)"
    return _Caught(_EVEN - least.chance, least.caught, told)


def _shown(share: float) -> str:
    """A rate in percent; one that so few draws cannot tell from zero is not called zero."""
    return "under 0.1 %" if share < _LEAST_RATE else percent(share)


def _asked(suite: SuiteConfig, metric: str) -> Asked:
    threshold, regression, drift = (suite.options_for(check, metric) for check in ("threshold", "regression", "drift"))
    return Asked(
        threshold if isinstance(threshold, ThresholdOptions) else None,
        regression if isinstance(regression, RegressionOptions) else None,
        drift if isinstance(drift, DriftOptions) else None,
    )


def _drop_of(pairs: MetricPairs, asked: Asked, before: Units) -> float | None:
    """The margin, else a twentieth of the scale, else what these pairs can show; None where the mean cannot drop so."""
    margin = None if asked.regression is None else asked.regression.margin
    if pairs.scale is None:
        if margin is not None or pairs.baseline is None:
            return margin
        return smallest_detectable_drop(pairs.difference_units(), pairs.differences())
    drop = _USUAL_DROP * (pairs.scale.high - pairs.scale.low) if margin is None else margin
    room = before.mean - pairs.scale.low if pairs.direction is Direction.HIGHER else pairs.scale.high - before.mean
    return drop if drop < room else None
