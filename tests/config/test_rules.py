"""A suite that judges nothing, or a key that nobody reads, is refused: neither may be green."""

from collections.abc import Callable
from typing import Any

import pytest

from gate.checks import CHECKS
from gate.config import GateConfig, validate_config
from gate.config.location import Location
from gate.errors import ConfigError, Place

Load = Callable[[str | bytes], GateConfig]
Refuse = Callable[[str | bytes], ConfigError]

SUITE = "version: 1\nsuites:\n  - name: answers\n    candidate: b.csv\n"
QUESTIONS = "version: 1\nsuites:\n  - name: questions\n    checks: {contamination: {items: q.jsonl, corpus: c}{more}}\n"
NOTHING = "there is nothing to judge by: no bar, no corpus, and no baseline with regression or drift on"


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "    checks: {coverage: true}\n",
        "    checks: {coverage: false, threshold: false, regression: false, drift: false, contamination: false}\n",
        "    checks: {coverage: false, regression: false, drift: false}\n",
        "    checks: {regression: true}\n",
        "    checks: {threshold: false, drift: {rule: bands}}\n",
        "    baseline: a.csv\n    checks: {regression: false, drift: false}\n",
        "    baseline: a.csv\n    checks: {coverage: {missing: fail}, regression: false, drift: false}\n",
    ],
)
def test_a_suite_without_anything_to_judge_by_is_refused(lines: str, refuse: Refuse) -> None:
    error = refuse(SUITE + lines)
    assert (error.what, error.where) == (NOTHING, Place("gate.yml", 3, "suites[0]"))
    assert error.remedy == (
        "give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`"
    )


@pytest.mark.parametrize(
    "lines",
    [
        "    baseline: a.csv\n",
        "    baseline: a.csv\n    checks: {coverage: false, regression: false}\n",
        "    baseline: a.csv\n    checks: {coverage: false, drift: false}\n",
        "    checks: {threshold: {bar: 0}}\n",
        "    checks: {contamination: {corpus: c}}\n",
    ],
)
def test_one_ground_to_judge_by_is_enough(lines: str, load: Load) -> None:
    assert len(load(SUITE + lines).suites) == 1


def test_each_suite_needs_its_own(refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    baseline: a.csv\n  - name: more\n    candidate: c.csv\n")
    assert (error.what, error.where) == (NOTHING, Place("gate.yml", 6, "suites[1]"))


@pytest.mark.parametrize("asked", ["true", "{}", "{alpha: 0.1}"])
def test_threshold_cannot_be_asked_for_without_a_bar(asked: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    baseline: a.csv\n    checks:\n      threshold: {asked}\n")
    assert error.what == "threshold is asked for without a bar: it needs one"
    assert error.where == Place("gate.yml", 7, "suites[0].checks.threshold")
    assert "--threshold BAR" in error.remedy


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("    format: csv\n", "format"),
        ("    metrics: [score]\n", "metrics"),
        ("    direction: lower\n", "direction"),
        ("    scale: [0, 1]\n", "scale"),
        ("    columns: {inputs: q, score: points}\n", "columns.score"),
        ("    columns: {sample: n}\n", "columns.sample"),
    ],
)
def test_a_key_of_scores_needs_a_candidate(line: str, part: str, refuse: Refuse) -> None:
    error = refuse(QUESTIONS.replace("{more}", "") + line)
    assert error.what == f"{part.rpartition('.')[2]!r} needs a candidate, and this suite has none"
    assert error.where == Place("gate.yml", 5, f"suites[0].{part}")
    assert error.remedy.startswith("give `candidate: FILE`")


@pytest.mark.parametrize("check", [name for name in CHECKS if name not in {"contamination", "arena"}])
def test_a_check_of_scores_needs_a_candidate(check: str, refuse: Refuse) -> None:
    options = "{bar: 0.9}" if check == "threshold" else "true"
    error = refuse(QUESTIONS.replace("{more}", f", {check}: {options}"))
    assert error.what == f"{check!r} needs a candidate, and this suite has none"
    assert error.where == Place("gate.yml", 4, f"suites[0].checks.{check}")


