import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import UsageError
from gate.planning import Plan, Question, make_plan
from gate.planning.plan import CURVE_POINTS
from gate.stats.mcnemar import mcnemar_power
from gate.stats.paired import sign_flip_p
from gate.stats.power import TAIL

WriteCsv = Callable[..., str]
NUMBERS = [50, 100, 200, 500, 1000, 2000, 5000]


@pytest.fixture(scope="module")
def published() -> Plan:
    return make_plan(Question(p=0.8, rho=0.7, n=200, drop=0.05, margin=0.05, bar=0.75))


def test_the_published_figures_stand_in_the_plan(published: Plan) -> None:
    assert published.items_for_margin == 302
    assert published.items_for_bar == 553
    assert published.given is not None
    assert published.given.chance == pytest.approx(0.5075, abs=1e-4)


def test_the_items_for_the_drop_are_the_first_that_catch_it(published: Plan) -> None:
    assert published.items_for_drop is not None
    chances = [mcnemar_power(0.8, 0.75, n=published.items_for_drop - less, rho=0.7) for less in (0, 1)]
    assert chances[0] >= 0.8 > chances[1]


@pytest.mark.parametrize("margin", [None, 0.1])
def test_what_is_not_asked_is_not_answered(margin: float | None) -> None:
    plan = make_plan(Question(p=0.8, margin=margin))
    assert (plan.items_for_margin is None, plan.items_for_bar, plan.given) == (margin is None, None, None)


def test_the_table_holds_round_numbers_and_the_one_asked_about(published: Plan) -> None:
    assert [row.n for row in published.table] == NUMBERS
    assert [row.n for row in make_plan(Question(p=0.8, n=137)).table] == [50, 100, 137, 200, 500, 1000, 2000, 5000]
    assert published.given in published.table


def test_few_items_that_suffice_bring_small_numbers_into_the_table() -> None:
    plan = make_plan(Question(p=0.8, drop=0.4))
    assert plan.items_for_drop is not None
    assert [row.n for row in plan.table] == [10, 20, *NUMBERS]


def test_many_items_that_are_needed_bring_large_numbers_into_the_table() -> None:
    plan = make_plan(Question(p=0.8, drop=0.005))
    assert plan.items_for_drop is not None
    assert plan.items_for_drop <= plan.table[-1].n <= 2 * plan.items_for_drop
    assert plan.table[-1].chance > 0.8


def test_a_drop_that_no_eval_shows_is_planned_as_far_as_numbers_go() -> None:
    plan = make_plan(Question(p=0.8, drop=1e-7))
    assert plan.items_for_drop is None
    assert plan.table[-1].n == 10**9
    assert plan.table[-1].chance < 0.8


@pytest.mark.parametrize("question", [Question(p=0.8), Question(p=0.8, sd=0.2), Question(sd=7.0, drop=1.0)])
def test_more_items_show_smaller_drops_more_often(question: Question) -> None:
    plan = make_plan(question)
    drops = [math.inf if row.smallest_drop is None else row.smallest_drop for row in plan.table]
    chances = [point.chance for point in plan.curve]
    assert drops == sorted(drops, reverse=True)
    assert chances == sorted(chances)
    assert len(chances) == CURVE_POINTS
    assert (plan.curve[0].n, plan.curve[-1].n) == (plan.table[0].n, plan.table[-1].n)


def test_a_greater_chance_asks_for_more_items() -> None:
    plans = [make_plan(Question(p=0.8, margin=0.05, bar=0.7, power=power)) for power in (0.5, 0.8, 0.95)]
    for needed in ("items_for_drop", "items_for_margin", "items_for_bar"):
        items = [getattr(plan, needed) for plan in plans]
        assert items == sorted(set(items))


def test_perfect_answers_prove_a_bar_with_the_published_number() -> None:
    assert make_plan(Question(p=1.0, bar=0.9)).items_for_bar == 36


def test_a_bar_over_the_mean_is_proven_by_no_number() -> None:
    assert make_plan(Question(p=0.8, bar=0.9)).items_for_bar is None


