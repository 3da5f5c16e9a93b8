"""A log of battles to a ranking: strengths, how well they are known, and what they rest on."""

from dataclasses import dataclass
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gate.battles.judges import JudgeSplit, split_by_judge
from gate.battles.log import BattleLog
from gate.battles.positions import PositionBias, measure_position_bias
from gate.scores.quoting import listing
from gate.stats.battles import win_matrix
from gate.stats.bradley_terry import BradleyTerryFit, StrengthDistribution, fit_bradley_terry
from gate.stats.bradley_terry_bootstrap import BootstrapStrengths, bootstrap_strengths
from gate.stats.bradley_terry_wald import robust_wald, wald
from gate.wording import count, percent

IntervalMethod = Literal["wald", "bootstrap"]
N_RESAMPLES = 1000
_FEW = 10
# What tells how much prompts differ.
_LEAST_PROMPTS = 2
_MANY_UNJUDGED = 0.1


@dataclass(frozen=True, slots=True)
class Ranking:
    """The models of a log by strength.

    Attributes:
        log: the battles.
        fit: the strengths.
        spread: how well they are known.
        wald: the same by the normal approximation, where ``spread`` is of resamples; they see no doubt where all the
            battles that were drawn from ended alike.
        method: how ``spread`` was found, in words.
        clustered: battles on one prompt count as one.
        positions: what it is worth to be shown first; None where no two models met in both orders.
        judges: the judges with the most battles, each with its own ranking; empty where there is but one, or none is
            told.
    """

    log: BattleLog
    fit: BradleyTerryFit
    spread: StrengthDistribution
    wald: StrengthDistribution
    method: str
    clustered: bool
    positions: PositionBias | None
    judges: tuple[JudgeSplit, ...]

    @property
    def unjudged_share(self) -> float:
        """Of all battles, those without a verdict, 0 to 1."""
        return self.log.n_unjudged / (self.log.n_unjudged + len(self.log))

    def n_prompts_of(self, one: int, other: int) -> int | None:
        """Of two models, on how many prompts the one fought that fought on fewer.

        Returns:
            None where battles on one prompt do not repeat, so that each battle is one by itself.
        """
        log = self.log
        if log.prompts is None or log.n_prompts == len(log):
            return None
        return min(
            np.unique(log.prompts[(log.battles.first == model) | (log.battles.second == model)]).size
            for model in (one, other)
        )

    @property
    def many_unjudged(self) -> bool:
        """Whether they are so many that they could decide."""
        return self.unjudged_share > _MANY_UNJUDGED

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The models that can be compared with each other, the largest group first; one where all can."""
        weak = self.fit.connectivity.weak
        groups = [_picked(self.log.models, weak == number) for number in range(int(weak.max()) + 1)]
        return tuple(sorted(groups, key=lambda group: (-len(group), group)))

    def notes(self) -> tuple[str, ...]:
        """What a reader of the ranking must know."""
        log, fit = self.log, self.fit
        notes = []
        if len(self.components) > 1:
            told = " | ".join(", ".join(group) for group in self.components)
            notes.append(f"the models fall into {len(self.components)} groups that never met, ranked apart: {told}")
        if fit.regularised:
            notes.append(_regularised(self))
        if not fit.converged:
            notes.append(f"the fit did not converge in {count(fit.iterations, 'step')}: the odds are too extreme")
        if isinstance(self.spread, BootstrapStrengths):
            notes.extend(_of_resamples(self.spread, log.n_prompts if self.clustered else len(log)))
        if self.clustered:
            notes.append(f"the battles on one prompt count as one: {count(log.n_prompts, 'prompt')}")
        if log.n_unjudged:
            share = percent(self.unjudged_share)
            notes.append(f"{count(log.n_unjudged, 'battle')} without a verdict ({share}) left out")
        if log.n_both_bad:
            notes.append(f"{count(log.n_both_bad, 'tie')} of two bad answers, counted as ties")
        if log.battles.weights is not None:
            notes.append("battles count by their weights")
        if len(log.categories) > 1:
            told = listing(log.categories)
            notes.append(
                f"{len(log.categories)} categories ranked as one ({told}): a model may be strong in one alone; "
                "a file of one category ranks it by itself"
            )
        return (*notes, *self._of_judges())

    def _of_judges(self) -> list[str]:
        notes = []
        if self.positions is not None:
            notes.append(self.positions.sentence)
        names = self.log.judge_names
        if not names:
            notes.append("the battles do not tell who judged: a ranking rests on that")
        elif len(names) == 1:
            notes.append(f"all battles are judged by {names[0]}: the ranking rests on that")
        partial = [name for name in names if name in self.log.models]
        if partial:
            notes.append(f"{listing(partial)} judged and fought: judges tend to favour answers like their own")
        if len(names) > len(self.judges) > 0:
            notes.append(f"{len(names)} judges, of whom the {len(self.judges)} with the most battles follow")
        for judge in self.judges:
            agrees = (
                ""
                if judge.agreement is None
                else (
                    f", agrees with the others on {percent(judge.agreement)} of {count(judge.n_shared, 'comparison')}"
                )
            )
            top = ", ".join(judge.ranking[:3])
            notes.append(f"judge {judge.name}: {count(judge.n_battles, 'battle')}{agrees}; ranks {top} first")
        return notes


def rank_models(
    log: BattleLog, *, interval: IntervalMethod = "wald", n_resamples: int = N_RESAMPLES, rng: np.random.Generator
) -> Ranking:
    """Fit the strengths of the models.

    Args:
        log: the battles.
        interval: ``wald``, from the curvature of the likelihood, or from how prompts or battles differ where they come
            by prompts or with weights; ``bootstrap``, by resampling battles, or prompts.
        n_resamples: of the bootstrap.
        rng: of the bootstrap.
    """
    fit = fit_bradley_terry(win_matrix(log.battles))
    clustered = _LEAST_PROMPTS <= log.n_prompts < len(log)
    clusters = log.prompts if clustered else None
    spread: StrengthDistribution
    if clustered or (log.battles.weights is not None and len(log) >= _FEW):
        spread, method = robust_wald(fit, log.battles, clusters), f"Wald, by {'prompts' if clustered else 'battles'}"
    else:
        spread, method = wald(fit), "Wald"
    by_wald = spread
    if interval == "bootstrap":
        spread = bootstrap_strengths(fit, log.battles, clusters=clusters, n_resamples=n_resamples, rng=rng)
        method = f"bootstrap, {n_resamples} resamples of {'prompts' if clustered else 'battles'}"
    return Ranking(
        log=log,
        fit=fit,
        spread=spread,
        wald=by_wald,
        method=method,
        clustered=clustered,
        positions=measure_position_bias(log),
        judges=split_by_judge(log),
    )


def _of_resamples(spread: BootstrapStrengths, units: int) -> list[str]:
    n, notes = len(spread.draws), []
    if units < _FEW:
        notes.append(f"{units} are few to resample, and hide some of the doubt: the interval `wald` does not")
    if spread.n_regularised:
        share = percent(spread.n_regularised / n)
        notes.append(f"{share} of the resamples have no finite strengths and are regularised")
    if spread.n_unconverged:
        notes.append(f"{percent(spread.n_unconverged / n)} of the resamples did not converge")
    return notes


def _regularised(ranking: Ranking) -> str:
    """Who is to blame, and what was done."""
    graph, models = ranking.fit.connectivity, ranking.log.models
    extremes = [
        f"{', '.join(_picked(models, who))} {word}"
        for who, word in ((graph.undefeated, "undefeated"), (graph.winless, "without a win"))
        if who.any()
    ]
    why = " and ".join(extremes) or "some models beat others without a way back"
    return f"regularised: {why}, so that no finite strengths fit; half a win each way was added to pairs that met"


def _picked(names: tuple[str, ...], which: NDArray[np.bool_]) -> tuple[str, ...]:
    """The names at these places; an array of texts would lose the zero characters at their ends."""
    return tuple(compress(names, which.tolist()))
