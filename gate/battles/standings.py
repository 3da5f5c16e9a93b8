"""A ranking as a leaderboard: its models in order, what each fought, and how each stands against each."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gate.battles.log import LOST, TIED, WON, BattleLog
from gate.battles.ranking import Ranking
from gate.evidence import Standing
from gate.stats.battles import win_matrix
from gate.stats.bradley_terry import on_elo_scale

_ALPHA = 0.05


def order_of(ranking: Ranking) -> list[int]:
    """The models group by group, the largest first, and in each the strongest first."""
    group = groups_of(ranking)
    strengths = ranking.fit.log_strengths
    return sorted(range(len(group)), key=lambda model: (group[model], -strengths[model], model))


def groups_of(ranking: Ranking) -> list[int]:
    """For each model the number of the group that it can be compared with, from 1."""
    place = {name: number for number, group in enumerate(ranking.components, start=1) for name in group}
    return [place[name] for name in ranking.log.models]


def tallies_of(log: BattleLog) -> NDArray[np.float64]:
    """Float64 (m, 4): the weight of the battles that each model fought, won, tied and lost."""
    battles = log.battles
    models = np.concatenate([battles.first, battles.second])
    outcomes = np.concatenate([battles.outcomes, 1 - battles.outcomes])
    weights = np.ones(models.size) if battles.weights is None else np.tile(battles.weights, 2)
    columns = [
        np.bincount(models[outcomes == outcome], weights=weights[outcomes == outcome], minlength=battles.n_models)
        for outcome in (WON, TIED, LOST)
    ]
    return np.stack([np.sum(columns, axis=0), *columns], axis=1)


def standings_of(ranking: Ranking, order: Sequence[int]) -> tuple[Standing, ...]:
    """The models in ``order``, with what the 95 % intervals leave of their ranks and ratings."""
    ratings = on_elo_scale(ranking.fit.log_strengths)
    ends = on_elo_scale(ranking.spread.strength_intervals(_ALPHA))
    ranks, ranges = ranking.fit.ranks, ranking.spread.rank_intervals(_ALPHA)
    groups, tallies = groups_of(ranking), tallies_of(ranking.log)
    standings = []
    for model in order:
        best, worst = ranges[model].tolist()
        battles, won, tied, lost = tallies[model].tolist()
        low, high = (_known(end) for end in ends[model].tolist())
        standings.append(
            Standing(
                model=ranking.log.models[model],
                rank=int(ranks[model]),
                best=best,
                worst=worst,
                group=groups[model],
                rating=float(ratings[model]),
                low=low,
                high=high,
                battles=battles,
                won=won,
                tied=tied,
                lost=lost,
            )
        )
    return tuple(standings)


def chances_in(ranking: Ranking, order: Sequence[int]) -> tuple[tuple[float | None, ...], ...]:
    """The chance of row to beat column; None against itself and across groups."""
    values = ranking.fit.probabilities
    return tuple(tuple(None if one == other else _known(float(values[one, other])) for other in order) for one in order)


def wins_in(ranking: Ranking, order: Sequence[int]) -> tuple[tuple[float, ...], ...]:
    """The weight of the battles that row won over column, a tie being half a win each way."""
    return tuple(map(tuple, win_matrix(ranking.log.battles)[np.ix_(order, order)].tolist()))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
