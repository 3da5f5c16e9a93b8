"""The line that states the gate's own error rates, and what it is made of."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gate.alignment import Design, MetricPairs
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig, validate_config
from gate.error_rates import MetricRates, measure_metric, other_items, tell_rates
from gate.error_rates.critical_mean import find_critical_means
from gate.error_rates.draws import Draws
from gate.results import ErrorRates
from gate.scores.model import Direction, Scale
from gate.stats.bootstrap import bootstrap_ratio
from gate.stats.dirichlet import exact_p
from gate.stats.paired import smallest_detectable_drop
from gate.stats.units import units_of_items

MakePairs = Callable[..., MetricPairs]
UNIT = Scale(0.0, 1.0)


def suite_of(metrics: Any = None, **checks: Any) -> SuiteConfig:
    suite = {
        "name": "s",
        "baseline": "a",
        "candidate": "b",
        "checks": checks,
        **({"metrics": metrics} if metrics else {}),
    }
    return validate_config({"version": 1, "suites": [suite]}).suites[0]


def rates_of(pairs: MetricPairs, **checks: Any) -> MetricRates:
    found = measure_metric(pairs, suite_of(**checks), 0)
    assert found is not None
    return found


def told(*rates: MetricRates) -> ErrorRates:
    found = tell_rates(rates)
    assert found is not None
    return found


def drawn(*, fails: list[int], warns: list[int], p: list[float]) -> Draws:
    return Draws(np.array(fails, bool), np.array(warns, bool), {"regression": np.array(p)})


@pytest.fixture
def noisy(make_pairs: MakePairs) -> MetricPairs:
    rng = np.random.default_rng(8)
    before = rng.choice([0.0, 0.5, 1.0], p=[0.1, 0.2, 0.7], size=100)
    after = np.where(rng.random(100) < 0.7, before, rng.choice([0.0, 0.5, 1.0], p=[0.1, 0.2, 0.7], size=100))
    return make_pairs(before.tolist(), after.tolist())


def test_a_draw_is_blocked_by_a_fail_or_by_a_p_value_within_its_share() -> None:
    draws = drawn(fails=[1, 0, 0, 0], warns=[0, 0, 1, 0], p=[1, 0.025, 1, 0.026])
    assert draws.blocked({"regression": 1}).tolist() == [True, True, False, False]
    assert draws.passed().tolist() == [False, False, False, True]


def test_tests_that_share_their_rate_block_less_and_what_is_not_upheld_warns() -> None:
    draws = drawn(fails=[0, 0], warns=[0, 0], p=[0.0124, 0.02])
    assert draws.blocked({"regression": 2}).tolist() == [True, False]
    assert draws.passed().tolist() == [False, False]


def test_metrics_err_independently_and_the_least_catch_is_told() -> None:
    one = MetricRates(10, drawn(fails=[1, 0], warns=[0, 0], p=[1, 1]), 0.1, drawn(fails=[1, 1], warns=[0, 0], p=[1, 1]))
    two = MetricRates(20, drawn(fails=[1, 0], warns=[0, 1], p=[1, 1]), 0.2, drawn(fails=[1, 0], warns=[0, 0], p=[1, 1]))
    rates = told(one, two)
    assert (rates.block, rates.warn, rates.drop, rates.caught) == (0.75, 0.25, 0.2, 0.5)
    assert rates.sentence == (
        "error rates: by its scores an unchanged run would BLOCK 75 % of the time and WARN 25 %; "
        "a drop of 0.20 is caught 50 % (n = 20, the least of 2 metrics)"
    )


def test_where_nothing_was_drawn_there_is_no_line() -> None:
    assert tell_rates([]) is None


def test_a_rate_that_the_draws_cannot_tell_from_zero_is_not_called_zero(make_pairs: MakePairs) -> None:
    sentence = told(rates_of(make_pairs([1.0] * 30, [1.0] * 30))).sentence
    assert sentence.startswith(
        "error rates: by its scores an unchanged run would BLOCK under 0.1 % of the time and WARN under 0.1 %"
    )


def test_the_margin_is_the_drop_that_is_spoken_of_else_a_twentieth_of_the_scale(noisy: MetricPairs) -> None:
    assert rates_of(noisy).drop == 0.05
    assert rates_of(noisy, regression={"margin": 0.08}).drop == 0.08
    assert rates_of(replace(noisy, scale=Scale(0.0, 10.0))).drop == 0.5


def test_without_a_scale_the_drop_is_what_the_pairs_can_show(noisy: MetricPairs) -> None:
    pairs = replace(noisy, scale=None)
    assert rates_of(pairs).drop == smallest_detectable_drop(pairs.difference_units(), pairs.differences())


def test_where_lower_is_better_the_rates_are_those_of_the_mirror_image(
    make_pairs: MakePairs, noisy: MetricPairs
) -> None:
    assert noisy.baseline is not None
    mirror = make_pairs(
        (1 - noisy.baseline).tolist(), (1 - noisy.candidate).tolist(), direction=Direction.LOWER, scale=UNIT
    )
    up = told(rates_of(noisy, threshold={"bar": 0.7}))
    down = told(rates_of(mirror, threshold={"bar": 0.3}))
    assert (down.block, down.warn, down.caught) == pytest.approx((up.block, up.warn, up.caught), abs=0.03)


def test_groups_that_can_show_nothing_warn_always_and_catch_nothing(noisy: MetricPairs) -> None:
    rates = told(rates_of(replace(noisy, design=Design(groups=np.arange(100) // 25)), drift=False))
    assert (rates.warn, rates.caught) == (1.0, 0.0)


def test_groups_catch_less_than_items_of_their_own(make_pairs: MakePairs) -> None:
    rng = np.random.default_rng(9)
    before = np.repeat(rng.random(60) < 0.7, 5).astype(float)
    after = np.where(np.repeat(rng.random(60) < 0.9, 5), before, 1 - before)
    pairs = make_pairs(dict(enumerate(before.tolist())), dict(enumerate(after.tolist())))
    pairs = replace(pairs, ids=tuple(map(str, pairs.ids)))
    alone, together = (
        told(rates_of(replace(pairs, design=Design(groups=groups)), drift=False)).caught
        for groups in (None, np.arange(300) // 5)
    )
    assert alone is not None
    assert together is not None
    assert together < alone


def test_a_run_against_itself_has_the_noise_of_its_repeats(make_pairs: MakePairs) -> None:
    pairs = make_pairs([0.5] * 50, [0.5] * 50)
    silent = told(rates_of(pairs))
    noise = np.full(50, 0.08)
    speaking = told(rates_of(replace(pairs, noise=noise, baseline_noise=noise)))
    assert silent.block == 0
    # fifty moves of one size: at most 17 of them upwards is what the exact test asks for
    assert speaking.block == pytest.approx(0.0164, abs=0.007)
    assert silent.caught is not None
    assert speaking.caught is not None
    assert speaking.caught < silent.caught


def test_without_a_baseline_the_run_s_own_scores_say_how_often_it_would_miss_the_bar(make_pairs: MakePairs) -> None:
    alone = make_pairs(None, [1.0] * 36 + [0.0] * 4)
    rates = told(rates_of(alone, threshold={"bar": 0.8}))
    # the bar is cleared from 36 of 40 on
    assert rates.block == pytest.approx(1 - 0.6290, abs=0.03)
    assert (rates.drop, rates.caught) == (None, None)
    assert "caught" not in rates.sentence


def test_very_many_different_scores_are_not_drawn_one_by_one(
    make_pairs: MakePairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = np.random.default_rng(5).random(25_000).tolist()
    bar = float(np.mean(scores)) - 0.003
    drawn = []
    for most in (20_000, 30_000):
        monkeypatch.setattr(other_items, "_MOST_RESAMPLED", most)
        drawn.append(told(rates_of(make_pairs(None, scores), threshold={"bar": bar})).block)
    assert 0.3 < drawn[1] < 0.9
    assert drawn[0] == pytest.approx(drawn[1], abs=0.03)
    monkeypatch.setattr(other_items, "_MOST_RESAMPLED", 20_000)
    monkeypatch.delattr(other_items, "resample_ratio")
    assert told(rates_of(make_pairs(None, scores), threshold={"bar": bar})).block == drawn[0]


def test_runs_of_different_items_are_spoken_of_too(make_samples: MakePairs) -> None:
    few, many = (told(rates_of(make_samples([1.0, 0.0] * n, [1.0, 0.0] * n))) for n in (30, 600))
    assert few.block == pytest.approx(0.025, abs=0.015)
    assert few.caught is not None
    assert many.caught is not None
    assert few.caught < 0.2 < many.caught


def test_no_pair_leaves_nothing_to_draw(make_pairs: MakePairs, make_samples: MakePairs) -> None:
    assert measure_metric(make_pairs([1.0], [1.0]).without({"i00"}), suite_of(), 0) is None
    assert measure_metric(make_samples([1.0], [1.0]).without({"b0"}), suite_of(), 0) is None
    assert measure_metric(make_pairs(None, [1.0]).without({"i00"}), suite_of(threshold={"bar": 0.5}), 0) is None


def test_very_many_pairs_are_normal(make_pairs: MakePairs) -> None:
    rng = np.random.default_rng(3)
    before, after = (rng.random(12_000) for _ in range(2))
    runs = ({f"{row:05d}": score for row, score in enumerate(scores.tolist())} for scores in (before, after))
    pairs = make_pairs(*runs)
    rates = told(rates_of(pairs, threshold={"bar": 0.47}))
    assert rates.block == pytest.approx(0.025, abs=0.02)
    assert rates.caught == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("n", [10, 40, 200])
@pytest.mark.parametrize("method", ["bootstrap", "exact"])
def test_the_critical_mean_of_pass_or_fail_is_where_the_check_turns(n: int, method: str) -> None:
    units = units_of_items(np.repeat([1.0, 0.0], [n - n // 5, n // 5]))
    turns = find_critical_means(units, 0.6, ThresholdOptions(bar=0.6, method=method), UNIT)
    clears = [
        hits
        for hits in range(n + 1)
        for scores in [units_of_items(np.repeat([1.0, 0.0], [hits, n - hits]))]
        if (exact_p(scores, 0.6, lowest=0.0) if method == "exact" else bootstrap_ratio(scores).mass_below(0.6)) <= 0.025
    ]
    assert turns.fails_below == pytest.approx((clears[0] - 0.5) / n, abs=1.01 / n)


def test_a_bar_that_so_few_items_can_never_prove_fails_them_all() -> None:
    units = units_of_items(np.ones(10))
    assert find_critical_means(units, 0.9, ThresholdOptions(bar=0.9, method="exact"), UNIT).fails_below == np.inf
    guarded = find_critical_means(units, 0.9, ThresholdOptions(bar=0.9), UNIT)
    assert guarded.fails(np.array([0.5, 1.0])).tolist() == [True, False]
    assert guarded.warns(np.array([0.5, 1.0])).tolist() == [False, True]


@pytest.mark.parametrize(("guard", "fails"), [("fail", True), ("off", False)])
def test_the_guard_decides_what_lies_between_the_two_bounds(guard: str, fails: bool) -> None:
    units = units_of_items(np.ones(10))
    turns = find_critical_means(units, 0.9, ThresholdOptions(bar=0.9, guard=guard), UNIT)
    assert turns.fails(np.array([1.0])).tolist() == [fails]
    assert not turns.warns(np.array([1.0])).any()


def test_every_summary_states_the_rates(judge: Callable[..., Any], write_csv: Callable[..., str]) -> None:
    report = judge({"baseline": write_csv("a.csv", [1, 0] * 20), "candidate": write_csv("b.csv", [1, 0] * 20)})
    assert report.error_rates is not None
    assert report.error_rates.sentence.endswith("(n = 40)")


def test_over_many_thousand_units_alpha_counts_as_well() -> None:
    units = units_of_items(np.tile([1.0, 0.0], 5000))
    usual, strict = (find_critical_means(units, 0.4, ThresholdOptions(bar=0.4, alpha=a), UNIT) for a in (0.05, 0.0001))
    assert (usual.fails_below - 0.4) / 0.005 == pytest.approx(1.96, abs=0.01)
    assert (strict.fails_below - 0.4) / 0.005 == pytest.approx(3.89, abs=0.01)


@pytest.mark.parametrize(("cannot_tell", "block", "warn"), [("fail", 0.0, 0.0), ("note", 0.0, 0.0)])
def test_runs_of_different_items_that_are_no_worse_than_a_wide_margin_are_neither_blocked_nor_warned_about(
    make_samples: MakePairs, cannot_tell: str, block: float, warn: float
) -> None:
    pairs = make_samples([1.0, 0.0] * 1000, [1.0, 0.0] * 1000)
    rates = told(rates_of(pairs, drift=False, regression={"margin": 0.1, "cannot_tell": cannot_tell}))
    assert (rates.block, rates.warn) == pytest.approx((block, warn), abs=1e-3)


def test_a_margin_that_different_items_cannot_hold_warns_half_the_time(make_samples: MakePairs) -> None:
    pairs = make_samples([1.0, 0.0] * 1000, [1.0, 0.0] * 1000)
    rates = told(rates_of(pairs, drift=False, regression={"margin": 0.0001}))
    assert rates.warn == pytest.approx(0.475, abs=0.03)


def test_a_drop_of_different_items_is_caught_by_the_bar_as_well(make_samples: MakePairs) -> None:
    pairs = make_samples([1.0] * 80 + [0.0] * 20, [1.0] * 80 + [0.0] * 20)
    without, barred = (told(rates_of(pairs, drift=False, threshold=bar)).caught for bar in (False, {"bar": 0.75}))
    assert without is not None
    assert barred is not None
    assert without < 0.3
    assert barred > 0.9


def test_a_drop_that_the_mean_has_no_room_for_is_not_spoken_of(make_pairs: MakePairs) -> None:
    rates = told(rates_of(make_pairs([1.0] + [0.0] * 79, [0.0, 1.0] + [0.0] * 78)))
    assert (rates.drop, rates.caught) == (None, None)


def test_where_lower_is_better_getting_worse_is_a_rise(make_pairs: MakePairs) -> None:
    rates = told(rates_of(make_pairs([0.2, 0.4] * 20, [0.2, 0.5] * 20, direction=Direction.LOWER)))
    assert "; a rise of 0.05 is caught" in rates.sentence
