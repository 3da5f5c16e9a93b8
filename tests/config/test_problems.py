"""Every way in which a gate.yml can be wrong: what is said, where, and what to do."""

from collections.abc import Callable

import pytest

from gate.config import validate_config
from gate.errors import ConfigError, Place

Refuse = Callable[[str | bytes], ConfigError]

SUITE = "version: 1\nsuites:\n  - name: answers\n    candidate: b.csv\n"  # four lines
README = "the README's section on gate.yml lists the keys and their values"
FILL = "write one, or take the key out: the default holds then"


@pytest.mark.parametrize(
    ("text", "line", "part", "remedy"),
    [
        (f"{SUITE}polices: {{}}\n", 5, "polices", "did you mean 'policies'?"),
        (f"{SUITE}xyz: {{}}\n", 5, "xyz", "the keys here are version, policies, suites, history, waivers"),
        (f"{SUITE}1: x\n", 5, "1", "the keys here are version, policies, suites, history, waivers"),
        (f"{SUITE}policies:\n  fail_one: warn\n", 6, "policies.fail_one", "did you mean 'fail_on'?"),
        (f"{SUITE}    basline: a.csv\n", 5, "suites[0].basline", "did you mean 'baseline'?"),
        (f"{SUITE}    columns: {{ids: x}}\n", 5, "suites[0].columns.ids", "did you mean 'id'?"),
        (
            f"{SUITE}    metrics:\n      acc:\n        way: lower\n", 7, "suites[0].metrics.acc.way",
            "the keys here are direction, scale, bar, margin, reduce",
        ),
        (f"{SUITE}    checks:\n      drfit: true\n", 6, "suites[0].checks.drfit", "did you mean 'drift'?"),
        (
            f"{SUITE}    checks:\n      drift:\n        rul: bands\n", 7, "suites[0].checks.drift.rul",
            "did you mean 'rule'?",
        ),
        (
            f"{SUITE}  - name: more\n    candidate: b.csv\n    checks: {{threshold: {{baar: 1}}}}\n", 7,
            "suites[1].checks.threshold.baar", "did you mean 'bar'?",
        ),
    ],
)  # fmt: skip
def test_an_unknown_key_is_told_with_its_place_and_the_likely_one(
    text: str, line: int, part: str, remedy: str, refuse: Refuse
) -> None:
    error = refuse(text)
    assert error.what == f"unknown key {part.rpartition('.')[2]!r}"
    assert error.where == Place("gate.yml", line, part)
    assert error.remedy == remedy


@pytest.mark.parametrize(
    ("text", "where", "what", "remedy"),
    [
        ("suites: [{name: a, candidate: b}]\n", (1, "version"), "the key 'version' is missing", "add it: `version: 1`"),
        ("version: 1\n", (1, "suites"), "the key 'suites' is missing", "add it: `suites: ...`"),
        ("version: 1\nsuites:\n  - candidate: b\n", (3, "suites[0].name"), "the key 'name' is missing",
         "add it: `name: ...`"),
        (f"{SUITE}    checks:\n      arena:\n        model: a\n", (6, "suites[0].checks.arena.against"),
         "the key 'against' is missing", "add it: `against: ...`"),
        (f"{SUITE}    checks:\n      arena: true\n", (6, "suites[0].checks.arena.model"),
         "the key 'model' is missing (and 1 more)", "add it: `model: ...`"),
    ],
)  # fmt: skip
def test_a_missing_key_is_told_with_the_line_of_its_parent(
    text: str, where: tuple[int, str], what: str, remedy: str, refuse: Refuse
) -> None:
    error = refuse(text)
    assert (error.where, error.what, error.remedy) == (Place("gate.yml", *where), what, remedy)


SCALE = "`scale`: Lowest and highest possible score, for all metrics"
CHECK = "`gate explain {}` lists the options of this check"


