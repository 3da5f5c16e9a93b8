"""What it is worth to be shown first: measured where a judge saw the same two answers in both orders."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.battles.log import LOST, WON, BattleLog
from gate.stats.battles import joint_numbers
from gate.stats.dirichlet import exact_interval
from gate.stats.units import gather_units
from gate.wording import count, number, percent

_ALPHA = 0.05
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How often the first answer wins, strength being balanced out.

    Attributes:
        n: how many comparisons were judged in both orders.
        first_wins: the mean score of the answer that is shown first, 0 to 1; 0.5 without a bias.
        low: lower end of its 95 % interval, exact over the prompts.
        high: upper end.
        flips: the share of them in which the order decided: the first won twice, or the second did.
    """

    n: int
    first_wins: float
    low: float
    high: float
    flips: float

    @property
    def is_shown(self) -> bool:
        """Whether chance does not explain it."""
        return not self.low <= _EVEN <= self.high

    @property
    def sentence(self) -> str:
        """The same in words."""
        told = (
            f"the answer shown first scores {number(self.first_wins)} [{number(self.low)}, {number(self.high)}] in "
            f"{count(self.n, 'comparison')} judged in both orders, and the order decides {percent(self.flips)} of them"
        )
        return f"position bias: {told}" if self.is_shown else f"no position bias shown: {told}"


def measure_position_bias(log: BattleLog) -> PositionBias | None:
    """The bias over all comparisons of two models on one question by one judge that were made in both orders.

    Returns:
        None where there is none, or where prompts or orders are not told.
    """
    if log.prompts is None or log.questions is None or not log.is_ordered.any():
        return None
    rows = np.flatnonzero(log.is_ordered)
    first, second = log.battles.first[rows], log.battles.second[rows]
    size = log.battles.n_models
    judges = np.zeros(rows.size, dtype=np.intp) if log.judges is None else log.judges[rows]
    pairs = np.minimum(first, second) * size + np.maximum(first, second)
    comparison = joint_numbers(log.questions[rows], pairs, judges)
    swapped, outcomes = first > second, log.battles.outcomes[rows]
    one, other = (_means(comparison, outcomes, side) for side in (~swapped, swapped))
    both = ~np.isnan(one) & ~np.isnan(other)
    if not both.any():
        return None
    prompts = np.empty(both.size, dtype=np.intp)
    prompts[comparison] = log.prompts[rows]
    one, other = one[both], other[both]
    scores = (one + other) / 2
    # what a judge makes of one prompt is not new with each pair of models, turn or judge
    units = gather_units(scores, groups=prompts[both])
    interval = exact_interval(units, lowest=0.0, highest=1.0, alpha=_ALPHA)
    flips = ((one == WON) & (other == WON)) | ((one == LOST) & (other == LOST))
    return PositionBias(scores.size, float(scores.mean()), interval.low, interval.high, float(flips.mean()))


def _means(comparison: NDArray[np.intp], outcomes: NDArray[np.float64], side: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The mean outcome of each comparison over the battles of one order; NaN where there is none."""
    size = int(comparison.max()) + 1
    counts = np.bincount(comparison[side], minlength=size)
    sums = np.bincount(comparison[side], weights=outcomes[side], minlength=size)
    means = np.full(size, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
