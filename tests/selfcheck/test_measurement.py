from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import beta, binom

from gate.errors import ConfigError, GateError, ScoreFileError, UsageError
from gate.selfcheck import Question, measure, render_json, render_text
from tests.selfcheck.conftest import PAIR, WriteCsv, pass_fail, repeated

THREE_MARKS = [0.0] * 4 + [0.5] * 6 + [1.0] * 10


# how often unchanged runs are blocked


@pytest.mark.parametrize("rule", ["bands", "calibrated"])
def test_the_published_bands_alarm_at_twenty_items_and_the_calibrated_rule_does_not(
    write_csv: WriteCsv, config: Callable[[str], str], rule: str
) -> None:
    path = write_csv("a.csv", THREE_MARKS)
    checks = f"{PAIR}checks: {{regression: false, drift: {{rule: {rule}, n_swaps: 1000}}}}"
    found = measure(Question(file=path, config=config(checks), runs=150, rho=0.0))
    if rule == "bands":
        assert found.unchanged.block.low > 0.1
        assert found.unchanged.failing["drift"] == found.unchanged.block
        assert any("`rule: calibrated` asks chance first" in sentence for sentence in found.advice)
    else:
        assert found.unchanged.block.low <= 0.025
        assert not any("bands" in sentence for sentence in found.advice)


def test_a_bar_blocks_as_often_as_the_binomial_says(write_csv: WriteCsv, config: Callable[[str], str]) -> None:
    n, passed, bar = 60, 48, 0.7
    checks = f"candidate: b\n    checks: {{coverage: false, threshold: {{bar: {bar}, method: exact}}}}"
    found = measure(Question(file=write_csv("a.csv", pass_fail(n, passed)), config=config(checks), runs=200, rho=0.0))
    right = np.arange(n + 1)
    fails = np.nan_to_num(beta.ppf(0.025, right, n - right + 1)) < bar
    expected = float(binom.pmf(right[fails], n, passed / n).sum())
    assert found.unchanged.block.low <= expected <= found.unchanged.block.high
    assert set(found.unchanged.failing) == {"threshold"}


def test_the_shares_of_the_verdicts_are_those_of_one_whole(write_csv: WriteCsv) -> None:
    found = measure(Question(file=write_csv("a.csv", pass_fail(25, 20)), threshold=0.7, runs=20))
    rates = found.unchanged
    assert rates.block.share + rates.warn.share + rates.passed.share == pytest.approx(1.0)
    for share in (rates.block, rates.warn, rates.passed):
        assert share.low <= share.share <= share.high


def test_the_interval_of_a_share_is_the_exact_one(write_csv: WriteCsv) -> None:
    found = measure(Question(file=write_csv("a.csv", pass_fail(30, 27)), threshold=0.7, runs=40))
    hits = round(found.unchanged.block.share * 40)
    wanted = (float(np.nan_to_num(beta.ppf(0.025, hits, 41 - hits))), beta.ppf(0.975, hits + 1, 40 - hits))
    assert (found.unchanged.block.low, found.unchanged.block.high) == pytest.approx(wanted, abs=1e-5)


# how often a drop is caught


