"""Waivers in gate.yml: of what there is, with a reason, a name and an end; anything else is refused."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

from gate.config import GateConfig, validate_config
from gate.errors import ConfigError, Place
from gate.results import Waiver

Load = Callable[[str | bytes], GateConfig]
Refuse = Callable[[str | bytes], ConfigError]

ONE = "version: 1\nsuites:\n  - {name: answers, baseline: a.csv, candidate: b.csv}\n"
TWO = f"{ONE}  - {{name: questions, baseline: a.csv, candidate: b.csv, metrics: [acc, f1]}}\n"
SAID = "reason: new graders, approved_by: Ada, expires: 2026-01-31"


def waivers(*lines: str) -> str:
    return "waivers:\n" + "".join(f"  - {{{line}}}\n" for line in lines)


def test_a_waiver_says_what_may_fail_why_until_when_and_by_whose_word(load: Load) -> None:
    config = load(TWO + waivers(f"check: drift, suite: questions, metric: f1, {SAID}"))
    assert config.agreed_waivers() == (Waiver("drift", "questions", "new graders", "Ada", date(2026, 1, 31), "f1"),)


def test_the_only_suite_need_not_be_named(load: Load) -> None:
    (waiver,) = load(ONE + waivers(f"check: drift, {SAID}")).agreed_waivers()
    assert (waiver.suite, waiver.metric) == ("answers", None)


def test_without_a_word_there_are_none(load: Load) -> None:
    assert load(ONE).agreed_waivers() == ()


@pytest.mark.parametrize("written", ["2026-01-31", "'2026-01-31'", '"2026-01-31"'])
def test_a_day_is_a_date_of_yaml_or_a_text(written: str, load: Load) -> None:
    (waiver,) = load(ONE + waivers(f"check: drift, reason: x, approved_by: x, expires: {written}")).agreed_waivers()
    assert waiver.expires == date(2026, 1, 31)


@pytest.mark.parametrize(
    ("written", "shown"),
    [("2026-02-30", "'2026-02-30'"), ("31.01.2026", "'31.01.2026'"), ("2026-1-31", "'2026-1-31'"),
     ("20260131", "'20260131'"),
     ("1769817600", "'1769817600'"), ("'2026-W05-6'", "'2026-W05-6'"), ("never", "'never'"),
     ("2026-01-31T10:00:00", "'2026-01-31T10:00:00'"), ('"2026-01-31\\n"', "'2026-01-31\\n'"),
     ("'٢٠٢٦-٠١-٣١'", "'٢٠٢٦-٠١-٣١'")],
)  # fmt: skip
def test_what_is_no_day_is_refused(written: str, shown: str, refuse: Refuse) -> None:
    error = refuse(ONE + waivers(f"check: drift, reason: x, approved_by: x, expires: {written}"))
    assert error.what == f"{shown} is no day of the form YYYY-MM-DD"
    assert error.where == Place("gate.yml", 5, "waivers[0].expires")
    assert error.remedy == "`expires`: The last day on which the waiver holds, as YYYY-MM-DD, by UTC"


@pytest.mark.parametrize(("given", "sound"), [(date(2026, 1, 31), True), (datetime(2026, 1, 31), False)])
def test_a_moment_of_a_day_is_none_from_python_either(given: date, sound: bool) -> None:
    suite = {"name": "answers", "baseline": "a.csv", "candidate": "b.csv"}
    agreed = {"check": "drift", "reason": "x", "approved_by": "x", "expires": given}
    data: dict[str, Any] = {"version": 1, "suites": [suite], "waivers": [agreed]}
    if sound:
        assert validate_config(data).agreed_waivers()[0].expires == given
    else:
        with pytest.raises(ConfigError, match="is no day"):
            validate_config(data)


@pytest.mark.parametrize("key", ["check", "reason", "approved_by", "expires"])
def test_no_key_but_suite_and_metric_may_be_left_out(key: str, refuse: Refuse) -> None:
    given = {"check": "drift", "reason": "x", "approved_by": "x", "expires": "2026-01-31"}
    del given[key]
    error = refuse(ONE + waivers(", ".join(f"{name}: {value}" for name, value in given.items())))
    assert (error.what, error.where) == (f"the key {key!r} is missing", Place("gate.yml", 5, f"waivers[0].{key}"))
    assert error.remedy == f"add it: `{key}: ...`"


@pytest.mark.parametrize("key", ["reason", "approved_by"])
@pytest.mark.parametrize("text", ['""', '"  "', '"\\n"', '"-"', '"\\u200b"', "~", "{}", "7"])
def test_a_text_that_says_nothing_is_refused(key: str, text: str, refuse: Refuse) -> None:
    given = {"reason": "x", "approved_by": "x", key: text}
    error = refuse(ONE + waivers(f"check: drift, reason: {given['reason']}, approved_by: {given['approved_by']}, "
                                 "expires: 2026-01-31"))  # fmt: skip
    assert error.where == Place("gate.yml", 5, f"waivers[0].{key}")
    assert error.remedy


@pytest.mark.parametrize(("key", "most"), [("reason", 300), ("approved_by", 100)])
def test_a_text_has_an_end(key: str, most: int, load: Load, refuse: Refuse) -> None:
    said = {"check": "drift", "reason": "x", "approved_by": "x", "expires": "2026-01-31"}
    full, over = ({**said, key: "y" * length} for length in (most, most + 1))
    assert len(load(ONE + waivers(", ".join(f"{name}: {text}" for name, text in full.items()))).waivers) == 1
    error = refuse(ONE + waivers(", ".join(f"{name}: {text}" for name, text in over.items())))
    assert error.what.endswith(f"is not text of {most} or fewer characters")


def test_a_text_of_several_lines_becomes_one(load: Load) -> None:
    text = "waivers:\n  - check: drift\n    reason: |\n      New graders,\n      until May.\n    approved_by: ' Ada '\n"
    (waiver,) = load(f"{ONE}{text}    expires: 2026-01-31\n").agreed_waivers()
    assert (waiver.reason, waiver.approved_by) == ("New graders, until May.", "Ada")


def test_a_check_that_is_not_known_is_refused(refuse: Refuse) -> None:
    error = refuse(ONE + waivers(f"check: shift, {SAID}"))
    assert error.what.startswith("there is no check 'shift'; there are coverage, threshold,")
    assert error.where == Place("gate.yml", 5, "waivers[0].check")


def test_an_unknown_key_is_refused(refuse: Refuse) -> None:
    error = refuse(ONE + waivers(f"check: drift, metrics: f1, {SAID}"))
    assert (error.what, error.remedy) == ("unknown key 'metrics'", "did you mean 'metric'?")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("answer", "did you mean 'answers'?"), ("x", "name one that there is: answers, questions")],
)
def test_a_suite_that_is_not_there_is_refused(name: str, remedy: str, refuse: Refuse) -> None:
    error = refuse(TWO + waivers(f"check: drift, suite: answers, {SAID}", f"check: drift, suite: {name}, {SAID}"))
    assert (error.what, error.remedy) == (f"there is no suite {name!r}", remedy)
    assert error.where == Place("gate.yml", 7, "waivers[1].suite")


def test_among_several_suites_one_must_be_named(refuse: Refuse) -> None:
    error = refuse(TWO + waivers(f"check: drift, {SAID}"))
    assert error.what == "the key 'suite' is missing: there are several suites"
    assert error.remedy == "add `suite: ...`: answers, questions"


def test_a_metric_that_the_suite_does_not_name_is_refused(refuse: Refuse) -> None:
    error = refuse(TWO + waivers(f"check: drift, suite: questions, metric: ac, {SAID}"))
    assert (error.what, error.remedy) == ("suite 'questions' has no metric 'ac'", "did you mean 'acc'?")
    assert error.where == Place("gate.yml", 6, "waivers[0].metric")


def test_a_metric_is_not_held_against_a_suite_that_names_none(load: Load) -> None:
    (waiver,) = load(TWO + waivers(f"check: drift, suite: answers, metric: any, {SAID}")).agreed_waivers()
    assert waiver.metric == "any"


def test_contamination_has_no_metric(refuse: Refuse) -> None:
    error = refuse(ONE + waivers(f"check: contamination, metric: score, {SAID}"))
    assert error.what == "contamination is judged for a suite as a whole, not for a metric"
    assert error.where == Place("gate.yml", 5, "waivers[0].metric")


@pytest.mark.parametrize(
    ("first", "second"),
    [("", ""), ("metric: f1, ", "metric: f1, "), ("", "metric: f1, "), ("metric: f1, ", "")],
)
def test_two_waivers_for_the_same_are_refused(first: str, second: str, refuse: Refuse) -> None:
    other = f"check: coverage, suite: questions, {SAID}"
    lines = [f"check: drift, suite: questions, {metric}{SAID}" for metric in (first, second)]
    error = refuse(TWO + waivers(lines[0], other, lines[1]))
    assert error.what == "waivers 1 and 3 cover the same: drift of 'questions'"
    assert error.where == Place("gate.yml", 8, "waivers[2]")


def test_the_only_suite_named_and_not_named_is_the_same(refuse: Refuse) -> None:
    error = refuse(ONE + waivers(f"check: drift, {SAID}", f"check: drift, suite: answers, {SAID}"))
    assert error.what.startswith("waivers 1 and 2 cover the same")


def test_waivers_of_two_checks_suites_or_metrics_stand_side_by_side(load: Load) -> None:
    keys = ["drift, suite: answers", "coverage, suite: answers", "drift, suite: questions, metric: f1",
            "drift, suite: questions, metric: acc"]  # fmt: skip
    assert len(load(TWO + waivers(*(f"check: {key}, {SAID}" for key in keys))).waivers) == 4


@pytest.mark.parametrize("written", ["waivers:\n", "waivers: yes\n", "waivers: {check: drift}\n", "waivers: [drift]\n"])
def test_what_is_no_list_of_waivers_is_refused(written: str, refuse: Refuse) -> None:
    assert str(refuse(ONE + written).where).startswith("gate.yml, line 4, waivers")


def test_a_configuration_that_was_not_read_from_a_file_is_held_to_the_same() -> None:
    suite = {"name": "answers", "baseline": "a.csv", "candidate": "b.csv"}
    agreed = {"check": "drift", "suite": "x", "reason": "x", "approved_by": "x", "expires": "2026-01-31"}
    with pytest.raises(ConfigError, match="there is no suite 'x'"):
        validate_config({"version": 1, "suites": [suite], "waivers": [agreed]})
