"""A log to a ranking: what it rests on, and what a reader must know."""

from collections.abc import Callable

import numpy as np
import pytest

from gate.battles import Ranking
from gate.stats.bradley_terry_bootstrap import BootstrapStrengths
from gate.stats.bradley_terry_wald import WaldStrengths

Battle = Callable[..., dict[str, object]]
Rank = Callable[..., Ranking]
Rows = list[dict[str, object]]


def noted(ranking: Ranking, part: str) -> list[str]:
    return [note for note in ranking.notes() if part in note]


@pytest.fixture
def even(battle: Battle) -> Rows:
    """Ten battles of two equals, without prompts."""
    return [battle("x", "y", winner) for winner in ("model_a", "model_b") * 5]


def on_prompts(rows: Rows, prompts: int) -> Rows:
    return [{**row, "question_id": number % prompts} for number, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("prompts", "weight", "method"),
    [
        (None, 1, "Wald"),
        (10, 1, "Wald"),  # a prompt each: nothing repeats
        (5, 1, "Wald, by prompts"),
        (2, 1, "Wald, by prompts"),
        (1, 1, "Wald"),  # one does not show how much prompts differ
        (None, 2, "Wald, by battles"),
    ],
)
def test_the_interval_is_made_by_what_varies_as_one(
    prompts: int | None, weight: float, method: str, rank: Rank, even: Rows
) -> None:
    rows = [{**row, "weight": weight} for row in (even if prompts is None else on_prompts(even, prompts))]
    ranking = rank(rows)
    assert ranking.method == method
    assert ranking.clustered is (method == "Wald, by prompts")
    assert ranking.wald is ranking.spread


def test_battles_that_repeat_on_few_prompts_are_not_evidence_of_their_own(rank: Rank, battle: Battle) -> None:
    # on each of six prompts all games end alike: they are six results, and by themselves would be sixty
    rows = [
        battle("x", "y", "model_b" if prompt else "model_a", question_id=prompt)
        for prompt in range(6)
        for _ in "0" * 10
    ]
    together, apart = rank(rows), rank([{**row, "question_id": None} for row in rows])
    assert together.spread.p_below(0, 1, limit=0.5) > 0.025
    assert apart.spread.p_below(0, 1, limit=0.5) < 1e-5


def test_a_bootstrap_keeps_wald_beside_it(rank: Rank, even: Rows) -> None:
    ranking = rank(even, interval="bootstrap", n_resamples=200)
    assert isinstance(ranking.spread, BootstrapStrengths)
    assert isinstance(ranking.wald, WaldStrengths)
    assert ranking.method == "bootstrap, 200 resamples of battles"
    assert noted(ranking, "few to resample") == []


def test_few_battles_to_resample_are_told(rank: Rank, battle: Battle) -> None:
    ranking = rank([battle("x", "y", "model_a")] * 3, interval="bootstrap", n_resamples=100)
    assert noted(ranking, "3 are few to resample")
    assert noted(ranking, "100 % of the resamples have no finite strengths")


def test_groups_that_never_met_are_named_the_largest_first(rank: Rank, battle: Battle) -> None:
    ranking = rank([battle("a", "b", "tie"), battle("x", "y", "tie"), battle("y", "z", "tie")])
    assert ranking.components == (("x", "y", "z"), ("a", "b"))
    assert ranking.notes()[0] == "the models fall into 2 groups that never met, ranked apart: x, y, z | a, b"


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("x", "y")], "x undefeated and y without a win"),
        ([("x", "y"), ("y", "z"), ("z", "y")], "x undefeated"),
        ([("x", "y"), ("y", "x"), ("x", "z")], "z without a win"),
        ([("a", "b"), ("b", "a"), ("a", "x"), ("x", "y"), ("y", "x")], "some models beat others without a way back"),
    ],
)
def test_who_is_to_blame_for_a_regularised_fit_is_named(
    pairs: list[tuple[str, str]], why: str, rank: Rank, battle: Battle
) -> None:
    ranking = rank([battle(one, other, "model_a") for one, other in pairs])
    assert ranking.fit.regularised
    assert noted(ranking, "regularised: ") == [
        f"regularised: {why}, so that no finite strengths fit; half a win each way was added to pairs that met"
    ]


def test_one_battle_is_ranked_with_little_certainty(rank: Rank, battle: Battle) -> None:
    ranking = rank([battle("x", "y", "model_a")])
    assert ranking.fit.ranks.tolist() == [1, 2]
    assert ranking.spread.rank_intervals(0.05).tolist() == [[1, 2], [1, 2]]


