"""A results file's pass@k over k, each with its intervals."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.alignment import align_alone, design_of, pair_metric
from gate.metrics import UNIT_SCALE, choose_metric
from gate.pass_at_k.question import Question
from gate.reductions import Reduction, reduce_runs, samples_agree, tell_gap
from gate.scores import read_run
from gate.scores.model import Direction, ItemStatus, Run, Wanted
from gate.scores.reducers import Kind, Reducer
from gate.stats.bootstrap import bootstrap_ratio
from gate.stats.dirichlet import exact_interval
from gate.stats.units import Units
from gate.wording import count

_ALPHA = 0.05
_USUAL = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_FEW = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """pass@k over the tasks of a file.

    Attributes:
        k: how many samples are drawn.
        pass_at_k: the mean over the tasks of the chance that one of them passes.
        low: lower end of its 95 % bootstrap interval, the tasks being resampled.
        high: upper end.
        exact_low: lower end of the interval that holds at any number of tasks.
        exact_high: upper end.
        pass_hat_k: the mean of the chance that all of them pass.
    """

    k: int
    pass_at_k: float
    low: float
    high: float
    exact_low: float
    exact_high: float
    pass_hat_k: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A file's curve.

    Attributes:
        file: its path.
        metric: what of its samples passes or fails.
        tasks: how many there are.
        n_low: the fewest samples that a task has.
        n_high: the most; the nominal n.
        rows: by rising k.
        notes: what else is worth knowing.
    """

    file: str
    metric: str
    tasks: int
    n_low: int
    n_high: int
    rows: tuple[Measured, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """A run whose samples pass or fail, and its metric's name."""

    run: Run
    metric: str

    @property
    def counts(self) -> NDArray[np.int64]:
        """Int64 (t,): how many samples each task has."""
        return np.bincount(self.run.item_of_sample, minlength=self.run.n_items).astype(np.int64)

    @property
    def passes(self) -> NDArray[np.int64]:
        """Int64 (t,): how many of them pass."""
        return self.run.item_samples(self.metric).passes


def read_samples(question: Question) -> Samples:
    """The file's samples.

    Raises:
        GateError: where it cannot be read, the metric is not clear, or its scores are not 0 and 1.
    """
    asked = () if question.metric is None else (question.metric,)
    run = read_run(Path(question.file or ""), Wanted(variant=question.select, metrics=asked), format=question.format)
    metric = choose_metric(question.metric, None, run)
    reduce_runs([Reduction(metric, Reducer(Kind.PASS_AT))], None, run)  # refuses what neither passes nor fails
    return Samples(run, metric)


def draw_curve(question: Question) -> Curve:
    """pass@k and pass^k of a file; a sample without a score counts as failed, which does not change n.

    Raises:
        GateError: as ``read_samples``; and where a task has fewer samples than a k.
    """
    samples = read_samples(question)
    counts = samples.counts
    low, high = int(counts.min()), int(counts.max())
    numbers = question.numbers() or _usual(low)
    rows = tuple(_measure(samples, k) for k in numbers)
    gap = tell_gap(f"pass@{rows[-1].k}", rows[-1].pass_at_k, _units(samples, Kind.PASS_AT, 1).mean)
    notes = (*_notes(samples, low, high), *gap)
    return Curve(question.file or "", samples.metric, counts.size, low, high, rows, notes)


def _usual(most: int) -> tuple[int, ...]:
    return tuple(range(1, most + 1)) if most <= _FEW else (*(k for k in _USUAL if k < most), most)


def _measure(samples: Samples, k: int) -> Measured:
    units = _units(samples, Kind.PASS_AT, k)
    interval = bootstrap_ratio(units).interval(_ALPHA)
    exact = exact_interval(units, lowest=0.0, highest=1.0, alpha=_ALPHA)
    hat = _units(samples, Kind.PASS_HAT, k).mean
    return Measured(k, units.mean, interval.low, interval.high, exact.low, exact.high, hat)


def _units(samples: Samples, kind: Kind, k: int) -> Units:
    reduction = Reduction(samples.metric, Reducer(kind, k))
    alignment = align_alone(reduce_runs([reduction], None, samples.run).candidate)
    pairs = pair_metric(
        alignment, reduction.name, direction=Direction.HIGHER, scale=UNIT_SCALE, design=design_of(alignment)
    )
    return pairs.with_worst_for_missing().candidate_units()


def _notes(samples: Samples, low: int, high: int) -> list[str]:
    notes = []
    missing = int((samples.run.metrics[samples.metric].status != ItemStatus.SCORED).sum())
    if missing:
        notes.append(f"{count(missing, 'sample')} without a score: counted as failed, and n stays what it is")
    if low < high:
        notes.append(f"tasks have {low} to {high} samples: each counts the same, and those with more are less noisy")
    if samples_agree(samples.run, samples.metric):
        notes.append("all samples of every task agree, as at temperature 0: pass@k then tells no more than pass@1")
    return notes
