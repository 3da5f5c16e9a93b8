"""Decline: against the best run that was ever promoted, with the choice of the best counted in."""

import datetime as dt
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from gate.checks.decline import DeclineOptions, check, decline_p
from gate.results import CheckResult, Status
from gate.results.record import MetricRecord, PastRun

FIRST = dt.date(2026, 1, 1)
REMEDY = (
    "judge the candidate against the baseline that was promoted {} (docs/baselines.md has the command), and read the "
    "items that got worse since; where the loss is meant, say how much is tolerable: `checks.decline.margin`"
)


def record(mean: float, *, n: int = 300, items: str = "a", direction: str = "higher") -> MetricRecord:
    """Of pass/fail scores, or of scores that vary as these do."""
    variance = abs(mean * (1 - mean)) * n / (n - 1)
    return MetricRecord(mean, n, n, items, direction, math.sqrt(variance / n))


def past(*means: float, direction: str = "higher") -> list[PastRun]:
    """Promoted runs, two weeks apart."""
    records = [record(mean, direction=direction) for mean in means]
    return [
        PastRun(FIRST + dt.timedelta(weeks=2 * index), f"{index:07x}" + "f" * 33, True, str(index), one)
        for index, one in enumerate(records)
    ]


def judged(now: float, *before: float, **options: object) -> CheckResult:
    return check("score", record(now), past(*before), DeclineOptions.model_validate(options))


@pytest.mark.parametrize(
    ("now", "before", "options", "status", "reason"),
    [
        (0.79, (0.91, 0.88, 0.85, 0.82), {}, Status.WARN, "slow-decline"),
        (0.79, (0.91, 0.88, 0.85, 0.82), {"on_decline": "fail"}, Status.FAIL, "slow-decline"),
        (0.79, (0.91, 0.88, 0.85, 0.82), {"margin": 0.05}, Status.WARN, "slow-decline"),
        (0.79, (0.91, 0.88, 0.85, 0.82), {"margin": 0.15}, Status.PASS, "within-margin"),
        (0.87, (0.91, 0.89), {}, Status.PASS, "decline-not-shown"),
        (0.87, (0.91, 0.89), {"margin": 0.02}, Status.PASS, "decline-not-shown"),
        (0.91, (0.90, 0.88), {}, Status.PASS, "no-decline"),
        (0.60, (0.80, 0.91), {}, Status.PASS, "no-decline"),  # one step, which regression judges
        (0.79, (), {}, Status.NOT_RUN, "no-promoted-run"),
    ],
)
def test_a_decline_must_be_shown_and_beyond_the_margin(
    now: float, before: tuple[float, ...], options: dict[str, object], status: Status, reason: str
) -> None:
    result = judged(now, *before, **options)
    assert (result.status, result.reason) == (status, reason)


def test_a_decline_names_figures_day_commit_and_what_to_do() -> None:
    result = judged(0.79, 0.91, 0.88, 0.85, 0.82, margin=0.05)
    assert result.sentence == (
        "small steps add up: 0.120 under the best promoted run, 0.910 of 2026-01-01, commit 0000000, beyond the margin "
        "0.05"
    )
    assert result.remedy == REMEDY.format("of commit 0000000")
    assert result.detail == "mean 0.790, last promoted 0.820, best of 4 promoted runs, p < 0.001, n = 300"
    p = result.figures["p"]
    assert result.figures == {
        "mean": 0.79, "best": 0.91, "best_date": "2026-01-01", "best_commit": "0000000" + "f" * 33, "last": 0.82,
        "decline": pytest.approx(0.12), "margin": 0.05, "p": p, "promoted_runs": 4, "n": 300,
    }  # fmt: skip
    assert p == pytest.approx(result.p_value, abs=1e-12)
    assert p == pytest.approx(decline_p(record(0.79), record(0.91), 4), abs=1e-12)
    assert (result.metric, result.if_not_upheld) == ("score", Status.PASS)


def test_where_the_best_run_is_the_last_one_its_step_is_left_to_regression() -> None:
    result = judged(0.60, 0.80, 0.91)
    assert result.sentence == "no decline: the best promoted run is the last one"
    assert result.detail == "mean 0.600, last promoted 0.910, n = 300"
    assert (result.remedy, result.p_value, result.figures["margin"]) == ("", 1.0, None)


