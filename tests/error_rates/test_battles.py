"""What the summary says of how often the arena check errs, held to what simulated battles do."""

from collections.abc import Sequence

import numpy as np
import pytest

from gate.battles import BattleLog, rank_models
from gate.checks import arena
from gate.checks.arena import ArenaOptions
from gate.error_rates import Contest, tell_rates
from gate.error_rates.battles import measure_battles
from gate.results import CheckResult, Status
from gate.scores.model import Source
from gate.stats.battles import Battles

N = 150
RUNS = 400


def fought(chance: float, rng: np.random.Generator, n: int = N) -> BattleLog:
    """Battles of two models, of which the first wins with this chance."""
    outcomes = (rng.random(n) < chance).astype(float)
    battles = Battles(np.zeros(n, dtype=np.intp), np.ones(n, dtype=np.intp), outcomes, 2)
    ordered = np.ones(n, dtype=np.bool_)
    return BattleLog(
        source=Source("battles.csv", "digest", 1, "arena"), models=("new", "old"), battles=battles, prompts=None,
        questions=None,
        judges=None, judge_names=(), is_ordered=ordered, n_unjudged=0, n_both_bad=0, is_timed=False,
    )  # fmt: skip


def judged(chance: float, options: ArenaOptions, seed: int) -> CheckResult:
    rng = np.random.default_rng(seed)
    return arena.check(rank_models(fought(chance, rng), rng=rng), options)


def shares(results: Sequence[CheckResult]) -> tuple[float, float]:
    return tuple(  # type: ignore[return-value]  # two of them
        sum(result.status is status for result in results) / len(results) for status in (Status.FAIL, Status.WARN)
    )


@pytest.mark.parametrize(
    "options",
    [
        ArenaOptions(model="new", against="old"),
        ArenaOptions(model="new", against="old", margin=0.1),
        ArenaOptions(model="new", against="old", margin=0.1, cannot_tell="warn"),
        ArenaOptions(model="new", against="old", margin=0.05, cannot_tell="fail"),
    ],
    ids=["no margin", "note", "warn", "fail"],
)
def test_the_rates_are_those_of_simulated_battles(options: ArenaOptions) -> None:
    rates = measure_battles(Contest(judged(0.5, options, 0), options), tests=1)
    assert rates is not None
    equal = shares([judged(0.5, options, seed) for seed in range(RUNS)])
    worse = shares([judged(rates.chance, options, seed) for seed in range(RUNS)])
    # three standard errors of so many runs, and half a battle's worth of rounding
    assert equal[0] == pytest.approx(rates.block, abs=3 * (rates.block * (1 - rates.block) / RUNS) ** 0.5 + 0.02)
    assert equal[1] == pytest.approx(rates.warn, abs=3 * (rates.warn * (1 - rates.warn) / RUNS) ** 0.5 + 0.03)
    assert worse[0] == pytest.approx(rates.caught, abs=3 * (rates.caught * (1 - rates.caught) / RUNS) ** 0.5 + 0.04)


def test_the_line_names_battles_and_the_chance_that_is_caught() -> None:
    options = ArenaOptions(model="new", against="old")
    told = tell_rates([], [Contest(judged(0.5, options, 0), options)])
    assert told is not None
    assert told.sentence.startswith(
        "error rates: by its battles an unchanged run would BLOCK 2.5 % of the time and WARN"
    )
    assert told.sentence.endswith(f"({N} battles)")
    assert "a chance to win of 0.45 is caught" in told.sentence
    assert told.drop == pytest.approx(0.05)


def test_suites_of_battles_share_the_error_rate() -> None:
    options = ArenaOptions(model="new", against="old")
    contest = Contest(judged(0.5, options, 0), options)
    (alone, three) = (tell_rates([], [contest] * number) for number in (1, 3))
    assert alone is not None
    assert three is not None
    assert three.block == pytest.approx(alone.block, abs=1e-3)
    assert three.caught is not None
    assert alone.caught is not None
    assert three.caught < alone.caught


def test_where_prompts_are_too_few_it_always_warns_and_catches_nothing() -> None:
    options = ArenaOptions(model="new", against="old")
    result = CheckResult("arena", Status.WARN, "too-few-prompts", "few", figures={"log_odds_sd": 0.5, "battles": 9})
    rates = measure_battles(Contest(result, options), tests=1)
    assert rates is not None
    assert (rates.block, rates.warn, rates.caught) == (0.0, 1.0, 0.0)


def test_models_that_cannot_be_compared_have_no_rates() -> None:
    options = ArenaOptions(model="new", against="old")
    result = CheckResult("arena", Status.FAIL, "not-comparable", "apart")
    assert tell_rates([], [Contest(result, options)]) is None
