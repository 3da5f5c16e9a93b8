"""How a suite's checks are put to its pairs: missing items and leaks never turn red green."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.alignment import align, align_alone, pair_metric
from gate.config import validate_config
from gate.judging import Judge
from gate.results import CheckResult, Status
from gate.scores.model import Direction, ItemStatus, Run, Scale

MakeRun = Callable[..., Run]
Put = Callable[..., dict[str, CheckResult]]

UNIT = Scale(0.0, 1.0)
BADNESS = [Status.NOT_RUN, Status.PASS, Status.WARN, Status.FAIL]
Scores = Mapping[str, float | ItemStatus]


def named(scores: list[Any]) -> dict[str, Any]:
    return {f"i{row:04d}": score for row, score in enumerate(scores)}


@pytest.fixture(scope="session")
def put(make_run: MakeRun) -> Put:
    """The results of a suite's checks by name, for two sets of scores."""

    def judge(
        baseline: Scores | None,
        candidate: Scores,
        *,
        leaked: Collection[str] = (),
        direction: Direction = Direction.HIGHER,
        scale: Scale | None = UNIT,
        **checks: Any,
    ) -> dict[str, CheckResult]:
        suite = {"name": "suite", "baseline": "a.csv", "candidate": "b.csv", "checks": checks}
        (config,) = validate_config({"version": 1, "suites": [suite]}).suites
        theirs = make_run(candidate)
        alignment = align_alone(theirs) if baseline is None else align(make_run(baseline), theirs)
        pairs = pair_metric(alignment, "score", direction=direction, scale=scale)
        return {result.check: result for result in Judge(config, alignment, 0, leaked).judge(pairs)}

    return judge


def statuses(results: Mapping[str, CheckResult]) -> dict[str, Status]:
    return {check: result.status for check, result in results.items()}


def test_by_default_coverage_regression_and_drift_run_and_no_bar_is_checked(put: Put) -> None:
    same = named([1.0, 0.0, 0.5])
    assert statuses(put(same, same)) == {
        "coverage": Status.PASS,
        "threshold": Status.NOT_RUN,
        "regression": Status.PASS,
        "drift": Status.PASS,
    }


def test_without_a_baseline_the_paired_checks_are_grey(put: Put) -> None:
    results = put(None, named([1.0] * 5), threshold={"bar": 0.4})
    assert statuses(results) == {
        "coverage": Status.PASS,
        "threshold": Status.PASS,
        "regression": Status.NOT_RUN,
        "drift": Status.NOT_RUN,
    }


@pytest.mark.parametrize("check", ["regression", "drift"])
def test_a_paired_check_that_was_asked_for_fails_without_a_baseline(put: Put, check: str) -> None:
    result = put(None, named([1.0]), **{check: True})[check]
    assert (result.status, result.reason) == (Status.FAIL, "no-baseline")
    assert result.sentence == f"{check} was asked for, but no baseline to compare with"
    assert f"gate explain {check}" in result.remedy


def test_a_check_that_is_off_leaves_no_line(put: Put) -> None:
    same = named([1.0])
    assert list(put(same, same, drift=False, threshold=False, coverage=False)) == ["regression"]


def test_one_rate_limited_item_in_a_thousand_warns_and_turns_nothing_red(put: Put) -> None:
    baseline = named([1.0] * 900 + [0.0] * 100)
    candidate = {**baseline, "i0000": ItemStatus.ERROR}
    results = put(baseline, candidate, threshold={"bar": 0.85}, regression={"margin": 0.05})
    assert statuses(results) == {
        "coverage": Status.WARN,
        "threshold": Status.PASS,
        "regression": Status.PASS,
        "drift": Status.PASS,
    }
    assert results["coverage"].reason == "missing-tolerated"


@pytest.mark.parametrize("items", [20, 100, 500, 1000])
def test_the_ten_hardest_items_deleted_are_never_a_pass(put: Put, items: int) -> None:
    baseline = named([0.0] * 10 + [1.0] * (items - 10))
    candidate = dict(list(baseline.items())[10:])
    results = put(baseline, candidate, threshold={"bar": 0.3})
    assert results["coverage"].status in (Status.WARN, Status.FAIL)


