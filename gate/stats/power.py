"""How many items show a drop, a margin or a bar: the chance of it, the items needed, the smallest drop."""

import math
from statistics import NormalDist
from typing import NamedTuple, Protocol

import numpy as np

from gate.stats.binomial import critical_count, upper_tail

# The gate spends this much on each statement, one-sided.
TAIL = 0.025
# More items than this are not counted any more.
MOST_ITEMS = 10**9
# The sign-flip test of fewer pairs has no p-value under the tail: 2**-5 is over it.
LEAST_PAIRS = 6
_NORMAL = NormalDist()
_Z_TAIL = _NORMAL.inv_cdf(1 - TAIL)
# Where the approximation gives up to so many items, the exact test of a bar is looked through, item by item.
_MOST_SCANNED = 20_000
_BLOCK = 2048


class Drops(Protocol):
    """How drops of the mean are caught by pairs of scores, one-sided at 2.5 %."""

    def chance(self, drop: float, n: int) -> float:
        """The probability that ``n`` pairs, n >= 2, show a drop > 0, in [0, 1]."""
        ...

    def items(self, drop: float, power: float) -> int | None:
        """The pairs that it takes to show it with probability ``power``; None where over a thousand million."""
        ...

    def smallest(self, n: int, power: float) -> float | None:
        """The smallest drop that ``n`` pairs show with probability ``power``; None where there is none."""
        ...


class MeanDrops(NamedTuple):
    """Drops of any score, by the normal approximation.

    Attributes:
        sd: the standard deviation of the paired differences, > 0.
        largest: the largest drop that the scale leaves room for.

    Source: n = (z.975 + z.power)**2 sd**2 / drop**2, e.g. Miller, Adding Error Bars to Evals (2024), section 5.
    """

    sd: float
    largest: float = math.inf

    def chance(self, drop: float, n: int) -> float:
        """See Drops."""
        return _NORMAL.cdf(drop / self.sd * math.sqrt(n) - _Z_TAIL) if n >= LEAST_PAIRS else 0.0

    def items(self, drop: float, power: float) -> int | None:
        """See Drops."""
        return items_for_effect(drop / self.sd, power, least=LEAST_PAIRS)

    def smallest(self, n: int, power: float) -> float | None:
        """See Drops."""
        if n < LEAST_PAIRS:
            return None
        drop = (_Z_TAIL + _NORMAL.inv_cdf(power)) * self.sd / math.sqrt(n)
        return drop if drop <= self.largest else None


def items_for_effect(effect: float, power: float, *, least: int = 2) -> int | None:
    """The items that show a shift of ``effect`` standard deviations, by the normal approximation.

    Args:
        effect: the shift over the standard deviation of one item's value, > 0; may be infinite.
        power: the probability of showing it, over 0.025.
        least: the answer is never less.

    Returns:
        None where it takes over a thousand million.
    """
    root = (_Z_TAIL + _NORMAL.inv_cdf(power)) / effect if effect > 0 else math.inf
    return max(least, math.ceil(root * root)) if root * root <= MOST_ITEMS else None


def items_for_shift(shift: float, *, sd: float, room: float, power: float) -> int | None:
    """The items that prove a mean to be over a limit: a bar under it, or minus the margin where nothing changed.

    Args:
        shift: how far the limit lies under the mean, > 0.
        sd: the standard deviation of one item's value, >= 0.
        room: how far the scale's end lies under the mean, > 0; infinite where there is none.
        power: the probability of proving it, over 0.025.

    Returns:
        By the normal approximation, yet never less than the exact bound asks for where all values are equal:
        (1 - shift / room) ** n <= 0.025. None where it takes over a thousand million.

    Source: see MeanDrops; the bound for equal values is the exact one of gate.stats.dirichlet, a Beta(1, n) quantile.
    """
    least = _perfect_items(1 - shift / room) if shift < room < math.inf else 1
    if least is None:
        return None
    return items_for_effect(shift / sd if sd > 0 else math.inf, power, least=max(2, least))


def items_for_bar(p: float, bar: float, power: float) -> int | None:
    """The pass/fail items whose exact lower bound (Clopper-Pearson) clears the bar with probability ``power``.

    Args:
        p: the pass rate, in (0, 1].
        bar: in (0, 1).
        power: the probability of clearing it, over 0.025.

    Returns:
        The least such number, where the normal approximation gives over 20 000 that one; None where ``p`` is not
        over the bar, or where it takes over a thousand million.

    Source: Clopper and Pearson (1934): the bound clears the bar where P(K >= k) <= 0.025 at a pass rate of the bar.
    """
    if p <= bar:
        return None
    if p == 1.0:
        return _perfect_items(bar)
    approximate = items_for_effect((p - bar) / math.sqrt(p * (1 - p)), power)
    if approximate is None or approximate > _MOST_SCANNED:
        return approximate
    start, found = 1, np.empty(0, dtype=np.intp)
    while not found.size:
        n = np.arange(start, start + _BLOCK)
        found = np.flatnonzero(upper_tail(critical_count(n, bar, TAIL), n, p) >= power)
        start += _BLOCK
    return int(n[found[0]])


def _perfect_items(bar: float) -> int | None:
    """The perfect scores that prove a bar in (0, 1): bar ** n <= 0.025."""
    items = math.log(TAIL) / math.log(bar) if bar < 1 else math.inf
    return math.ceil(items) if items <= MOST_ITEMS else None
