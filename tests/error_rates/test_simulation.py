"""The stated error rates against a simulator that shares no code with them: it makes runs and asks the checks."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gate.alignment import MetricPairs
from gate.config import SuiteConfig, validate_config
from gate.error_rates import measure_metric, tell_rates
from gate.judging import Judge
from gate.results import ErrorRates, Status

MakePairs = Callable[..., MetricPairs]
Scores = np.ndarray[tuple[int], np.dtype[np.float64]]

RUNS = 300
# standard errors of a share of so many runs
TOLERANCE = 3.2


def suite_of(**checks: Any) -> SuiteConfig:
    """The configuration of a suite with a baseline; drift draws fewer swaps, for there are many runs."""
    drift = {"n_swaps": 1000} if checks.get("drift", True) is True else checks["drift"]
    suite = {"name": "s", "baseline": "a", "candidate": "b", "checks": {"coverage": False, **checks, "drift": drift}}
    return validate_config({"version": 1, "suites": [suite]}).suites[0]


def named(scores: Scores) -> dict[str, float]:
    return {f"i{row:04d}": score for row, score in enumerate(scores.tolist())}


def judged(make_pairs: MakePairs, suite: SuiteConfig, runs: Iterator[tuple[Scores, Scores]]) -> dict[str, float]:
    """How often the suite's checks block, and how often they only warn."""
    words = []
    for baseline, candidate in runs:
        pairs = make_pairs(named(baseline), named(candidate))
        statuses = {result.status for result in Judge(suite, None, 0).judge(pairs)}  # type: ignore[arg-type]  # coverage is off
        words.append("block" if Status.FAIL in statuses else "warn" if Status.WARN in statuses else "pass")
    return {word: words.count(word) / len(words) for word in ("block", "warn")}


def stated(make_pairs: MakePairs, suite: SuiteConfig, baseline: Scores, candidate: Scores) -> ErrorRates:
    rates = measure_metric(make_pairs(named(baseline), named(candidate)), suite, 0)
    assert rates is not None
    told = tell_rates([rates])
    assert told is not None
    return told


def close(share: float) -> Any:
    noise = np.sqrt(max(share * (1 - share), 0.003) / RUNS)
    return pytest.approx(share, abs=TOLERANCE * noise)


def exchanged(baseline: Scores, candidate: Scores) -> Iterator[tuple[Scores, Scores]]:
    """Runs between which nothing changed, made of two runs: each item's scores may as well change places."""
    rng = np.random.default_rng(11)
    for _ in range(RUNS):
        swap = rng.random(baseline.size) < 0.5
        yield np.where(swap, candidate, baseline), np.where(swap, baseline, candidate)