def test_missing_items_that_would_turn_the_threshold_fail_the_coverage_which_names_it(put: Put) -> None:
    baseline = named([1.0] * 95 + [0.0] * 5)
    candidate = dict(list(baseline.items())[:95])
    results = put(baseline, candidate, threshold={"bar": 0.92})
    assert results["threshold"].status is Status.PASS
    assert (results["coverage"].status, results["coverage"].reason) == (Status.FAIL, "missing-decides")
    assert "threshold" in results["coverage"].sentence


def test_missing_items_that_would_turn_the_regression_fail_the_coverage(put: Put) -> None:
    baseline = named([1.0] * 200)
    candidate = {**baseline, **dict.fromkeys(list(baseline)[:8], ItemStatus.TIMEOUT)}
    result = put(baseline, candidate)["coverage"]
    assert (result.status, result.reason) == (Status.FAIL, "missing-decides")
    assert "regression" in result.sentence


def test_a_check_that_fails_anyway_was_not_turned_by_missing_items(put: Put) -> None:
    baseline = named([1.0] * 100)
    candidate = {**named([0.0] * 100), "i0000": ItemStatus.ERROR}
    results = put(baseline, candidate, threshold={"bar": 0.4})
    assert results["threshold"].status is Status.FAIL
    assert results["coverage"].reason == "missing-tolerated"


def test_where_lower_is_better_the_worst_score_is_the_highest(put: Put) -> None:
    baseline = named([0.0] * 100)
    candidate = {**baseline, **dict.fromkeys(list(baseline)[:6], ItemStatus.ERROR)}
    results = put(baseline, candidate, direction=Direction.LOWER, threshold={"bar": 0.05})
    assert results["threshold"].status is Status.PASS
    assert (results["coverage"].status, results["coverage"].reason) == (Status.FAIL, "missing-decides")
    assert "threshold and regression" in results["coverage"].sentence


def test_without_a_baseline_missing_scores_are_the_worst_too(put: Put) -> None:
    candidate = named([1.0] * 95 + [ItemStatus.ERROR] * 5)
    results = put(None, candidate, threshold={"bar": 0.95})
    assert results["threshold"].status is Status.PASS
    assert (results["coverage"].status, results["coverage"].reason) == (Status.FAIL, "missing-decides")


@pytest.mark.parametrize("gone", ["unscored", "lost"])
def test_items_unscored_in_both_runs_cannot_hide_from_the_bar(put: Put, gone: str) -> None:
    baseline = named([1.0] * 91 + [ItemStatus.ERROR] * 9)
    candidate = baseline if gone == "unscored" else dict(list(baseline.items())[:91])
    results = put(baseline, candidate, threshold={"bar": 0.95})
    assert (results["threshold"].status, results["drift"].status) == (Status.PASS, Status.PASS)
    assert (results["coverage"].status, results["coverage"].reason) == (Status.FAIL, "missing-decides")
    assert (
        results["coverage"].sentence
        == "9 items lack scores in both runs; with the worst score for them threshold fails"
    )


def test_items_unscored_in_both_runs_turn_no_paired_check(put: Put) -> None:
    baseline = named([1.0] * 50 + [ItemStatus.ERROR] * 50)
    results = put(baseline, baseline)
    assert (results["coverage"].status, results["coverage"].reason) == (Status.WARN, "missing-tolerated")
    assert {results[check].status for check in ("regression", "drift")} == {Status.PASS}


@pytest.mark.parametrize(("missing", "status"), [("fail", Status.FAIL), ("exclude", Status.PASS)])
def test_items_unscored_in_both_runs_are_missing_by_every_policy(put: Put, missing: str, status: Status) -> None:
    baseline = named([1.0] * 91 + [ItemStatus.ERROR] * 9)
    results = put(baseline, baseline, threshold={"bar": 0.95}, coverage={"missing": missing})
    assert results["coverage"].status is status
    assert "9 items lack scores in both runs" in results["coverage"].sentence
    assert results["drift"].figures["n"] == (91 if missing == "exclude" else 100)


