"""Battles to a leaderboard: strengths with their intervals, Elo with the effect of the order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gate.arena.question import Question
from gate.arena.trace import Trace, trace_iterations
from gate.battles import BattleLog, Ranking, groups_of, order_of, rank_models, read_battles, tallies_of
from gate.errors import UsageError
from gate.scores.quoting import did_you_mean, quote, quoted_listing
from gate.stats.battles import win_matrix
from gate.stats.bradley_terry import on_elo_scale
from gate.stats.distributions import Interval
from gate.stats.elo import EloRule, elo_ratings, order_effect

_ALPHA = 0.05
# A million battles take half a minute for every twenty orders.
_MOST_STEPS = 20_000_000
_LEAST_ORDERS = 20


@dataclass(frozen=True, slots=True)
class Range:
    """The best and the worst rank that the 95 % intervals leave."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many battles a model fought, won, tied and lost; where battles have weights, what they add up to."""

    battles: float
    won: float
    tied: float
    lost: float


@dataclass(frozen=True, slots=True)
class Elo:
    """A model's Elo rating after the battles as listed, and over random orders of them."""

    listed: float
    mean: float
    sd: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Row:
    """One model.

    Attributes:
        rank: within its group, 1 for the strongest.
        range: of ranks.
        model: its name.
        group: the number of the group that it can be compared with, from 1; all 1 where all models can.
        rating: its strength on the scale of Elo.
        interval: of the rating, 95 %; None where it has none.
        tally: of its battles.
        elo: the other rating.
    """

    rank: int
    range: Range
    model: str
    group: int
    rating: float
    interval: Interval | None
    tally: Tally
    elo: Elo


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of a model to beat another, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard.

    Attributes:
        path: the files.
        format: how they were read.
        n_battles: how many have a verdict.
        n_prompts: on how many prompts; 0 where the files tell none.
        rows: the models, group by group, the strongest first.
        chances: row against column, in the order of ``rows``; None against itself and across groups.
        method: how the intervals were made.
        anchor: the model whose rating is the start; None: the mean is.
        iterations: of Newton's method.
        converged: whether it came to its end.
        regularised: some strengths are those of the regularised fit.
        rule: K, start and scale of Elo.
        n_orders: how many random orders were tried.
        share_reranked: the share of orders that rank the models otherwise than the order as listed.
        is_timed: the order as listed is that of the battles' times.
        notes: what else is worth knowing.
        trace: the iterations of the taught algorithm, where they were asked for.
    """

    path: str
    format: str
    n_battles: int
    n_prompts: int
    rows: tuple[Row, ...]
    chances: tuple[tuple[Chance | None, ...], ...]
    method: str
    anchor: str | None
    iterations: int
    converged: bool
    regularised: bool
    rule: EloRule
    n_orders: int
    share_reranked: float
    is_timed: bool
    notes: tuple[str, ...]
    trace: Trace | None = None


def make_board(question: Question) -> Board:
    """Read the battles and rank the models.

    Raises:
        GateError: where they cannot be read, or the anchor is not among the models.
    """
    question.require_sound()
    log = read_battles(question.files, format=question.format)
    rng = np.random.default_rng(question.seed)
    ranking = rank_models(log, interval=question.interval, n_resamples=question.n_resamples, rng=rng)
    anchor = None if question.anchor is None else _number_of(question.anchor, log)
    order = order_of(ranking)
    rule = EloRule(question.k, question.start, question.scale)
    n_orders = min(question.n_orders, max(_LEAST_ORDERS, _MOST_STEPS // len(log)))
    effect = order_effect(log.battles, rule, n_orders=n_orders, rng=rng)
    elo = (elo_ratings(log.battles, rule), effect.mean, effect.sd, effect.lowest, effect.highest)
    elos = [Elo(*map(float, figures)) for figures in zip(*elo, strict=True)]
    return Board(
        path=log.source.path,
        format=log.source.format,
        n_battles=log.n_verdicts,
        n_prompts=log.n_prompts,
        rows=_rows(ranking, order, question, anchor=anchor, elos=elos),
        chances=_chances(ranking, order),
        method=ranking.method,
        anchor=question.anchor,
        iterations=ranking.fit.iterations,
        converged=ranking.fit.converged,
        regularised=ranking.fit.regularised,
        rule=rule,
        n_orders=n_orders,
        share_reranked=effect.share_reranked,
        is_timed=log.is_timed,
        notes=ranking.notes(),
        trace=trace_iterations(win_matrix(log.battles), log.models) if question.trace else None,
    )


def _number_of(anchor: str, log: BattleLog) -> int:
    if anchor not in log.models:
        raise UsageError(
            f"--anchor: the battles name no model {quote(anchor)}{did_you_mean(anchor, log.models)}",
            remedy=f"name one of those that there are: {quoted_listing(log.models)}",
        )
    return log.models.index(anchor)


def _rows(
    ranking: Ranking, order: Sequence[int], question: Question, *, anchor: int | None, elos: Sequence[Elo]
) -> tuple[Row, ...]:
    """The models in ``order``; ``anchor`` and ``elos`` go by the models' numbers."""
    fit, spread, log = ranking.fit, ranking.spread, ranking.log
    if anchor is None:
        strengths, intervals = fit.log_strengths, spread.strength_intervals(_ALPHA)
    else:
        # across groups an anchor says nothing: those keep their own mean
        told = fit.connectivity.comparable[anchor]
        strengths = np.where(told, fit.relative_to(anchor), fit.log_strengths)
        own, relative = spread.strength_intervals(_ALPHA), spread.relative_intervals(anchor, _ALPHA)
        intervals = np.where(told[:, None], relative, own)
    ratings, ends = (
        on_elo_scale(values, start=question.start, scale=question.scale) for values in (strengths, intervals)
    )
    ranks, ranges, groups, tallies = fit.ranks, spread.rank_intervals(_ALPHA), groups_of(ranking), tallies_of(log)
    return tuple(
        Row(
            rank=int(ranks[model]),
            range=Range(*ranges[model].tolist()),
            model=log.models[model],
            group=groups[model],
            rating=float(ratings[model]),
            interval=_known(*ends[model].tolist()),
            tally=Tally(*(tallies[model] if log.battles.weights is not None else tallies[model].astype(int)).tolist()),
            elo=elos[model],
        )
        for model in order
    )


def _known(low: float, high: float) -> Interval | None:
    return None if math.isnan(low) or math.isnan(high) else Interval(low, high)


def _chances(ranking: Ranking, order: list[int]) -> tuple[tuple[Chance | None, ...], ...]:
    values, ends = ranking.fit.probabilities, ranking.spread.probability_intervals(_ALPHA)
    return tuple(
        tuple(
            None
            if one == other or math.isnan(values[one, other])
            else Chance(float(values[one, other]), *ends[one, other].tolist())
            for other in order
        )
        for one in order
    )
