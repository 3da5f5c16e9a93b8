"""Every item of a suite with its scores in both runs."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """One metric over a suite's items; arrays follow ``ItemTable.ids``.

    Attributes:
        direction: ``higher`` or ``lower`` is better.
        scale: lowest and highest possible score, or None where unknown.
        scale_origin: ``given``, ``format``, ``reducer`` (a share of samples), ``assumed`` or ``unknown``.
        baseline: scores, None where there is none.
        candidate: scores, None where there is none.
        status: why the candidate has a score or not: scored, unscored, error, timeout, skipped, not_submitted,
            lost, changed, new.
        reducer: what made each score of the item's samples: ``mean``, ``pass@5`` and so on.
        n_scored: of each item's samples in the candidate, how many have a score; empty where no item has several.
    """

    direction: str
    scale: tuple[float, float] | None
    scale_origin: str
    baseline: tuple[float | None, ...]
    candidate: tuple[float | None, ...]
    status: tuple[str, ...]
    reducer: str = "mean"
    n_scored: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemTable:
    """Every item of a suite, uncapped, in id order: with it a JSON report can serve as the next baseline.

    Attributes:
        ids: (n,).
        digests: (n,) hex digest of the item's inputs and target; empty tuple where the files have neither.
        groups: (n,) or empty.
        metrics: name -> column.
        strata: (n,) or empty.
        weights: (n,) or empty; None for a new item whose weight is not known.
        content_fields: what the digests are made of: inputs, target.
        n_samples: (n,), the candidate's samples of each item; empty where no item has several.
    """

    ids: tuple[str, ...]
    digests: tuple[str, ...]
    groups: tuple[str, ...]
    metrics: Mapping[str, MetricColumn]
    strata: tuple[str, ...] = ()
    weights: tuple[float | None, ...] = ()
    content_fields: tuple[str, ...] = ()
    n_samples: tuple[int, ...] = ()
