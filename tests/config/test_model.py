from collections.abc import Callable

import pytest

from gate.checks import CHECKS
from gate.checks.coverage import CoverageOptions
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import GateConfig, SuiteConfig
from gate.config.model import ColumnSettings
from gate.results import FailOn, ShowText
from gate.scores.model import Columns, Direction, Scale

Load = Callable[[str | bytes], GateConfig]


@pytest.fixture
def suite_of(load: Load) -> Callable[[str], SuiteConfig]:
    """The one suite of a gate.yml with these lines in it."""

    def suite(lines: str = "") -> SuiteConfig:
        return load(
            f"version: 1\nsuites:\n  - name: answers\n    baseline: a.csv\n    candidate: b.csv\n{lines}"
        ).suites[0]

    return suite


Suite = Callable[[str], SuiteConfig]


def test_without_a_word_on_checks_all_are_on_that_need_no_options(suite_of: Suite) -> None:
    checks = suite_of("").checks
    assert [name for name in CHECKS if checks.options(name) is None] == ["contamination", "arena"]
    assert not any(checks.is_asked(name) for name in CHECKS)


@pytest.mark.parametrize("word", ["false", "off", "no"])
def test_a_check_is_turned_off(word: str, suite_of: Suite) -> None:
    checks = suite_of(f"    checks: {{drift: {word}}}\n").checks
    assert checks.options("drift") is None
    assert not checks.is_asked("drift")
    assert checks.options("regression") is not None


@pytest.mark.parametrize("word", ["true", "on", "{}"])
def test_a_check_is_asked_for_with_its_defaults(word: str, suite_of: Suite) -> None:
    checks = suite_of(f"    checks: {{drift: {word}}}\n").checks
    assert checks.options("drift") == DriftOptions()
    assert checks.is_asked("drift")
    assert not checks.is_asked("regression")


def test_options_left_out_keep_their_defaults(suite_of: Suite) -> None:
    checks = suite_of("    checks: {threshold: {bar: 0.7}, coverage: {missing: fail}}\n").checks
    assert checks.options("threshold") == ThresholdOptions(bar=0.7)
    assert checks.options("coverage") == CoverageOptions(missing="fail", min_coverage=0.9)


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ("accuracy", ["accuracy"]),
        ("[accuracy]", ["accuracy"]),
        ("[accuracy, f1]", ["accuracy", "f1"]),
        ("{accuracy: , f1: {}}", ["accuracy", "f1"]),
        ("{f1: {direction: higher}, accuracy: {scale: [0, 1]}}", ["f1", "accuracy"]),
        ("{}", []),
        ("'1'", ["1"]),
    ],
)
def test_metrics_are_a_name_a_list_or_a_mapping(metrics: str, expected: list[str], suite_of: Suite) -> None:
    assert list(suite_of(f"    metrics: {metrics}\n").metrics) == expected


def test_a_metrics_own_settings_go_before_the_suites(suite_of: Suite) -> None:
    suite = suite_of(
        "    direction: lower\n    scale: [0, 10]\n    metrics: {a: {direction: higher}, b: {scale: [0, 1]}, c: }\n"
    )
    assert [suite.metric_direction(name) for name in "abc"] == [Direction.HIGHER, Direction.LOWER, Direction.LOWER]
    assert [suite.metric_scale(name) for name in "abc"] == [Scale(0, 10), Scale(0, 1), Scale(0, 10)]


def test_a_metric_without_settings_has_none(suite_of: Suite) -> None:
    suite = suite_of("")
    assert (suite.metric_direction("score"), suite.metric_scale("score")) == (None, None)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Columns()),
        ({"id": "row", "score": "points"}, Columns(id=("row",), score="points")),
        ({"id": ["task", "row"], "prompt": "p"}, Columns(id=("task", "row"), prompt="p")),
        (
            {"group": "g", "sample": "s", "inputs": "i", "target": "t"},
            Columns(group="g", sample="s", inputs="i", target="t"),
        ),
    ],
)
def test_columns_are_told_to_the_readers_in_their_words(settings: dict[str, object], expected: Columns) -> None:
    assert ColumnSettings.model_validate(settings).as_columns() == expected


def test_policies_have_their_defaults(load: Load) -> None:
    policies = load("version: 1\nsuites: [{name: a, baseline: a, candidate: b}]\n").policies
    assert (policies.fail_on, policies.show_text, policies.seed) == (FailOn.BLOCK, ShowText.IDS, 0)


def test_policies_are_read(load: Load) -> None:
    policies = load(
        "version: 1\npolicies: {fail_on: never, show_text: snippets, seed: 5}\n"
        "suites: [{name: a, baseline: a, candidate: b}]\n"
    ).policies
    assert (policies.fail_on, policies.show_text, policies.seed) == (FailOn.NEVER, ShowText.SNIPPETS, 5)