def three_marks(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    chances = rng.dirichlet([1, 1, 4], n).cumsum(axis=1)[:, :2]
    first, second = ((rng.random((n, 1)) > chances).sum(axis=1) / 2 for _ in range(2))
    return first, second


def pass_or_fail(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    chance = rng.beta(4, 1.5, n)
    first, second = ((rng.random(n) < chance).astype(float) for _ in range(2))
    return first, second


def irregular(rng: np.random.Generator, n: int) -> tuple[Scores, Scores]:
    level = rng.beta(8, 3, n)
    first, second = (np.clip(level + rng.normal(0, 0.1, n), 0, 1) for _ in range(2))
    return first, second


MODELS = [three_marks, pass_or_fail, irregular]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [25, 80])
def test_unchanged_runs_are_blocked_and_warned_about_as_often_as_stated(
    make_pairs: MakePairs, model: Callable[..., tuple[Scores, Scores]], n: int
) -> None:
    suite = suite_of()
    runs = model(np.random.default_rng(n), n)
    told, seen = stated(make_pairs, suite, *runs), judged(make_pairs, suite, exchanged(*runs))
    if model is irregular:
        # the deciles are each baseline's own, which makes the test stricter than it has to be: the rate errs upwards
        assert told.block >= seen["block"] - TOLERANCE * 0.009
    else:
        assert told.block == close(seen["block"])
    assert told.warn == close(seen["warn"])
    assert told.block < 0.052


@pytest.mark.parametrize("rule", ["calibrated", "bands"])
def test_the_published_bands_alarm_at_few_items_as_often_as_stated(make_pairs: MakePairs, rule: str) -> None:
    suite = suite_of(drift={"rule": rule, "n_swaps": 1000}, regression=False)
    runs = three_marks(np.random.default_rng(2), 20)
    told, seen = stated(make_pairs, suite, *runs), judged(make_pairs, suite, exchanged(*runs))
    assert (told.block, told.warn) == (close(seen["block"]), close(seen["warn"]))
    assert (told.block + told.warn > 0.2) == (rule == "bands")


@pytest.mark.parametrize(("margin", "cannot_tell"), [(0.05, "note"), (0.15, "warn"), (0.15, "fail")])
def test_a_margin_warns_or_blocks_as_often_as_stated(make_pairs: MakePairs, margin: float, cannot_tell: str) -> None:
    suite = suite_of(drift=False, regression={"margin": margin, "cannot_tell": cannot_tell})
    runs = three_marks(np.random.default_rng(3), 120)
    told, seen = stated(make_pairs, suite, *runs), judged(make_pairs, suite, exchanged(*runs))
    # how far the exact bound lies below the mean is taken to be the same in every run
    assert told.block == pytest.approx(seen["block"], abs=0.1)
    assert told.warn == pytest.approx(seen["warn"], abs=0.1)


def level_of(rng: np.random.Generator, n: int) -> Scores:
    """The chance of each item to be passed."""
    return rng.beta(8, 2, n)


@pytest.mark.parametrize(("bar", "method"), [(0.72, "bootstrap"), (0.76, "exact"), (0.76, "bootstrap")])
def test_an_unchanged_run_misses_the_bar_as_often_as_stated(make_pairs: MakePairs, bar: float, method: str) -> None:
    """Over many baselines, each one draw of its model: the mean of what is stated is what happens to fresh runs.

    Near the bar the rate that is stated is nearer to one half than the truth: nobody knows the model's own mean.
    """
    rng, n = np.random.default_rng(4), 150
    suite = suite_of(drift=False, regression=False, threshold={"bar": bar, "method": method})
    told, seen = [], []
    for _ in range(40):
        chance = level_of(rng, n)
        baseline, candidate, *fresh = ((rng.random(n) < chance).astype(float) for _ in range(10))
        told.append(stated(make_pairs, suite, baseline, candidate).block)
        seen.append(judged(make_pairs, suite, iter([(baseline, run) for run in fresh]))["block"])
    assert abs(np.mean(told) - 0.5) <= abs(np.mean(seen) - 0.5) + 0.05
    assert np.mean(told) == pytest.approx(np.mean(seen), abs=0.2)


@pytest.mark.parametrize(("drop", "n"), [(0.05, 250), (0.10, 60)])
@pytest.mark.parametrize("model", MODELS)
def test_a_stated_drop_is_caught_as_often_as_stated(
    make_pairs: MakePairs, model: Callable[..., tuple[Scores, Scores]], n: int, drop: float
) -> None:
    suite = suite_of(drift=False, regression={"margin": drop})
    baseline, candidate = model(np.random.default_rng(n), n)
    told = stated(make_pairs, suite, baseline, candidate)
    rng = np.random.default_rng(12)
    moved = np.abs(candidate - baseline)
    fall = moved[moved > 0].mean()

    def fallen() -> Iterator[tuple[Scores, Scores]]:
        # the check does not mind a score below the scale, and a real run would have others to fall
        for before, after in exchanged(baseline, candidate):
            yield before, after - fall * (rng.random(n) < drop / fall)

    seen = judged(make_pairs, suite, fallen())
    assert told.drop == drop
    assert told.caught == pytest.approx(seen["block"], abs=0.1)


def test_a_drop_below_a_bar_is_caught_by_the_bar_too(make_pairs: MakePairs) -> None:
    baseline, candidate = pass_or_fail(np.random.default_rng(6), 100)
    without = stated(make_pairs, suite_of(drift=False), baseline, candidate)
    barred = stated(make_pairs, suite_of(drift=False, threshold={"bar": 0.65}), baseline, candidate)
    assert without.caught is not None
    assert barred.caught is not None
    assert barred.caught > without.caught