def test_the_policy_fail_fails_on_one_missing_item(put: Put) -> None:
    baseline = named([1.0] * 1000)
    result = put(baseline, {**baseline, "i0000": ItemStatus.ERROR}, coverage={"missing": "fail"})["coverage"]
    assert (result.status, result.reason) == (Status.FAIL, "missing")


def test_the_policy_exclude_leaves_missing_items_out_of_every_check(put: Put) -> None:
    baseline = named([1.0] * 1000)
    candidate = {**baseline, **dict.fromkeys(list(baseline)[:90], ItemStatus.ERROR)}
    options = {"threshold": {"bar": 0.99}, "regression": {"margin": 0.05}}
    results = put(baseline, candidate, coverage={"missing": "exclude"}, **options)
    assert set(statuses(results).values()) == {Status.PASS}
    assert results["drift"].figures["n"] == 910
    worst_case = put(baseline, candidate, **options)
    assert (worst_case["coverage"].status, worst_case["drift"].status) == (Status.FAIL, Status.FAIL)


def test_the_policy_exclude_cannot_get_round_the_least_coverage(put: Put) -> None:
    baseline = named([1.0] * 100)
    result = put(baseline, dict(list(baseline.items())[:89]), coverage={"missing": "exclude"})["coverage"]
    assert (result.status, result.reason) == (Status.FAIL, "coverage-too-low")


def test_leaks_that_hold_the_mean_up_turn_the_threshold_red_once_excluded(put: Put) -> None:
    scores = named([1.0] * 10 + [1.0, 0.0] * 10)
    leaked = list(scores)[:10]
    with_leaks = put(scores, scores, threshold={"bar": 0.48, "guard": "off"})["threshold"]
    result = put(scores, scores, leaked=leaked, threshold={"bar": 0.48, "guard": "off"})["threshold"]
    assert (with_leaks.status, result.status) == (Status.PASS, Status.FAIL)
    assert result.figures["n"] == 20
    assert f"this is without the leaked items; with them: {with_leaks.sentence}" in result.notes


def test_excluding_leaks_never_turns_red_green(put: Put) -> None:
    scores = named([0.0] * 10 + [1.0] * 20)
    result = put(scores, scores, leaked=list(scores)[:10], threshold={"bar": 0.8})["threshold"]
    assert result.status is Status.FAIL
    assert result.figures["n"] == 30
    assert "without the leaked items: low 1.000 clears the bar 0.80" in result.notes


def test_of_two_results_alike_the_one_over_all_items_is_told(put: Put) -> None:
    scores = named([1.0] * 20)
    result = put(scores, scores, leaked=list(scores)[:2], threshold={"bar": 0.8})["threshold"]
    assert result.figures["n"] == 20
    assert result.notes[-1] == "without the leaked items: low 1.000 clears the bar 0.80"


def test_of_two_fails_by_test_the_surer_one_is_told_so_that_sharing_cannot_soften_it(put: Put) -> None:
    baseline = named([1.0] * 40 + [0.0] * 7)
    candidate = named([0.0] * 20 + [1.0] * 20 + [1.0] * 7)
    leaked = list(baseline)[40:]
    with_leaks = put(baseline, candidate)["regression"]
    result = put(baseline, candidate, leaked=leaked)["regression"]
    assert with_leaks.p_value is not None
    assert result.p_value is not None
    assert with_leaks.status is result.status is Status.FAIL
    assert result.p_value < with_leaks.p_value


def test_a_fail_that_sharing_cannot_soften_stands_before_one_that_it_can(put: Put) -> None:
    baseline = named([1.0] * 40 + [0.0] * 12)
    candidate = named([0.0] * 20 + [1.0] * 20 + [1.0] * 12)
    options = {"regression": {"margin": 0.01, "cannot_tell": "fail"}}
    result = put(baseline, candidate, leaked=list(baseline)[40:], **options)["regression"]
    assert (result.status, result.reason) == (Status.FAIL, "cannot-tell")


