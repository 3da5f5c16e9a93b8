"""`reduce` in gate.yml: names, settings of each, and what of it is refused."""

import pytest

from gate.scores.reducers import MEAN, parse_reducer
from tests.config.conftest import Load, Refuse

HEAD = "version: 1\nsuites:\n  - name: code\n    baseline: a.jsonl\n    candidate: b.jsonl\n"
WAIVER = """
waivers:
  - {check: threshold, metric: METRIC, reason: known, approved_by: lee, expires: 2026-12-01}
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("reduce: pass@5", ["pass@5"]),
        ("reduce: [pass@1, pass^3]", ["pass@1", "pass^3"]),
        ("reduce: {pass@1: {bar: 0.2}, best: }", ["pass@1", "best"]),
        ("metrics: {passed: {reduce: {worst: }}}", ["worst"]),
        ("reduce: best\n    metrics: {passed: {reduce: worst}}", ["worst"]),
    ],
)
def test_one_name_or_several_with_or_without_settings(text: str, names: list[str], load: Load) -> None:
    reductions = load(f"{HEAD}    {text}\n").suites[0].reductions(["passed"])
    assert [reduction.reducer for reduction in reductions] == [parse_reducer(name) for name in names]


def test_without_it_the_samples_count_by_their_mean(load: Load) -> None:
    (reduction,) = load(HEAD).suites[0].reductions(["passed"])
    assert (reduction.reducer, reduction.name) == (MEAN, "passed")


def test_the_score_s_own_settings_go_before_the_metric_s_and_those_before_the_suite_s(load: Load) -> None:
    suite = load(
        f"{HEAD}    scale: [0, 1]\n"
        "    metrics: {'pass*': {margin: 0.1, bar: 0.3, reduce: {pass@1: {bar: 0.2}, pass@5: }}}\n"
    ).suites[0]
    assert [suite.settings_of(f"passed {name}").bar for name in ("pass@1", "pass@5")] == [0.2, 0.3]
    assert suite.settings_of("passed pass@1").margin == 0.1
    assert suite.metric_scale("passed pass@1") == (0.0, 1.0)
    assert suite.has_own_bars


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("reduce: pass@0", "there is no reducer 'pass@0'"),
        ("reduce: []", "this must be one name or more"),
        ("reduce: {pass@1: {barr: 1}}", "unknown key 'barr'"),
        ("metrics: {reduce: {bar: }}", "has no value"),
        ("reduce: {best: {margin: 0.1}}\n    checks: {regression: false}", "margin of 'best' is not used"),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, told: str, refuse: Refuse) -> None:
    error = refuse(f"{HEAD}    {text}\n")
    assert told in error.what, error.what
    assert error.where is not None
    assert error.where.line is not None


def test_a_waiver_may_name_a_score_made_of_samples(load: Load, refuse: Refuse) -> None:
    suite = f"{HEAD}    metrics: {{passed: {{reduce: [pass@1, pass@5]}}}}\n"
    assert load(suite + WAIVER.replace("METRIC", "passed pass@5")).waivers[0].metric == "passed pass@5"
    assert "has no metric 'passed pass@2'" in refuse(suite + WAIVER.replace("METRIC", "passed pass@2")).what


def test_the_bar_of_the_mean_of_the_samples_is_the_bar_of_the_metric_s_own_name(load: Load) -> None:
    suite = load(f"{HEAD}    reduce: {{mean: {{bar: 0.9}}, pass@5: {{bar: 0.95}}}}\n").suites[0]
    assert [suite.settings_of(name).bar for name in ("passed", "passed pass@5")] == [0.9, 0.95]
    own = load(f"{HEAD}    metrics: {{passed: {{bar: 0.2, reduce: {{mean: {{margin: 0.1}}}}}}}}\n").suites[0]
    assert (own.settings_of("passed").bar, own.settings_of("passed").margin) == (0.2, 0.1)


def test_a_metric_that_the_file_itself_calls_like_a_score_made_of_samples_keeps_its_settings(load: Load) -> None:
    suite = load(
        f"{HEAD}    metrics: {{'acc pass@1': {{direction: lower, bar: 0.3}}, acc: }}\n"
        "    reduce: {pass@1: {bar: 0.7}}\n"
    ).suites[0]
    assert suite.settings_of("acc pass@1").bar == 0.3
    assert suite.settings_of("acc pass@1 pass@1").bar == 0.7
    assert [one.direction for one in suite.reductions(["acc pass@1", "acc"])] == ["lower", None]