def test_a_suite_of_questions_alone_needs_no_candidate(load: Load) -> None:
    (suite,) = load("version: 1\nsuites: [{name: q, checks: {contamination: {corpus: c, items: q.jsonl}}}]\n").suites
    assert suite.candidate is None


def test_a_configuration_cannot_be_changed_after_the_fact(load: Load) -> None:
    config = load("version: 1\nsuites: [{name: a, baseline: a, candidate: b}]\n")
    with pytest.raises(ValueError, match="frozen"):
        config.policies.seed = 3  # type: ignore[misc]  # that it is refused is the point


def test_it_survives_its_own_dump(load: Load) -> None:
    config = load(
        "version: 1\nsuites: [{name: a, candidate: b, metrics: [m], scale: [0, 2],"
        " checks: {drift: off, regression: on, threshold: {bar: 1}}}]\n"
    )
    again = GateConfig.model_validate(config.model_dump(mode="json", exclude_unset=True))
    assert again == config
    assert [again.suites[0].checks.is_asked(name) for name in CHECKS] == [
        config.suites[0].checks.is_asked(name) for name in CHECKS
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", {"coverage", "regression", "drift"}),
        ("    checks: {drift: off, coverage: off}\n", {"regression"}),
        ("    checks: {threshold: {bar: 0}}\n", {"coverage", "threshold", "regression", "drift"}),
        ("    checks: {contamination: {corpus: c}}\n", {"coverage", "regression", "drift", "contamination"}),
    ],
)
def test_a_check_has_grounds_where_it_is_on_and_has_what_it_judges_by(
    lines: str, expected: set[str], suite_of: Suite
) -> None:
    suite = suite_of(lines)
    assert {name for name in CHECKS if suite.has_grounds(name)} == expected


def test_without_a_baseline_the_paired_checks_have_no_grounds() -> None:
    suite = SuiteConfig(name="a", candidate="b.csv")
    assert {name for name in CHECKS if suite.has_grounds(name)} == {"coverage"}


def test_a_metric_s_own_bar_and_margin_count_before_the_suite_s(suite_of: Suite) -> None:
    suite = suite_of(
        "    metrics: {a: {bar: 0.9, margin: 0.01}, b: }\n"
        "    checks: {threshold: {bar: 0.5, alpha: 0.1}, regression: {margin: 0.1, cannot_tell: warn}}\n"
    )
    assert suite.options_for("threshold", "a") == ThresholdOptions(bar=0.9, alpha=0.1)
    assert suite.options_for("threshold", "b") == ThresholdOptions(bar=0.5, alpha=0.1)
    assert suite.options_for("regression", "a") == RegressionOptions(margin=0.01, cannot_tell="warn")
    assert suite.options_for("drift", "a") == DriftOptions()


def test_where_metrics_have_their_own_bars_one_without_is_no_failure(suite_of: Suite) -> None:
    own = suite_of("    metrics: {a: {bar: 0.9}, b: }\n    checks: {threshold: {method: exact}}\n")
    assert own.has_grounds("threshold")
    assert not own.is_asked("threshold")
    assert suite_of("    checks: {threshold: {bar: 1}}\n").is_asked("threshold")


def test_a_check_that_is_off_stays_off_whatever_the_metric_says(suite_of: Suite) -> None:
    assert suite_of("    metrics: {a: {bar: 1}}\n    checks: {drift: false}\n").options_for("drift", "a") is None


def test_a_variant_of_one_run_counts_before_that_of_both(suite_of: Suite) -> None:
    suite = suite_of("    select: strict\n    candidate_select: flexible\n")
    assert (suite.wanted("baseline").variant, suite.wanted("candidate").variant) == ("strict", "flexible")
    assert suite_of("").wanted("baseline").variant is None


def test_the_settings_of_a_pattern_hold_for_the_metrics_that_it_fits(suite_of: Suite) -> None:
    suite = suite_of("    metrics: {'acc*': {bar: 0.5}, acc_norm: {bar: 0.6}}\n")
    assert [suite.settings_of(name).bar for name in ("acc", "acc_norm", "f1")] == [0.5, 0.6, None]


@pytest.mark.parametrize(
    ("checks", "questions", "answers"),
    [
        ("", False, False),
        ("    checks: {contamination: {corpus: docs}}", True, True),
        ("    checks: {contamination: {corpus: docs, items: questions.jsonl}}", False, False),
        ("    checks: {contamination: {scan: scan.json}}", True, False),
    ],
)
def test_questions_and_answers_of_the_score_files_are_wanted_whole_where_a_corpus_is_searched_for_them(
    suite_of: Suite, checks: str, questions: bool, answers: bool
) -> None:
    suite = suite_of(checks)
    for wanted in (suite.wanted("baseline"), suite.wanted("candidate")):
        assert (wanted.whole_texts, wanted.targets) == (questions, answers)
