"""`kind: battles` in gate.yml: what it needs, and what has no meaning there."""

from collections.abc import Callable

import pytest

from gate.checks.arena import ArenaOptions
from gate.config import GateConfig
from gate.errors import ConfigError, Place

Load = Callable[[str | bytes], GateConfig]
Refuse = Callable[[str | bytes], ConfigError]

SUITE = "version: 1\nsuites:\n  - name: bots\n    kind: battles\n"
ARENA = "    checks: {arena: {model: new, against: old}}\n"
WHOLE = f"{SUITE}    candidate: battles.jsonl\n{ARENA}"


def test_a_suite_of_battles_needs_a_file_and_two_models(load: Load) -> None:
    (suite,) = load(WHOLE).suites
    assert (suite.kind, suite.candidate) == ("battles", "battles.jsonl")
    options = suite.checks.options("arena")
    assert isinstance(options, ArenaOptions)
    assert (options.model, options.against, options.margin, options.cannot_tell) == ("new", "old", None, "note")


def test_a_suite_says_nothing_of_its_kind_where_it_is_of_scores(load: Load) -> None:
    (suite,) = load("version: 1\nsuites:\n  - {name: s, candidate: b.csv, baseline: a.csv}\n").suites
    assert suite.kind == "scores"
    assert not suite.has_grounds("arena")


def test_of_the_checks_only_arena_has_grounds_there(load: Load) -> None:
    (suite,) = load(f"{WHOLE}    baseline: before.jsonl\n").suites
    checks = ("coverage", "threshold", "regression", "drift", "contamination", "arena")
    assert [name for name in checks if suite.has_grounds(name)] == ["arena"]


@pytest.mark.parametrize("lines", [ARENA, "    candidate: battles.jsonl\n", "    baseline: battles.jsonl\n" + ARENA])
def test_without_a_file_or_the_check_it_is_refused_with_what_to_write(lines: str, refuse: Refuse) -> None:
    error = refuse(SUITE + lines)
    assert error.what == "a suite of battles needs `candidate` and the arena check"
    assert error.where == Place("gate.yml", 3, "suites[0]")
    assert "arena: {model: NAME, against: NAME}" in error.remedy


def test_the_check_turned_off_is_no_check(refuse: Refuse) -> None:
    assert (
        "needs `candidate` and the arena check"
        in refuse(f"{SUITE}    candidate: b.jsonl\n    checks: {{arena: false}}\n").what
    )


@pytest.mark.parametrize(
    ("line", "part", "what"),
    [
        ("    select: x\n", "select", "select"),
        ("    baseline_select: x\n", "baseline_select", "baseline_select"),
        ("    paired: false\n", "paired", "paired"),
        ("    tasks: [x]\n", "tasks", "tasks"),
        ("    tasks_as: strata\n", "tasks_as", "tasks_as"),
        ("    allow_unfinished: true\n", "allow_unfinished", "allow_unfinished"),
        ("    metrics: [score]\n", "metrics", "metrics"),
        ("    reduce: best\n", "reduce", "reduce"),
        ("    columns: {id: question_id}\n", "columns", "columns"),
        ("    direction: lower\n", "direction", "direction"),
        ("    scale: [0, 1]\n", "scale", "scale"),
    ],
)
def test_a_key_that_speaks_of_items_is_refused_at_its_line(line: str, part: str, what: str, refuse: Refuse) -> None:
    error = refuse(WHOLE + line)
    assert error.what == f"{what!r} has no meaning in a suite of battles"
    assert error.where == Place("gate.yml", 7, f"suites[0].{part}")


@pytest.mark.parametrize("check", ["coverage", "threshold", "regression", "drift", "contamination"])
def test_another_check_that_is_asked_for_is_refused_at_its_line(check: str, refuse: Refuse) -> None:
    asked = {"threshold": "{bar: 0.5}", "contamination": "{corpus: c}"}.get(check, "true")
    error = refuse(
        f"{SUITE}    candidate: b.jsonl\n    checks:\n"
        f"      arena: {{model: new, against: old}}\n      {check}: {asked}\n"
    )
    assert error.what == f"{check!r} has no meaning in a suite of battles"
    assert error.where == Place("gate.yml", 8, f"suites[0].checks.{check}")


def test_another_check_may_be_off_there(load: Load) -> None:
    checks = "    checks: {arena: {model: new, against: old}, drift: false}\n"
    assert load(f"{SUITE}    candidate: b.jsonl\n{checks}").suites


def test_arena_over_scores_is_refused(refuse: Refuse) -> None:
    error = refuse(f"version: 1\nsuites:\n  - name: s\n    baseline: a.csv\n    candidate: b.csv\n{ARENA}")
    assert error.what == "arena judges battles, and this suite is one of scores"
    assert error.where == Place("gate.yml", 6, "suites[0].checks.arena")
    assert "`kind: battles`" in error.remedy


@pytest.mark.parametrize("arena", ["true", "{model: new}", "{against: old}", "{model: new, against: ''}"])
def test_two_models_must_be_named(arena: str, refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    candidate: b.jsonl\n    checks:\n      arena: {arena}\n")
    assert "arena" in str(error.where)


def test_a_model_against_itself_is_refused(refuse: Refuse) -> None:
    error = refuse(f"{SUITE}    candidate: b.jsonl\n    checks:\n      arena: {{model: new, against: new}}\n")
    assert error.what == "model and against are the same: name two models"
    assert error.where == Place("gate.yml", 7, "suites[0].checks.arena")


@pytest.mark.parametrize("name", ["arena", "arena_hard", "alpaca_eval", "mt_bench_pairwise"])
def test_a_format_of_battles_may_be_named(name: str, load: Load) -> None:
    assert load(f"{WHOLE}    format: {name}\n").suites[0].format == name


def test_a_format_of_scores_is_refused_at_its_line(refuse: Refuse) -> None:
    error = refuse(f"{WHOLE}    format: csv\n")
    assert error.what == "'csv' is no format of battles"
    assert error.where == Place("gate.yml", 7, "suites[0].format")
    assert "arena_hard" in error.remedy


def test_there_are_two_kinds(refuse: Refuse) -> None:
    error = refuse(WHOLE.replace("battles\n", "duels\n", 1))
    assert error.where == Place("gate.yml", 4, "suites[0].kind")
    assert "'scores'" in error.what + error.remedy