@pytest.mark.parametrize(
    ("more", "line"),
    [("", ""), (", drift: false, coverage: off", ""), ("", "    columns: {id: q, inputs: text}\n"),
     ("", "    metrics: {}\n"), ("", "    columns: {}\n")],
)  # fmt: skip
def test_questions_alone_need_no_candidate(more: str, line: str, load: Load) -> None:
    assert load(QUESTIONS.replace("{more}", more) + line).suites[0].candidate is None


def suites(**suite: Any) -> dict[str, Any]:
    return {"version": 1, "suites": [{"name": "scores", **suite}]}


def test_a_key_that_came_by_a_flag_is_told_by_the_flag() -> None:
    flags: dict[Location, str] = {("suites", 0, "checks", "threshold"): "--threshold"}
    given = suites(candidate="b.csv", checks={"threshold": {"bar": float("nan")}})
    with pytest.raises(ConfigError) as caught:
        validate_config(given, flags=flags)
    assert (caught.value.where, caught.value.what) == (Place("--threshold"), "nan is not a finite number")
    questions = {"contamination": {"items": "q", "corpus": "c"}, "threshold": {"bar": 0.9}}
    with pytest.raises(ConfigError) as caught:
        validate_config(suites(checks=questions), flags=flags)
    assert caught.value.where == Place("--threshold")
    assert caught.value.what == "'threshold' needs a candidate, and this suite has none"


def test_a_key_that_came_by_none_is_told_by_its_place() -> None:
    with pytest.raises(ConfigError) as caught:
        validate_config(suites(candidate="b.csv", scale=[0, "x"]), flags={("suites", 0, "candidate"): "--candidate"})
    assert caught.value.where == Place("the command line", None, "suites[0].scale[1]")


def test_a_comparison_without_pairs_needs_a_baseline(refuse: Refuse) -> None:
    error = refuse(SUITE + "    paired: false\n    checks: {threshold: {bar: 1}}\n")
    assert error.what == "`paired: false` needs a baseline, and this suite has none"
    assert error.where == Place("gate.yml", 5, "suites[0].paired")


@pytest.mark.parametrize(("key", "check"), [("bar", "threshold"), ("margin", "regression")])
def test_a_metric_s_own_limit_is_refused_where_its_check_is_off(key: str, check: str, refuse: Refuse) -> None:
    lines = f"    baseline: a.csv\n    metrics: {{f1: {{{key}: 0.5}}}}\n    checks: {{{check}: false}}\n"
    error = refuse(SUITE + lines)
    assert error.what == f"the {key} of the metric 'f1' is not used: {check} is off"
    assert error.where == Place("gate.yml", 6, f"suites[0].metrics.f1.{key}")


def test_a_metric_s_own_bar_is_enough_to_judge_by(load: Load) -> None:
    assert load(SUITE + "    metrics: {f1: {bar: 0.5}}\n").suites[0].has_grounds("threshold")


@pytest.mark.parametrize("part", ["stratum", "weight"])
def test_nothing_of_the_design_may_be_mapped_without_a_candidate(part: str, refuse: Refuse) -> None:
    error = refuse(QUESTIONS.replace("{more}", "") + f"    columns: {{{part}: x}}\n")
    assert error.what == f"{part!r} needs a candidate, and this suite has none"


def test_a_variant_of_the_baseline_needs_one(refuse: Refuse) -> None:
    error = refuse(SUITE + "    baseline_select: strict\n    checks: {threshold: {bar: 1}}\n")
    assert error.what == "`baseline_select` needs a baseline, and this suite has none"


def test_decline_that_is_asked_for_needs_a_history(load: Load, refuse: Refuse) -> None:
    asked = SUITE + "    baseline: a.csv\n    checks: {decline: {margin: 0.1}}\n"
    error = refuse(asked)
    assert error.what == "decline is asked for without a history: it needs one"
    assert error.where == Place("gate.yml", 6, "suites[0].checks.decline")
    assert load(asked + "history: history.jsonl\n").history is not None


def test_a_history_alone_is_nothing_to_judge_by(refuse: Refuse) -> None:
    assert refuse(SUITE + "history: history.jsonl\n").what == NOTHING
