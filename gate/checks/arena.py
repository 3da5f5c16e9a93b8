"""Arena: does the model lose its battles against another?"""

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from gate.checks.base import Options, Outcome
from gate.evidence import ArenaEvidence, Estimate
from gate.results import CheckResult, Figure, Status
from gate.stats.logistic import chances_of, logit
from gate.stats.multiplicity import ERROR_SHARE
from gate.wording import count, limit, number, percent, probability, stated_p

if TYPE_CHECKING:  # only suites of battles need what it takes to rank
    from gate.battles import Ranking

NAME = "arena"
ASKS = (
    "Does `model` lose against `against`, by more than chance explains? Judged is the chance to win by the "
    "Bradley-Terry strengths of all battles, which is 0.5 between equals. Battles on one prompt count as one; several "
    "suites share the error rate (Holm). It needs `kind: battles` in the suite."
)
WHEN_IT_FAILS = (
    "Look at the leaderboard (`gate arena FILE`), at who judged, and at the battles that were lost. Mend the "
    "candidate; or, if the loss is meant, say how much is tolerable with `margin`."
)

_ALPHA = 0.05
_EVEN = 0.5
_Z = NormalDist().inv_cdf(1 - _ALPHA / 2)
_Z_POWER = NormalDist().inv_cdf(0.8)
# On fewer prompts an equal model loses all of them with a chance that is more than a false BLOCK may have.
_LEAST_PROMPTS = 6


class ArenaOptions(Options):
    """Options of the arena check."""

    model: str = Field(min_length=1, description="The model that asks to ship, as the battles name it.")
    against: str = Field(min_length=1, description="The model to compare it with, as the battles name it.")
    margin: float | None = Field(
        default=None, gt=0, lt=0.5, allow_inf_nan=False,
        description="How far below 0.5 its chance to win may be; without it only a loss that is shown fails.",
    )  # fmt: skip
    cannot_tell: Literal["note", "warn", "fail"] = Field(
        default="note",
        description="With a margin, where neither a loss nor its absence is shown: `note` passes while the chance seen "
        "is within the margin and warns beyond it; `warn` and `fail` always do.",
    )
    interval: Literal["wald", "bootstrap"] = Field(
        default="wald", description="How the interval is made: from the likelihood's curvature, or by resampling."
    )
    n_resamples: int = Field(default=1000, ge=100, le=100_000, description="Of the bootstrap.")

    @model_validator(mode="after")
    def _two_models(self) -> Self:
        if self.model == self.against:
            raise ValueError("model and against are the same: name two models")
        return self


class _Contest(NamedTuple):
    """What the battles say of the two models.

    Attributes:
        estimate: the chance of ``model`` to win, with its interval.
        p_value: one-sided, of "it is no worse".
        p_at_margin: one-sided, of "it is worse by the margin or more"; None without one.
        wins: weight of the battles between the two that it won; without weights, their number.
        ties: likewise, tied.
        losses: likewise, lost.
        prompts: on how many prompts the one of the two fought that fought on fewer; None where each battle counts.
        shown: the chance to win that battles like these would show to be under 0.5 four times of five.
        sd: the standard deviation of the log-odds; None where it has no bound.
    """

    estimate: Estimate
    p_value: float
    p_at_margin: float | None
    wins: float
    ties: float
    losses: float
    prompts: int | None
    shown: float
    sd: float | None

    @property
    def too_few_prompts(self) -> bool:
        """Not even a loss on all of them would be one that is shown."""
        return self.prompts is not None and self.prompts < _LEAST_PROMPTS

    @property
    def no_worse(self) -> bool:
        """No loss beyond the margin is shown."""
        return self.p_at_margin is not None and self.p_at_margin <= _ALPHA / 2


def check(ranking: "Ranking", options: ArenaOptions) -> CheckResult:
    """Judge the chance to win: a loss shown, none beyond the margin shown, or neither."""
    one, other = (ranking.log.models.index(name) for name in (options.model, options.against))
    if not ranking.fit.connectivity.comparable[one, other]:
        return CheckResult(
            NAME, Status.FAIL, "not-comparable", "no chain of battles links the two models", notes=ranking.notes(),
            remedy="let them meet, or let both meet a third model",
        )  # fmt: skip
    found = _contest(ranking, options, one, other)
    outcome = _outcome(found, ranking, options)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=_detail(found, ranking),
        remedy=outcome.remedy,
        notes=(*_notes(found, outcome.status), *ranking.notes()),
        figures=_figures(found, ranking, options),
        p_value=found.p_value,
        if_not_upheld=_cannot_tell(found, options).status if options.margin is not None else Status.WARN,
        evidence=_evidence(found, ranking, options),
    )


def _evidence(found: "_Contest", ranking: "Ranking", options: ArenaOptions) -> ArenaEvidence:
    # loaded here: a gate without battles starts without what ranks them
    from gate.battles import chances_in, order_of, standings_of, wins_in  # noqa: PLC0415

    order = order_of(ranking)
    return ArenaEvidence(
        found.estimate,
        _EVEN - (options.margin or 0.0),
        "even" if options.margin is None else "margin",
        (0.0, 1.0),
        value_name="chance",
        standings=standings_of(ranking, order),
        chances=chances_in(ranking, order),
        wins=wins_in(ranking, order),
    )


