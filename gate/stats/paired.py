"""Paired differences: the sign-flip test and what a sample of pairs could have shown."""

import math

import numpy as np
from numpy.typing import NDArray

from gate.stats.lattice import find_lattice

# Beyond this many evaluations of a cosine the Edgeworth form is exact to more digits than anybody reads.
_MAX_WORK = 50_000_000
_GRID_STEPS_PER_RMS = 64
_Z_ONE_SIDED = 1.959963984540054
_Z_POWER = 0.8416212335729143


def sign_flip_p(differences: NDArray[np.float64]) -> float:
    """The one-sided p-value of "the mean difference is not below zero": P(sum of +-d <= observed sum).

    Every difference may as well have had the other sign if the two runs are alike. On pass/fail scores this is the
    exact McNemar test. Zero differences do not count.

    Args:
        differences: float64 (n,), finite, positive is better.

    Returns:
        A probability in (0, 1]; 1.0 where no pair differs.

    Source: Fisher, The Design of Experiments (1935), section 21; the null distribution is computed by inverting its
    characteristic function, the product of cos(t |d|).
    """
    moved = differences[differences != 0.0]
    if moved.size == 0:
        return 1.0
    steps = _whole_steps(moved)
    sizes, counts = np.unique(np.abs(steps), return_counts=True)
    keep = sizes > 0
    sizes, counts = sizes[keep], counts[keep]
    window = _window(sizes, counts)
    if window * sizes.size > _MAX_WORK:
        return _edgeworth_p(moved)
    return _lattice_p(int(steps.sum()), sizes, counts, window)


def smallest_detectable_drop(differences: NDArray[np.float64]) -> float | None:
    """The drop of the mean that as many pairs with this spread would show, at one-sided 2.5 %, 80 % of the time.

    Args:
        differences: float64 (n,), finite.

    Returns:
        The drop in the metric's unit, > 0; None where fewer than two pairs or no spread leave it unknown.

    Source: the normal approximation (z.975 + z.80) sd / sqrt(n), e.g. Miller, Adding Error Bars to Evals (2024).
    """
    if differences.size < 2 or float(np.ptp(differences)) == 0.0:  # noqa: PLR2004  # a spread needs two
        return None
    return (_Z_ONE_SIDED + _Z_POWER) * float(np.std(differences, ddof=1)) / math.sqrt(differences.size)


def _whole_steps(moved: NDArray[np.float64]) -> NDArray[np.int64]:
    lattice = find_lattice(moved)
    if lattice is not None:
        divisor = int(np.gcd.reduce(lattice.steps))
        return lattice.steps // divisor
    step = math.sqrt(float(np.mean(moved**2))) / _GRID_STEPS_PER_RMS
    return np.rint(moved / step).astype(np.int64)


def _window(sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """Room for the sums, but for 1e-16 of their mass (Hoeffding's inequality)."""
    furthest = int(sizes @ counts)
    radius = min(furthest, math.ceil(8.7 * math.sqrt(float((sizes.astype(np.float64) ** 2) @ counts))))
    return 1 << (2 * radius + 1).bit_length()


def _lattice_p(observed: int, sizes: NDArray[np.int64], counts: NDArray[np.int64], window: int) -> float:
    frequencies = 2 * math.pi / window * np.arange(window // 2 + 1)
    spectrum = np.ones(frequencies.size)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        spectrum *= np.cos(frequencies * size) ** count
    pmf = np.clip(np.fft.irfft(spectrum, window), 0.0, None)
    half = window // 2
    if observed < -half:
        return 0.0
    below = np.roll(pmf, half)[: min(window, observed + half + 1)]
    return float(min(1.0, below.sum() / pmf.sum()))


def _edgeworth_p(moved: NDArray[np.float64]) -> float:
    """The normal tail with the fourth-cumulant term: the distribution is symmetric, so the third is zero."""
    total = float(np.sum(moved**2))
    z = float(moved.sum()) / math.sqrt(total)
    kurtosis = -2 * float(np.sum(moved**4)) / total**2
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    tail = math.erfc(-z / math.sqrt(2)) / 2 - density * kurtosis / 24 * (z**3 - 3 * z)
    return min(1.0, max(0.0, tail))


def low_for_equal_differences(value: float, n: int, *, lowest: float, tail: float) -> float:
    """The exact lower bound on the mean where all n differences equal ``value``; a bootstrap would see no doubt.

    Args:
        value: the common difference, >= ``lowest``.
        n: the number of pairs, >= 1.
        lowest: the lowest difference possible.
        tail: the one-sided error, in (0, 1).

    Source: the Dirichlet-weighted mean of the data and the scale's lower end (Gaffke 2005; Learned-Miller and Thomas,
    arXiv 1905.06208), which is a Beta(1, n) quantile where all data are equal.
    """
    return value - (value - lowest) * (1.0 - math.pow(tail, 1.0 / n))
