"""Elo ratings: a live number that depends on the order of the battles, and how much it does."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.stats.battles import Battles
from gate.stats.ranks import ranks_of

# Odds of 10**300 to 1 are certain to the last digit; further powers of ten overflow.
_FARTHEST = 300.0
_BATCH_CELLS = 20_000_000


@dataclass(frozen=True, slots=True)
class EloRule:
    """How a battle moves ratings.

    Attributes:
        k: the points that are at stake in a battle, > 0; a weight multiplies them.
        start: the rating of a model without a battle.
        scale: the points that are odds of 10 to 1, > 0.

    Raises:
        ValueError: where they are not finite, or not > 0.
    """

    k: float = 32.0
    start: float = 1000.0
    scale: float = 400.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(number) for number in (self.k, self.start, self.scale)):
            raise ValueError("the figures of an Elo rule are finite")
        if min(self.k, self.scale) <= 0:
            raise ValueError("the points at stake and the scale of an Elo rule are over 0")

    def expected(self, rating: float, opponent: float) -> float:
        """The expected outcome of a battle, in [0, 1]: 0.5 between equals."""
        exponent = (opponent - rating) / self.scale
        return 1.0 / (1.0 + math.pow(10.0, min(exponent, _FARTHEST)))


DEFAULT_RULE = EloRule()


def elo_ratings(battles: Battles, rule: EloRule = DEFAULT_RULE) -> list[float]:
    """The ratings (m,) after the battles in the order as listed.

    What the winner gains, and what the stronger loses by a tie, the other model gives: points are only moved.

    Source: Elo, The Rating of Chessplayers, Past and Present (1978), section 1.6.
    """
    ratings = [rule.start] * battles.n_models
    columns = (
        battles.first.tolist(),
        battles.second.tolist(),
        battles.outcomes.tolist(),
        _stakes(battles, rule).tolist(),
    )
    for first, second, outcome, stake in zip(*columns, strict=True):
        moved = stake * (outcome - rule.expected(ratings[first], ratings[second]))
        ratings[first] += moved
        ratings[second] -= moved
    return ratings


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """The ratings of m models over random orders of the same battles.

    Attributes:
        mean: float64 (m,).
        sd: float64 (m,), over the orders, as of a population.
        lowest: float64 (m,).
        highest: float64 (m,).
        share_reranked: the share of orders that rank the models otherwise than the order as listed.
        n_orders: how many orders were drawn.
    """

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    share_reranked: float
    n_orders: int


def order_effect(
    battles: Battles, rule: EloRule = DEFAULT_RULE, *, n_orders: int, rng: np.random.Generator
) -> OrderEffect:
    """What the order of the battles does to Elo ratings.

    Orders are taken side by side, so that a step costs little more for many than for one: a million battles take half
    a minute for every twenty orders.

    Args:
        battles: n battles.
        rule: how a battle moves ratings.
        n_orders: how many random orders to take, >= 1.
        rng: the source of randomness.
    """
    batch = max(1, _BATCH_CELLS // max(1, len(battles)))
    parts = []
    for start in range(0, n_orders, batch):
        rows = np.tile(np.arange(len(battles), dtype=np.int32), (min(batch, n_orders - start), 1))
        parts.append(_rate_orders(battles, rule, rng.permuted(rows, axis=1, out=rows)))
    ratings = np.concatenate(parts)
    listed = ranks_of(np.array([elo_ratings(battles, rule)]))
    reranked = (ranks_of(ratings) != listed).any(axis=1)
    return OrderEffect(
        mean=ratings.mean(axis=0),
        sd=ratings.std(axis=0),
        lowest=ratings.min(axis=0),
        highest=ratings.max(axis=0),
        share_reranked=float(reranked.mean()),
        n_orders=n_orders,
    )


def _rate_orders(battles: Battles, rule: EloRule, orders: NDArray[np.int32]) -> NDArray[np.float64]:
    """The ratings (r, m) after the battles in each of the orders (r, n)."""
    ratings = np.full((len(orders), battles.n_models), rule.start)
    rows, stakes = np.arange(len(orders)), _stakes(battles, rule)
    for battle in np.ascontiguousarray(orders.T):
        first, second = battles.first[battle], battles.second[battle]
        own, other = ratings[rows, first], ratings[rows, second]
        expected = 1.0 / (1.0 + 10.0 ** np.minimum((other - own) / rule.scale, _FARTHEST))
        moved = stakes[battle] * (battles.outcomes[battle] - expected)
        ratings[rows, first] = own + moved
        ratings[rows, second] = other - moved
    return ratings


def _stakes(battles: Battles, rule: EloRule) -> NDArray[np.float64]:
    return np.full(len(battles), rule.k) if battles.weights is None else rule.k * battles.weights
