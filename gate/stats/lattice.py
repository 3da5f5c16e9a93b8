"""Scores on a lattice (0/1, halves, integers, hundredths): recognised, so that sums and comparisons are exact."""

import math
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


class Lattice(NamedTuple):
    """Values as whole numbers of one step.

    Attributes:
        steps: int64 (n,): ``values * denominator``; their sum stays within int64 as well.
        denominator: steps a unit.
    """

    steps: NDArray[np.int64]
    denominator: int


class Scaled(NamedTuple):
    """Values as ``values * 2**exponent``, so that squares and sums of extreme values stay within doubles.

    Attributes:
        values: float64 (n,), each in [-1, 1].
        exponent: the power of two taken out.
    """

    values: NDArray[np.float64]
    exponent: int


def find_lattice(values: NDArray[np.float64]) -> Lattice | None:
    """The lattice of fractions with denominators up to 10 000 on which all values lie, or None.

    A value counts as the fraction that it is within 1e-12 of (of its own size where that is above 1): smaller
    differences are rounding, not news.

    Args:
        values: float64 (n,), n >= 1, finite.

    Returns:
        None too where all values are less than rounding, for they would all become zero.
    """
    distinct = np.unique(values)
    largest = max(abs(float(distinct[0])), abs(float(distinct[-1])))
    if distinct.size > _MAX_DISTINCT or largest > _MAX_VALUE or 0.0 < largest <= ROUNDING:
        return None
    affordable = _MAX_TOTAL_STEPS // (max(1, math.ceil(largest)) * values.size)
    fractions, denominator = [], 1
    for value in distinct.tolist():
        fraction = Fraction(value).limit_denominator(_MAX_DENOMINATOR)
        denominator = math.lcm(denominator, fraction.denominator)
        if denominator > affordable or abs(float(fraction) - value) > ROUNDING * max(1.0, abs(value)):
            return None
        fractions.append(fraction)
    steps = np.array([int(fraction * denominator) for fraction in fractions], dtype=np.int64)
    return Lattice(steps[np.searchsorted(distinct, values)], denominator)


def scale_to_unit(values: NDArray[np.float64]) -> Scaled:
    """Take the power of two out of (n,) finite values, n >= 1; no digit is lost."""
    exponent = int(np.frexp(np.abs(values).max())[1])
    return Scaled(np.ldexp(values, -exponent), exponent)


def exact_mean(values: NDArray[np.float64]) -> float:
    """The mean of (n,) values, exact on a lattice, else correctly rounded; independent of their order."""
    lattice = find_lattice(values)
    if lattice is not None:
        return float(Fraction(int(lattice.steps.sum()), lattice.denominator * len(values)))
    scaled, exponent = scale_to_unit(values)
    return math.ldexp(math.fsum(scaled.tolist()) / len(values), exponent)