def test_a_candidate_better_than_all_shows_no_decline_from_the_best_of_them() -> None:
    result = judged(0.91, 0.90, 0.88)
    assert result.sentence == "no decline: the best promoted run is 0.900 of 2026-01-01, commit 0000000"
    assert result.detail == "mean 0.910, last promoted 0.880, best of 2 promoted runs, p = 1.000, n = 300"
    assert judged(0.90, 0.90, 0.88).reason == "no-decline"


def test_a_decline_within_the_margin_or_by_chance_is_told_as_such() -> None:
    fallen = "0.120 under the best promoted run, 0.910 of 2026-01-01, commit 0000000"
    assert judged(0.79, 0.91, 0.85, margin=0.15).sentence == f"{fallen}: within the margin 0.15"
    little = "0.040 under the best promoted run, 0.910 of 2026-01-01, commit 0000000"
    chance = "which chance explains at this n"
    assert judged(0.87, 0.91, 0.89).sentence == f"{little}, {chance}"
    assert judged(0.87, 0.91, 0.89, margin=0.02).sentence == f"{little}, beyond the margin 0.02, {chance}"
    assert judged(0.79, 0.91, 0.85).sentence == f"small steps add up: {fallen}"


def test_a_decline_of_exactly_the_margin_is_within_it() -> None:
    assert judged(0.75, 1.0, 0.85, margin=0.25).reason == "within-margin"
    assert judged(0.75, 1.0, 0.85, margin=0.2499).reason == "slow-decline"


def test_of_runs_that_are_equally_good_the_latest_is_named() -> None:
    result = judged(0.79, 0.91, 0.91, 0.85)
    assert result.figures["best_commit"] == "0000001" + "f" * 33
    # the last one is one of the best: there is but one step
    assert judged(0.79, 0.91, 0.85, 0.91).reason == "no-decline"


def test_where_no_commit_is_known_the_day_is_named() -> None:
    runs = [run._replace(commit="") for run in past(0.91, 0.85)]
    result = check("score", record(0.75), runs, DeclineOptions())
    assert result.sentence.endswith("0.910 of 2026-01-01")
    assert result.remedy == REMEDY.format("on 2026-01-01")


def test_of_a_metric_that_should_be_low_a_rise_is_the_decline() -> None:
    now = record(0.21, direction="lower")
    runs = past(0.09, 0.12, 0.18, direction="lower")
    result = check("errors", now, runs, DeclineOptions())
    assert result.status is Status.WARN
    assert "0.120 over the best promoted run, 0.090" in result.sentence


def test_runs_of_other_items_are_not_compared_and_are_told() -> None:
    result = check("score", record(0.5, items="b"), past(0.91, 0.9), DeclineOptions())
    assert (result.status, result.reason) == (Status.NOT_RUN, "no-promoted-run")
    assert result.sentence == "the history has no promoted run of these items: 2 runs of others"
    assert result.metric == "score"
    other = record(0.5, direction="lower")
    assert check("score", other, past(0.91), DeclineOptions()).sentence.endswith(" of these items: 1 run of others")


def test_runs_that_were_not_promoted_do_not_count() -> None:
    runs = [run._replace(promoted=False) for run in past(0.99, 0.98)] + past(0.80, 0.80)
    assert check("score", record(0.80), runs, DeclineOptions()).reason == "no-decline"


def test_a_file_that_was_promoted_twice_is_one_chance_to_be_the_best() -> None:
    runs = past(0.91, 0.85)
    once = check("score", record(0.84), runs, DeclineOptions())
    again = check("score", record(0.84), [runs[0], *runs], DeclineOptions())
    assert again.p_value == once.p_value
    assert again.figures["promoted_runs"] == 2


def test_the_p_value_is_that_of_the_pooled_t_test_times_the_number_of_runs() -> None:
    rng = np.random.default_rng(4)
    best, now = rng.normal(0.3, 1, 40), rng.normal(0, 1, 40)
    together = np.concatenate([best - best.mean(), now - now.mean()])
    difference = float(best.mean() - now.mean())
    # the variance around each mean, and that of the two means around theirs
    variance = float((together**2).sum()) / 39 / 2 + difference**2 / 4
    expected = 3 * stats.t.sf(difference / math.sqrt(variance * 2 / 40), 78)
    assert decline_p(of(now), of(best), 3) == pytest.approx(expected)


