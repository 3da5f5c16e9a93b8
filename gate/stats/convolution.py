"""The distribution of a sum of many independent draws, by one Fourier transform each way."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# The longest transform; a sum that needs more is resolved finer by far than what it can show.
MAX_WINDOW = 1 << 20
# Outside the window lies less than this share of the distribution.
_TAIL = 1e-16
# A characteristic function this small is zero: only what is left of it is raised to the power n.
_ZERO = 1e-20
# Odd factors that a transform's length may have beside its power of two.
_ODD_FACTORS = (1, 3, 5, 9, 15)


class Draws(NamedTuple):
    """Independent draws, all from one distribution over points with whole coordinates.

    Attributes:
        points: int64 (d, k), in any order, repeated or not.
        weights: float64 (d,), the probability of each, summing to 1.
        times: how many are drawn.
    """

    points: NDArray[np.int64]
    weights: NDArray[np.float64]
    times: int


class Sums(NamedTuple):
    """The distribution of a sum.

    Attributes:
        pmf: float64 (w1, ..., wk).
        first: the sum's k coordinates that ``pmf[0, ..., 0]`` belongs to.
    """

    pmf: NDArray[np.float64]
    first: tuple[int, ...]


class _Axis(NamedTuple):
    """One coordinate of the sum: from where to where it may lie, where its window starts, how long that is.

    The centres are whole numbers near each part's mean: moved there, the transform's phases are small, and raising it
    to a power loses no digits.
    """

    first: int
    highest: int
    size: int
    centres: list[int]


def sum_distribution(parts: Sequence[Draws]) -> Sums:
    """The distribution of the sum over all draws of all parts, within a window that holds all but 1e-16 of the mass.

    Sums outside the window (Bernstein's inequality) fold back into it, where they no longer matter.
    """
    return _convolve(parts, _axes(parts))


def sum_within(longest: int, parts: Sequence[Draws]) -> Sums | None:
    """The same, or None where the window would have more than ``longest`` cells."""
    axes = _axes(parts)
    return _convolve(parts, axes) if math.prod(axis.size for axis in axes) <= longest else None


def _convolve(parts: Sequence[Draws], axes: list[_Axis]) -> Sums:
    shape = tuple(axis.size for axis in axes)
    centres = zip(*(axis.centres for axis in axes), strict=True)
    centred = [part._replace(points=part.points - centre) for part, centre in zip(parts, centres, strict=True)]
    spectrum = _spectrum(centred, shape)
    for number in range(len(shape) - 1):
        spectrum = np.fft.ifft(spectrum, axis=number)
    pmf = np.fft.irfft(spectrum, shape[-1])
    for number, axis in enumerate(axes):
        moved = sum(part.times * centre for part, centre in zip(parts, axis.centres, strict=True))
        pmf = np.roll(pmf, (moved - axis.first) % axis.size, axis=number)
    pmf = pmf[tuple(slice(axis.highest - axis.first + 1) for axis in axes)]
    np.maximum(pmf, 0.0, out=pmf)
    pmf /= pmf.sum()
    return Sums(pmf, tuple(axis.first for axis in axes))


def _axes(parts: Sequence[Draws]) -> list[_Axis]:
    return [_axis(parts, number) for number in range(parts[0].points.shape[1])]


def _axis(parts: Sequence[Draws], number: int) -> _Axis:
    lowest = highest = 0
    mean = variance = reach = 0.0
    centres = []
    for points, weights, times in parts:
        column = points[:, number]
        least, most, own = int(column.min()), int(column.max()), float(column @ weights)
        lowest, highest, mean = lowest + times * least, highest + times * most, mean + times * own
        variance += times * float(weights @ (column - own) ** 2)
        reach = max(reach, own - least, most - own)
        centres.append(round(own))
    size = _smooth_length(min(highest - lowest + 1, 2 * math.ceil(_bernstein_radius(variance, reach)) + 3))
    first = lowest if highest - lowest < size else max(lowest, math.floor(mean) - size // 2)
    return _Axis(first, highest, size, centres)


def _smooth_length(least: int) -> int:
    """The least length >= 2 that a transform is quick at."""
    return min(odd << max(1, (-(-least // odd) - 1).bit_length()) for odd in _ODD_FACTORS)


def _bernstein_radius(variance: float, reach: float) -> float:
    """How far a sum of this variance, of terms within ``reach``, strays with probability at most 1e-16."""
    log_tail = math.log(2 / _TAIL)
    linear = log_tail * reach / 3
    return linear + math.sqrt(linear**2 + 2 * log_tail * variance)


def _spectrum(parts: Sequence[Draws], shape: tuple[int, ...]) -> NDArray[np.complex128]:
    """The product of the parts' characteristic functions, each to the power of its draws."""
    # the most draws first: they leave the fewest frequencies for the others
    most, *others = sorted(parts, key=lambda part: -part.times)
    whole = _transform(most, shape)
    flat = whole.reshape(-1)
    alive = np.flatnonzero(np.abs(flat) > _ZERO ** (1 / most.times))
    product = flat[alive] ** most.times
    for part in others:
        product *= _transform_at(alive, part, shape) ** part.times
        kept = np.abs(product) > _ZERO
        alive, product = alive[kept], product[kept]
    flat[:] = 0.0
    flat[alive] = product
    return whole


def _transform(part: Draws, shape: tuple[int, ...]) -> NDArray[np.complex128]:
    cells = part.points[:, 0] % shape[0]
    for number in range(1, len(shape)):
        cells = cells * shape[number] + part.points[:, number] % shape[number]
    spectrum = np.fft.rfft(np.bincount(cells, weights=part.weights, minlength=math.prod(shape)).reshape(shape))
    for number in range(len(shape) - 1):
        spectrum = np.fft.fft(spectrum, axis=number)
    return spectrum


def _transform_at(frequencies: NDArray[np.intp], part: Draws, shape: tuple[int, ...]) -> NDArray[np.complex128]:
    """The transform at some of its (flat) frequencies: point by point where that is less work."""
    if frequencies.size * part.weights.size > math.prod(shape) // 2:
        return _transform(part, shape).reshape(-1)[frequencies]
    half = (*shape[:-1], shape[-1] // 2 + 1)
    turns = np.zeros((part.weights.size, frequencies.size))
    for coordinate, frequency, size in zip(part.points.T, np.unravel_index(frequencies, half), shape, strict=True):
        turns += np.outer(coordinate % size, frequency) % size / size
    return np.asarray(part.weights @ np.exp(-2j * math.pi * turns))
