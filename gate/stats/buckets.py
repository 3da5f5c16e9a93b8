"""Scores sorted into buckets, the same for both runs."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.distinct import find_distinct
from gate.stats.lattice import scale_to_unit

_MAX_DISTINCT = 20
_DECILES = 10
# Scores equal to this many digits, or decimals where they are below 1, are one bucket: 0.1 + 0.2 is 0.3.
_DIGITS = 12


class Buckets(NamedTuple):
    """Scores sorted into k buckets, the last of them "no score" where either run lacks any.

    Attributes:
        labels: (k,).
        baseline: intp (n,), each item's bucket in the baseline.
        candidate: intp (m,), and in the candidate; m = n where both runs are on the same items.
    """

    labels: tuple[str, ...]
    baseline: NDArray[np.intp]
    candidate: NDArray[np.intp]


def sort_into_buckets(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    *,
    edges: Sequence[float] | None = None,
    quantiles: int | None = None,
) -> Buckets:
    """Sort scores into buckets: as asked for, else the distinct values up to 20, else the baseline's deciles.

    Args:
        baseline: float64 (n,), NaN where there is no score.
        candidate: float64 (m,), likewise; on the same items as the baseline or on others.
        edges: rising inner edges; a score equal to an edge belongs to the bucket above it.
        quantiles: so many quantiles of the baseline, >= 2, however few scores are distinct; of no matter with edges.
            Quantiles that coincide make fewer buckets.
    """
    both = np.concatenate([baseline, candidate])
    rounded = _without_noise(both)
    distinct = find_distinct(rounded[~np.isnan(rounded)])
    if edges is None and quantiles is None and distinct.size <= _MAX_DISTINCT:
        index = np.searchsorted(distinct, rounded)
        labels = _shown(distinct.tolist(), 6)
    else:
        inner = _quantiles(baseline, quantiles or _DECILES) if edges is None else np.asarray(edges, dtype=np.float64)
        noise = 10.0**-_DIGITS * np.maximum(1.0, np.abs(inner))
        index = np.searchsorted(inner - noise, both, side="right")
        labels = _edge_labels(inner.tolist())
    missing = np.isnan(both)
    if missing.any():
        index = np.where(missing, len(labels), index)
        labels.append("no score")
    return Buckets(tuple(labels), index[: baseline.size], index[baseline.size :])


def count_buckets(index: NDArray[np.intp], k: int) -> NDArray[np.int64]:
    """How many of (n,) items lie in each of k buckets: int64 (k,)."""
    return np.bincount(index, minlength=k)


def _without_noise(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = float(np.abs(scores[~np.isnan(scores)]).max(initial=1.0))
    # adding zero turns -0.0 into 0.0, which would be shown otherwise
    return np.round(scores, _DIGITS - math.floor(math.log10(largest))) + 0.0


def _quantiles(baseline: NDArray[np.float64], number: int) -> NDArray[np.float64]:
    scored = baseline[~np.isnan(baseline)]
    if scored.size == 0:
        return np.empty(0)
    scaled, exponent = scale_to_unit(scored)
    return np.ldexp(find_distinct(np.quantile(scaled, np.arange(1, number) / number)), exponent)


def _edge_labels(inner: list[float]) -> list[str]:
    if not inner:
        return ["all scores"]
    shown = _shown(inner, 4)
    between = [f"[{low}, {high})" for low, high in pairwise(shown)]
    return [f"under {shown[0]}", *between, f"{shown[-1]} and over"]


def _shown(numbers: list[float], digits: int) -> list[str]:
    """The numbers with so many digits, or as many as tell them apart."""
    shown = [f"{value:.{digits}g}" for value in numbers]
    return shown if len(set(shown)) == len(shown) or digits > _DIGITS else _shown(numbers, digits + 1)
