"""Paired differences: the sign-flip test and what a sample of pairs could have shown."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import ROUNDING, Lattice, find_lattice, scale_to_unit
from gate.stats.sign_flips import enumerated_p, inverted_p, lattice_p
from gate.stats.units import Units, linearised_variance

_MAX_ENUMERATED = 32
# No method here tells smaller probabilities apart.
_LEAST_P = 1e-16
_Z_ONE_SIDED = 1.959963984540054
_Z_POWER = 0.8416212335729143
# A drop of so many standard errors is shown, one-sided at 2.5 %, 80 % of the time.
DETECTABLE_ERRORS = _Z_ONE_SIDED + _Z_POWER
_HALVINGS = 60


def sign_flip_p(differences: NDArray[np.float64]) -> float:
    """The one-sided p-value of "the mean difference is not below zero": P(sum of +-d <= observed sum).

    Every difference may as well have had the other sign if the two runs are alike. On pass/fail scores this is the
    exact McNemar test. Differences of zero, or of up to 1e-12, which is rounding, do not count.

    Args:
        differences: float64 (n,), finite, positive is better.

    Returns:
        A probability in [1e-16, 1]; 1.0 where no pair differs.

    Source: Fisher, The Design of Experiments (1935), section 21.
    """
    moved = differences[np.abs(differences) > ROUNDING]
    if moved.size == 0:
        return 1.0
    scaled = scale_to_unit(moved).values
    lattice = _lattice_of(moved, scaled)
    exact = lattice_p(lattice.steps) if lattice is not None else None
    if exact is None:
        exact = enumerated_p(scaled) if moved.size <= _MAX_ENUMERATED else inverted_p(scaled)
    return min(1.0, max(_LEAST_P, exact))


def _lattice_of(moved: NDArray[np.float64], scaled: NDArray[np.float64]) -> Lattice | None:
    """The lattice of the differences in their own unit, or in that of the largest of them: any unit serves here."""
    lattice = find_lattice(moved)
    return lattice if lattice is not None else find_lattice(scaled / np.abs(scaled).max())


class Tally(NamedTuple):
    """How many pairs got better, got worse, or stayed the same up to rounding."""

    wins: int
    losses: int
    ties: int


def tally_pairs(differences: NDArray[np.float64]) -> Tally:
    """Count (n,) paired differences by their sign; positive is better."""
    wins, losses = int((differences > ROUNDING).sum()), int((differences < -ROUNDING).sum())
    return Tally(wins, losses, differences.size - wins - losses)


def typical_fall(differences: NDArray[np.float64]) -> float | None:
    """How far an item falls that falls: the mean size of the differences that are none of rounding; None without any.

    Args:
        differences: float64 (n,), of the items, not of their groups.
    """
    moved = np.abs(differences)
    moved = moved[moved > ROUNDING]
    if moved.size == 0:
        return None
    scaled, exponent = scale_to_unit(moved)
    return math.ldexp(float(scaled.mean()), exponent)


class _Noise(NamedTuple):
    """What differences tell of the noise between two runs, in units of 2**exponent.

    Attributes:
        variance: of one pair's difference, as far as it enters the mean.
        fall: how far an item falls that falls.
        n: the number of pairs.
        exponent: a power of two taken out, so that squares of extreme values stay within doubles.
    """

    variance: float
    fall: float
    n: int
    exponent: int

    def reach(self, drop: float) -> float:
        """z.975 times the deviation of a pair's difference without the drop, and z.80 times that with it.

        The drop is made of items that fall as far as the differences are wide: on pass/fail scores, of right answers
        that turn wrong. Such items add to the noise; where all pairs differ a little, as irregular scores do, hardly.
        """
        noise = self.variance + self.fall * drop
        return _Z_ONE_SIDED * math.sqrt(noise) + _Z_POWER * math.sqrt(max(0.0, noise - drop**2))


def _noise_of(units: Units, differences: NDArray[np.float64]) -> _Noise | None:
    values, fall = units.values, typical_fall(differences)
    if fall is None or float(values.max()) - float(values.min()) <= ROUNDING:
        return None
    scaled, exponent = scale_to_unit(units.totals)
    variance = linearised_variance(units._replace(totals=scaled)) * differences.size
    return _Noise(variance, math.ldexp(fall, -exponent), differences.size, exponent)


def smallest_detectable_drop(units: Units, differences: NDArray[np.float64]) -> float | None:
    """The drop of the mean that as many pairs as noisy as these would show, at one-sided 2.5 %, 80 % of the time.

    Args:
        units: the differences, finite, gathered to what varies as one.
        differences: float64 (n,), the same item by item.

    Returns:
        The drop in the metric's unit, > 0; None where fewer than two units or no spread leave it unknown.

    Source: z.975 times the standard error without the drop and z.80 times that with it, as for McNemar's test in
    Lachin, Power and Sample Size Evaluation for the McNemar Test (1992).
    """
    noise = _noise_of(units, differences)
    if noise is None:
        return None
    # the drop enters its own noise: where it is as large as what it reaches, found by halving
    low, high = 0.0, DETECTABLE_ERRORS * math.sqrt(noise.variance / noise.n)
    while noise.reach(high) / math.sqrt(noise.n) > high:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if noise.reach(middle) / math.sqrt(noise.n) > middle else (low, middle)
    return math.ldexp(high, noise.exponent)


def pairs_to_show(drop: float, units: Units, differences: NDArray[np.float64]) -> int | None:
    """How many pairs like these show a drop > 0 of the mean as surely; None and the rest as above."""
    noise = _noise_of(units, differences)
    if noise is None:
        return None
    scaled = math.ldexp(drop, -noise.exponent)
    return math.ceil((noise.reach(scaled) / scaled) ** 2)