def test_a_leak_of_an_item_that_no_run_has_changes_nothing(put: Put) -> None:
    scores = named([1.0, 0.0])
    assert put(scores, scores, leaked=["elsewhere"]) == put(scores, scores)


def test_leaks_of_every_item_leave_the_results_with_them_and_a_note(put: Put) -> None:
    scores = named([1.0] * 5)
    plain = put(scores, scores, threshold={"bar": 0.4})
    results = put(scores, scores, leaked=list(scores), threshold={"bar": 0.4})
    assert statuses(results) == statuses(plain)
    for check, result in results.items():
        assert result.sentence == plain[check].sentence
        assert result.notes[-1] == "every item is leaked: without them nothing is left to judge"


def test_leaks_beside_missing_scores_without_any_scale_are_judged(put: Put) -> None:
    candidate = {"a": 3.0, "b": ItemStatus.ERROR}
    results = put(None, candidate, leaked=["a"], scale=None, coverage={"min_coverage": 0})
    assert results["coverage"].status is Status.WARN


def test_the_same_seed_gives_the_same_results_whatever_else_runs(put: Put) -> None:
    before, after = named([1.0, 0.0] * 20), named([0.0, 1.0, 1.0, 1.0] * 10)
    alone = put(before, after, threshold=False, regression=False)["drift"]
    assert put(before, after)["drift"] == alone


@given(
    scores=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=5, max_size=25),
    leaked=st.sets(st.integers(0, 24), min_size=1),
    bar=st.sampled_from([0.3, 0.6, 0.9]),
)
def test_excluding_leaks_never_makes_a_check_milder(
    put: Put, scores: list[float], leaked: set[int], bar: float
) -> None:
    baseline, candidate = named(scores), named(scores[::-1])
    options = {"threshold": {"bar": bar}, "drift": {"n_swaps": 1000}}
    plain = put(baseline, candidate, **options)
    excluding = put(baseline, candidate, leaked=[f"i{row:04d}" for row in leaked], **options)
    for check, result in plain.items():
        assert BADNESS.index(excluding[check].status) >= BADNESS.index(result.status)


@given(
    scores=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=5, max_size=25),
    gone=st.sets(st.integers(0, 24), min_size=1),
)
def test_a_candidate_that_loses_items_never_passes_clean(put: Put, scores: list[float], gone: set[int]) -> None:
    baseline = named(scores)
    candidate = {item: score for row, (item, score) in enumerate(baseline.items()) if row not in gone}
    if 0 < len(candidate) < len(baseline):
        assert put(baseline, candidate)["coverage"].status in (Status.WARN, Status.FAIL)


@given(scores=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=25))
def test_a_run_against_itself_passes_with_nothing_yellow(put: Put, scores: list[float]) -> None:
    same = named(scores)
    assert {result.status for result in put(same, same).values()} <= {Status.PASS, Status.NOT_RUN}


@pytest.mark.parametrize(
    ("levels", "shares", "items"),
    [([0.0, 1.0], [0.1, 0.9], 20), ([0.0, 1.0], [0.02, 0.98], 60), ([0.0, 0.5, 1.0], [0.1, 0.2, 0.7], 40)],
    ids=["pass or fail", "easy", "partial credit"],
)
def test_an_unchanged_model_is_blocked_at_most_five_times_in_a_hundred(
    put: Put, levels: list[float], shares: list[float], items: int
) -> None:
    draw, runs = np.random.default_rng(7), 200
    blocked = 0
    for _ in range(runs):
        before, after = (draw.choice(levels, size=items, p=shares).tolist() for _ in range(2))
        results = put(named(before), named(after), drift={"n_swaps": 1000})
        blocked += Status.FAIL in statuses(results).values()
    # 5 % of 200 is 10, and chance adds up to three standard deviations
    assert blocked <= 19