def _contest(ranking: "Ranking", options: ArenaOptions, one: int, other: int) -> _Contest:
    spread, battles = ranking.spread, ranking.log.battles
    interval = spread.probability_interval(one, other, alpha=_ALPHA)
    chance = float(ranking.fit.probabilities[one, other])
    between = ((battles.first == one) & (battles.second == other), (battles.first == other) & (battles.second == one))
    outcomes = np.concatenate([battles.outcomes[between[0]], 1 - battles.outcomes[between[1]]])
    weights = np.ones(len(battles)) if battles.weights is None else battles.weights
    weights = np.concatenate([weights[rows] for rows in between])
    limit_ = None if options.margin is None else _EVEN - options.margin
    known = ranking.wald.probability_interval(one, other, alpha=_ALPHA)
    sd = (logit(known.high) - logit(known.low)) / (2 * _Z) if known.low > 0 and known.high < 1 else math.inf
    # resamples of few battles see no doubt where these ended alike, so that both ways must show what is to be shown
    ways = (spread, ranking.wald)
    return _Contest(
        estimate=Estimate(chance, *interval, 1 - _ALPHA, ranking.method, ranking.log.n_verdicts),
        p_value=max(way.p_below(one, other, limit=_EVEN) for way in ways),
        p_at_margin=None if limit_ is None else max(way.p_above(one, other, limit=limit_) for way in ways),
        wins=float(weights[outcomes == 1].sum()),
        ties=float(weights[outcomes == _EVEN].sum()),
        losses=float(weights[outcomes == 0].sum()),
        prompts=ranking.n_prompts_of(one, other),
        shown=float(chances_of(np.array(-(_Z + _Z_POWER) * sd))),
        sd=sd if math.isfinite(sd) else None,
    )


def _outcome(found: _Contest, ranking: "Ranking", options: ArenaOptions) -> Outcome:
    if found.prompts is not None and found.too_few_prompts:
        strict = options.margin is not None and options.cannot_tell == "fail"
        return Outcome(
            Status.FAIL if strict else Status.WARN,
            "too-few-prompts",
            f"{count(found.prompts, 'prompt')} cannot show a loss: chance {number(found.estimate.value)}",
            f"let both fight on more prompts, at least {_LEAST_PROMPTS}",
        )
    told = f"{options.model} beats {options.against} with a chance of {number(found.estimate.value)}"
    if found.no_worse:
        outcome = Outcome(Status.PASS, "no-worse", f"no worse than the margin {limit(options.margin or 0.0)}: {told}")
    elif found.p_value <= ERROR_SHARE:
        sentence = f"the candidate is worse: {told}, p {probability(found.p_value)}"
        return Outcome(Status.FAIL, "loss-shown", sentence, "read the battles that it lost; mend the candidate")
    elif options.margin is None:
        outcome = Outcome(Status.PASS, "no-loss-shown", f"no loss shown: {told}")
    else:
        outcome = _cannot_tell(found, options)
    return _doubt(ranking) or outcome if outcome.status is Status.PASS else outcome


def _cannot_tell(found: _Contest, options: ArenaOptions) -> Outcome:
    margin, chance = options.margin or 0.0, found.estimate.value
    sentence = f"cannot tell from so few battles whether the margin {limit(margin)} holds: chance {number(chance)}"
    within = Status.PASS if chance >= _EVEN - margin else Status.WARN
    status = {"note": within, "warn": Status.WARN, "fail": Status.FAIL}[options.cannot_tell]
    return Outcome(status, "cannot-tell", sentence, "add battles, on more prompts; or widen the margin")


def _doubt(ranking: "Ranking") -> Outcome | None:
    """What could turn the answer and does not show in the interval."""
    if ranking.many_unjudged:
        sentence = f"{percent(ranking.unjudged_share)} of the battles have no verdict, which could decide"
        return Outcome(Status.WARN, "battles-unjudged", sentence, "let the judge go over them again")
    if not ranking.fit.converged:
        return Outcome(
            Status.WARN, "not-converged", "the strengths did not converge: the odds are too extreme",
            "look at the models without a win or a loss; add battles between equals",
        )  # fmt: skip
    return None


def _detail(found: _Contest, ranking: "Ranking") -> str:
    estimate = found.estimate
    prompts = "" if found.prompts is None else f" on {count(ranking.log.n_prompts, 'prompt')}"
    return ", ".join(
        [
            f"95 % interval [{number(estimate.low)}, {number(estimate.high)}]",
            f"{found.wins:.10g} won, {found.losses:.10g} lost, {found.ties:.10g} tied between the two",
            f"{count(estimate.n, 'battle')} of {count(len(ranking.log.models), 'model')}{prompts}",
            *(["regularised"] if ranking.fit.regularised else []),
        ]
    )


def _notes(found: _Contest, status: Status) -> tuple[str, ...]:
    if status is Status.FAIL or found.too_few_prompts or found.shown <= 0:
        return ()
    return (f"a true chance of {number(found.shown)} is shown to be a loss 80 % of the time by battles like these",)


def _figures(found: _Contest, ranking: "Ranking", options: ArenaOptions) -> dict[str, Figure]:
    estimate = found.estimate
    whole = int if ranking.log.battles.weights is None else float
    return {
        "chance": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "p": stated_p(found.p_value),
        "margin": options.margin,
        "p_at_margin": None if found.p_at_margin is None else stated_p(found.p_at_margin),
        "wins": whole(found.wins),
        "losses": whole(found.losses),
        "ties": whole(found.ties),
        "battles": estimate.n,
        "unjudged": ranking.log.n_unjudged,
        "models": len(ranking.log.models),
        "rank": int(ranking.fit.ranks[ranking.log.models.index(options.model)]),
        "regularised": ranking.fit.regularised,
        "log_odds_sd": found.sd,
    }
