"""The probability that a weighted sum of gamma variables is not positive, by inversion along a saddlepoint contour."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Terms smaller than this share of the largest are zero: no probability that a double holds depends on them.
_LEAST_RATIO = 1e-290
_MOST_NEWTON_STEPS = 100
_NEWTON_TOLERANCE = 1e-10
# Twice the width of the peak: narrow enough to resolve it, wide enough to leave it in few steps.
_PEAK_WIDTHS = 2.0
# Steeper, and a sum of many small terms, which is nearly normal, would grow along the arms instead of dying away.
_MOST_BEND = math.pi / 4
_STEPS = (0.08, 0.04, 0.02, 0.01)
_OTHER_BENDS = (0.4, -0.4, _MOST_BEND, -_MOST_BEND, 0.0)
_BLOCK = 16
_MOST_BLOCKS = 64
# What is left beyond a term this small is smaller still: from there, a way straight up the plane only falls.
_NEGLIGIBLE = 1e-17
_TOLERANCE = 1e-10


def nonpositive_probability(weights: NDArray[np.float64], shapes: NDArray[np.float64]) -> float:
    """P(sum of weights_j * G_j <= 0) for independent gamma variables G_j of scale 1.

    Small probabilities keep their relative precision, of about 1e-9 or better; above one half it is absolute.

    Args:
        weights: float64 (k,), finite, of either sign; zeros do not count, and equal ones may repeat.
        shapes: float64 (k,), each > 0, together at least 1; 1 for an exponential variable, m for a sum of m of them.

    Returns:
        A probability in [0, 1]; 1.0 where all weights are zero.

    Source: the inversion integral of the moment generating function, Lugannani and Rice, Saddle Point Approximation
    for the Distribution of the Sum of Independent Random Variables (1980); the contour is a hyperbola through the
    saddlepoint, Weideman and Trefethen, Parabolic and Hyperbolic Contours for Computing the Bromwich Integral (2007).
    """
    largest = float(np.abs(weights).max())
    held = np.abs(weights) > largest * _LEAST_RATIO
    weights, shapes = weights[held] / largest, shapes[held]
    if weights.size == 0 or float(weights.max()) < 0:
        return 1.0
    if float(weights.min()) > 0:
        return 0.0
    # of the two tails the one that does not hold the mean, for the other is one less it
    if float(weights @ shapes) >= 0:
        return min(1.0, _smaller_tail(weights, shapes))
    return max(0.0, 1.0 - _smaller_tail(-weights, shapes))


def _smaller_tail(weights: NDArray[np.float64], shapes: NDArray[np.float64]) -> float:
    """The same for weights of both signs whose sum has a mean >= 0.

    It is the integral of ``exp(K(s)) / -s`` over a line that crosses the real axis between 1 / min(weights) and 0, by
    2 pi i; ``K(s) = -sum(shapes * log(1 - s * weights))``.
    """
    weights = weights / -float(weights.min())
    crossing = _find_saddle(weights, shapes)
    # in units in which the line crosses at -1: the pole at 0 is then one more weight of 1 once the rest is tilted
    lengths = -crossing * weights
    tilted = np.append(lengths / (1.0 + lengths), 1.0)
    log_peak = -float(shapes @ np.log1p(lengths))
    return math.exp(log_peak) * _integrate(tilted, np.append(shapes, 1.0)) / math.pi


def _find_saddle(weights: NDArray[np.float64], shapes: NDArray[np.float64]) -> float:
    """The point in (-1, 0) where ``exp(K(s)) / -s`` is least, for weights whose minimum is -1.

    There ``sum(shapes * s * weights / (1 - s * weights))`` is 1. That sum is convex in s, and the start lies where it
    is at least 1, so Newton's method comes down to the root from one side.
    """
    lowest = float(shapes[weights.argmin()])
    point = -1.0 + lowest / (lowest + 1.0 + float(shapes[weights > 0].sum()))
    for _ in range(_MOST_NEWTON_STEPS):
        rest = 1.0 - point * weights
        ratios = weights / rest
        value, slope = point * float(shapes @ ratios), float(shapes @ (ratios / rest))
        change = (value - 1.0) / slope
        point -= change
        if abs(change) <= _NEWTON_TOLERANCE * abs(point):
            break
    return point


class _Hyperbola(NamedTuple):
    """A contour through 0, upright there: ``reach * (sin(bend) * (1 - cosh u) + i cos(bend) * sinh u)``."""

    reach: float
    bend: float

    def real(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.reach * math.sin(self.bend) * (1.0 - np.cosh(at))

    def imaginary(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.reach * math.cos(self.bend) * np.sinh(at)

    def slope(self, at: NDArray[np.float64]) -> NDArray[np.complex128]:
        """The derivative, divided by i."""
        sine, cosine = math.sin(self.bend), math.cos(self.bend)
        return self.reach * (cosine * np.cosh(at) + 1j * sine * np.sinh(at))


def _integrate(tilted: NDArray[np.float64], shapes: NDArray[np.float64]) -> float:
    """The real part of the integral of ``prod((1 - d * tilted) ** -shapes)`` by i, from d = 0 upwards.

    ``sum(shapes * tilted)`` is zero: d = 0 is the saddlepoint, where the integrand is 1.
    """
    spread = float(shapes @ tilted**2)
    reach = _PEAK_WIDTHS / math.sqrt(spread)
    # sin(bend) / cos(bend)**2 is this where the hyperbola has the curvature of the path of steepest descent
    turn = -2.0 / 3.0 * reach * float(shapes @ tilted**3) / spread
    sine = 2.0 * turn / (1.0 + math.sqrt(1.0 + 4.0 * turn**2))
    steepest = max(-_MOST_BEND, min(_MOST_BEND, math.asin(sine)))
    best = _Sum(math.sqrt(math.pi / 2.0 / spread), math.inf)
    # where terms of very different sizes make that path turn round further out, another bend follows it better
    for step, bend in (*itertools.product(_STEPS[:2], [steepest]), *itertools.product(_STEPS, _OTHER_BENDS)):
        found = _sum_along(_Hyperbola(reach, bend), step, tilted, shapes)
        if found is not None and found.error < best.error:
            best = found
        if best.error <= _TOLERANCE:
            break
    return best.value


class _Sum(NamedTuple):
    value: float
    error: float


def _sum_along(
    contour: _Hyperbola, step: float, tilted: NDArray[np.float64], shapes: NDArray[np.float64]
) -> _Sum | None:
    """The trapezoid sum of this step; None where the integrand grows instead of dying away."""
    blocks = []
    for block in range(_MOST_BLOCKS):
        at = step * np.arange(block * _BLOCK, (block + 1) * _BLOCK, dtype=np.float64)
        x, y = np.outer(contour.real(at), tilted), np.outer(contour.imaginary(at), tilted)
        logs = -0.5 * (np.log1p(x * (x - 2.0) + y * y) @ shapes)
        if float(logs.max()) > 1.0:
            return None
        terms = np.exp(logs + 1j * (np.arctan2(y, 1.0 - x) @ shapes)) * contour.slope(at)
        blocks.append(terms.real)
        if float(np.abs(terms).min()) < _NEGLIGIBLE * contour.reach:
            return _judge(np.concatenate(blocks), step)
    return None


def _judge(terms: NDArray[np.float64], step: float) -> _Sum:
    """The sum and, as the bound of its relative error, what the sum of twice the step differs by."""
    terms[0] /= 2.0
    fine, coarse = step * float(terms.sum()), 2.0 * step * float(terms[::2].sum())
    return _Sum(fine, abs(coarse - fine) / fine if fine > 0.0 else math.inf)
