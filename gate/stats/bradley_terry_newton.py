"""Newton's method for the likeliest Bradley-Terry strengths of many win matrices at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MOST_ITERATIONS = 200
# Newton's error after a step is about the square of the step, so that this one leaves some 1e-14.
_TOLERANCE = 1e-7
# Beyond, a chance is 0 or 1 to the last digit, and exp would soon overflow.
_FARTHEST = 700.0
# As many steps lead from an error of 1 to the tolerance only where each leaves a sixth of it at most.
_CHORD_STEPS = 9
# Each costs a third of a Newton step.
_ROUGH_STEPS = 6
_NEAR = 20.0


class Maximum(NamedTuple):
    """Where b log-likelihoods are highest.

    Attributes:
        log_strengths: float64 (b, m), with mean 0 in each component.
        converged: bool (b,).
        gradient_norms: float64 (b,), the largest difference between a model's wins and those expected, in battles.
        iterations: how many Newton steps were taken.
    """

    log_strengths: NDArray[np.float64]
    converged: NDArray[np.bool_]
    gradient_norms: NDArray[np.float64]
    iterations: int


def win_chances(log_strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(row beats column), float64 (..., m, m), of log-strengths (..., m); precise where it is near 0."""
    highest = log_strengths.max(axis=-1, keepdims=True)
    if (highest - log_strengths).max() < _FARTHEST:
        strengths = np.exp(log_strengths - highest)
        return np.asarray(strengths[..., :, None] / (strengths[..., :, None] + strengths[..., None, :]))
    # the weakest strengths would be lost beside the highest, which they may never have met
    gaps = log_strengths[..., None, :] - log_strengths[..., :, None]
    return np.asarray(1 / (1 + np.exp(np.minimum(gaps, _FARTHEST))))


