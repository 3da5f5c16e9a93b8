"""From draws to the one line: how often an unchanged run is blocked, and how often a drop is caught."""

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gate.alignment import MetricPairs, Reference
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig
from gate.error_rates.draws import Draws
from gate.error_rates.dropped import draw_dropped
from gate.error_rates.unchanged import Asked, draw_unchanged_pairs, draw_unchanged_samples, judge_samples
from gate.results import ErrorRates
from gate.scores.model import Direction
from gate.stats.paired import DETECTABLE_ERRORS, smallest_detectable_drop
from gate.stats.welch import two_sample_detectable_drop
from gate.wording import limit, number, percent

# The drop that is spoken of where no margin says which one matters, as a share of the scale.
_USUAL_DROP = 0.05
_LEAST_RATE = 0.0005


@dataclass(frozen=True, slots=True)
class MetricRates:
    """What the checks of one metric would say of runs like these.

    Attributes:
        n: the number of items.
        unchanged: of runs in which nothing changed.
        drop: a drop of the mean, in the metric's unit; None without a baseline.
        dropped: of runs with that drop.
    """

    n: int
    unchanged: Draws
    drop: float | None = None
    dropped: Draws | None = None


def measure_metric(pairs: MetricPairs, suite: SuiteConfig, seed: int) -> MetricRates | None:
    """Draw runs like these and judge them; None where there is nothing to draw from."""
    rng = np.random.default_rng([seed, zlib.crc32(f"error rates\0{pairs.metric}".encode())])
    asked = _asked(suite, pairs.metric)
    if pairs.reference is not None:
        return _measure_samples(pairs, pairs.reference, asked, rng)
    if pairs.baseline is None:
        scored = int(pairs.candidate_scores().size)
        return MetricRates(scored, draw_unchanged_samples(pairs, asked, rng)) if scored else None
    if not pairs.both.any():
        return None
    unchanged = draw_unchanged_pairs(pairs, asked, rng)
    n, drop = int(pairs.both.sum()), _drop_of(pairs, asked.regression)
    if drop is None:
        return MetricRates(n, unchanged.draws)
    dropped = draw_dropped(unchanged, drop, lowest=_lowest(pairs), regression=asked.regression, rng=rng)
    return MetricRates(n, unchanged.draws, drop, dropped)


def _measure_samples(
    pairs: MetricPairs, reference: Reference, asked: Asked, rng: np.random.Generator
) -> MetricRates | None:
    n = int(pairs.candidate_scores().size)
    if not n or np.isnan(reference.scores).all():
        return None
    unchanged = draw_unchanged_samples(pairs, asked, rng)
    shown = two_sample_detectable_drop(reference.units(), pairs.candidate_units())
    drop = _drop_of(pairs, asked.regression)
    if shown is None or drop is None or asked.regression is None:
        return MetricRates(n, unchanged)
    in_errors = drop / shown * DETECTABLE_ERRORS
    dropped = judge_samples(rng.normal(size=unchanged.fails.size), in_errors, asked.regression)
    return MetricRates(n, unchanged, drop, dropped)


def tell_rates(metrics: Sequence[MetricRates]) -> ErrorRates | None:
    """The rates of all metrics of all suites together, which are taken to err independently; None where there are none.

    By Holm's procedure any test blocks where the smallest p-value is within its share.
    """
    if not metrics:
        return None
    tests = Counter(check for metric in metrics for check in metric.unchanged.p_values)
    block = 1 - math.prod(1 - float(metric.unchanged.blocked(tests).mean()) for metric in metrics)
    passed = math.prod(float(metric.unchanged.passed().mean()) for metric in metrics)
    warn = max(0.0, 1 - block - passed)
    caught = [
        (float(metric.dropped.blocked(tests).mean()), metric.drop, metric.n)
        for metric in metrics
        if metric.dropped is not None and metric.drop is not None
    ]
    sentence = f"error rates: an unchanged run would BLOCK {_shown(block)} of the time and WARN {_shown(warn)}"
    if not caught:
        return ErrorRates(block, warn, None, None, sentence)
    least, drop, n = min(caught)
    where = f"n = {n}" if len(metrics) == 1 else f"n = {n}, the least of {len(metrics)} metrics"
    return ErrorRates(
        block, warn, drop, least, f"{sentence}; a drop of {_figure(drop)} is caught {_shown(least)} ({where})"
    )


def _shown(share: float) -> str:
    """A rate in percent; one that so few draws cannot tell from zero is not called zero."""
    return "under 0.1 %" if share < _LEAST_RATE else percent(share)


def _figure(drop: float) -> str:
    return limit(drop) if round(drop, 4) == drop else number(drop)


def _asked(suite: SuiteConfig, metric: str) -> Asked:
    threshold, regression, drift = (suite.options_for(check, metric) for check in ("threshold", "regression", "drift"))
    return Asked(
        threshold if isinstance(threshold, ThresholdOptions) else None,
        regression if isinstance(regression, RegressionOptions) else None,
        drift if isinstance(drift, DriftOptions) else None,
    )


def _drop_of(pairs: MetricPairs, options: RegressionOptions | None) -> float | None:
    """The margin, else a twentieth of the scale, else what these pairs can show."""
    if options is not None and options.margin is not None:
        return options.margin
    if pairs.scale is not None:
        return _USUAL_DROP * (pairs.scale.high - pairs.scale.low)
    return None if pairs.reference is not None else smallest_detectable_drop(pairs.difference_units())


def _lowest(pairs: MetricPairs) -> float | None:
    """The worst score, turned so that higher is better."""
    if pairs.scale is None:
        return None
    return pairs.scale.low if pairs.direction is Direction.HIGHER else -pairs.scale.high
