"""Runs with a stated drop of the mean, and what the checks would say of them."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.checks.regression import RegressionOptions
from gate.error_rates.draws import Draws
from gate.error_rates.unchanged import Unchanged, judge_deltas
from gate.stats.binomial import upper_tail
from gate.stats.lattice import ROUNDING

_LEAST_LOSS = 1e-300


def draw_dropped(
    unchanged: Unchanged,
    drop: float,
    *,
    lowest: float | None,
    regression: RegressionOptions | None,
    rng: np.random.Generator,
) -> Draws:
    """Let items lose their score, on top of the noise between unchanged runs, until the mean is so much lower.

    Every item above the lowest score has the same chance of falling to it: on pass/fail scores, that of a right answer
    to become a wrong one. Drift is not asked, so that what is caught errs downwards.

    Args:
        unchanged: the runs without the drop.
        drop: of the mean, > 0.
        lowest: the worst score in the turn of ``unchanged.items``; None where unknown: the worst one seen.
        regression: the options of that check; None where it is off.
        rng: the source of randomness.
    """
    weight, loss = float(unchanged.differences.sizes.sum()), _loss_of(unchanged, lowest)
    hits = rng.binomial(loss.items, min(1.0, drop * weight / loss.all), size=unchanged.sums.size)
    lost = hits * loss.mean + rng.normal(size=hits.size) * loss.sd * np.sqrt(hits)
    means = unchanged.before.mean + (unchanged.sums / 2 - lost) / weight
    fails, warns = unchanged.turns.fails(means), unchanged.turns.warns(means)
    if regression is None:
        return Draws(fails, warns)
    sums = unchanged.sums - lost
    p_values = _p_values(unchanged, sums, hits, loss)
    compared = judge_deltas(sums / weight, p_values, regression, unchanged.reach)
    return Draws(fails | compared.fails, warns | compared.warns, compared.p_values)


class _Loss(NamedTuple):
    """What the items above the lowest score have to lose.

    Attributes:
        items: how many they are.
        mean: of one of them, > 0 unless there is none.
        sd: between them.
    """

    items: int
    mean: float
    sd: float

    @property
    def all(self) -> float:
        """What they have to lose together; no drop is larger."""
        return max(self.items * self.mean, _LEAST_LOSS)


def _loss_of(unchanged: Unchanged, lowest: float | None) -> _Loss:
    items = unchanged.items
    worst = float(items.values.min()) if lowest is None else lowest
    losses = items.totals - worst * items.sizes
    losing = losses[losses > ROUNDING]
    return _Loss(losing.size, float(losing.mean()), float(losing.std())) if losing.size else _Loss(0, 0.0, 0.0)


def _p_values(
    unchanged: Unchanged, sums: NDArray[np.float64], hits: NDArray[np.int64], loss: _Loss
) -> NDArray[np.float64]:
    """The sign-flip test's p-values: exact where every move has one size, as on pass/fail scores, else normal."""
    totals = unchanged.differences.totals
    grouped = totals.size < unchanged.items.totals.size
    sizes = np.abs(totals[np.abs(totals) > ROUNDING])
    if not grouped and loss.sd <= ROUNDING and (np.abs(sizes - loss.mean) <= ROUNDING).all():
        moved = sizes.size + hits
        # the sum is wins less losses, in units of the one size
        losses = np.rint((moved - sums / max(loss.mean, _LEAST_LOSS)) / 2).astype(np.int64)
        return np.where(moved > 0, upper_tail(losses, moved, 0.5), 1.0)
    squares = hits * (loss.mean**2 + loss.sd**2)
    if grouped:
        # hits that fall into one group are flipped together
        share = unchanged.differences.sizes / unchanged.differences.sizes.sum()
        squares = squares + hits * (hits - 1.0) * loss.mean**2 * float(share @ share)
    spread = np.sqrt(float(totals @ totals) + squares)
    scores = np.divide(sums, spread, out=np.zeros(sums.size), where=spread > 0)
    normal: NDArray[np.float64] = np.array([0.5 * math.erfc(-score / math.sqrt(2)) for score in scores.tolist()])
    return normal.clip(min=0.5**totals.size)
