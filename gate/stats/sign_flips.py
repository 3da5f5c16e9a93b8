"""The null distribution of the sign-flip test: of a sum of sizes, each with a random sign."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# So many standard deviations from zero lies less than 1e-16 of the sums, whatever the sizes (Hoeffding's inequality).
_REACH = 8.7
_MAX_LATTICE_WORK = 50_000_000
_MAX_INVERSION_WORK = 30_000_000
_MAX_FREQUENCIES = 1 << 18
_ROWS = 64
_FEW = 64
_BATCH_CELLS = 2_000_000
# Sums that differ by this share of the sizes' total are equal: they differ by rounding.
_TIE = 1e-12
# A characteristic function this small is zero; so is the exponential of minus 35.
_ZERO = 1e-18
_LOG_ZERO = 35.0
# Up to this argument the first four terms of log cos are enough.
_SMALL_ARGUMENT = 0.5
_FREQUENCIES_PER_RMS = 64 * math.pi
# The probability that may hide in the frequencies left out, before they are faded out instead of cut off.
_LEFT_OUT = 1e-6


class _Sizes(NamedTuple):
    """Distinct sizes in rising order, how often each occurs, in a unit that gives their sum variance 1."""

    sizes: NDArray[np.float64]
    counts: NDArray[np.int64]

    def head(self, stop: int) -> "_Sizes":
        return _Sizes(self.sizes[:stop], self.counts[:stop])

    def tail(self, start: int) -> "_Sizes":
        return _Sizes(self.sizes[start:], self.counts[start:])


class LatticePmf(NamedTuple):
    """The distribution of a sum of +-steps.

    Attributes:
        pmf: float64 (w,), of the sums ``(index - half) * unit``; it sums up to 1 but for rounding.
        half: the index of the sum 0.
        unit: the steps' greatest common divisor.
    """

    pmf: NDArray[np.float64]
    half: int
    unit: int


def lattice_p(steps: NDArray[np.int64]) -> float | None:
    """P(sum of +-steps <= the observed sum), exactly.

    Args:
        steps: int64 (n,), not all zero.

    Returns:
        None where the lattice is so fine for so many sizes that this would take long.
    """
    sums = lattice_pmf(steps)
    if sums is None:
        return None
    observed = int(steps.sum()) // sums.unit
    return float(sums.pmf[: max(0, observed + sums.half + 1)].sum() / sums.pmf.sum())


def lattice_pmf(steps: NDArray[np.int64]) -> LatticePmf | None:
    """The distribution of the sum of +-steps by one FFT of the product of cosines; arguments and None as above."""
    unit = int(np.gcd.reduce(steps))
    sizes, counts = np.unique(np.abs(steps // unit), return_counts=True)
    window = _window(sizes, counts)
    if window * sizes.size > _MAX_LATTICE_WORK:
        return None
    alive, product = np.arange(window // 2 + 1), np.ones(window // 2 + 1)
    for index in np.argsort(-counts):
        product *= np.cos(2 * math.pi / window * sizes[index] * alive) ** counts[index]
        kept = np.abs(product) > _ZERO
        alive, product = alive[kept], product[kept]
    spectrum = np.zeros(window // 2 + 1)
    spectrum[alive] = product
    half = window // 2
    return LatticePmf(np.roll(np.clip(np.fft.irfft(spectrum), 0.0, None), half), half, unit)


def _window(sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """The power of two that holds every sum, or all but 1e-16 of their mass where that is less."""
    furthest = int(sizes @ counts)
    radius = min(furthest, math.ceil(_REACH * math.sqrt(float(sizes.astype(np.float64) ** 2 @ counts))))
    return 1 << (2 * radius + 1).bit_length()


def enumerated_p(moved: NDArray[np.float64]) -> float:
    """The same over all 2**n signs, for n up to about 40: each sum is one of a half plus one of the other half.

    Args:
        moved: float64 (n,) in [-1, 1], n >= 1, not all zero.
    """
    half = moved.size // 2
    left, right = _signed_sums(moved[:half]), np.sort(_signed_sums(moved[half:]))
    limit = math.fsum(moved.tolist()) + _TIE * float(np.abs(moved).sum())
    at_most = int(np.searchsorted(right, limit - left, side="right").sum())
    return math.ldexp(at_most, -moved.size)


def _signed_sums(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums + size, sums - size])
    return sums


def inverted_p(moved: NDArray[np.float64]) -> float:
    """The same by numerical inversion of the characteristic function, for any n: the product of cos(t |d|).

    The many small sizes enter by the series of log cos, the few large ones one by one, so that one item that outweighs
    all others does no harm. Where the sums are so lumpy that the product does not die away, sums a little above the
    observed one count as equal to it: p errs upwards.

    Args:
        moved: float64 (n,) in [-1, 1], n >= 1, not all zero.

    Source: Davies, Numerical Inversion of a Characteristic Function (1973).
    """
    sizes, counts = np.unique(np.abs(moved), return_counts=True)
    norm = math.sqrt(float(sizes**2 @ counts))
    observed = math.fsum(moved.tolist()) / norm
    if abs(observed) >= _REACH:
        return 0.0 if observed < 0 else 1.0
    terms = _Sizes(sizes / norm, counts)
    small = _count_small(terms)
    frequencies = _frequencies(terms, small)
    weights = _weights(frequencies, terms, small)
    last = frequencies.size - frequencies.size // 8
    if float(np.abs(weights[last:]).sum()) > _LEFT_OUT:
        frequencies = _frequencies(terms, small, farthest=True)
        blur = 6.0 / float(frequencies[-1])
        weights = _weights(frequencies, terms, small) * np.exp(-((frequencies * blur) ** 2) / 2)
        observed += 3 * blur
    inner = float(weights @ np.sin(frequencies * observed))
    return min(1.0, max(0.0, 0.5 + observed / (2 * _REACH) + inner))


def _count_small(terms: _Sizes) -> int:
    """The most sizes, from the smallest on, whose cosines alone die away while their arguments are still small.

    Few distinct sizes make lumpy sums, which only their exact cosines show.
    """
    if terms.sizes.size <= _FEW:
        return 0
    power = np.cumsum(terms.sizes**2 * terms.counts)
    enough = (power > 0.0) & (power >= 2 * _LOG_ZERO * (terms.sizes / _SMALL_ARGUMENT) ** 2)
    return int(np.flatnonzero(enough)[-1]) + 1 if enough.any() else 0


def _frequencies(terms: _Sizes, small: int, *, farthest: bool = False) -> NDArray[np.float64]:
    """As far as the small sizes last; without any, far enough to see lumps of a 32nd of a typical size, or farther."""
    spacing = math.pi / _REACH
    count = min(_MAX_FREQUENCIES, _MAX_INVERSION_WORK // max(1, terms.sizes.size - small))
    if small:
        power = float(terms.sizes[:small] ** 2 @ terms.counts[:small])
        count = min(count, math.ceil(math.sqrt(2 * _LOG_ZERO / power) / spacing))
    elif not farthest:
        count = min(count, math.ceil(_FREQUENCIES_PER_RMS * math.sqrt(int(terms.counts.sum())) / spacing))
    return spacing * np.arange(1.0, max(8, count) + 1.0)


def _weights(frequencies: NDArray[np.float64], terms: _Sizes, small: int) -> NDArray[np.float64]:
    """What the sine at each frequency adds to the probability."""
    spectrum = np.exp(_log_of_cosines(frequencies, terms.head(small)))
    return spectrum * _product_of_cosines(frequencies, terms.tail(small)) / frequencies / _REACH


def _log_of_cosines(frequencies: NDArray[np.float64], terms: _Sizes) -> NDArray[np.float64]:
    """The sum of log cos(t s) over sizes with t s <= 1/2, for each frequency."""
    squared, square = terms.sizes**2, frequencies**2
    total = np.zeros(frequencies.size)
    for order, factor in enumerate((-1 / 2, -1 / 12, -1 / 45, -17 / 2520), start=1):
        total += factor * float(squared**order @ terms.counts) * square**order
    return total


def _product_of_cosines(frequencies: NDArray[np.float64], terms: _Sizes) -> NDArray[np.float64]:
    alive, product = np.arange(frequencies.size), np.ones(frequencies.size)
    # the largest first: they leave the fewest frequencies for the others
    sizes, counts = terms.sizes[::-1], terms.counts[::-1]
    start = 0
    while start < sizes.size and alive.size:
        stop = start + min(_ROWS, max(1, _BATCH_CELLS // alive.size))
        cosines = np.cos(np.outer(sizes[start:stop], frequencies[alive]))
        if counts[start:stop].max() > 1:
            cosines **= counts[start:stop, None]
        product *= cosines.prod(axis=0)
        kept = np.abs(product) > _ZERO
        alive, product = alive[kept], product[kept]
        start = stop
    whole = np.zeros(frequencies.size)
    whole[alive] = product
    return whole