@pytest.mark.parametrize(
    ("line", "part", "what", "remedy"),
    [
        ("    scale: 5", "scale", "5 is not a list", SCALE),
        ("    scale: [0, high]", "scale[1]", "'high' is not a number", SCALE),
        ("    scale: [0, .nan]", "scale[1]", "nan is not a finite number", SCALE),
        ("    scale: [0, 1, 2]", "scale", "the list has more than 2 entries", SCALE),
        ("    scale: [0]", "scale", "the list has too few entries", SCALE),
        ("    scale: []", "scale", "the list has too few entries", SCALE),
        ("    scale: [1, 0]", "scale", "the first number must be lower than the second", SCALE),
        ("    direction: up", "direction", "'up' is not 'higher' or 'lower'",
         "`direction`: Which way is better, for all metrics"),
        ("    baseline: [a.csv]", "baseline", "this list is not text",
         "`baseline`: Score file of the run to compare with: a path, `git:REF:PATH`, or a report.json of the gate"),
        ("    baseline: 7", "baseline", "7 is not text", "put it in quotes"),
        ("    baseline: ''", "baseline", "'' is not text of 1 or more characters",
         "`baseline`: Score file of the run to compare with: a path, `git:REF:PATH`, or a report.json of the gate"),
        ("    columns: {id: no}", "columns.id", "false is not text or a list", "put it in quotes"),
        ("    columns: {id: [1]}", "columns.id[0]", "1 is not text", "put it in quotes"),
        ("    columns: [id]", "columns", "this list is not a mapping of keys to values",
         "`columns`: Column mapping of plain files"),
        ("    checks: []", "checks", "the empty list is not a mapping of keys to values",
         "`checks`: The checks and their options"),
        ("    checks: {drift: bands}", "checks.drift", "'bands' is not a mapping of keys to values",
         CHECK.format("drift")),
        ("    checks: {threshold: 0.7}", "checks.threshold", "0.7 is not a mapping of keys to values",
         CHECK.format("threshold")),
        ("    checks: {threshold: {bar: high}}", "checks.threshold.bar", "'high' is not a number",
         CHECK.format("threshold")),
        ("    checks: {threshold: {alpha: 0}}", "checks.threshold.alpha", "0 is not a number over 0.0",
         CHECK.format("threshold")),
        ("    checks: {threshold: {alpha: 1}}", "checks.threshold.alpha", "1 is not a number under 1.0",
         CHECK.format("threshold")),
        ("    checks: {coverage: {min_coverage: 90}}", "checks.coverage.min_coverage", "90 is not a number up to 1.0",
         CHECK.format("coverage")),
        ("    checks: {drift: {rule: band}}", "checks.drift.rule", "'band' is not 'calibrated' or 'bands'",
         CHECK.format("drift")),
        ("    checks: {drift: {n_swaps: 1500.5}}", "checks.drift.n_swaps", "1500.5 is not a whole number",
         CHECK.format("drift")),
        ("    checks: {drift: {edges: []}}", "checks.drift.edges",
         "the list has too few entries", CHECK.format("drift")),
        ("    checks: {drift: {edges: [1], quantiles: 4}}", "checks.drift",
         "edges and quantiles are two ways to sort: give one of them", CHECK.format("drift")),
        ("    checks: {contamination: {corpus: 5}}", "checks.contamination.corpus", "5 is not text or a list",
         "put it in quotes"),
        ("    metrics: 5", "metrics", "5 is not a mapping of keys to values",
         "`metrics`: The metrics to judge, by name or by a pattern such as `exact_match*`"),
        ("    metrics: {acc: lower}", "metrics.acc", "'lower' is not a mapping of keys to values", README),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_with_what_is_expected(
    line: str, part: str, what: str, remedy: str, refuse: Refuse
) -> None:
    error = refuse(f"{SUITE}{line}\n")
    assert error.where == Place("gate.yml", 5, f"suites[0].{part}")
    assert (error.what, error.remedy) == (what, remedy)


@pytest.mark.parametrize(
    ("text", "line", "part", "what"),
    [
        ("- name: answers\n", 1, None, "this list is not a mapping of keys to values"),
        ("just text\n", 1, None, "'just text' is not a mapping of keys to values"),
        ("42\n", 1, None, "42 is not a mapping of keys to values"),
        (SUITE.replace("1", "2"), 1, "version", "2 is not 1"),
        (SUITE.replace("1", "'1'"), 1, "version", "'1' is not 1"),
        ("version: 1\nsuites: {}\n", 2, "suites", "the empty mapping is not a list"),
        ("version: 1\nsuites: []\n", 2, "suites", "the list has too few entries"),
        ("version: 1\nsuites: [b.csv]\n", 2, "suites[0]", "'b.csv' is not a mapping of keys to values"),
        (f"{SUITE}policies: {{fail_on: blok}}\n", 5, "policies.fail_on", "'blok' is not 'block', 'warn' or 'never'"),
        (f"{SUITE}policies: {{seed: -1}}\n", 5, "policies.seed", "-1 is not a number from 0 up"),
        (f"{SUITE}policies: {{seed: {2**63}}}\n", 5, "policies.seed", f"{2**63} is not a number under {2**63}"),
        (SUITE.replace("answers", "7"), 3, "suites[0].name", "7 is not text"),
        (
            SUITE.replace("answers", "x" * 101), 3, "suites[0].name",
            f"'{'x' * 59}... is not text of 100 or fewer characters",
        ),
        (f"{SUITE}  - {{name: answers, candidate: c.csv}}\n", 2, "suites", "suites 1 and 2 share the name 'answers'"),
        (
            "version: 1\nsuites:\n  - name: a\n    baseline: a.csv\n", 3, "suites[0]",
            "a suite needs `candidate` (or, for contamination alone, `checks.contamination.items`)",
        ),
        ("version: 1\nsuites: [{name: a}]\n", 2, "suites[0]",
            "a suite needs `candidate` (or, for contamination alone, `checks.contamination.items`)"),
    ],
)  # fmt: skip
def test_a_wrong_frame_is_told_too(text: str, line: int, part: str | None, what: str, refuse: Refuse) -> None:
    error = refuse(text)
    assert (error.where, error.what) == (Place("gate.yml", line, part), what)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("    baseline:", "suites[0].baseline"),
        ("    metrics:", "suites[0].metrics"),
        ("    scale: ~", "suites[0].scale"),
        ("    columns: {group: }", "suites[0].columns.group"),
        ("    metrics: {acc: {direction: }}", "suites[0].metrics.acc.direction"),
        ("    checks:", "suites[0].checks"),
        ("    checks: {drift: }", "suites[0].checks.drift"),
        ("    checks: {drift: {edges: }}", "suites[0].checks.drift.edges"),
        ("policies:", "policies"),
    ],
)
def test_a_key_without_a_value_is_an_error_and_turns_nothing_off(line: str, part: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}{line}\n")
    assert error.where == Place("gate.yml", 5, part)
    assert (error.what, error.remedy) == ("the key has no value", FILL)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ("true", "there is nothing to search: give it a `corpus`, or the `scan` of one"),
        ("{ngram: 5}", "there is nothing to search: give it a `corpus`, or the `scan` of one"),
        ("{corpus: a, scan: b}", "a corpus and a scan of one are two ways to search: give one of them"),
        ("{scan: b, text_field: c}", "text_field and id_field say how to read a corpus: give them to `gate scan`"),
    ],
)
def test_contamination_is_given_one_thing_to_search(options: str, what: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    checks:\n      contamination: {options}\n")
    assert (error.where, error.what) == (Place("gate.yml", 6, "suites[0].checks.contamination"), what)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("version:\nsuites: [{name: a, candidate: b}]\n", 1, "version"),
        ("version: 1\nsuites:\n", 2, "suites"),
        (SUITE.replace("answers", ""), 3, "suites[0].name"),
        (f"{SUITE}    checks:\n      threshold:\n        bar:\n", 7, "suites[0].checks.threshold.bar"),
        (f"{SUITE}    checks: {{contamination: {{corpus: }}}}\n", 5, "suites[0].checks.contamination.corpus"),
        (f"{SUITE}    scale: [0, null]\n", 5, "suites[0].scale[1]"),
    ],
)
def test_no_default_is_promised_where_there_is_none(text: str, line: int, part: str, refuse: Refuse) -> None:
    error = refuse(text)
    assert error.where == Place("gate.yml", line, part)
    assert (error.what, error.remedy) == ("the key has no value", "write one: this key has no default")


