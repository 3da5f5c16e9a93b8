"""The what-if panel computes in the browser what the checks compute here: on 200 random settings, to 1e-9."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gate import wording
from gate.alignment import MetricPairs
from gate.checks import drift, regression, threshold
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.item_table import EMPTY
from gate.results import CheckResult, Status, SuiteReport
from gate.scores.model import Direction, Scale
from gate.stats.multiplicity import ERROR_SHARE
from gate.verdict import decide

MakePairs = Callable[..., MetricPairs]

HERE = Path(__file__).parent
SETTINGS = 200
CLOSE = 1e-9
# 2**13 swaps are fewer than the 10 000 draws: the check takes each of them once.
MOST_ENUMERATED = 13
# Each kind of scores with the scale that a suite may give it.
KINDS: list[tuple[list[float], tuple[float, float]]] = [
    ([0.0, 0.5, 1.0], (0.0, 1.0)),
    ([0.0, 1.0], (0.0, 1.0)),
    ([0.0, 0.25, 0.5, 0.75, 1.0], (0.0, 1.0)),
    ([0.0, 1 / 3, 2 / 3, 1.0], (0.0, 1.0)),
    ([0.1, 0.2, 0.3, 0.7, 0.9], (0.0, 1.0)),
    ([1.0, 2.0, 3.0, 4.0, 5.0], (1.0, 5.0)),
    ([0.0, 20.0, 55.0, 62.5, 100.0], (0.0, 100.0)),
    ([-2.5, -1.0, 0.0, 4.0], (-5.0, 5.0)),
    ([12.0, 13.5, 60.25], (0.0, 120.0)),
]


class Case(NamedTuple):
    """A setting of the panel, and what it came to in JavaScript."""

    setting: Mapping[str, Any]
    found: Mapping[str, Any]


def draw_setting(rng: np.random.Generator) -> dict[str, Any]:
    scores, scale = KINDS[int(rng.integers(len(KINDS)))]
    k, n = len(scores), int(rng.choice([1, 2, 5, 20, 60, 200, 900]))
    chances = rng.dirichlet(np.full(k * k, 0.5)) + np.eye(k).ravel() * rng.choice([0.0, 0.5, 3.0])
    table = rng.multinomial(n, chances / chances.sum()).reshape(k, k)
    counts = table.sum(axis=0)
    if rng.random() < 0.8:  # the sliders are moved
        counts = rng.multinomial(n, rng.dirichlet(1.0 + counts))
    mean = float(np.array(scores) @ counts) / n
    lower = bool(rng.random() < 0.25)
    bar = round(float(rng.normal(mean, (scale[1] - scale[0]) / 8)), 2)
    edges = sorted({float(each) for each in rng.choice(scores, size=2)}) if rng.random() < 0.2 else None
    return {
        "run": {
            "scores": scores,
            "counts": counts.tolist(),
            "table": table.tolist(),
            "scale": {"low": scale[0], "high": scale[1]} if rng.random() < 0.8 else None,
            "lowerIsBetter": lower,
        },
        "options": {
            "bar": None if rng.random() < 0.1 else bar,
            "alpha": float(rng.choice([0.01, 0.05, 0.1, 0.2])),
            "method": str(rng.choice(["bootstrap", "bootstrap", "exact"])),
            "guard": str(rng.choice(["warn", "fail", "off"])),
            "margin": None if rng.random() < 0.5 else float(rng.choice([0.02, 0.05, 0.1])) * (scale[1] - scale[0]),
            "cannotTell": str(rng.choice(["note", "warn", "fail"])),
            "rule": str(rng.choice(["calibrated", "bands"])),
        },
        "edges": edges,
        "quantiles": int(rng.integers(2, 6)) if edges is None and rng.random() < 0.2 else None,
    }


def compute(script: str, given: object) -> list[Any]:
    """What a script of node prints for JSON on its standard input."""
    done = subprocess.run(
        ["node", HERE / script], input=json.dumps(given), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    rng = np.random.default_rng(20)
    settings = [draw_setting(rng) for _ in range(SETTINGS)]
    return [Case(*both) for both in zip(settings, compute("judge_all.mjs", settings), strict=True)]


def pairs_of(case: Case, make_pairs: MakePairs) -> MetricPairs:
    run = case.setting["run"]
    scores, table = run["scores"], np.array(case.found["table"])
    before, now = np.indices(table.shape).reshape(2, -1).repeat(table.ravel(), axis=1)
    scale = run["scale"] and Scale(run["scale"]["low"], run["scale"]["high"])
    return make_pairs(
        [scores[each] for each in before],
        [scores[each] for each in now],
        direction=Direction.LOWER if run["lowerIsBetter"] else Direction.HIGHER,
        scale=scale,
    )


def agree(found: Mapping[str, Any], result: CheckResult, figures: Mapping[str, str]) -> None:
    assert (found["status"], found["reason"]) == (result.status, result.reason)
    assert found["sentence"] == result.sentence
    for theirs, ours in figures.items():
        expected = result.figures[ours]
        assert found["figures"][theirs] == (expected if expected is None else pytest.approx(expected, rel=0, abs=CLOSE))


def judge_threshold(case: Case, make_pairs: MakePairs) -> CheckResult:
    given = case.setting["options"]
    options = ThresholdOptions(**{key: given[key] for key in ("bar", "alpha", "method", "guard")})
    return threshold.check(pairs_of(case, make_pairs), options, np.random.default_rng(0))


def judge_regression(case: Case, make_pairs: MakePairs) -> CheckResult:
    given = case.setting["options"]
    options = RegressionOptions(margin=given["margin"], cannot_tell=given["cannotTell"])
    return regression.check(pairs_of(case, make_pairs), options, np.random.default_rng(0))


def judge_drift(case: Case, make_pairs: MakePairs) -> CheckResult:
    options = DriftOptions(
        rule=case.setting["options"]["rule"], edges=case.setting["edges"], quantiles=case.setting["quantiles"]
    )
    return drift.check(pairs_of(case, make_pairs), options, np.random.default_rng(0))


def moved(case: Case) -> int:
    table = np.array(case.found["table"])
    return int(table.sum() - np.trace(table))


@pytest.mark.parametrize("index", range(SETTINGS))
def test_the_panel_agrees_with_the_checks(index: int, cases: list[Case], make_pairs: MakePairs) -> None:
    case = cases[index]
    bar = judge_threshold(case, make_pairs)
    named = {"mean": "mean", "n": "n"}
    if bar.status is not Status.NOT_RUN:
        ends = {"low": "low", "high": "high", "exactLow": "exact_low", "exactHigh": "exact_high"}
        named |= {**ends, "pAtBar": "p_at_bar", "exactP": "exact_p_at_bar"}
    agree(case.found["threshold"], bar, named)

    fall = judge_regression(case, make_pairs)
    ends = {"low": "low", "high": "high", "exactLow": "exact_low", "exactHigh": "exact_high"}
    counted = {"wins": "wins", "losses": "losses", "ties": "ties", "n": "n"}
    named = {"delta": "delta", "p": "p", "pAtMargin": "p_at_margin", "drop": "smallest_detectable_drop"}
    agree(case.found["regression"], fall, {**named, **ends, **counted})

    shift = judge_drift(case, make_pairs)
    assert case.found["drift"]["figures"]["psi"] == pytest.approx(shift.figures["psi"], rel=0, abs=CLOSE)
    if is_drawn(case, shift):
        return
    agree(case.found["drift"], shift, {})
    verdict = decide([SuiteReport("s", None, None, (bar, fall, shift), EMPTY)])
    assert case.found["verdict"] == verdict.word


def is_drawn(case: Case, shift: CheckResult) -> bool:
    """Whether the p of drift, drawn by the check and counted out by the panel, is too close to its limit to compare."""
    ours, theirs = shift.figures["p"], case.found["drift"]["figures"]["p"]
    assert isinstance(ours, float)
    if moved(case) <= MOST_ENUMERATED:
        shares = {"moderateShare": "unchanged_over_moderate", "significantShare": "unchanged_over_significant"}
        agree(case.found["drift"], shift, {"p": "p", "n": "n", **shares})
        return False
    noise = 5 * float(theirs * (1 - theirs) / 10_000) ** 0.5 + 2e-4
    assert ours == pytest.approx(theirs, rel=0, abs=noise)
    return (ours <= ERROR_SHARE) != (float(theirs) <= ERROR_SHARE)


def test_the_settings_reach_every_outcome(cases: list[Case]) -> None:
    reached = {check: {case.found[check]["reason"] for case in cases} for check in ("threshold", "regression", "drift")}
    assert reached["threshold"] == {
        "clears-bar", "high-over-bar", "low-under-bar", "no-bar", "not-proven",
    }  # fmt: skip
    assert reached["regression"] >= {"cannot-tell", "no-regression-shown", "no-worse", "regression-shown"}
    assert reached["drift"] == {"chance", "drift-by-improvement", "moderate-drift", "significant-drift", "stable"}
    assert {case.found["verdict"] for case in cases} == {"PASS", "WARN", "BLOCK"}


def test_few_settings_are_too_close_to_call(cases: list[Case], make_pairs: MakePairs) -> None:
    assert sum(is_drawn(case, judge_drift(case, make_pairs)) for case in cases) <= 2


def test_the_pairs_keep_the_baseline_and_have_the_counts_asked_for(cases: list[Case]) -> None:
    for case in cases:
        before, after = np.array(case.setting["run"]["table"]), np.array(case.found["table"])
        assert after.sum(axis=1).tolist() == before.sum(axis=1).tolist()
        assert after.sum(axis=0).tolist() == case.setting["run"]["counts"]
        assert (after >= 0).all()


@pytest.mark.parametrize("name", ["number", "limit", "probability", "percent"])
def test_numbers_are_written_alike(name: str) -> None:
    rng = np.random.default_rng(5)
    numbers = [0.0, 0.0625, 0.1875, 0.7, 0.975, 5e-4, 1e-7, 0.25, 1.0, 100.0, 2.5]
    numbers += [*rng.random(200), *(rng.integers(0, 16_000, 200) / 16_000)]
    if name == "number":
        numbers += [-0.0, -0.0625, -4e-5, 1e6, 1234567.0, 9999999.5, -3.2e9, 1.5e300, 999999.9996]
    written = compute("write_all.mjs", {"name": name, "numbers": [float(each) for each in numbers]})
    assert written == [getattr(wording, name)(float(each)) for each in numbers]


def test_a_number_is_written_apart_from_its_limit_alike() -> None:
    beside = [(0.7000001, 0.7), (0.6999, 0.7), (0.7, 0.7), (0.1 + 0.2, 0.3), (1234567.0, 1.0), (0.2, 0.25)]
    assert compute("write_all.mjs", {"name": "numberBeside", "numbers": beside}) == [
        wording.number_beside(*both) for both in beside
    ]
