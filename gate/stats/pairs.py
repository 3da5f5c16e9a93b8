"""Units by stratum, the equal ones counted: as scores of equal weight, or as pairs of a total and a size."""

from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import exponent_of, find_lattice
from gate.stats.units import Units

_Number = TypeVar("_Number", np.float64, np.complex128)
# Ratios of whole numbers up to here are correctly rounded.
_MAX_STEPS = 2**52
_LEAST_SIZE = float(np.finfo(np.float64).tiny)


class Pairs(NamedTuple):
    """The distinct units of one stratum, in the order of their totals, then sizes.

    Attributes:
        totals: float64 (d,).
        sizes: float64 (d,), each > 0.
        counts: int64 (d,), how many units are equal.
    """

    totals: NDArray[np.float64]
    sizes: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """How many units the stratum has."""
        return int(self.counts.sum())


class SteppedPairs(NamedTuple):
    """Totals and sizes as whole numbers.

    Attributes:
        strata: the same pairs, their totals and sizes in steps.
        unit: a total of one step over a size of one step.
    """

    strata: list[Pairs]
    unit: Fraction


class ScaledPairs(NamedTuple):
    """Totals and sizes, each scaled by a power of two to within [-1, 1].

    Attributes:
        strata: the same pairs, scaled.
        exponent: a ratio is the scaled one times two to this power.
    """

    strata: list[Pairs]
    exponent: int


def values_by_stratum(units: Units) -> list[NDArray[np.float64]]:
    """Each stratum's (n,) own means of its units."""
    return _split(units.values, units.strata)


def pairs_by_stratum(units: Units) -> list[Pairs]:
    """Each stratum's distinct pairs of total and size."""
    # the sort of complex numbers is that of pairs
    found = [np.unique(own, return_counts=True) for own in _split(units.totals + 1j * units.sizes, units.strata)]
    return [Pairs(own.real.copy(), own.imag.copy(), counts) for own, counts in found]


def find_steps(strata: list[Pairs]) -> SteppedPairs | None:
    """The pairs in whole steps, or None where they lie on no lattice, sizes vanish on it, or sums are not exact."""
    totals = find_lattice(np.concatenate([pairs.totals for pairs in strata]))
    sizes = find_lattice(np.concatenate([pairs.sizes for pairs in strata]))
    if totals is None or sizes is None or not sizes.steps.all():
        return None
    total_step, size_step = int(np.gcd.reduce(totals.steps)) or 1, int(np.gcd.reduce(sizes.steps))
    total_steps, size_steps = totals.steps // total_step, sizes.steps // size_step
    unit = Fraction(total_step * sizes.denominator, totals.denominator * size_step)
    largest = max(int(np.abs(total_steps).max()) * unit.numerator, int(size_steps.max()) * unit.denominator)
    if largest * sum(pairs.n for pairs in strata) > _MAX_STEPS:
        return None
    ends = np.cumsum([pairs.counts.size for pairs in strata])[:-1]
    parts = zip(strata, np.split(total_steps, ends), np.split(size_steps, ends), strict=True)
    return SteppedPairs(
        [Pairs(total.astype(np.float64), size.astype(np.float64), pairs.counts) for pairs, total, size in parts], unit
    )


def scale_pairs(strata: list[Pairs]) -> ScaledPairs:
    """Take the powers of two out, so that sums and squares stay within doubles."""
    total_exponent = max(exponent_of(pairs.totals) for pairs in strata)
    size_exponent = max(exponent_of(pairs.sizes) for pairs in strata)
    scaled = [
        # a size that vanishes beside the largest stays one, if the least
        Pairs(
            np.ldexp(pairs.totals, -total_exponent),
            np.maximum(np.ldexp(pairs.sizes, -size_exponent), _LEAST_SIZE),
            pairs.counts,
        )
        for pairs in strata
    ]
    return ScaledPairs(scaled, total_exponent - size_exponent)


def _split(values: NDArray[_Number], strata: NDArray[np.intp]) -> list[NDArray[_Number]]:
    if not strata.any():
        return [values]
    order = np.argsort(strata, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(strata[order])) + 1)
