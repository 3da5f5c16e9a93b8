"""What a run holds, for a person who wants to know how the gate read the file: counts, means, distributions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.scores.model import Direction, ItemStatus, MetricScores, Run, Scale

_MOST_BARS = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a histogram: the scores from ``low`` to ``high``, both ends equal for a single value.

    The upper end belongs to the next bar, except in the last.
    """

    label: str
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class MetricDescription:
    """One metric over the samples of a run.

    Attributes:
        scored: samples with a score.
        missing: samples without one.
        missing_by_status: the same by lower-case ItemStatus name, those that occur.
        mean: over the scored samples; with the lowest and highest score None where there is none.
        min: the lowest score.
        max: the highest score.
        direction: ``higher`` or ``lower`` is better; None where the file leaves it in doubt.
        doubt: why it does; None where it does not.
        scale: as the format states it, else None.
        histogram: at most ten bars: one for each distinct score, or equal widths from lowest to highest.
    """

    scored: int
    missing: int
    missing_by_status: Mapping[str, int]
    mean: float | None
    min: float | None
    max: float | None
    direction: str | None
    doubt: str | None
    scale: Scale | None
    histogram: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class RunDescription:
    """How a file was read.

    Attributes:
        format: the reader.
        path: as given.
        digest: SHA-256 of the file.
        items: distinct items.
        samples: samples, all repeats counted.
        groups: distinct groups, None where the file has none.
        has_inputs: whether the items' texts are known.
        metrics: by name, in the file's order.
        notes: what a user should know of the reading.
        facts: what the file tells of how the run was made.
    """

    format: str
    path: str
    digest: str
    items: int
    samples: int
    groups: int | None
    has_inputs: bool
    metrics: Mapping[str, MetricDescription]
    notes: tuple[str, ...]
    facts: Mapping[str, str]


def describe(run: Run) -> RunDescription:
    """Describe a run; every figure is over samples."""
    return RunDescription(
        format=run.source.format,
        path=run.source.path,
        digest=run.source.digest,
        items=run.n_items,
        samples=run.n_samples,
        groups=None if run.groups is None else len(set(run.groups)),
        has_inputs=run.inputs is not None,
        metrics={name: _describe_metric(scores) for name, scores in run.metrics.items()},
        notes=run.notes,
        facts=run.facts,
    )


def _describe_metric(scores: MetricScores) -> MetricDescription:
    scored = scores.values[scores.status == ItemStatus.SCORED]
    counts = {status.name.lower(): int((scores.status == status).sum()) for status in ItemStatus}
    del counts[ItemStatus.SCORED.name.lower()]
    return MetricDescription(
        scored=len(scored),
        missing=len(scores.values) - len(scored),
        missing_by_status={name: count for name, count in counts.items() if count},
        mean=math.fsum(scored) / len(scored) if len(scored) else None,
        min=float(scored.min()) if len(scored) else None,
        max=float(scored.max()) if len(scored) else None,
        direction=None if scores.doubt is not None else (scores.direction or Direction.HIGHER).value,
        doubt=scores.doubt,
        scale=scores.scale,
        histogram=_histogram(scored),
    )


def _histogram(scored: NDArray[np.float64]) -> tuple[Bar, ...]:
    values, counts = np.unique(scored, return_counts=True)
    if len(values) <= _MOST_BARS:
        pairs = zip(values.tolist(), counts.tolist(), strict=True)
        return tuple([Bar(f"{value:g}", value, value, count) for value, count in pairs])
    edges = np.linspace(values[0], values[-1], _MOST_BARS + 1)
    bins = np.clip(np.searchsorted(edges, scored, side="right") - 1, 0, _MOST_BARS - 1)
    filled = np.bincount(bins, minlength=_MOST_BARS).tolist()
    lows, highs = edges[:-1].tolist(), edges[1:].tolist()
    closings = ")" * (_MOST_BARS - 1) + "]"
    return tuple(
        [
            Bar(f"[{low:.4g}, {high:.4g}{closing}", low, high, count)
            for low, high, closing, count in zip(lows, highs, closings, filled, strict=True)
        ]
    )
