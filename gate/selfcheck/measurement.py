"""The measurement: how often unchanged runs are blocked, how often a drop is caught, and what to make of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gate.results import ErrorRates
from gate.scores.model import Direction
from gate.selfcheck.advice import advise
from gate.selfcheck.drops import ChosenDrop, choose_drops
from gate.selfcheck.gathering import gather_material
from gate.selfcheck.material import Material, Way
from gate.selfcheck.progress import Progress
from gate.selfcheck.question import Question
from gate.selfcheck.rates import Caught, Rates, Share, count_caught, count_rates
from gate.selfcheck.setting import Setting, settle, with_few_swaps
from gate.selfcheck.trials import Laboratory, Trials
from gate.wording import rounded

# Beside an assumed correlation, the rates at a high one: runs of a model that hardly samples.
_OTHER_RHO = 0.9
_PREDICTED_PAIRS = 5


@dataclass(frozen=True, slots=True)
class MeasuredMetric:
    """One metric as it was judged.

    Attributes:
        name: its name.
        direction: which way is better.
        scale: lowest and highest possible score, or None.
        mean: of what the runs are drawn from.
        notes: how direction and scale are known.
    """

    name: str
    direction: Direction
    scale: tuple[float, float] | None
    mean: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """The main figures at another correlation, from fewer pairs; caught is None where no drop was simulated."""

    rho: float
    runs: int
    block: Share
    warn: Share
    caught: Share | None


@dataclass(frozen=True, slots=True)
class Predicted:
    """What the summaries of runs like these state on average, 0 to 1; caught is None where it is of another drop."""

    block: float
    warn: float
    caught: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The answers of `gate selfcheck`.

    Attributes:
        file: the baseline.
        other: the second run, or None.
        config: gate.yml, or None.
        suite: the suite's name.
        metrics: what was judged.
        items: their number.
        units: the number of groups, or of items where there are none.
        way: how unchanged runs were made: exchange, repeats, mixture or samples.
        rho: the correlation between two runs' scores of an item, where it was not measured.
        rho_assumed: nobody stated it.
        runs: the number of simulated pairs.
        seed: of every random draw.
        unchanged: what was said of runs in which nothing changed.
        dropped: of runs with a drop, one entry a metric; empty where none can be simulated.
        beside: the same at another correlation, or None.
        predicted: what the gate's own summary states, or None.
        advice: what to change; empty where there is nothing.
        notes: how it was done, what was assumed and left out.
    """

    file: str
    other: str | None
    config: str | None
    suite: str
    metrics: tuple[MeasuredMetric, ...]
    items: int
    units: int
    way: Way
    rho: float | None
    rho_assumed: bool
    runs: int
    seed: int
    unchanged: Rates
    dropped: tuple[Caught, ...]
    beside: Beside | None
    predicted: Predicted | None
    advice: tuple[str, ...]
    notes: tuple[str, ...]


def measure(question: Question, progress: Progress | None = None) -> Measurement:
    """Simulate runs in which nothing changed, and runs with a drop, and judge them as the gate would.

    Args:
        question: what is asked.
        progress: called after each pair.

    Raises:
        GateError: where the question makes no sense, or a file cannot be read or judged.
    """
    question.require_sound()
    setting = settle(question)
    suite = with_few_swaps(setting.suite)
    material = gather_material(question, suite)
    chosen = choose_drops(question, suite, material)
    laboratory = Laboratory(suite, material, chosen.drops, question.seed)
    trials = laboratory.run(question.runs, progress=progress)
    rates, dropped = count_rates(trials.unchanged), count_caught(chosen.drops, trials.dropped)
    return Measurement(
        file=question.file,
        other=question.other,
        config=question.config,
        suite=suite.name,
        metrics=_metrics(material),
        items=material.n,
        units=material.n_units,
        way=material.way,
        rho=material.rho,
        rho_assumed=material.rho is not None and question.rho is None,
        runs=question.runs,
        seed=question.seed,
        unchanged=rates,
        dropped=dropped,
        beside=_beside(question, laboratory, progress),
        predicted=_predicted(laboratory.predict(_PREDICTED_PAIRS), dropped),
        advice=advise(setting, material, trials, rates, dropped),
        notes=_notes(setting, material, chosen, trials, few_swaps=suite is not setting.suite),
    )


def _metrics(material: Material) -> tuple[MeasuredMetric, ...]:
    return tuple(
        MeasuredMetric(
            metric.name,
            metric.direction,
            None if metric.scale is None else (metric.scale.low, metric.scale.high),
            rounded(material.mean(metric.name)),
            metric.notes,
        )
        for metric in material.metrics
    )


def _beside(question: Question, laboratory: Laboratory, progress: Progress | None) -> Beside | None:
    if laboratory.material.way is not Way.MIXTURE or question.rho is not None:
        return None
    runs = question.runs // 2
    trials = laboratory.run(runs, stream=1, redraw=laboratory.material.mixture(_OTHER_RHO), progress=progress)
    rates, caught = count_rates(trials.unchanged), count_caught(laboratory.drops, trials.dropped)
    least = min((each.block for each in caught), key=lambda share: share.share, default=None)
    return Beside(_OTHER_RHO, runs, rates.block, rates.warn, least)


def _predicted(told: Sequence[ErrorRates], dropped: Sequence[Caught]) -> Predicted | None:
    if not told:
        return None
    known = [rates.caught for rates in told if rates.caught is not None]
    same = bool(dropped) and all(any(rates.drop == each.drop for each in dropped) for rates in told)
    return Predicted(
        rounded(float(np.mean([rates.block for rates in told]))),
        rounded(float(np.mean([rates.warn for rates in told]))),
        rounded(float(np.mean(known))) if known and same else None,
    )


def _notes(
    setting: Setting, material: Material, chosen: ChosenDrop, trials: Trials, *, few_swaps: bool
) -> tuple[str, ...]:
    notes = [*setting.notes, *material.notes, *chosen.notes]
    if few_swaps:
        notes.append("drift draws 1000 random swaps a pair here, fewer than in a check")
    if all(not any(trial.variances.values()) for trial in trials.unchanged) and setting.suite.baseline is not None:
        notes.append("no simulated pair differs in any score: this file shows no noise, and so says nothing of it")
    if material.way is Way.MIXTURE or material.way is Way.REPEATS:
        notes.append("unchanged runs are of these items, answered anew")
    return tuple(notes)
