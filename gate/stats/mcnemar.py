"""The exact McNemar test, planned: the chance that so many pass/fail pairs show a drop of the pass rate."""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from gate.stats.binomial import binomial_pmf, critical_count, upper_tail
from gate.stats.power import MOST_ITEMS, TAIL

# Beyond, the exact test and its normal approximation are one to three digits.
MOST_EXACT = 100_000
_NORMAL = NormalDist()
_Z_TAIL = _NORMAL.inv_cdf(1 - TAIL)
# Numbers of discordant pairs further from their mean than this many standard deviations do not occur.
_REACH = 9.0
_HALVINGS = 20


class Correlations(NamedTuple):
    """The least and the greatest correlation that two pass rates leave possible, each in [-1, 1]."""

    low: float
    high: float


class Discordance(NamedTuple):
    """The shares of items that only the baseline passes (losses), and that only the candidate does (wins)."""

    losses: float
    wins: float

    @property
    def share(self) -> float:
        """Of all pairs, those that differ."""
        return self.losses + self.wins


def possible_correlations(p_before: float, p_after: float) -> Correlations:
    """The correlations between two pass/fail scores of one item that the two pass rates, in [0, 1], allow.

    Where one of them is 0 or 1 there is no correlation, and both ends are 0.

    Source: Frechet's bounds on the joint probability, max(0, p + q - 1) to min(p, q).
    """
    spread = math.sqrt(p_before * (1 - p_before) * p_after * (1 - p_after))
    if spread == 0.0:
        return Correlations(0.0, 0.0)
    joint = p_before * p_after
    low, high = max(0.0, p_before + p_after - 1) - joint, min(p_before, p_after) - joint
    return Correlations(max(-1.0, low / spread), min(1.0, high / spread))


def discordance(p_before: float, p_after: float, rho: float) -> Discordance:
    """How often the two runs differ; a correlation that the pass rates do not allow counts as the nearest one."""
    low, high = possible_correlations(p_before, p_after)
    spread = math.sqrt(p_before * (1 - p_before) * p_after * (1 - p_after))
    both = p_before * p_after + min(high, max(low, rho)) * spread
    return Discordance(max(0.0, p_before - both), max(0.0, p_after - both))


def mcnemar_power(p_before: float, p_after: float, *, n: int, rho: float) -> float:
    """The probability that the exact McNemar test of n pairs shows the pass rate fallen, one-sided at 2.5 %.

    Summed over the number of discordant pairs, which is binomial; given that, so are the losses.

    Args:
        p_before: the baseline's pass rate, in [0, 1].
        p_after: the candidate's, in [0, 1].
        n: the number of pairs, 0 to about 1e6.
        rho: the correlation between the two scores of an item, -1 to 1; one that the pass rates do not allow counts
            as the nearest that they do.

    Source: the unconditional power of McNemar's test, e.g. Duffy, Biometrics 40 (1984), 1005-1015.
    """
    shares = discordance(p_before, p_after, rho)
    share = min(1.0, shares.share)
    if share == 0.0:
        return 0.0
    reach = _REACH * math.sqrt(n * share * (1 - share)) + _REACH**2
    least, most = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    moved = np.arange(least, most + 1, dtype=np.int64)
    shown = upper_tail(critical_count(moved, 0.5, TAIL), moved, min(1.0, shares.losses / share))
    return min(1.0, float(binomial_pmf(moved, np.full_like(moved, n), share) @ shown))


class PassFailDrops(NamedTuple):
    """Drops of a pass rate, by the exact McNemar test; see gate.stats.power.Drops.

    Over 100 000 pairs by its normal approximation (Miettinen, Biometrics 24 (1968), 339-352).

    Attributes:
        p: the baseline's pass rate, in (0, 1].
        rho: the correlation between the two scores of an item; see mcnemar_power.
    """

    p: float
    rho: float

    def chance(self, drop: float, n: int) -> float:
        """See Drops; a drop of more than ``p`` counts as one of ``p``."""
        after = max(0.0, self.p - drop)
        if n <= MOST_EXACT:
            return mcnemar_power(self.p, after, n=n, rho=self.rho)
        share = discordance(self.p, after, self.rho).share
        spread = math.sqrt(max(share - drop**2, 0.0))
        excess = drop * math.sqrt(n) - _Z_TAIL * math.sqrt(share)
        # without a spread every pair is lost, which so many show surely
        return _NORMAL.cdf(excess / spread) if spread > 0 else 1.0

    def items(self, drop: float, power: float) -> int | None:
        """See Drops."""
        approximate = self._approximate_items(drop, power)
        if approximate > MOST_EXACT:
            return math.ceil(approximate) if approximate <= MOST_ITEMS else None
        short, enough = 0, math.ceil(approximate)
        while self.chance(drop, enough) < power:
            short, enough = enough, enough + max(8, enough // 8)
        while enough - short > 1:
            middle = (short + enough) // 2
            if self.chance(drop, middle) >= power:
                enough = middle
            else:
                short = middle
        return enough

    def smallest(self, n: int, power: float) -> float | None:
        """See Drops; rounded upwards by less than a millionth."""
        if self.chance(self.p, n) < power:
            return None
        missed, caught = 0.0, self.p
        for _ in range(_HALVINGS):
            middle = (missed + caught) / 2
            if self.chance(middle, n) >= power:
                caught = middle
            else:
                missed = middle
        return caught

    def _approximate_items(self, drop: float, power: float) -> float:
        share = discordance(self.p, max(0.0, self.p - drop), self.rho).share
        spread = math.sqrt(max(share - drop**2, 0.0))
        root = (_Z_TAIL * math.sqrt(share) + _NORMAL.inv_cdf(power) * spread) / drop
        return root * root
