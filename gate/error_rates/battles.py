"""How often the arena check errs: where the two models are equals, and where one is worse by a stated chance."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from gate.checks.arena import ArenaOptions
from gate.results import CheckResult
from gate.stats.logistic import logit
from gate.stats.multiplicity import ERROR_SHARE

# The chance to win that is spoken of where no margin says which one matters.
_USUAL_CHANCE = 0.45
_EVEN = 0.5
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(1 - ERROR_SHARE)


class Contest(NamedTuple):
    """One arena check's result, and the options that it was made with."""

    result: CheckResult
    options: ArenaOptions


@dataclass(frozen=True, slots=True)
class BattleRates:
    """What the arena check would say of battles like these.

    Attributes:
        battles: how many there are.
        block: the share of runs between equals that it would BLOCK, 0 to 1.
        warn: the share of them that it would WARN about.
        chance: a chance to win under 0.5.
        caught: the share of runs with that chance that it would BLOCK.
    """

    battles: int
    block: float
    warn: float
    chance: float
    caught: float


def measure_battles(contest: Contest, *, tests: int) -> BattleRates | None:
    """By the normal approximation to the log-odds of winning, with the spread that these battles show.

    Args:
        contest: the check's result and options.
        tests: how many suites of battles share the error rate.

    Returns:
        None where the check could not be made, or the spread is not known.
    """
    result, options = contest
    spread, battles = result.figures.get("log_odds_sd"), result.figures.get("battles")
    if not isinstance(spread, float) or not isinstance(battles, int):
        return None
    chance = _USUAL_CHANCE if options.margin is None else _EVEN - options.margin
    if result.reason == "too-few-prompts":
        return BattleRates(battles, 0.0, 1.0, chance, 0.0)
    equal, below = (_shares(spread, options, tests, truth=truth) for truth in (_EVEN, chance))
    return BattleRates(battles, equal.block, equal.warn, chance, below.block)


class _Shares(NamedTuple):
    """The shares of runs that are blocked and warned about, 0 to 1."""

    block: float
    warn: float


def _shares(spread: float, options: ArenaOptions, tests: int, *, truth: float) -> _Shares:
    """The shares where the true chance is ``truth``."""
    seen = NormalDist(logit(truth), spread)
    blocks_below = _NORMAL.inv_cdf(ERROR_SHARE / tests) * spread
    if options.margin is None:
        return _Shares(seen.cdf(blocks_below), 0.0)
    margin = logit(_EVEN - options.margin)
    no_worse_from = margin + _Z * spread
    block = seen.cdf(min(blocks_below, no_worse_from))
    if options.cannot_tell == "fail":
        return _Shares(seen.cdf(no_worse_from), 0.0)
    warns_below = no_worse_from if options.cannot_tell == "warn" else min(margin, no_worse_from)
    return _Shares(block, max(0.0, seen.cdf(warns_below) - block))
