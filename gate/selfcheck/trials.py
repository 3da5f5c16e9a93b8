"""Simulated pairs put through the real checks: what they say where nothing changed, and where a drop is real."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gate.alignment import MetricPairs
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig
from gate.error_rates import measure_metric, tell_rates
from gate.item_table import EMPTY
from gate.judging import Judge
from gate.results import CheckResult, ErrorRates, Status, SuiteReport, Word
from gate.scores.model import Direction, ItemStatus, Run
from gate.selfcheck.material import Drawn, Material
from gate.selfcheck.progress import Progress
from gate.selfcheck.redraws import Redraw
from gate.stats.units import linearised_variance
from gate.verdict import decide, share_error_rate


class Drop(NamedTuple):
    """A drop of one metric's mean.

    Attributes:
        metric: its name.
        size: in the metric's unit, > 0.
        room: how far the mean is from the worst score, >= size up to rounding.
        worst: that score.
    """

    metric: str
    size: float
    room: float
    worst: float

    @property
    def chance(self) -> float:
        """That of an item above the worst score to fall to it, 0 to 1."""
        return min(1.0, self.size / self.room)


class Finding(NamedTuple):
    """One check's answer to one pair."""

    check: str
    metric: str | None
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Trial:
    """What the gate says of one pair.

    Attributes:
        word: the verdict.
        findings: what fails or warns.
        ends: metric -> the end of the mean's interval that is held against the bar; of metrics with a bar.
        variances: metric -> the variance of the mean difference, as the units show it; of metrics that are compared.
    """

    word: Word
    findings: tuple[Finding, ...]
    ends: Mapping[str, float]
    variances: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Trials:
    """The trials of unchanged runs, and those with each drop, in the order of the drops."""

    unchanged: tuple[Trial, ...]
    dropped: tuple[tuple[Trial, ...], ...]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Where runs are made and judged.

    Attributes:
        suite: the checks and their options.
        material: what runs are made of.
        drops: to be simulated.
        seed: of every random draw.
    """

    suite: SuiteConfig
    material: Material
    drops: Sequence[Drop]
    seed: int

    def run(self, runs: int, *, stream: int = 0, redraw: Redraw | None = None, progress: Progress | None) -> Trials:
        """Make and judge so many pairs.

        Args:
            runs: how many.
            stream: another number makes others.
            redraw: how, where that is not the material's own way.
            progress: called now and then.
        """
        unchanged: list[Trial] = []
        dropped: list[list[Trial]] = [[] for _ in self.drops]
        for index in range(runs):
            rng = np.random.default_rng([self.seed, stream, index])
            drawn = self.material.draw(rng, redraw)
            judge = Judge(self.suite, drawn.alignment, int(rng.integers(2**62)))
            results = {pairs.metric: judge.judge(pairs) for pairs in drawn.pairs}
            unchanged.append(self._tell(results, drawn.pairs))
            for drop, trials in zip(self.drops, dropped, strict=True):
                trials.append(self._drop(drop, drawn, judge, results, rng))
            if progress is not None:
                progress(index + 1, runs)
        return Trials(tuple(unchanged), tuple(map(tuple, dropped)))

    def predict(self, pairs: int) -> tuple[ErrorRates, ...]:
        """What the summaries of the first so many pairs would state of the error rates."""
        told = []
        for index in range(pairs):
            drawn = self.material.draw(np.random.default_rng([self.seed, 0, index]))
            measured = [measure_metric(one, self.suite, self.seed) for one in drawn.pairs]
            told.append(tell_rates([rates for rates in measured if rates is not None]))
        return tuple(rates for rates in told if rates is not None)

    def _drop(
        self, drop: Drop, drawn: Drawn, judge: Judge, results: dict[str, list[CheckResult]], rng: np.random.Generator
    ) -> Trial:
        """The same pair once the candidate is worse in one metric; what is said of the others stands."""
        metric = next(each for each in self.material.metrics if each.name == drop.metric)
        fallen = with_drop(drawn.alignment.candidate, drop, metric.direction, rng)
        alignment = replace(drawn.alignment, candidate=fallen)
        pairs = self.material.pair(alignment, metric)
        after = {**results, drop.metric: replace(judge, alignment=alignment).judge(pairs)}
        return self._tell(after, (pairs,))

    def _tell(self, results: dict[str, list[CheckResult]], pairs: tuple[MetricPairs, ...]) -> Trial:
        told = tuple(result for of_metric in results.values() for result in of_metric)
        (shared,) = share_error_rate([SuiteReport(self.suite.name, None, None, told, EMPTY)])
        findings = tuple(
            Finding(result.check, result.metric, result.status, result.reason)
            for result in shared.results
            if result.status in {Status.FAIL, Status.WARN}
        )
        return Trial(
            decide([shared]).word,
            findings,
            {result.metric: end for result in told if result.metric and (end := self._end(result)) is not None},
            {one.metric: variance for one in pairs if (variance := _variance(one)) is not None},
        )

    def _end(self, result: CheckResult) -> float | None:
        """The end nearer to the bar that has to clear it: with a strict guard, of both intervals."""
        options = self.suite.options_for(result.check, result.metric or "")
        if not isinstance(options, ThresholdOptions) or "bar" not in result.figures:
            return None
        lower = self.material.direction(result.metric or "") is Direction.LOWER
        names = ("high", "exact_high") if lower else ("low", "exact_low")
        ends = [result.figures[name] for name in names[: 2 if options.guard == "fail" else 1]]
        known = [float(end) for end in ends if end is not None]
        return max(known) if lower else min(known)


def _variance(pairs: MetricPairs) -> float | None:
    if pairs.reference is not None:
        if np.isnan(pairs.own).all() or np.isnan(pairs.reference.scores).all():
            return None
        return linearised_variance(pairs.candidate_units()) + linearised_variance(pairs.reference.units())
    return linearised_variance(pairs.difference_units()) if pairs.differences().size else None


def with_drop(run: Run, drop: Drop, direction: Direction, rng: np.random.Generator) -> Run:
    """The run with some of its items fallen to the worst score, all of their samples together."""
    column = run.metrics[drop.metric]
    scores = run.item_scores(drop.metric).values
    above = scores > drop.worst if direction is Direction.HIGHER else scores < drop.worst
    hit = (above & (rng.random(run.n_items) < drop.chance))[run.item_of_sample] & (column.status == ItemStatus.SCORED)
    fallen = replace(column, values=np.where(hit, drop.worst, column.values))
    return replace(run, metrics={**run.metrics, drop.metric: fallen})
