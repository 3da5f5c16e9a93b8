"""Who judged: each judge's own ranking, and how far the judges agree."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.battles.log import BattleLog
from gate.stats.battles import joint_numbers, win_matrix
from gate.stats.bradley_terry import fit_bradley_terry

# A crowd of voters has thousands, of whom none says much.
MOST_SPLIT = 10


@dataclass(frozen=True, slots=True)
class JudgeSplit:
    """One of several judges.

    Attributes:
        name: who.
        n_battles: how many battles it judged.
        ranking: the models that it judged, the strongest first.
        n_shared: how often it and another judge compared the same two models on the same question.
        agreement: the share of these with the same winner, or a tie in both; None where there are none.
    """

    name: str
    n_battles: int
    ranking: tuple[str, ...]
    n_shared: int
    agreement: float | None


def split_by_judge(log: BattleLog) -> tuple[JudgeSplit, ...]:
    """The battles of each judge by themselves, of the ten with the most; empty where there are not several."""
    if log.judges is None or len(log.judge_names) < 2:  # noqa: PLR2004  # one judge agrees with itself
        return ()
    verdicts = _verdicts(log)
    most = np.argsort(-np.bincount(log.judges), kind="stable")[:MOST_SPLIT]
    return tuple(_split(log, number, verdicts) for number in sorted(most.tolist()))


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """What each judge says of each comparison; rows are unique pairs of the two.

    Attributes:
        comparisons: intp (v,), the number of two models on one question.
        judges: intp (v,).
        winners: float64 (v,), over the judge's battles: 1 the model of the lower number, -1 the other, 0 neither.
    """

    comparisons: NDArray[np.intp]
    judges: NDArray[np.intp]
    winners: NDArray[np.float64]


def _verdicts(log: BattleLog) -> _Verdicts | None:
    if log.questions is None or log.judges is None:
        return None
    battles, size = log.battles, log.battles.n_models
    swapped = battles.first > battles.second
    low, high = np.minimum(battles.first, battles.second), np.maximum(battles.first, battles.second)
    comparisons = joint_numbers(log.questions, low * size + high)
    n_judges = len(log.judge_names)
    cells, place = np.unique(comparisons * n_judges + log.judges, return_inverse=True)
    gains = np.where(swapped, 0.5 - battles.outcomes, battles.outcomes - 0.5)
    gains = gains if battles.weights is None else gains * battles.weights
    return _Verdicts(cells // n_judges, cells % n_judges, np.sign(np.bincount(place, weights=gains)))


def _split(log: BattleLog, judge: int, verdicts: _Verdicts | None) -> JudgeSplit:
    battles = log.pick(np.asarray(log.judges == judge))
    fit = fit_bradley_terry(win_matrix(battles))
    met = np.asarray((fit.wins + fit.wins.T).any(axis=1))
    order = np.argsort(-fit.log_strengths, kind="stable")
    shared = _Shared(0, 0) if verdicts is None else _shared(verdicts, judge)
    return JudgeSplit(
        name=log.judge_names[judge],
        n_battles=len(battles),
        ranking=tuple(log.models[model] for model in order.tolist() if met[model]),
        n_shared=shared.comparisons,
        agreement=shared.agreeing / shared.comparisons if shared.comparisons else None,
    )


class _Shared(NamedTuple):
    """How often another judge made the same comparison, and how often with the same result."""

    comparisons: int
    agreeing: int


def _shared(verdicts: _Verdicts, judge: int) -> _Shared:
    own = np.asarray(verdicts.judges == judge)
    winner_of = np.full(int(verdicts.comparisons.max()) + 1, np.nan)
    winner_of[verdicts.comparisons[own]] = verdicts.winners[own]
    others = winner_of[verdicts.comparisons[~own]]
    return _Shared(int((~np.isnan(others)).sum()), int((others == verdicts.winners[~own]).sum()))
