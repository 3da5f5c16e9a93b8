"""What varies as one: items, or the groups that items come in, with their weights and strata."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import exact_mean

# Sizes that differ by less than this share are the same: they differ by rounding.
_EVEN = 1e-12
# Resampled among themselves, so many units show nine tenths of their variance.
_FEW = 10


class Units(NamedTuple):
    """The units that are resampled, flipped or swapped as one; the mean is ``totals.sum() / sizes.sum()``.

    Attributes:
        totals: float64 (g,), the sum of weight times score over the unit's items.
        sizes: float64 (g,), the sum of the items' weights, each > 0.
        strata: intp (g,), 0 to h - 1: within which the units are resampled; all 0 where there is but one.
    """

    totals: NDArray[np.float64]
    sizes: NDArray[np.float64]
    strata: NDArray[np.intp]

    @property
    def even(self) -> bool:
        """All units weigh the same, so that the mean is the plain mean of ``values``."""
        return float(self.sizes.max() - self.sizes.min()) <= _EVEN * float(self.sizes.max())

    @property
    def values(self) -> NDArray[np.float64]:
        """Float64 (g,): each unit's own mean."""
        # items on their own keep their scores to the last bit
        return self.totals if float(self.sizes.min()) == float(self.sizes.max()) == 1.0 else self.totals / self.sizes

    @property
    def mean(self) -> float:
        """The weighted mean over all items."""
        if self.even:
            return exact_mean(self.values)
        return float(self.totals.sum() / self.sizes.sum())


def units_of_items(values: NDArray[np.float64]) -> Units:
    """Every item on its own, all of the same weight.

    Args:
        values: float64 (n,), n >= 1, finite.
    """
    return Units(values, np.ones(values.size), np.zeros(values.size, dtype=np.intp))


def gather_units(
    values: NDArray[np.float64],
    *,
    groups: NDArray[np.intp] | None = None,
    weights: NDArray[np.float64] | None = None,
    strata: NDArray[np.intp] | None = None,
) -> Units:
    """Sum items up to their groups.

    Args:
        values: float64 (n,), n >= 1, finite.
        groups: intp (n,), any numbers: items with the same one are one unit; None: each item is a unit.
        weights: float64 (n,), each > 0; None: all 1.
        strata: intp (n,), any numbers >= 0, the same for all items of a group; None: one stratum. Those of fewer than
            10 units are taken together: resampling a few units shows but a part of their spread, and of one none.
    """
    plain = units_of_items(values)
    sizes = plain.sizes if weights is None else weights
    totals = values if weights is None else values * weights
    layers = plain.strata if strata is None else strata
    if groups is None:
        return Units(totals, sizes, _large_strata(layers))
    _, first, unit = np.unique(groups, return_index=True, return_inverse=True)
    return Units(_sums(totals, unit), _sums(sizes, unit), _large_strata(layers[first]))


def _large_strata(strata: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers from 0 on, the small strata under one of them; where that is small itself, with the largest."""
    _, numbers, counts = np.unique(strata, return_inverse=True, return_counts=True)
    small = counts < _FEW
    if small.any():
        rest = int(np.flatnonzero(small)[0]) if counts[small].sum() >= _FEW else int(counts.argmax())
        numbers = np.unique(np.where(small[numbers], rest, numbers), return_inverse=True)[1]
    return numbers.astype(np.intp)


def design_effect(values: NDArray[np.float64], units: Units, weights: NDArray[np.float64] | None = None) -> float:
    """How many times the variance of the mean is what as many items of their own would give; 1.0 where that is zero.

    Args:
        values: float64 (n,), the items' scores.
        units: the same items gathered, at least two.
        weights: as they were gathered with.

    Source: Kish, Survey Sampling (1965), section 8.2; the variance of a ratio mean by linearisation, Cochran,
    Sampling Techniques (1977), section 2.11.
    """
    alone = linearised_variance(gather_units(values, weights=weights))
    return linearised_variance(units) / alone if alone > 0 else 1.0


def linearised_variance(units: Units) -> float:
    """The estimated variance of the ratio mean over (g,) units, g >= 2, resampled within strata."""
    residuals = units.totals - units.mean * units.sizes
    variance = 0.0
    for stratum in range(int(units.strata.max()) + 1):
        own = residuals[units.strata == stratum]
        if own.size > 1:
            variance += own.size * float(np.var(own, ddof=1))
    return variance / float(units.sizes.sum()) ** 2


def _sums(values: NDArray[np.float64], unit: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.bincount(unit, weights=values).astype(np.float64, copy=False)
