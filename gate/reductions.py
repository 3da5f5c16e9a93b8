"""Scores made of the samples of an item: pass@5 and its kin, as metrics of their own beside those of the files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gate.errors import AlignmentError, Place, ScoreFileError
from gate.metrics import known_direction
from gate.scores.model import Direction, ItemStatus, MetricScores, Run
from gate.scores.quoting import listing, quote, quoted_listing
from gate.scores.reducers import MEAN, Kind, Reducer, reduced_name
from gate.wording import count, number

# A pass@k so high beside a pass@1 so low is worth saying: the model can, but does not reliably.
_HIGH, _LOW = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Reduction:
    """What is to be made of the samples of one metric.

    Attributes:
        metric: the files' metric.
        reducer: how.
        direction: which way the metric is better; None: as the files say.
    """

    metric: str
    reducer: Reducer
    direction: Direction | None = None

    @property
    def name(self) -> str:
        """What the score is called: a metric like any other."""
        return reduced_name(self.metric, self.reducer)


class ReducedRuns(NamedTuple):
    """The runs with the scores so made among their metrics, and what to know of them."""

    baseline: Run | None
    candidate: Run
    notes: tuple[str, ...]


def reduce_runs(reductions: Sequence[Reduction], baseline: Run | None, candidate: Run) -> ReducedRuns:
    """Add the scores asked for to both runs.

    Raises:
        ScoreFileError: where an item has fewer samples than are to be drawn, scores other than 0 and 1 are to count as
            passes, a metric of that name is there already, or which way it is better is in doubt.
        AlignmentError: where the two runs do not have the same number of samples an item.
    """
    given = [run for run in (baseline, candidate) if run is not None]
    for reduction in reductions:
        _require_can_be_made(reduction, given, candidate)
    asked = [
        replace(reduction, direction=reduction.direction or _direction(reduction, given))
        for reduction in reductions
        if reduction.reducer != MEAN
    ]
    runs = tuple(_reduced(run, asked) for run in given)
    for reduction in asked:
        if len(runs) > 1:
            _require_one_n(reduction, *runs)
    notes = [note for reduction in asked for note in _notes(reduction, runs[-1])]
    return ReducedRuns(runs[0] if baseline is not None else None, runs[-1], tuple(notes))


def tell_gap(name: str, many: float, one: float) -> tuple[str, ...]:
    """A sentence where ``many``, a pass@k called ``name``, is high while ``one``, the pass@1, is low; else none."""
    if many < _HIGH or one >= _LOW:
        return ()
    told = f"{name} is {number(many)} where a single sample passes {number(one)} of the time"
    return (f"{told}: what is shipped passes so only where something picks the right one of the samples",)


def samples_agree(run: Run, metric: str) -> bool:
    """Whether all samples of every item are one, though items differ: as at temperature 0, where more tell no more."""
    samples = run.item_samples(metric)
    if not (samples.counts > 1).any():
        return False
    best, worst = (Reducer(kind).reduce(samples) for kind in (Kind.BEST, Kind.WORST))
    mixed = best > worst  # never of an item without a score
    return not mixed.any() and bool(np.nanmax(best) > np.nanmin(worst))


def _reduced(run: Run, asked: Sequence[Reduction]) -> Run:
    added: dict[str, MetricScores] = {}
    for reduction in asked:
        if _is_made(run, reduction):
            continue
        scores = run.metrics[reduction.metric]
        if reduction.name in run.metrics:
            raise ScoreFileError(
                f"the file has a metric {quote(reduction.name)} already",
                where=Place(run.source.path),
                remedy=f"judge that one, or take {reduction.reducer} out of `reduce`",
            )
        if reduction.reducer.counts_passes:
            _require_passes(run, reduction)
        if reduction.reducer.draws:
            _require_enough(run, reduction)
        added[reduction.name] = replace(scores, reducer=reduction.reducer, direction=reduction.direction, doubt=None)
    return replace(run, metrics={**run.metrics, **added})


def _is_made(run: Run, reduction: Reduction) -> bool:
    """Whether an earlier run made this very score, and its report holds it."""
    column = run.metrics.get(reduction.name)
    return column is not None and column.made and column.reducer == reduction.reducer


def _direction(reduction: Reduction, runs: Sequence[Run]) -> Direction:
    """As the runs state it that hold the samples; of scores that are made already it is held against that later."""
    return known_direction(reduction.metric, [run for run in runs if not _is_made(run, reduction)])


def _require_can_be_made(reduction: Reduction, runs: Sequence[Run], candidate: Run) -> None:
    """Raise ScoreFileError where a run has the score made otherwise, of samples that are gone."""
    made = candidate.metrics.get(reduction.name)
    if made is not None and made.made and made.reducer != MEAN:
        raise ScoreFileError(
            f"the report has {quote(reduction.name)} and not the samples: what is missing in it cannot be weighed",
            where=Place(candidate.source.path),
            remedy="give the candidate's own score file",
        )
    for run in runs:
        column = run.metrics.get(reduction.metric)
        if _is_made(run, reduction) or (column is not None and not column.made):
            continue
        held = [name for name, scores in run.metrics.items() if scores.made]
        raise ScoreFileError(
            f"the report has no samples to make {quote(reduction.name)} of: it holds {quoted_listing(held)}",
            where=Place(run.source.path, part=f"metric {reduction.metric!r}"),
            remedy="ask for what it holds (`reduce`), or give the score file that the report was made from",
        )


def _require_passes(run: Run, reduction: Reduction) -> None:
    """Raise ScoreFileError unless every score of the metric is a pass, 1, or a fail, 0."""
    place = Place(run.source.path, part=f"metric {reduction.metric!r}")
    if reduction.direction is Direction.LOWER:
        raise ScoreFileError(
            f"{reduction.reducer} counts ones as passes, and lower is better here",
            where=place,
            remedy="name a metric that is 1 where a sample passes, or use `best`, `worst` or `mean`",
        )
    scores = run.metrics[reduction.metric]
    stray = np.flatnonzero((scores.status == ItemStatus.SCORED) & (scores.values != 0) & (scores.values != 1))
    if stray.size:
        sample = int(stray[0])
        item, value = run.ids[run.item_of_sample[sample]], float(scores.values[sample])
        raise ScoreFileError(
            f"{reduction.reducer} is of samples that pass or fail, 1 or 0, and item {quote(item)} has {value!r}",
            where=place,
            remedy="name a metric of passes and fails, or use `best`, `worst` or `mean` for graded scores",
        )


def _require_enough(run: Run, reduction: Reduction) -> None:
    """Raise ScoreFileError where an item has fewer samples than are drawn: it would be neither 1 nor left out."""
    k, counts = reduction.reducer.k, np.bincount(run.item_of_sample, minlength=run.n_items)
    short = np.flatnonzero(counts < k).tolist()
    if short:
        told = listing([f"{quote(run.ids[item])} ({counts[item]})" for item in short])
        raise ScoreFileError(
            f"{reduction.reducer} needs {count(k, 'sample')} an item or more, and "
            f"{count(len(short), 'item')} {'has' if len(short) == 1 else 'have'} fewer: {told}",
            where=Place(run.source.path, part=f"metric {reduction.metric!r}"),
            remedy=f"draw more samples of these, or ask for a k of at most {int(counts.min())}",
        )


def _require_one_n(reduction: Reduction, baseline: Run, candidate: Run) -> None:
    """Raise AlignmentError where the runs differ in n: the best of ten is better than the best of five."""
    ours, theirs = (run.reduced(reduction.name).most for run in (baseline, candidate))
    if ours != theirs:
        raise AlignmentError(
            f"{reduction.reducer} can be compared at one number of samples only: the baseline has "
            f"up to {count(ours, 'sample')} an item, the candidate up to {theirs}",
            where=Place(candidate.source.path, part=f"metric {reduction.metric!r}"),
            remedy=f"run the candidate with {ours} an item, or the baseline with {theirs}",
        )


def _notes(reduction: Reduction, run: Run) -> list[str]:
    """What the figures rest on, and what they may hide."""
    notes = [f"{reduction.name}: {_meaning(reduction.reducer)}; {run.reduced(reduction.name).samples} an item"]
    if reduction.reducer.kind is Kind.PASS_AT and reduction.reducer.k > 1:
        one, many = (_mean_of(run, reduction.metric, k) for k in (1, reduction.reducer.k))
        notes.extend(tell_gap(reduction.name, many, one))
    return notes


def _meaning(reducer: Reducer) -> str:
    drawn = f"{count(reducer.k, 'sample')} drawn from an item's"
    return {
        Kind.PASS_AT: f"the chance that of {drawn} one passes, as good as the tests they must pass",
        Kind.PASS_HAT: f"the chance that {drawn} all pass, as good as the tests they must pass",
        Kind.MAJORITY: "1 where more than half of an item's samples pass, 1/2 at a tie",
        Kind.BEST: "the best of an item's samples: it rises with their number",
        Kind.WORST: "the worst of an item's samples: it falls with their number",
    }[reducer.kind]


def _mean_of(run: Run, metric: str, k: int) -> float:
    scores = Reducer(Kind.PASS_AT, k).reduce(run.item_samples(metric))
    return float(np.nanmean(scores)) if not np.isnan(scores).all() else 0.0
