"""The JSON report: complete, byte for byte the same, valid by its schema, and readable again."""

import json as standard
import math
import unicodedata
from dataclasses import replace
from types import ModuleType

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ScoreFileError
from gate.reports.json import load, render, schema
from gate.results import SCHEMA_VERSION, Report

CASES = ["worked", "passing", "broken", "crowded"]


def nearly(value: object) -> object:
    """The same with figures to 12 digits, for comparing a report with itself read back."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {key: nearly(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [nearly(entry) for entry in value]
    return value


@pytest.mark.parametrize("case", CASES)
def test_a_report_is_valid_by_the_schema(case: str, make: ModuleType) -> None:
    jsonschema.Draft202012Validator(schema()).validate(standard.loads(render(make.CASES[case]())))


@pytest.mark.parametrize("case", CASES)
def test_a_report_read_back_is_the_same_report_to_twelve_digits(case: str, make: ModuleType) -> None:
    report = make.CASES[case]()
    back = load(render(report))
    assert back.verdict == report.verdict
    assert back.suites == load(render(back)).suites
    assert render(back) == render(report)
    if case in {"passing", "broken"}:
        assert back == report


def test_the_kinds_of_evidence_are_told_apart_when_read_back(make: ModuleType) -> None:
    report = make.crowded()
    kinds = [type(result.evidence) for suite in load(render(report)).suites for result in suite.results]
    assert kinds == [type(result.evidence) for suite in report.suites for result in suite.results]


def test_figures_keep_their_kind_when_read_back(make: ModuleType) -> None:
    figures = {"float": 1.0, "int": 1, "flag": True, "text": "1", "none": None}
    back = load(render(make.report_of(make.suite_of(make.threshold(figures=figures))))).suites[0].results[0].figures
    assert {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in figures.items()
    }  # fmt: skip
    assert back == figures


def test_the_schema_is_valid_and_fixes_the_version() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert schema()["properties"]["schema_version"]["const"] == SCHEMA_VERSION
    assert schema()["title"] == "gate report"


def test_the_schema_refuses_a_report_without_a_verdict(make: ModuleType) -> None:
    data = standard.loads(render(make.worked()))
    del data["verdict"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema()).validate(data)


def test_every_item_is_there(make: ModuleType) -> None:
    items = make.item_table((1.0,) * 5000, (0.0,) * 5000)
    data = standard.loads(render(make.report_of(make.suite_of(items=items))))
    assert data["suites"][0]["items"]["ids"] == list(items.ids)


def test_figures_are_written_to_twelve_significant_digits(make: ModuleType) -> None:
    figures = {"a": 0.1 + 0.2, "b": 123456.7890123456, "c": 1 / 3, "d": 1e-20 / 3, "e": -0.0, "f": 1e300}
    text = render(make.report_of(make.suite_of(make.threshold(figures=figures))))
    for written in ("0.3", "123456.789012", "0.333333333333", "3.33333333333e-21", "0.0", "1e+300"):
        assert f": {written}" in text


def test_scores_of_items_are_written_whole_so_that_a_later_run_finds_them_as_they_were(make: ModuleType) -> None:
    scores = (0.1 + 0.2, 4 / 3, 1e-20 / 3)
    text = render(make.report_of(make.suite_of(items=make.item_table(scores, (-0.0, 1.0, 1.0)))))
    assert load(text).suites[0].items.metrics["score"].baseline == scores
    assert '"candidate": [0.0, 1.0, 1.0]' in text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_figure_that_is_not_finite_is_null(value: float, make: ModuleType) -> None:
    result = make.threshold(figures={"mean": value})
    items = make.item_table((value,), (1.0,))
    text = render(make.report_of(make.suite_of(result, items=items)))
    assert '"mean": null' in text
    assert '"baseline": [null]' in text
    assert load(text).suites[0].items.metrics["score"].baseline == (None,)


def test_names_are_written_as_they_are_but_for_what_would_break_a_reader(make: ModuleType) -> None:
    ids = ("語é", "a\u2028b\u2029c", "\ud800", "##[error]x", '"\\\n', "\x1b\x9b\u202e")
    text = render(make.report_of(make.suite_of(items=make.item_table((1.0,) * 6, (1.0,) * 6, ids=ids))))
    escaped = r'["語é", "a\u2028b\u2029c", "\ud800", "\u0023#[error]x", "\"\\\n", "\u001b\u009b\u202e"]'
    assert escaped in text
    assert load(text).suites[0].items.ids == ids


def test_a_list_of_plain_values_is_one_line_and_a_key_is_one_line(make: ModuleType) -> None:
    lines = render(make.worked()).split("\n")
    assert lines[1] == ' "schema_version": 1,'
    assert '      "labels": ["0", "0.5", "1"],' in lines


@settings(max_examples=50)
@given(
    ids=st.lists(st.text(max_size=20), max_size=10, unique=True),
    value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_ids_and_scores_come_back(make: ModuleType, ids: list[str], value: float | None) -> None:
    n = len(ids)
    report = make.report_of(make.suite_of(items=make.item_table((value,) * n, (value,) * n, ids=tuple(ids))))
    back = load(render(report)).suites[0].items
    if ids:
        assert back.ids == tuple(ids)
    assert back.metrics["score"].baseline == (None if value is None else pytest.approx(value, rel=1e-11),) * n


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("{\n oops", "this is not JSON: Expecting property name enclosed in double quotes", "old.json, line 2"),
        ("", "this is not JSON: Expecting value", "old.json, line 1"),
        ("[" * 100_000, "this JSON is beyond reading", "old.json"),
        ("[]", "this is no report of schema version 1", "old.json, schema_version"),
        ("{}", "this is no report of schema version 1", "old.json, schema_version"),
        ('{"schema_version": 2}', "this is no report of schema version 1", "old.json, schema_version"),
        ('{"schema_version": 1}', "this is not a report as gate writes it: field required", "old.json, verdict"),
    ],
)
def test_what_is_not_a_report_is_refused_with_its_place(text: str, what: str, where: str) -> None:
    with pytest.raises(ScoreFileError) as caught:
        load(text, path="old.json")
    assert caught.value.what == what
    assert str(caught.value.where) == where
    assert caught.value.remedy


def test_a_wrong_value_is_refused_with_the_way_to_it(make: ModuleType) -> None:
    data = standard.loads(render(make.worked()))
    data["suites"][0]["results"][0]["status"] = "maybe"
    with pytest.raises(ScoreFileError) as caught:
        load(standard.dumps(data))
    assert str(caught.value.where) == "report.json, suites.0.results.0.status"


def test_the_report_is_not_changed_by_being_rendered(make: ModuleType) -> None:
    report: Report = make.worked()
    render(report)
    assert report == replace(make.worked())


def test_no_character_that_cannot_be_seen_stands_in_it_as_it_is(make: ModuleType) -> None:
    hidden = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    ]
    report = make.report_of(make.suite_of(name="".join([*hidden, "\ufffe\uffff##[error]x"])))
    told = render(report)
    assert set(told) & {*hidden, "\ufffe", "\uffff"} == {"\n"}
    assert "##[" not in told
    # halves of pairs, put side by side, would be read as one character
    apart = [name for name in standard.loads(told)["suites"][0]["name"] if not "\ud800" <= name <= "\udfff"]
    assert set(hidden) - set(apart) == {chr(code) for code in range(0xD800, 0xE000)}
