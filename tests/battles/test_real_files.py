"""The battles that Arena-Hard published, against truths.json and computations of our own."""

import json
from collections import Counter

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from gate.arena import Question, make_board
from gate.arena.board import Board
from gate.battles import BattleLog, Ranking, rank_models, read_battles
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES
NAME = "arena/arena_hard_battles_57a9881.jsonl"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    return [json.loads(line) for line in (ROOT / NAME).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def log() -> BattleLog:
    return read_battles([str(ROOT / NAME)])


@pytest.fixture(scope="module")
def ranking(log: BattleLog) -> Ranking:
    return rank_models(log, rng=np.random.default_rng(0))


@pytest.fixture(scope="module")
def board() -> Board:
    return make_board(Question(files=(str(ROOT / NAME),), n_orders=20))


def test_the_counts_are_the_known_ones(log: BattleLog) -> None:
    truth = truth_of(NAME)
    assert (len(log), log.n_prompts, list(log.models)) == (truth["rows"], truth["items"], truth["models"])
    outcomes = Counter(log.battles.outcomes.tolist())
    assert {"model_a": outcomes[1.0], "model_b": outcomes[0.0], "tie": outcomes[0.5]} == truth["winners"]
    assert 1 - log.battles.outcomes.mean() == pytest.approx(truth["mean_score_model_b"], abs=1e-12)
    assert (log.n_unjudged, log.battles.weights, log.judge_names) == (0, None, ())


def test_the_strengths_are_those_of_a_likelihood_written_out_row_by_row(
    rows: list[dict[str, str]], ranking: Ranking
) -> None:
    names = sorted({row[key] for row in rows for key in ("model_a", "model_b")})
    first, second = (np.array([names.index(row[key]) for row in rows]) for key in ("model_a", "model_b"))
    scores = np.array([{"model_a": 1.0, "model_b": 0.0, "tie": 0.5}[row["winner"]] for row in rows])

    def cost(strengths: np.ndarray) -> tuple[float, np.ndarray]:
        gaps = strengths[first] - strengths[second]
        residuals = 1 / (1 + np.exp(-gaps)) - scores
        slope = np.bincount(first, residuals, len(names)) - np.bincount(second, residuals, len(names))
        return float((np.logaddexp(0, gaps) - scores * gaps).sum()), slope

    options = {"ftol": 0.0, "gtol": 1e-10}
    found = minimize(cost, np.zeros(len(names)), jac=True, method="L-BFGS-B", options=options).x
    assert ranking.fit.log_strengths == pytest.approx(found - found.mean(), abs=1e-6)


def test_the_strengths_are_those_of_choix(rows: list[dict[str, str]], ranking: Ranking) -> None:
    # choix knows no ties: each battle stands twice, a tie once each way
    names, won = list(ranking.log.models), []
    for row in rows:
        a, b = names.index(row["model_a"]), names.index(row["model_b"])
        won += {"model_a": [(a, b)] * 2, "model_b": [(b, a)] * 2, "tie": [(a, b), (b, a)]}[row["winner"]]
    found = choix.opt_pairwise(len(names), won, tol=1e-10)
    assert ranking.fit.log_strengths == pytest.approx(found - np.mean(found), abs=1e-5)


def test_the_leaderboard_has_the_published_order(board: Board) -> None:
    assert [row.model for row in board.rows] == [
        "gpt-4o", "claude-3-5-sonnet-20240620", "claude-3-opus-20240229", "claude-3-haiku-20240307",
    ]  # fmt: skip
    assert [(row.range.best, row.range.worst) for row in board.rows] == [(1, 2), (1, 2), (3, 3), (4, 4)]
    assert (board.method, board.converged, board.regularised) == ("Wald, by prompts", True, False)


def test_against_the_one_that_all_fought_the_chance_is_the_share_of_its_battles(board: Board, log: BattleLog) -> None:
    # the three met haiku alone, so that each chance is a plain win rate
    haiku = log.models.index("claude-3-haiku-20240307")
    assert (log.battles.first == haiku).all()
    for place, row in enumerate(board.rows[:3]):
        own = log.battles.second == log.models.index(row.model)
        chance = board.chances[place][3]
        assert chance is not None
        assert chance.value == pytest.approx(1 - log.battles.outcomes[own].mean(), abs=1e-9)


def test_rows_of_one_question_are_no_evidence_of_their_own(ranking: Ranking, log: BattleLog) -> None:
    # a game won by far stands three times, and each question has two games: by prompts the interval is far wider
    from gate.stats.bradley_terry_wald import wald  # noqa: PLC0415  # for comparison

    haiku, opus = (log.models.index(f"claude-3-{name}") for name in ("haiku-20240307", "opus-20240229"))
    by_row = wald(ranking.fit).variances[haiku, opus]
    assert isinstance(ranking.spread.probability_interval(haiku, opus, alpha=0.05).low, float)
    robust = ranking.spread.variances[haiku, opus]  # type: ignore[attr-defined]
    assert 2 < robust / by_row < 6