def test_the_bar_of_contamination_does_have_a_default(refuse: Refuse) -> None:
    assert refuse(f"{SUITE}    checks: {{contamination: {{corpus: c, bar: }}}}\n").remedy == FILL


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("    checks: {threshold: {bar: true}}", "suites[0].checks.threshold.bar"),
        ("    checks: {coverage: {min_coverage: on}}", "suites[0].checks.coverage.min_coverage"),
        ("    scale: [false, true]", "suites[0].scale[0]"),
        ("policies: {seed: yes}", "policies.seed"),
    ],
)
def test_true_and_false_are_no_numbers(line: str, part: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}{line}\n")
    assert error.where == Place("gate.yml", 5, part)
    assert error.what.endswith("stands where a text or a number is expected")


def test_true_is_no_version(refuse: Refuse) -> None:
    assert refuse(SUITE.replace("1", "true")).where == Place("gate.yml", 1, "version")


@pytest.mark.parametrize("names", ["[1, 2]", "[acc, 2]", "[acc, [f1]]", "[]", "['']", "''"])
def test_metrics_that_are_no_names_are_an_error_and_none_is_dropped(names: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    metrics: {names}\n")
    assert error.where == Place("gate.yml", 5, "suites[0].metrics")
    assert error.what.startswith("this must be one name or more, each a text")


def test_an_unknown_format_is_told_with_those_there_are(refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    format: xls\n")
    assert error.where == Place("gate.yml", 5, "suites[0].format")
    assert error.what.startswith("there is no format 'xls'; there are ")
    assert "human_eval, " in error.what


def test_of_several_problems_the_first_in_the_file_is_told_and_the_others_counted(refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    unknown: 1\n    direction: up\n    checks: {{drift: {{rule: x, n_swaps: y}}}}\n")
    assert error.where == Place("gate.yml", 5, "suites[0].unknown")
    assert error.what == "unknown key 'unknown' (and 3 more)"


def test_what_only_follows_from_another_problem_is_not_counted(refuse: Refuse) -> None:
    assert refuse("version: 1\nsuites:\n  - name: 7\n    candidate: b.csv\n").what == "7 is not text"


def test_a_key_from_a_merge_is_told_where_it_is_written(refuse: Refuse) -> None:
    anchored = SUITE.replace("- name", "- &a\n    name")
    text = f"{anchored}    scale: 5\n  - <<: *a\n    name: more\n    direction: lower\n"
    error = refuse(text)
    assert error.where == Place("gate.yml", 6, "suites[0].scale")
    assert error.what == "5 is not a list (and 1 more)"


def test_a_line_break_in_a_value_stays_inside_the_quotes(refuse: Refuse) -> None:
    error = refuse(f'{SUITE}    direction: "a\\n::error::b"\n')
    assert error.what == "'a\\n::error::b' is not 'higher' or 'lower'"


def test_a_problem_of_flags_names_the_command_line_and_no_line() -> None:
    with pytest.raises(ConfigError) as caught:
        validate_config({"version": 1, "suites": [{"name": "scores", "candidate": "b.csv", "scale": [0, "x"]}]})
    assert caught.value.where == Place("the command line", None, "suites[0].scale[1]")
