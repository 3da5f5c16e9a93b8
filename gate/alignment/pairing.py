"""Two aligned runs -> one metric's scores side by side."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment.design import Design, design_of
from gate.alignment.items import ABSENT, Alignment, align_alone, rows_of
from gate.alignment.pairs import MetricPairs, Reference
from gate.scores.model import Direction, ItemStatus, Run, Scale
from gate.scores.reducers import ItemSamples

# Shares of samples that are equal on paper may differ by rounding.
_ROUNDING = 1e-9


def pair_metric(
    alignment: Alignment, metric: str, *, direction: Direction, scale: Scale | None, design: Design | None = None
) -> MetricPairs:
    """One metric's scores side by side, in id order; ``design`` is ``design_of(alignment)``, to be made but once."""
    baseline = alignment.baseline
    scores, noise = alignment.candidate.item_scores(metric).values, alignment.candidate.repeat_noise(metric)
    paired = np.where(alignment.common, scores[alignment.candidate_index], np.nan)
    before = None if baseline is None else baseline.item_scores(metric).values[alignment.baseline_index]
    unanswered = _unanswered(alignment, metric)
    partly, worst = ~np.isnan(paired), _worst_score((paired, before), direction, scale)
    return MetricPairs(
        metric=metric,
        direction=direction,
        scale=scale,
        ids=alignment.ids,
        baseline=before,
        candidate=paired,
        common=alignment.common,
        unanswered=np.where(partly, unanswered.beyond_baseline / unanswered.wanted, 0.0),
        imputed=np.zeros(len(alignment.ids), np.bool_),
        own=paired,
        own_unanswered=np.where(partly, unanswered.all / unanswered.wanted, 0.0),
        floor=_with_worst(alignment, metric, unanswered.beyond_baseline, worst),
        own_floor=_with_worst(alignment, metric, unanswered.all, worst),
        status=_status(alignment, metric),
        new=scores[rows_of(alignment.candidate, alignment.new)],
        noise=np.where(alignment.common, noise[alignment.candidate_index], np.nan),
        baseline_noise=np.full(len(alignment.ids), np.nan)
        if baseline is None
        else baseline.repeat_noise(metric)[alignment.baseline_index],
        reduced=alignment.candidate.reduced(metric),
        design=design_of(alignment) if design is None else design,
        reference=None if alignment.reference is None else _reference(alignment.reference, metric),
    )


def _reference(run: Run, metric: str) -> Reference:
    alone = align_alone(run)
    scores = run.item_scores(metric).values[alone.candidate_index]
    return Reference(alone.ids, scores, design_of(alone))


class _Unanswered(NamedTuple):
    """Samples without a score in the candidate, of the items that both runs hold; each float64 (n,).

    Attributes:
        wanted: how many samples there are in the run with more of them: one that the candidate lost counts, too.
        all: of these, how many have no score.
        beyond_baseline: how many more than if it had scored the same share as the baseline.
    """

    wanted: NDArray[np.float64]
    all: NDArray[np.float64]
    beyond_baseline: NDArray[np.float64]


def _unanswered(alignment: Alignment, metric: str) -> _Unanswered:
    theirs = _count_samples(alignment.candidate, metric, alignment.candidate_index)
    wanted, expected = theirs.all, theirs.all
    if alignment.baseline is not None:
        ours = _count_samples(alignment.baseline, metric, alignment.baseline_index)
        wanted = np.maximum(theirs.all, ours.all)
        expected = ours.scored / ours.all * wanted
    lacking, beyond = wanted - theirs.scored, np.maximum(expected - theirs.scored, 0.0)
    return _Unanswered(wanted, np.where(alignment.common, lacking, 0.0), np.where(alignment.common, beyond, 0.0))


class _SampleCounts(NamedTuple):
    """How many samples each aligned item has in a run, and how many of them a score; each float64 (n,)."""

    all: NDArray[np.float64]
    scored: NDArray[np.float64]


def _count_samples(run: Run, metric: str, index: NDArray[np.intp]) -> _SampleCounts:
    scored = run.item_of_sample[run.metrics[metric].status == ItemStatus.SCORED]
    counts = (np.bincount(items, minlength=run.n_items)[index] for items in (run.item_of_sample, scored))
    return _SampleCounts(*(each.astype(np.float64) for each in counts))


def _with_worst(alignment: Alignment, metric: str, lacking: NDArray[np.float64], worst: float) -> NDArray[np.float64]:
    """Float64 (n,): the candidate's scores once so many more samples of each item have the worst one.

    A sample that failed to come is a failed sample, and no smaller number of them: pass@5 of 10 stays that.
    """
    run, common, rows = alignment.candidate, alignment.common, alignment.candidate_index
    column, samples = run.metrics[metric], run.item_samples(metric)
    added = np.repeat(rows[common], np.ceil(lacking[common] - _ROUNDING).astype(np.intp))
    together = ItemSamples(
        np.concatenate([samples.items, added]),
        np.concatenate([samples.scores, np.full(added.size, worst)]),
        run.n_items,
    )
    reduced = column.reducer.reduce(together, lower_is_better=column.direction is Direction.LOWER)[rows]
    return np.where(common & ~np.isnan(reduced), reduced, worst)


def _worst_score(
    runs: tuple[NDArray[np.float64], NDArray[np.float64] | None], direction: Direction, scale: Scale | None
) -> float:
    """Of the scale, else of the scores of both runs; NaN where there are none."""
    lower_is_better = direction is Direction.LOWER
    if scale is not None:
        return scale.high if lower_is_better else scale.low
    seen = np.concatenate([scores for scores in runs if scores is not None])
    scored = seen[~np.isnan(seen)]
    if scored.size == 0:
        return float("nan")
    return float(scored.max() if lower_is_better else scored.min())


def _status(alignment: Alignment, metric: str) -> NDArray[np.object_]:
    words = np.array([status.name.lower() for status in ItemStatus], dtype=object)
    status = words[alignment.candidate.item_scores(metric).status][alignment.candidate_index]
    status[alignment.changed] = "changed"
    status[alignment.candidate_index == ABSENT] = "lost"
    return status