def test_prompts_weights_and_bad_ties_are_told(rank: Rank, battle: Battle) -> None:
    row = battle("x", "y", "tie (bothbad)", question_id=1, weight=2)
    notes = rank([row, row, battle("x", "y", "model_a", question_id=2)]).notes()
    assert "the battles on one prompt count as one: 2 prompts" in notes
    assert "2 ties of two bad answers, counted as ties" in notes
    assert "battles count by their weights" in notes


def test_unjudged_battles_are_told_and_many_are_many(rank: Rank) -> None:
    row = {"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": "tie"}
    rows = [{**row, "question_id": number} for number in range(9)]
    few, many = rank([*rows, {**row, "g1_winner": "error"}]), rank([*rows[:2], {**row, "g2_winner": "error"}])
    assert (few.unjudged_share, few.many_unjudged) == (0.05, False)
    assert (many.unjudged_share, many.many_unjudged) == (1 / 6, True)
    assert noted(few, "1 battle without a verdict (5 %) left out")


def test_who_judged_is_always_told(rank: Rank, battle: Battle) -> None:
    assert noted(rank([battle("x", "y", "tie")]), "do not tell who judged")
    assert noted(rank([battle("x", "y", "tie", judge="j")]), "all battles are judged by j")
    rows = [battle("x", "y", "model_a", judge=judge, question_id=1) for judge in ("i", "j")]
    assert noted(rank(rows), "judge ") == [
        "judge i: 1 battle, agrees with the others on 100 % of 1 comparison; ranks x, y first",
        "judge j: 1 battle, agrees with the others on 100 % of 1 comparison; ranks x, y first",
    ]


def test_of_a_crowd_of_judges_ten_are_told_and_that_there_are_more(rank: Rank, battle: Battle) -> None:
    ranking = rank([battle("x", "y", "model_a", judge=f"j{row:02d}") for row in range(30)])
    assert len(noted(ranking, "ranks x, y first")) == 10
    assert noted(ranking, "30 judges, of whom the 10 with the most battles follow")


def test_a_judge_who_fights_is_told(rank: Rank, battle: Battle) -> None:
    ranking = rank([battle("x", "y", "model_a", judge=judge) for judge in ("x", "z")])
    assert noted(ranking, "x judged and fought: judges tend to favour answers like their own")
    assert not noted(rank([battle("x", "y", "tie", judge="z")]), "judged and fought")


def test_categories_that_are_ranked_as_one_are_told(rank: Rank) -> None:
    games = [{"score": "A>B", "judgment": ""}, {"score": "A>B", "judgment": ""}]
    row = {"uid": 1, "judge": "j", "model": "m", "games": games}
    poems, sums = {**row, "category": "poems", "baseline": "poet"}, {**row, "category": "sums", "baseline": "counter"}
    assert noted(rank([poems, sums]), "2 categories ranked as one (poems, sums): a model may be strong in one alone")
    assert not noted(rank([poems, {**poems, "uid": 2}]), "categories")


def test_a_fit_that_did_not_converge_is_told(rank: Rank, battle: Battle) -> None:
    rows = [battle("x", "y", winner, weight=weight) for winner, weight in (("model_a", 1e6), ("model_b", 1e-6))]
    ranking = rank(rows)
    assert np.isfinite(ranking.fit.log_strengths).all()
    assert ranking.fit.converged or noted(ranking, "did not converge")


def test_the_prompts_of_two_models_are_those_of_the_one_that_fought_on_fewer(rank: Rank, battle: Battle) -> None:
    rows = [battle("x", "y", "tie", question_id=prompt) for prompt in (1, 1, 2, 2, 3)]
    ranking = rank([*rows, battle("y", "z", "tie", question_id=1)])
    assert ranking.n_prompts_of(0, 1) == 3
    assert ranking.n_prompts_of(0, 2) == 1
    assert rank([battle("x", "y", "tie", question_id=prompt) for prompt in (1, 2)]).n_prompts_of(0, 1) is None
    assert rank([battle("x", "y", "tie")]).n_prompts_of(0, 1) is None


def test_a_thousand_models_are_ranked(rank: Rank, battle: Battle) -> None:
    rows = [battle(f"m{row:04d}", f"m{(row + step) % 1000:04d}", "tie") for row in range(1000) for step in (1, 3)]
    ranking = rank(rows)
    assert (len(ranking.log.models), ranking.fit.converged, set(ranking.fit.ranks.tolist())) == (1000, True, {1})


def test_a_name_that_ends_in_a_zero_character_is_another_one(rank: Rank, battle: Battle) -> None:
    rows = [battle("a", "a\0", "model_a"), battle("b\0", "c\0\0", "model_a")]
    assert sorted(rank(rows).components) == [("a", "a\0"), ("b\0", "c\0\0")]
