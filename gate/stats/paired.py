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
# A drop of so many standard errors is shown, one-sided at 2.5 %, 80 % of the time: z.975 + z.80.
DETECTABLE_ERRORS = 1.959963984540054 + 0.8416212335729143


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


def smallest_detectable_drop(differences: Units) -> float | None:
    """The drop of the mean that as many pairs with this spread would show, at one-sided 2.5 %, 80 % of the time.

    Args:
        differences: of the pairs, finite, gathered to what varies as one.

    Returns:
        The drop in the metric's unit, > 0; None where fewer than two units or no spread leave it unknown.

    Source: the normal approximation (z.975 + z.80) sd / sqrt(n), e.g. Miller, Adding Error Bars to Evals (2024).
    """
    values = differences.values
    if values.size < 2 or float(values.max()) - float(values.min()) <= ROUNDING:  # noqa: PLR2004  # a spread needs two
        return None
    scaled, exponent = scale_to_unit(differences.totals)
    variance = linearised_variance(differences._replace(totals=scaled))
    return math.ldexp(DETECTABLE_ERRORS * math.sqrt(variance), exponent)
