"""Every item of a suite with its scores in both runs, as the JSON report keeps it."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Alignment, MetricPairs
from gate.metrics import Metric
from gate.results import ItemTable, MetricColumn
from gate.scores.model import ItemStatus, Run

EMPTY = ItemTable((), (), (), {})


def build_item_table(alignment: Alignment, columns: Mapping[str, MetricColumn]) -> ItemTable:
    """The aligned items, then the candidate's new ones; ``columns`` holds each metric's ``score_column``."""
    ids = (*alignment.ids, *alignment.new)
    return ItemTable(
        ids=ids,
        digests=_attribute(alignment, "content_digests", ids),
        groups=_attribute(alignment, "groups", ids),
        metrics=columns,
        strata=_attribute(alignment, "strata", ids),
        weights=_weights(alignment, ids),
        content_fields=_content_fields(alignment),
        n_samples=tuple(_samples(alignment.candidate, ids, None)),
    )


def question_texts(alignment: Alignment) -> Mapping[str, str]:
    """Question text by id: the candidate's, else the baseline's, else ""; an empty mapping where none is known."""
    return _by_id(alignment, "inputs")


def answer_texts(alignment: Alignment) -> Mapping[str, str]:
    """Expected answer by id, where the runs were read with them; otherwise as ``question_texts``."""
    return _by_id(alignment, "targets")


def _by_id(alignment: Alignment, name: str) -> Mapping[str, str]:
    ids = (*alignment.ids, *alignment.new)
    texts = _attribute(alignment, name, ids)
    return dict(zip(ids, texts, strict=True)) if texts else {}


def _attribute(alignment: Alignment, name: str, ids: tuple[str, ...]) -> tuple[str, ...]:
    """One text an item, the candidate's where it has one, else the baseline's; empty where neither run has any."""
    runs: list[Run] = [run for run in (alignment.baseline, alignment.candidate) if run is not None]
    known: dict[str, str] = {}
    for run in runs:
        values = getattr(run, name)
        if values is not None:
            known.update((item, value) for item, value in zip(run.ids, values, strict=True) if value)
    return tuple(known.get(item, "") for item in ids) if known else ()


def _content_fields(alignment: Alignment) -> tuple[str, ...]:
    runs = [run for run in (alignment.candidate, alignment.baseline) if run is not None]
    return next((run.content_fields for run in runs if run.content_digests is not None), ())


def _samples(run: Run, ids: Sequence[str], metric: str | None) -> list[int]:
    """How many samples a run has of each item, or how many of them have a score; empty where no item has several."""
    if run.n_samples == run.n_items:
        return []
    of_sample = run.item_of_sample
    if metric is not None:
        of_sample = of_sample[run.metrics[metric].status == ItemStatus.SCORED]
    counts = dict(zip(run.ids, np.bincount(of_sample, minlength=run.n_items).tolist(), strict=True))
    return [counts.get(item, 0) for item in ids]


def _weights(alignment: Alignment, ids: tuple[str, ...]) -> tuple[float | None, ...]:
    known: dict[str, float] = {}
    for run in (alignment.baseline, alignment.candidate):
        if run is not None and run.weights is not None:
            known.update(zip(run.ids, run.weights.tolist(), strict=True))
    return tuple(known.get(item) for item in ids) if known else ()


def score_column(alignment: Alignment, metric: Metric, pairs: MetricPairs) -> MetricColumn:
    """One metric's scores of the aligned items, then of the candidate's new ones."""
    held = alignment.candidate_index >= 0
    # an item whose content changed is not compared, but its new score is what the next baseline needs
    candidate = alignment.candidate.item_scores(metric.name).values[alignment.candidate_index]
    none_new: list[float | None] = [None] * len(alignment.new)
    baseline = [None] * len(pairs.ids) if pairs.baseline is None else _as_list(pairs.baseline)
    new_status = ["new"] * len(alignment.new)
    return MetricColumn(
        direction=metric.direction.value,
        scale=None if metric.scale is None else (metric.scale.low, metric.scale.high),
        scale_origin=metric.scale_origin.value,
        baseline=(*baseline, *none_new),
        candidate=(*_as_list(np.where(held, candidate, np.nan)), *_as_list(pairs.new)),
        status=(*pairs.status.tolist(), *new_status),
        reducer=str(alignment.candidate.metrics[metric.name].reducer),
        n_scored=tuple(_samples(alignment.candidate, (*alignment.ids, *alignment.new), metric.name)),
    )


def _as_list(scores: NDArray[np.float64]) -> list[float | None]:
    """The scores, None for NaN; each value is one object however often it stands there, as most scores do."""
    distinct, place = np.unique(scores, return_inverse=True)
    told = np.empty(len(distinct), dtype=object)
    told[:] = [None if score != score else score for score in distinct.tolist()]  # noqa: PLR0124  # NaN alone differs from itself
    shared: list[float | None] = told[place].tolist()
    return shared