def test_a_large_drop_is_caught_and_a_small_one_is_not(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", pass_fail(100, 80))
    large, small = (measure(Question(file=path, drop=drop, runs=30, rho=0.8)) for drop in (0.5, 0.01))
    assert large.dropped[0].block.share == 1.0
    assert small.dropped[0].block.share < 0.5
    assert any("about" in sentence and "items like these would catch it" in sentence for sentence in small.advice)
    assert not large.advice


def test_the_drop_is_the_margin_else_a_twentieth_of_the_scale(
    write_csv: WriteCsv, config: Callable[[str], str]
) -> None:
    path = write_csv("a.csv", pass_fail(20, 16))
    margin = config(f"{PAIR}checks: {{regression: {{margin: 0.1}}}}")
    assert measure(Question(file=path, runs=20)).dropped[0].drop == pytest.approx(0.05)
    assert measure(Question(file=path, runs=20, config=margin)).dropped[0].drop == 0.1
    small = measure(Question(file=write_csv("b.csv", pass_fail(50, 2)), runs=20))
    assert small.dropped[0].drop == pytest.approx(0.02)
    assert any("half of what the mean leaves room for" in note for note in small.notes)


def test_on_an_unknown_scale_the_range_of_the_scores_counts(write_csv: WriteCsv, config: Callable[[str], str]) -> None:
    path = write_csv("a.csv", [100, 150, 200, 300] * 5)
    higher, lower = (
        measure(Question(file=path, config=config(f"{PAIR}direction: {direction}"), runs=20, rho=0.5)).dropped[0]
        for direction in ("higher", "lower")
    )
    assert (higher.drop, lower.drop) == (10.0, 10.0)
    assert (higher.room, lower.room) == (87.5, 112.5)


def test_a_drop_that_the_mean_leaves_no_room_for_is_an_error(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", pass_fail(3, 2))
    with pytest.raises(UsageError, match="is more than the mean of 'score' leaves room for") as caught:
        measure(Question(file=path, drop=0.7))
    assert caught.value.remedy == "give at most 0.666667, in the unit of the scores"
    measure(Question(file=path, drop=0.666667, runs=20))


def test_where_lower_is_better_a_drop_is_a_rise(write_csv: WriteCsv, config: Callable[[str], str]) -> None:
    path = write_csv("a.csv", pass_fail(100, 20))
    setting = config(f"{PAIR}direction: lower\n    checks: {{threshold: {{bar: 0.5}}, drift: false}}")
    found = measure(Question(file=path, config=setting, drop=0.6, runs=20))
    assert found.dropped[0].room == pytest.approx(0.8)
    assert found.dropped[0].block.share == 1.0
    assert found.unchanged.block.share < 0.5


def test_each_metric_has_a_drop_of_its_own(write_csv: WriteCsv) -> None:
    scores = pass_fail(60, 50)
    path = write_csv("a.csv", {"id": [f"i{row}" for row in range(60)], "acc": scores, "f1": scores[::-1]})
    found = measure(Question(file=path, metrics=("acc", "f1"), drop=0.7, runs=20))
    assert [caught.metric for caught in found.dropped] == ["acc", "f1"]
    assert all(caught.block.share > 0.9 for caught in found.dropped)
    assert "drop of 0.70 in f1" in render_text(found)


# what stands beside


def test_the_prediction_of_the_summary_stands_beside(write_csv: WriteCsv) -> None:
    found = measure(Question(file=write_csv("a.csv", pass_fail(60, 45)), runs=60, rho=0.5, threshold=0.7))
    assert found.predicted is not None
    assert found.predicted.block == pytest.approx(found.unchanged.block.share, abs=0.25)
    assert found.predicted.caught is not None
    other = measure(Question(file=write_csv("a.csv", pass_fail(60, 45)), runs=20, rho=0.5, drop=0.2))
    assert other.predicted is not None
    assert other.predicted.caught is None


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_runs(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", pass_fail(25, 18))
    first, again, other = (
        measure(Question(file=path, threshold=0.6, runs=20, rho=0.5, seed=seed)) for seed in (1, 1, 2)
    )
    assert render_json(first) == render_json(again)
    assert first.unchanged != other.unchanged


# bad input


@pytest.mark.parametrize("score", [0, 1])
def test_scores_that_do_not_vary_get_a_sensible_answer(write_csv: WriteCsv, score: int) -> None:
    found = measure(Question(file=write_csv("a.csv", [score] * 30), runs=20))
    assert found.unchanged.block.share == 0.0
    assert any("this file shows no noise" in note for note in found.notes)
    assert len(found.dropped) == score


def test_one_item_is_enough_for_an_answer(write_csv: WriteCsv) -> None:
    assert measure(Question(file=write_csv("a.csv", [0.5]), runs=20)).unchanged.passed.share == 1.0


@pytest.mark.parametrize(
    ("columns", "asked", "error"),
    [
        ({"id": ["a"], "score": [""]}, {}, ScoreFileError),
        ({"id": ["a"], "acc": [1], "f1": [1]}, {}, ScoreFileError),
        ({"id": ["a"], "score": [1]}, {"metrics": ("other",)}, ScoreFileError),
        ({"id": ["a", "b"], "score": [1, 40]}, {"threshold": 0.7}, GateError),
        ({"id": ["a"], "score": [1]}, {"threshold": 7.0}, GateError),
        ({"id": ["a"], "score": [1]}, {"format": "lm_eval"}, ScoreFileError),
    ],
)
def test_a_file_that_cannot_be_judged_is_an_error_with_a_remedy(
    write_csv: WriteCsv, columns: dict[str, object], asked: dict[str, object], error: type[GateError]
) -> None:
    with pytest.raises(error) as caught:
        measure(Question(file=write_csv("a.csv", columns), **asked))  # type: ignore[arg-type]  # one of many fields
    assert caught.value.remedy


def test_progress_is_told_pair_by_pair(write_csv: WriteCsv) -> None:
    told: list[tuple[int, int]] = []
    measure(Question(file=write_csv("a.csv", [1, 0]), runs=20, rho=0.5), lambda done, pairs: told.append((done, pairs)))
    assert told == [(done, 20) for done in range(1, 21)]


def test_what_is_made_of_the_samples_is_measured_and_no_other_number_of_them_advised(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", repeated(40, 3))
    found = measure(Question(file=path, runs=40, drop=0.02, reduce=("pass@2", "best")))
    assert [caught.metric for caught in found.dropped] == ["score pass@2", "score best"]
    about = {name: " ".join(s for s in found.advice if f"'score {name}'" in s) for name in ("pass@2", "best")}
    assert "repeats of each instead of 3" in about["pass@2"]
    assert "items like these" in about["best"]
    assert "repeats" not in about["best"]


@pytest.mark.parametrize("files", [1, 2])
def test_a_margin_that_no_drop_exceeds_is_refused_as_a_check_refuses_it(
    write_csv: WriteCsv, config: Callable[[str], str], files: int
) -> None:
    path = write_csv("a.csv", [0.0, 0.5, 1.0])
    setting = config(f"{PAIR}checks: {{regression: {{margin: 1.0}}}}")
    with pytest.raises(ConfigError, match="no drop could exceed it"):
        measure(Question(file=path, other=path if files > 1 else None, config=setting, runs=20))
