"""The arena check: does the model lose its battles against another?"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.special import expit
from scipy.stats import binom, norm

from gate.battles import Ranking, rank_models, read_battles
from gate.checks import arena
from gate.checks.arena import ArenaOptions
from gate.evidence import ArenaEvidence
from gate.results import CheckResult, Report, Status, Word
from gate.stats.bootstrap import Interval
from gate.stats.bradley_terry import StrengthDistribution

Battle = dict[str, object]
Write = Callable[[Sequence[Battle]], str]
CheckOn = Callable[..., CheckResult]


def battles(won: int, lost: int, tied: int = 0, *, of: str = "new", against: str = "old") -> list[Battle]:
    """Battles of two models, without prompts."""
    words = ["model_a"] * won + ["model_b"] * lost + ["tie"] * tied
    return [{"model_a": of, "model_b": against, "winner": word} for word in words]


def on_prompts(rows: Sequence[Battle], games: int) -> list[Battle]:
    """So many battles in a row on each prompt."""
    return [{**row, "question_id": number // games} for number, row in enumerate(rows)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    numbers = count()

    def write_battles(rows: Sequence[Battle]) -> str:
        path = tmp_path / f"{next(numbers)}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return write_battles


@pytest.fixture
def ranked(write: Write) -> Callable[..., Ranking]:
    def rank(rows: Sequence[Battle], **how: object) -> Ranking:
        return rank_models(read_battles([write(rows)]), rng=np.random.default_rng(0), **how)  # type: ignore[arg-type]

    return rank


@pytest.fixture
def check(ranked: Callable[..., Ranking]) -> CheckOn:
    def check_battles(rows: Sequence[Battle], **options: object) -> CheckResult:
        given = ArenaOptions.model_validate({"model": "new", "against": "old", **options})
        return arena.check(ranked(rows, interval=given.interval, n_resamples=given.n_resamples), given)

    return check_battles


# three outcomes


@pytest.mark.parametrize(
    ("won", "lost", "options", "status", "reason"),
    [
        (5, 30, {}, Status.FAIL, "loss-shown"),
        (14, 16, {}, Status.PASS, "no-loss-shown"),
        (30, 5, {}, Status.PASS, "no-loss-shown"),
        (30, 20, {"margin": 0.1}, Status.PASS, "no-worse"),
        (5, 30, {"margin": 0.1}, Status.FAIL, "loss-shown"),
        (450, 550, {"margin": 0.1}, Status.PASS, "no-worse"),  # worse, and by less than is tolerable
        (9, 10, {"margin": 0.1}, Status.PASS, "cannot-tell"),
        (7, 13, {"margin": 0.1}, Status.WARN, "cannot-tell"),
        (9, 10, {"margin": 0.1, "cannot_tell": "warn"}, Status.WARN, "cannot-tell"),
        (9, 10, {"margin": 0.1, "cannot_tell": "fail"}, Status.FAIL, "cannot-tell"),
        (7, 13, {"margin": 0.1, "cannot_tell": "fail"}, Status.FAIL, "cannot-tell"),
    ],
)
def test_a_loss_is_shown_or_none_beyond_the_margin_or_neither(
    won: int, lost: int, options: dict[str, object], status: Status, reason: str, check: CheckOn
) -> None:
    result = check(battles(won, lost), **options)
    assert (result.status, result.reason) == (status, reason)


def test_a_loss_is_told_with_its_chance_and_p(check: CheckOn) -> None:
    result = check(battles(5, 30, 5))
    assert result.sentence == "the candidate is worse: new beats old with a chance of 0.187, p < 0.001"
    assert result.detail.startswith("95 % interval [0.094, 0.338], 5 won, 30 lost, 5 tied between the two, ")
    assert result.detail.endswith(" tied between the two, 40 battles of 2 models")
    assert result.remedy == "read the battles that it lost; mend the candidate"


def test_every_other_outcome_is_told_with_its_chance(check: CheckOn) -> None:
    even = "new beats old with a chance of 0.500"
    assert check(battles(9, 9)).sentence == f"no loss shown: {even}"
    assert check(battles(99, 99), margin=0.125).sentence == f"no worse than the margin 0.125: {even}"
    unknown = check(battles(9, 9), margin=0.05)
    assert unknown.sentence == "cannot tell from so few battles whether the margin 0.05 holds: chance 0.500"
    assert unknown.remedy == "add battles, on more prompts; or widen the margin"
    assert check(battles(9, 9)).remedy == check(battles(99, 99), margin=0.125).remedy == ""


def test_the_chance_seen_may_lie_at_the_margin_itself(check: CheckOn) -> None:
    assert check(battles(1, 3), margin=0.2499).status is Status.WARN
    assert check(battles(1, 3), margin=0.2501).status is Status.PASS


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({}, Status.WARN),
        ({"cannot_tell": "fail"}, Status.WARN),
        ({"margin": 0.4}, Status.PASS),
        ({"margin": 0.1}, Status.WARN),
        ({"margin": 0.4, "cannot_tell": "warn"}, Status.WARN),
        ({"margin": 0.4, "cannot_tell": "fail"}, Status.FAIL),
    ],
)
def test_a_shown_loss_that_other_tests_outweigh_becomes_what_is_told_where_nothing_is_shown(
    options: dict[str, object], status: Status, check: CheckOn
) -> None:
    assert check(battles(5, 30), **options).if_not_upheld is status


def test_the_figures_of_two_models_are_those_of_a_binomial_s_log_odds(check: CheckOn) -> None:
    result = check(battles(30, 20), margin=0.1)
    odds, sd = math.log(1.5), math.sqrt(1 / 30 + 1 / 20)
    wanted = {
        "chance": 0.6,
        "low": expit(odds - 1.959964 * sd),
        "high": expit(odds + 1.959964 * sd),
        "p": norm.cdf(odds / sd),
        "p_at_margin": norm.sf((odds + odds) / sd),
        "log_odds_sd": sd,
    }
    assert {name: result.figures[name] for name in wanted} == pytest.approx(wanted, rel=1e-6)
    assert result.p_value == pytest.approx(wanted["p"])
    # two standard errors and 0.84 below even
    shown = expit(-(1.959964 + 0.841621) * sd)
    assert result.notes[0] == (
        f"a true chance of {shown:.3f} is shown to be a loss 80 % of the time by battles like these"
    )
    assert check(battles(30, 20)).figures["p_at_margin"] is None


def test_of_resamples_the_p_s_are_those_of_the_way_that_shows_less(check: CheckOn) -> None:
    wald, drawn = (check(battles(30, 20), margin=0.1, interval=way).figures for way in ("wald", "bootstrap"))
    # of 1000 draws a few are under the chance of 0.4, more than a normal has there
    assert float(drawn["p_at_margin"] or 0) > float(wald["p_at_margin"] or 0)
    assert round(1001 * float(drawn["p_at_margin"] or 0), 6) % 1 == 0
    assert drawn["p"] == wald["p"]
    assert drawn["log_odds_sd"] == wald["log_odds_sd"]


@pytest.mark.parametrize(("margin", "at", "name"), [(None, 0.5, "even"), (0.125, 0.375, "margin")])
def test_the_evidence_is_drawn_from_never_to_always(margin: float | None, at: float, name: str, check: CheckOn) -> None:
    evidence = check(battles(30, 20), margin=margin).evidence
    assert isinstance(evidence, ArenaEvidence)
    assert (evidence.limit, evidence.limit_name, evidence.axis) == (at, name, (0.0, 1.0))
    assert (evidence.value_name, evidence.exact, evidence.parts) == ("chance", None, ())
    estimate = evidence.estimate
    assert estimate.value == pytest.approx(0.6)
    assert (estimate.confidence_level, estimate.n) == (0.95, 50)
    assert [standing.model for standing in evidence.standings] == ["new", "old"]
    assert evidence.wins == ((0.0, 30.0), (20.0, 0.0))
    assert evidence.chances[0][1] == pytest.approx(0.6)


class Unbounded:
    """Strengths of which nothing is known on one side or both."""

    def __init__(self, low: float, high: float) -> None:
        self.ends = Interval(low, high)

    def probability_interval(self, _one: int, _other: int, *, alpha: float) -> Interval:
        assert alpha == 0.05
        return self.ends

    def p_below(self, _one: int, _other: int, *, limit: float) -> float:
        return 1.0 - limit

    p_above = p_below


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.9), (0.1, 1.0), (0.0, 1.0)])
def test_where_the_odds_have_no_bound_no_chance_is_said_to_be_shown(
    low: float, high: float, ranked: Callable[..., Ranking]
) -> None:
    ranking = replace(ranked(battles(10, 10)), wald=cast("StrengthDistribution", Unbounded(low, high)))
    result = arena.check(ranking, ArenaOptions(model="new", against="old"))
    assert result.figures["log_odds_sd"] is None
    assert not [note for note in result.notes if "80 %" in note]


def test_a_loss_is_told_by_the_prompts_that_it_rests_on(check: CheckOn) -> None:
    rows = [{**row, "question_id": number % 30} for number, row in enumerate(battles(20, 40))]
    assert check(rows).detail.endswith(", 60 battles of 2 models on 30 prompts")
    assert check(battles(0, 3)).detail.endswith(
        ", 0 won, 3 lost, 0 tied between the two, 3 battles of 2 models, regularised"
    )


def test_the_figures(check: CheckOn) -> None:
    result = check(battles(14, 20, 4), margin=0.05)
    chance = 16 / 38
    sd = np.sqrt(1 / 16 + 1 / 22)
    assert result.figures["chance"] == pytest.approx(chance)
    assert result.figures["low"] == pytest.approx(1 / (1 + np.exp(-(np.log(16 / 22) - 1.959964 * sd))), abs=1e-6)
    # against an even chance: the tail of a normal
    assert result.figures["p"] == pytest.approx(0.1656, abs=1e-3)
    assert {key: result.figures[key] for key in ("margin", "wins", "losses", "ties", "battles", "unjudged")} == {
        "margin": 0.05, "wins": 14, "losses": 20, "ties": 4, "battles": 38, "unjudged": 0,
    }  # fmt: skip
    assert (result.figures["models"], result.figures["rank"], result.figures["regularised"]) == (2, 2, False)
    assert isinstance(result.figures["wins"], int)


def test_weights_are_counted_as_they_weigh(check: CheckOn) -> None:
    rows = [{**row, "weight": 2.5} for row in battles(3, 2, 1)] + battles(7, 7)
    result = check(rows)
    assert (result.figures["wins"], result.figures["losses"], result.figures["ties"]) == (14.5, 12.0, 2.5)
    assert "14.5 won, 12 lost, 2.5 tied between the two" in result.detail


def test_the_direction_is_that_of_the_two_options(check: CheckOn) -> None:
    one, other = check(battles(5, 30)), check(battles(5, 30), model="old", against="new")
    assert (one.status, other.status) == (Status.FAIL, Status.PASS)
    assert one.figures["chance"] == pytest.approx(1 - float(other.figures["chance"] or 0))


def test_battles_are_counted_whichever_model_is_named_first_and_those_of_others_are_not(check: CheckOn) -> None:
    turned = battles(4, 2, 1, of="old", against="new")
    others = battles(5, 6, 3, against="third") + battles(7, 8, 2, of="third", against="old")
    result = check(battles(3, 1, 2) + turned + others + battles(1, 2, of="third", against="new"))
    assert {name: result.figures[name] for name in ("wins", "losses", "ties")} == {"wins": 5, "losses": 5, "ties": 3}
    assert result.figures["battles"] == 47


def test_two_that_never_met_are_compared_through_a_third(check: CheckOn) -> None:
    rows = battles(5, 30, against="third") + battles(16, 15, of="old", against="third")
    result = check(rows)
    assert (result.reason, result.figures["wins"], result.figures["losses"]) == ("loss-shown", 0, 0)
    assert "0 won, 0 lost, 0 tied between the two" in result.detail


def test_two_without_a_chain_of_battles_are_a_fail_and_no_pass(check: CheckOn) -> None:
    result = check(battles(9, 9, against="third") + battles(9, 9, of="old", against="fourth"))
    assert (result.status, result.reason) == (Status.FAIL, "not-comparable")
    assert result.sentence == "no chain of battles links the two models"
    assert result.remedy == "let them meet, or let both meet a third model"
    assert result.notes[0] == "the models fall into 2 groups that never met, ranked apart: fourth, old | new, third"
    assert result.p_value is None


# what makes a pass doubtful


def test_many_unjudged_battles_make_a_pass_a_warn_and_leave_a_fail(check: CheckOn) -> None:
    pair = {"model_1": "new", "model_2": "old", "g1_winner": "model_1", "g2_winner": "error"}
    rows: list[Battle] = [{**pair, "question_id": row} for row in range(20)]
    result = check(rows)
    assert (result.status, result.reason) == (Status.WARN, "battles-unjudged")
    assert result.sentence == "50 % of the battles have no verdict, which could decide"
    assert result.remedy == "let the judge go over them again"
    assert result.figures["unjudged"] == 20
    assert check([{**row, "g1_winner": "model_2"} for row in rows]).reason == "loss-shown"


def test_a_fit_that_did_not_converge_makes_a_pass_a_warn(ranked: Callable[..., Ranking]) -> None:
    ranking = ranked(battles(10, 10))
    broken = replace(ranking, fit=replace(ranking.fit, converged=False))
    result = arena.check(broken, ArenaOptions(model="new", against="old"))
    assert (result.status, result.reason) == (Status.WARN, "not-converged")
    assert result.sentence == "the strengths did not converge: the odds are too extreme"
    assert result.remedy == "look at the models without a win or a loss; add battles between equals"


@pytest.mark.parametrize("prompts", [1, 2, 5])
def test_on_a_few_prompts_neither_a_loss_nor_its_absence_is_shown(prompts: int, check: CheckOn) -> None:
    for rows in (on_prompts(battles(0, 20 * prompts), 20), on_prompts(battles(20 * prompts, 0), 20)):
        result = check(rows, margin=0.1)
        assert (result.status, result.reason) == (Status.WARN, "too-few-prompts")
        told = "1 prompt" if prompts == 1 else f"{prompts} prompts"
        assert result.sentence == f"{told} cannot show a loss: chance {result.figures['chance']:.3f}"
        assert result.remedy == "let both fight on more prompts, at least 6"
        assert not [note for note in result.notes if "80 %" in note]
    assert check(rows, margin=0.1, cannot_tell="fail").status is Status.FAIL
    assert check(rows, cannot_tell="fail").status is Status.WARN
    assert check(rows, margin=0.1, cannot_tell="warn").status is Status.WARN


def test_six_prompts_can_show_a_loss(check: CheckOn) -> None:
    assert check(on_prompts(battles(0, 120), 20)).reason == "loss-shown"


def test_the_prompts_of_others_are_no_evidence_about_these_two(check: CheckOn) -> None:
    others = [{**row, "question_id": f"o{row_}"} for row_, row in enumerate(battles(50, 50, of="old", against="third"))]
    result = check([*on_prompts(battles(0, 40), 20), *others])
    assert (result.status, result.reason) == (Status.WARN, "too-few-prompts")


@pytest.mark.parametrize(("won", "lost"), [(0, 3), (3, 0), (1, 0), (0, 1)])
def test_a_bootstrap_of_few_battles_alone_shows_nothing(won: int, lost: int, check: CheckOn) -> None:
    # every resample of three lost battles is three lost battles; an equal model loses three of three in 12.5 %
    result = check(battles(won, lost), interval="bootstrap", margin=0.2)
    assert result.reason == "cannot-tell"


def test_a_bootstrap_shows_what_is_there(check: CheckOn) -> None:
    result = check(battles(5, 30), interval="bootstrap", n_resamples=500)
    assert result.reason == "loss-shown"
    assert float(result.figures["p"] or 0) == pytest.approx(1 / 501)  # of the draws none, and the battles themselves


def test_the_drop_that_is_shown_is_told_where_none_was(check: CheckOn) -> None:
    result = check(battles(50, 50))
    # two standard errors and 0.84 below even: the logit of 100 battles has one of 0.2
    assert result.notes[0].startswith("a true chance of 0.363 is shown to be a loss 80 % of the time")
    assert not [note for note in check(battles(5, 30)).notes if "80 %" in note]


# options


@pytest.mark.parametrize(
    "options",
    [
        {"model": ""},
        {"against": "new"},
        {"margin": 0},
        {"margin": 0.5},
        {"margin": -0.1},
        {"margin": float("nan")},
        {"cannot_tell": "pass"},
        {"interval": "exact"},
        {"n_resamples": 99},
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ArenaOptions.model_validate({"model": "new", "against": "old", **options})


def test_a_model_against_itself_is_told(check: CheckOn) -> None:
    with pytest.raises(ValidationError) as error:
        check([], against="new")
    assert [one["msg"] for one in error.value.errors()] == [
        "Value error, model and against are the same: name two models"
    ]


# several suites


def test_suites_share_the_error_rate(write: Write, judge: Callable[..., Report]) -> None:
    suites = [
        {
            "name": name,
            "kind": "battles",
            "candidate": write(battles(*score)),
            "checks": {"arena": {"model": "new", "against": "old"}},
        }
        for name, score in (("a", (12, 26)), ("b", (20, 20)), ("c", (20, 20)))
    ]
    alone, together = judge([suites[0]]), judge(suites)
    assert alone.verdict.word is Word.BLOCK
    assert together.verdict.word is Word.WARN
    first = together.suites[0].results[0]
    assert (first.status, first.reason) == (Status.WARN, "loss-shown")
    assert first.sentence.endswith("not upheld among 3 tests")
    assert float(first.figures["p_adjusted"] or 0) == pytest.approx(3 * float(first.figures["p"] or 0))


# how often it errs


def simulated(rng: np.random.Generator, prompts: int, strength: float) -> list[Battle]:
    """Two games a prompt against two others; prompts suit a model or not, and a judge ties at times."""
    rows: list[Battle] = []
    for prompt in range(prompts):
        for other in ("old", "third"):
            taste = rng.normal(0, 1.5)
            for _ in range(2):
                won = rng.random() < 1 / (1 + np.exp(-(strength + taste)))
                winner = "tie" if rng.random() < 0.2 else "model_a" if won else "model_b"
                rows.append({"model_a": "new", "model_b": other, "winner": winner, "question_id": prompt})
    return rows


@pytest.mark.parametrize("prompts", [6, 30])
@pytest.mark.simulation
def test_an_unchanged_model_is_seldom_blocked(prompts: int, check: CheckOn) -> None:
    rng, runs = np.random.default_rng(prompts), 250
    blocked = sum(check(simulated(rng, prompts, 0.0)).status is Status.FAIL for _ in range(runs))
    assert blocked <= binom.ppf(1 - 1e-4, runs, 0.025)


def test_a_margin_is_seldom_said_to_hold_where_it_does_not(check: CheckOn) -> None:
    # the true chance to win lies at the margin, or a little below it
    rng, runs = np.random.default_rng(3), 250
    shown = sum(check(battles(*rng.multinomial(60, [0.4, 0.6])), margin=0.1).reason == "no-worse" for _ in range(runs))
    assert shown <= binom.ppf(1 - 1e-4, runs, 0.025)


def test_a_real_loss_is_caught(check: CheckOn) -> None:
    rng = np.random.default_rng(4)
    blocked = sum(check(simulated(rng, 100, -1.2)).status is Status.FAIL for _ in range(20))
    assert blocked >= 18