def test_a_best_run_without_any_spread_is_not_taken_for_certain() -> None:
    perfect = replace(record(0.5, n=20), mean=1.0, standard_error=0.0)
    assert decline_p(of(np.array([1.0] * 18 + [0.0] * 2)), perfect, 1) > 0.025


def test_the_smaller_run_s_units_are_counted() -> None:
    now, best = record(0.0, n=9), replace(record(0.5, n=9), mean=1.0, standard_error=0.3, units=2)
    now = replace(now, standard_error=0.4)
    # two units: a variance of 0.3**2 + 0.4**2 + 1 / 4, and two degrees of freedom
    expected = stats.t.sf(1 / math.sqrt(0.25 + 1 / 4), 2)
    assert decline_p(now, best, 1) == pytest.approx(expected)
    assert decline_p(replace(now, units=2), replace(best, units=9), 2) == pytest.approx(2 * expected)


def test_what_is_no_worse_has_a_p_of_one() -> None:
    assert decline_p(record(0.5), record(0.5), 1) == 1.0
    assert decline_p(record(0.6), record(0.5), 1) == 1.0
    assert decline_p(record(0.5, direction="lower"), record(0.6, direction="lower"), 1) == 1.0
    assert decline_p(record(0.49), record(0.5), 9) == 1.0


@pytest.mark.parametrize("change", [{"standard_error": None}, {"units": 1}])
def test_what_shows_no_spread_shows_no_decline(change: dict[str, object]) -> None:
    one = replace(record(0.1), **change)  # type: ignore[arg-type]  # as above
    assert decline_p(one, record(0.9), 1) == 1.0
    assert decline_p(record(0.1, direction="lower"), replace(one, mean=-9.0, direction="lower"), 1) == 1.0


@given(st.floats(-1e308, 1e308), st.floats(-1e308, 1e308), st.floats(0, 1e308), st.integers(1, 1000))
def test_the_p_value_is_a_probability_whatever_the_figures(now: float, best: float, error: float, runs: int) -> None:
    one = MetricRecord(now, 9, 9, "a", "higher", error)
    assert 0.0 <= decline_p(one, replace(one, mean=best), runs) <= 1.0


def of(scores: NDArray[np.float64]) -> MetricRecord:
    error = float(scores.std(ddof=1)) / math.sqrt(scores.size)
    return MetricRecord(float(scores.mean()), scores.size, scores.size, "a", "higher", error)


@pytest.mark.parametrize(
    ("n", "rate", "runs"), [(20, 0.5, 2), (20, 0.8, 5), (100, 0.5, 20), (100, 0.95, 5), (500, 0.8, 5), (500, 0.5, 20)]
)
def test_an_unchanged_series_warns_at_most_one_time_in_forty(n: int, rate: float, runs: int) -> None:
    """Items that are all alike: the hardest case, since the runs share nothing that would cancel."""
    rng = np.random.default_rng([n, runs])
    tried, warned = 1000, 0
    for _ in range(tried):
        drawn = [of((rng.random(n) < rate).astype(float)) for _ in range(runs + 1)]
        before = [PastRun(FIRST, "", True, str(index), one) for index, one in enumerate(drawn[:-1])]
        warned += check("score", drawn[-1], before, DeclineOptions()).status is Status.WARN
    # 2.5 %, and what a thousand tries leave to chance
    assert warned <= tried * 0.025 + 3 * math.sqrt(tried * 0.025 * 0.975)


def test_a_decline_of_six_standard_errors_is_nearly_always_shown() -> None:
    rng = np.random.default_rng(7)
    rates = (0.85, 0.82, 0.79, 0.76)
    shown = 0
    for _ in range(200):
        drawn = [of((rng.random(800) < rate).astype(float)) for rate in (*rates, 0.73)]
        before = [PastRun(FIRST, "", True, str(index), one) for index, one in enumerate(drawn[:-1])]
        shown += check("score", drawn[-1], before, DeclineOptions(margin=0.04)).status is Status.WARN
    assert shown >= 190


def test_a_suite_that_the_history_does_not_know_by_its_name_is_told_so() -> None:
    result = check("score", record(0.75), [], DeclineOptions())
    assert result.status is Status.NOT_RUN
    assert result.sentence == "the history has no promoted run of this suite and metric"