def information(games: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The negative Hessian of the log-likelihood, float64 (..., m, m); its rows add up to 0.

    Args:
        games: float64 (..., m, m), how often two models met; the diagonal 0.
        chances: float64 (..., m, m), P(row beats column).
    """
    weights = games * chances * chances.swapaxes(-1, -2)
    diagonal = np.arange(weights.shape[-1])
    laplacian = -weights
    laplacian[..., diagonal, diagonal] = weights.sum(axis=-1)
    return np.asarray(laplacian)


def pinned(laplacian: NDArray[np.float64], comparable: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The information made regular: a component's common shift, which no battle tells, is held at 0.

    Args:
        laplacian: float64 (..., m, m).
        comparable: bool (m, m), whether two models are of one component.
    """
    scale = np.trace(laplacian, axis1=-2, axis2=-1) / len(comparable)
    # without any battle there is no scale, and all strengths are 0
    scale = np.where(scale > 0, scale, 1.0)
    return np.asarray(laplacian + comparable / comparable.sum(axis=1) * scale[..., None, None])


def inverse_information(
    wins: NDArray[np.float64], log_strengths: NDArray[np.float64], comparable: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The pseudo-inverse (m, m) of the information of a win matrix (m, m), component by component."""
    laplacian = information(wins + wins.T, win_chances(log_strengths))
    inverse = np.where(comparable, np.linalg.inv(pinned(laplacian, comparable)), 0.0)
    centre = np.eye(len(comparable)) - comparable / comparable.sum(axis=1)
    centred = centre @ inverse @ centre
    return np.asarray((centred + centred.T) / 2)


def rough_log_strengths(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-strengths (m,) near the likeliest where most pairs of a win matrix (m, m) met: to start from.

    All 0 where they are far apart: beyond the maximum, where all chances are 0 or 1, Newton's method is lost.

    Source: Newman, Efficient Computation of Rankings from Pairwise Comparisons (2023), equation 9.
    """
    strengths, met = np.ones(len(wins)), (wins > 0).any(axis=1) & (wins > 0).any(axis=0)
    # counts at the end of what a float can hold are not near, and are told so by the spread
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        for _ in range(_ROUGH_STEPS):
            sums = strengths[:, None] + strengths
            gained, given = (wins * (strengths / sums)).sum(axis=1), (wins.T / sums).sum(axis=1)
            # a model without a battle stays where it is
            strengths = np.divide(gained, given, out=np.ones_like(strengths), where=met)
            strengths = strengths / np.exp(np.log(strengths).mean())
        rough = np.log(strengths)
        spread = np.ptp(rough)
    return rough if spread < _NEAR else np.zeros(len(wins))


def maximise(wins: NDArray[np.float64], comparable: NDArray[np.bool_], start: NDArray[np.float64]) -> Maximum:
    """The likeliest log-strengths of b win matrices.

    A step in which the log-odds of pairs that met change by up to r is taken log(1 + r) / r of the way, which never
    leads down and near the maximum is a whole step.

    Args:
        wins: float64 (b, m, m), each component of each strongly connected.
        comparable: bool (m, m), whether two models are of one component.
        start: float64 (b, m), log-strengths to start from.

    Source: Bradley and Terry, Rank Analysis of Incomplete Block Designs (1952); the damping from Sun and Tran-Dinh,
    Generalized Self-Concordant Functions (2019), theorem 2, for functions whose third derivative is bounded by the
    second, as that of the logistic is (Bach, 2010).
    """
    games = wins + wins.swapaxes(1, 2)
    met = games > 0
    log_strengths, largest = start, np.full(len(wins), np.inf)
    iterations = 0
    while largest.max() > _TOLERANCE and iterations < _MOST_ITERATIONS:
        chances = win_chances(log_strengths)
        regular = pinned(information(games, chances), comparable)
        steps = np.linalg.solve(regular, _gradient(wins, chances)[..., None])[..., 0]
        largest = np.ptp(steps, axis=1)
        if largest.max() > 1:
            # pairs that have not met may move apart as far as they like
            largest = np.where(met, np.abs(steps[:, :, None] - steps[:, None, :]), 0.0).max(axis=(1, 2))
        log_strengths = log_strengths + steps * _damping(largest)[:, None]
        iterations += 1
    gradient = _gradient(wins, win_chances(log_strengths))
    centred = log_strengths - log_strengths @ (comparable / comparable.sum(axis=1))
    return Maximum(centred, largest <= _TOLERANCE, np.abs(gradient).max(axis=1), iterations)


class Chord(NamedTuple):
    """Where steps of a fixed information led to.

    Attributes:
        log_strengths: float64 (b, m).
        converged: bool (b,): the maximum is there, to about 1e-8; elsewhere nothing is known.
    """

    log_strengths: NDArray[np.float64]
    converged: NDArray[np.bool_]


def follow_chord(wins: NDArray[np.float64], inverse: NDArray[np.float64], start: NDArray[np.float64]) -> Chord:
    """Newton's steps with one information for all: much quicker where the b win matrices resemble its own.

    Args:
        wins: float64 (b, m, m).
        inverse: float64 (m, m), the pseudo-inverse of the information at ``start``, for a win matrix like these.
        start: float64 (m,), that one's log-strengths.

    Source: the simplified Newton method, Ortega and Rheinboldt, Iterative Solution of Nonlinear Equations in Several
    Variables (1970), section 7.1.
    """
    log_strengths, moved = np.repeat(start[None], len(wins), axis=0), np.full(len(wins), np.inf)
    for _ in range(_CHORD_STEPS):
        steps = _gradient(wins, win_chances(log_strengths)) @ inverse
        log_strengths, moved = log_strengths + steps, np.abs(steps).max(axis=1)
        if moved.max() <= _TOLERANCE:
            break
    return Chord(log_strengths, moved <= _TOLERANCE)


def _gradient(wins: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The wins (b, m) beyond those expected, by the surprise in each: precise where a million meet one."""
    surprise = wins * chances.swapaxes(1, 2)
    return np.asarray(surprise.sum(axis=2) - surprise.sum(axis=1))


def _damping(largest: NDArray[np.float64]) -> NDArray[np.float64]:
    moved = np.where(largest > 0, largest, 1.0)
    return np.where(largest > 0, np.log1p(moved) / moved, 1.0)
