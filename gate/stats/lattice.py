"""Scores on a lattice (0/1, halves, integers, hundredths): recognised, so that sums and comparisons are exact."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MAX_DISTINCT = 2048
_MAX_DENOMINATOR = 10_000
# A double nearest to k/m lies within half a unit in the last place; arithmetic on scores may add a few more. So do
# differences of scores that are the same: the share of a score, or of one unit where it is less, that is rounding.
ROUNDING = 1e-12
# Above this, doubles no longer tell neighbouring decimals apart well enough.
_MAX_VALUE = 1e9
_MAX_TOTAL_STEPS = 2**62
# Whole numbers up to here are doubles with a digit to spare.
_MAX_STEPS = 2.0**51
# So many values are as quickly looked at one by one.
_FEW = 8
# Large samples are read in pieces, which bounds the memory and stays within the processor's.
CHUNK = 1 << 16


class Lattice(NamedTuple):
    """Values as whole numbers of one step.

    Attributes:
        steps: int64 (n,): ``values * denominator``; their sum stays within int64 as well.
        denominator: steps a unit.
    """

    steps: NDArray[np.int64]
    denominator: int


class Counts(NamedTuple):
    """How often each of some values occurs.

    Attributes:
        points: int64 (d,), rising: the value in steps.
        counts: int64 (d,).
    """

    points: NDArray[np.int64]
    counts: NDArray[np.int64]


class CountedLattice(NamedTuple):
    """Samples on one common lattice.

    Attributes:
        samples: each sample's values in steps, counted.
        denominator: steps a unit.
    """

    samples: list[Counts]
    denominator: int


class Scaled(NamedTuple):
    """Values as ``values * 2**exponent``, so that squares and sums of extreme values stay within doubles.

    Attributes:
        values: float64 (n,), each in [-1, 1].
        exponent: the power of two taken out.
    """

    values: NDArray[np.float64]
    exponent: int


class _Distinct(NamedTuple):
    values: NDArray[np.float64]
    counts: NDArray[np.int64]


def find_lattice(values: NDArray[np.float64]) -> Lattice | None:
    """The lattice of fractions with denominators up to 10 000 on which all values lie, or None.

    A value counts as the fraction that it is within 1e-12 of (of its own size where that is above 1): smaller
    differences are rounding, not news.

    Args:
        values: float64 (n,), n >= 1, finite.

    Returns:
        None too where all values are less than rounding, for they would all become zero.
    """
    distinct = _count_distinct(values)
    lattice = _lattice_of(distinct.values, values.size) if distinct is not None else None
    if distinct is None or lattice is None:
        return None
    return Lattice(lattice.steps[np.searchsorted(distinct.values, values)], lattice.denominator)


def count_on_lattice(samples: Sequence[NDArray[np.float64]]) -> CountedLattice | None:
    """The same for several samples that share a lattice, counted, in memory that does not grow with n.

    Args:
        samples: each float64 (n,), n >= 1, finite.
    """
    counted = []
    for sample in samples:
        distinct = _count_distinct(sample)
        if distinct is None:
            return None
        counted.append(distinct)
    union = counted[0].values if len(counted) == 1 else np.unique(np.concatenate([own.values for own in counted]))
    lattice = _lattice_of(union, sum(sample.size for sample in samples))
    if lattice is None:
        return None
    points = [lattice.steps[np.searchsorted(union, own.values)] for own in counted]
    # doubles that differ by rounding are one step
    return CountedLattice(
        [_merge(own, each.counts) for own, each in zip(points, counted, strict=True)], lattice.denominator
    )


def scale_to_unit(values: NDArray[np.float64]) -> Scaled:
    """Take the power of two out of (n,) finite values, n >= 1; no digit is lost."""
    exponent = exponent_of(values)
    return Scaled(np.ldexp(values, -exponent), exponent)


def exponent_of(values: NDArray[np.float64]) -> int:
    """The power of two that brings (n,) finite values, n >= 1, into [-1, 1]."""
    return math.frexp(max(-float(values.min()), float(values.max())))[1]


def exact_mean(values: NDArray[np.float64]) -> float:
    """The mean of (n,) values, exact on a lattice, else correctly rounded; independent of their order."""
    lattice = count_on_lattice([values])
    if lattice is not None:
        points, counts = lattice.samples[0]
        return float(Fraction(int(points @ counts), lattice.denominator * len(values)))
    exponent = exponent_of(values)
    pieces = (np.ldexp(values[start : start + CHUNK], -exponent).tolist() for start in range(0, values.size, CHUNK))
    return math.ldexp(math.fsum(itertools.chain.from_iterable(pieces)) / len(values), exponent)


def _count_distinct(values: NDArray[np.float64]) -> _Distinct | None:
    """None where there are too many for a lattice before all have been looked at."""
    known = _Distinct(*np.unique(values[:CHUNK], return_counts=True))
    for start in range(CHUNK, values.size, CHUNK):
        if known.values.size > _MAX_DISTINCT:
            return None
        found, counts = np.unique(values[start : start + CHUNK], return_counts=True)
        if not np.array_equal(found, known.values):
            union = np.union1d(known.values, found)
            before = np.zeros(union.size, dtype=np.int64)
            before[np.searchsorted(union, known.values)] = known.counts
            known = _Distinct(union, before)
        known.counts[np.searchsorted(known.values, found)] += counts
    return known


def _merge(points: NDArray[np.int64], counts: NDArray[np.int64]) -> Counts:
    rises = points[1:] > points[:-1]
    if rises.all():
        return Counts(points, counts)
    starts = np.append(0, np.flatnonzero(rises) + 1)
    return Counts(points[starts], np.add.reduceat(counts, starts))


def _lattice_of(distinct: NDArray[np.float64], n: int) -> Lattice | None:
    """The lattice of rising values that n draws are made of."""
    largest = max(abs(float(distinct[0])), abs(float(distinct[-1])))
    if distinct.size > _MAX_DISTINCT or largest > _MAX_VALUE or 0.0 < largest <= ROUNDING:
        return None
    affordable = _MAX_TOTAL_STEPS // (max(1, math.ceil(largest)) * n)
    numerators, denominators = np.zeros(distinct.size, dtype=np.int64), np.zeros(distinct.size, dtype=np.int64)
    denominator, tried = 1, 0
    for index, value in enumerate(distinct.tolist()):
        if denominators[index]:
            continue
        fraction = Fraction(value).limit_denominator(_MAX_DENOMINATOR)
        denominator = math.lcm(denominator, fraction.denominator)
        if denominator > affordable or abs(float(fraction) - value) > ROUNDING * max(1.0, abs(value)):
            return None
        numerators[index], denominators[index] = fraction.numerator, fraction.denominator
        if distinct.size > _FEW and denominator > tried:
            # one value tells a denominator that, most often, many others share
            fitting, unknown = _fit(distinct, denominator), denominators == 0
            numerators[unknown], denominators[unknown] = fitting.numerators[unknown], fitting.denominators[unknown]
            tried = denominator
    return Lattice(numerators * (denominator // denominators), denominator)


class _Fractions(NamedTuple):
    """In lowest terms; the denominator is 0 where there is none."""

    numerators: NDArray[np.int64]
    denominators: NDArray[np.int64]


def _fit(values: NDArray[np.float64], denominator: int) -> _Fractions:
    """The values as multiples of 1/denominator, where that surely is the closest of all admitted fractions."""
    scaled = values * float(denominator)
    steps = np.where(np.abs(scaled) < _MAX_STEPS, np.rint(scaled), 0.0).astype(np.int64)
    common = np.gcd(steps, denominator)
    reduced = denominator // common
    apart = np.abs(steps / denominator - values)
    # two fractions with denominators p and q lie at least 1/pq apart
    closest = apart < 0.5 / (reduced * float(_MAX_DENOMINATOR))
    fits = closest & (apart <= ROUNDING * np.maximum(1.0, np.abs(values))) & (reduced <= _MAX_DENOMINATOR)
    return _Fractions(np.where(fits, steps // common, 0), np.where(fits, reduced, 0))
