"""Scores on a lattice (0/1, halves, integers, hundredths): recognised, so that sums and comparisons are exact."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MAX_DISTINCT = 2048
_MAX_DENOMINATOR = 1000
_MAX_STEPS_PER_SD = 4096.0
# A double nearest to k/m lies within half a unit in the last place; arithmetic on scores may add a few more.
_TOLERANCE = 1e-12


class Lattice(NamedTuple):
    """Values as whole numbers of one step.

    Attributes:
        steps: int64 (n,): ``values * denominator``.
        denominator: steps a unit.
    """

    steps: NDArray[np.int64]
    denominator: int


def find_lattice(values: NDArray[np.float64]) -> Lattice | None:
    """The lattice of fractions with denominators up to 1000 on which all values lie, or None.

    Args:
        values: float64 (n,), n >= 1, finite.

    Returns:
        None too where the lattice would be much finer than the values' spread: a grid of the spread is cheaper there.
    """
    distinct, inverse = np.unique(values, return_inverse=True)
    if distinct.size > _MAX_DISTINCT or np.abs(distinct).max() > 1e9:  # noqa: PLR2004  # steps must stay exact
        return None
    fractions = []
    for value in distinct.tolist():
        fraction = Fraction(value).limit_denominator(_MAX_DENOMINATOR)
        if abs(float(fraction) - value) > _TOLERANCE * max(1.0, abs(value)):
            return None
        fractions.append(fraction)
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    if denominator * float(np.std(values)) > _MAX_STEPS_PER_SD:
        return None
    steps = np.array([int(fraction * denominator) for fraction in fractions], dtype=np.int64)
    return Lattice(steps[inverse], denominator)


def as_written(value: float) -> Fraction:
    """The decimal that prints as this double: a bar of 0.2 means one fifth, not the nearest binary number."""
    return Fraction(repr(float(value)))


def exact_mean(values: NDArray[np.float64]) -> float:
    """The mean of (n,) values, exact on a lattice, else correctly rounded; independent of their order."""
    lattice = find_lattice(values)
    if lattice is not None:
        return float(Fraction(int(lattice.steps.sum()), lattice.denominator * len(values)))
    return math.fsum(values.tolist()) / len(values)
