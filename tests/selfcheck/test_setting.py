from collections.abc import Callable
from pathlib import Path

import pytest

from gate.checks.drift import DriftOptions
from gate.checks.threshold import ThresholdOptions
from gate.errors import ConfigError, GateError, UsageError
from gate.selfcheck.question import Question
from gate.selfcheck.setting import Setting, settle, with_few_swaps

PAIR = "baseline: a.csv\n    candidate: b.csv"
Settle = Callable[..., Setting]


@pytest.fixture
def settled(tmp_path: Path) -> Settle:
    """The setting of gate.yml's suites, each given by its lines, asked about with flags."""

    def make(*suites: str, waivers: str = "", **asked: object) -> Setting:
        path = tmp_path / "gate.yml"
        listed = "".join(f"  - name: s{index}\n    {lines}\n" for index, lines in enumerate(suites))
        path.write_text(f"version: 1\nsuites:\n{listed}{waivers}", encoding="utf-8")
        return settle(Question(file="main.csv", config=str(path), **asked))  # type: ignore[arg-type]  # one of many fields

    return make


def test_without_gate_yml_the_defaults_are_measured() -> None:
    suite = settle(Question(file="main.csv", threshold=0.7, metrics=("acc",))).suite
    assert (suite.baseline, suite.candidate, list(suite.metrics)) == ("main.csv", "main.csv", ["acc"])
    assert suite.checks.options("drift") == DriftOptions()
    assert suite.checks.options("threshold") == ThresholdOptions(bar=0.7)


def test_the_files_of_gate_yml_give_way_and_its_options_stay(settled: Settle) -> None:
    suite = settled(f"{PAIR}\n    scale: [0, 10]\n    checks: {{drift: {{rule: bands}}}}").suite
    assert (suite.baseline, suite.scale) == ("main.csv", (0.0, 10.0))
    assert suite.checks.options("drift") == DriftOptions(rule="bands")
    assert suite.is_asked("drift")
    assert not suite.is_asked("regression")


def test_flags_go_over_gate_yml(settled: Settle) -> None:
    suite = settled(f"{PAIR}\n    checks: {{threshold: {{bar: 0.5, guard: fail}}}}", threshold=0.6).suite
    assert suite.checks.options("threshold") == ThresholdOptions(bar=0.6, guard="fail")


def test_a_suite_without_files_is_measured_with_a_baseline(settled: Settle) -> None:
    assert settled("direction: higher").suite.baseline == "main.csv"


def test_a_suite_that_names_a_candidate_alone_is_measured_alone(settled: Settle) -> None:
    found = settled("candidate: b.csv\n    checks: {threshold: {bar: 0.7}}")
    assert (found.suite.baseline, found.suite.candidate) == (None, "main.csv")
    assert "gate.yml names no baseline for this suite: each run is judged alone" in found.notes


def test_what_does_not_depend_on_the_scores_is_left_out_and_told(settled: Settle) -> None:
    found = settled(
        f"{PAIR}\n    checks: {{contamination: {{corpus: c.txt}}}}",
        waivers="waivers: [{check: drift, reason: r, approved_by: Ada, expires: 2030-01-01}]\n",
    )
    assert found.suite.checks.options("contamination") is None
    assert found.notes == ("contamination is left out: it does not depend on the scores", "waivers are left out")


def test_one_of_several_suites_is_named(settled: Settle) -> None:
    assert settled(PAIR, PAIR, suite="s1").suite.name == "s1"
    with pytest.raises(UsageError, match="has 2 suites") as caught:
        settled(PAIR, PAIR)
    assert caught.value.remedy == "name it: `--suite NAME`, with NAME one of s0, s1"
    with pytest.raises(UsageError, match="--suite 's2' is not in"):
        settled(PAIR, PAIR, suite="s2")


def test_it_is_told_that_one_of_several_suites_is_measured_by_itself(settled: Settle) -> None:
    (told,) = settled(PAIR, PAIR, suite="s1").notes
    assert "share their error rate, and here one is measured by itself" in told
    assert settled(PAIR).notes == ()


@pytest.mark.parametrize(
    "lines",
    [
        "candidate: b.csv\n    checks: {contamination: {corpus: c.txt}}",
        f"{PAIR}\n    checks: {{regression: false, drift: false, contamination: {{corpus: c.txt}}}}",
        "checks: {contamination: {corpus: c.txt, items: q.txt}, regression: false, drift: false}",
    ],
)
def test_a_suite_that_judges_no_scores_is_an_error(settled: Settle, lines: str) -> None:
    with pytest.raises(ConfigError, match="has nothing that can be measured") as caught:
        settled(lines)
    assert "--threshold BAR" in caught.value.remedy
    assert settled(lines, threshold=0.5).suite.has_grounds("threshold")


def test_a_fault_in_gate_yml_is_told_with_its_place(settled: Settle) -> None:
    with pytest.raises(ConfigError, match="unknown key 'candidat'") as caught:
        settled("candidat: b.csv")
    assert caught.value.where is not None
    assert caught.value.where.line == 4


def test_a_bar_that_is_no_number_names_its_flag() -> None:
    with pytest.raises(GateError) as caught:
        settle(Question(file="a.csv", threshold=float("nan")))
    assert str(caught.value.where) == "--threshold"


def test_drift_draws_fewer_swaps_without_being_asked_for_where_it_has_no_data(settled: Settle) -> None:
    few = with_few_swaps(settle(Question(file="a.csv")).suite)
    assert few.checks.options("drift") == DriftOptions(n_swaps=1000)
    alone = settled("candidate: b.csv\n    checks: {threshold: {bar: 0.7}}").suite
    assert with_few_swaps(alone) is alone
    asked = settled(f"{PAIR}\n    checks: {{drift: {{n_swaps: 1000}}}}").suite
    assert with_few_swaps(asked) is asked
