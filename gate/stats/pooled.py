"""Values with how often each occurs; beyond ten thousand different ones, spread onto the points of a fine grid."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import scale_to_unit

_MOST_POINTS = 10_000
_FINEST_LEVEL = 20
# Values are looked at so many at a time: what is read out of them takes no memory to speak of.
_CHUNK = 1 << 19


class Pooled(NamedTuple):
    """Distinct values and the weight of each.

    Attributes:
        values: float64 (k,), sorted, k <= 10 001.
        counts: float64 (k,), each > 0; they add up to the number of values pooled.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.float64]


def pool(values: NDArray[np.float64]) -> Pooled:
    """Count equal values; where over 10 000 differ, take the finest grid with no more points that are in use.

    On the grid each value is divided between the two points beside it so that the mean stays. That only adds spread
    (a millionth of the variance or so), so a bound far from the mean moves away from it, never towards it. Rounding
    towards the safe side instead would be a bias that many values do not average out.

    Args:
        values: float64 (n,), n >= 1, finite.
    """
    distinct, counts = np.unique(values[:_CHUNK], return_counts=True)
    for start in range(_CHUNK, values.size, _CHUNK):
        if distinct.size > _MOST_POINTS:
            break
        more, times = np.unique(values[start : start + _CHUNK], return_counts=True)
        distinct, where = np.unique(np.concatenate([distinct, more]), return_inverse=True)
        counts = np.bincount(where, weights=np.concatenate([counts, times])).astype(np.int64)
    return Pooled(distinct, counts.astype(np.float64)) if distinct.size <= _MOST_POINTS else _spread(values)


def _spread(values: NDArray[np.float64]) -> Pooled:
    ends, exponent = scale_to_unit(np.array([values.min(), values.max()]))
    low, width = float(ends[0]), float(ends[1] - ends[0])
    cells = 1 << _FINEST_LEVEL
    weights = np.zeros(cells + 1)
    for start in range(0, values.size, _CHUNK):
        positions = (np.ldexp(values[start : start + _CHUNK], -exponent) - low) * (cells / width)
        below = np.minimum(positions.astype(np.int64), cells - 1)
        upper = positions - below
        first = int(below.min())
        held = np.bincount(below - first, weights=1.0 - upper)
        weights[first : first + held.size] += held
        held = np.bincount(below - first, weights=upper)
        weights[first + 1 : first + 1 + held.size] += held
    while np.count_nonzero(weights) > _MOST_POINTS:
        weights = _coarsen(weights)
    points = np.flatnonzero(weights)
    scaled = low + width * (points / (weights.size - 1))
    return Pooled(np.ldexp(np.minimum(scaled, ends[1]), exponent), weights[points])


def _coarsen(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep every other point; the weight of those between goes in halves to their neighbours."""
    kept, halves = weights[::2].copy(), weights[1::2] / 2.0
    kept[:-1] += halves
    kept[1:] += halves
    return kept