# pilots


@pytest.fixture(scope="module")
def pair(write_csv: WriteCsv) -> tuple[str, str]:
    rng = np.random.default_rng(11)
    ours = (rng.random(300) < 0.7).astype(int)
    theirs = np.where(rng.random(300) < 0.2, 1 - ours, ours)
    return write_csv("a.csv", ours.tolist()), write_csv("b.csv", theirs.tolist())


def test_the_number_of_items_is_the_pilot_s_unless_it_is_asked_for(pair: tuple[str, str]) -> None:
    for n, wanted in ((None, 300), (700, 700)):
        given = make_plan(Question(pilots=pair, n=n)).given
        assert given is not None
        assert given.n == wanted


def test_a_plan_names_its_pilots_and_what_they_measure(pair: tuple[str, str]) -> None:
    plan = make_plan(Question(pilots=pair))
    assert (plan.pilots, plan.metric, plan.scale, plan.rho_origin) == (pair, "score", (0.0, 1.0), "measured")


def test_as_many_items_as_planned_do_catch_the_drop_in_the_gate_s_own_test(pair: tuple[str, str]) -> None:
    plan = make_plan(Question(pilots=pair, drop=0.1))
    assert plan.items_for_drop is not None
    assert plan.mean is not None
    spread = math.sqrt(plan.mean * (1 - plan.mean) * (plan.mean - 0.1) * (1.1 - plan.mean))
    losses = plan.mean - plan.mean * (plan.mean - 0.1) - plan.rho * spread
    wins = losses - 0.1
    rng = np.random.default_rng(4)
    drawn = rng.choice([-1.0, 1.0, 0.0], p=[losses, wins, 1 - losses - wins], size=(1500, plan.items_for_drop))
    caught = np.mean([sign_flip_p(differences) <= TAIL for differences in drawn])
    assert caught == pytest.approx(0.8, abs=0.04)


def test_items_in_groups_count_for_less(write_csv: WriteCsv) -> None:
    scores = [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1] * 4
    alone = make_plan(Question(pilots=(write_csv("a.csv", scores),), bar=0.6, margin=0.1))
    columns = {"id": range(64), "group": [row // 4 for row in range(64)], "score": scores}
    grouped = make_plan(Question(pilots=(write_csv("b.csv", columns),), bar=0.6, margin=0.1))
    assert alone.design_effect == 1.0
    assert grouped.design_effect > 3.5
    for needed in ("items_for_drop", "items_for_margin", "items_for_bar"):
        expected = getattr(alone, needed) * grouped.design_effect
        assert getattr(grouped, needed) == pytest.approx(expected, abs=1.1)
    assert grouped.table[2].chance < alone.table[2].chance


# any question


@given(
    p=st.none() | st.floats(), sd=st.none() | st.floats(), rho=st.none() | st.floats(-1.5, 1.5),
    n=st.none() | st.integers(-5, 10**11), bar=st.none() | st.floats(), margin=st.none() | st.floats(),
    drop=st.none() | st.floats(), power=st.floats(-0.1, 1.1),
)  # fmt: skip
def test_any_question_is_answered_or_refused(**asked: float | None) -> None:
    with suppress(UsageError):
        make_plan(Question(**asked))  # type: ignore[arg-type]  # one of many fields


@settings(max_examples=15)
@given(
    p=st.floats(1e-6, 1.0), n=st.integers(2, 10**9), bar=st.none() | st.floats(0.001, 0.999),
    margin=st.none() | st.floats(1e-9, 0.99), power=st.floats(0.1, 0.999),
)  # fmt: skip
def test_any_sound_question_has_figures_that_make_sense(**asked: float | None) -> None:
    plan = make_plan(Question(**asked))  # type: ignore[arg-type]  # one of many fields
    assert all(0.0 <= row.chance <= 1.0 for row in plan.table)
    assert all(row.smallest_drop is None or 0 < row.smallest_drop <= 1 for row in plan.table)
    assert all(math.isfinite(figure) for figure in (plan.sd, plan.rho, plan.sd_of_differences, plan.drop))
