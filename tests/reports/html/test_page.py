"""The HTML report: all there, allowed nothing, small, the same every time."""

import base64
import datetime as dt
import hashlib
import json as plain_json
import math
import os
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.evidence import Estimate, ExactBound, IntervalEvidence
from gate.reports import html, json
from gate.reports.html import page, views
from gate.reports.html.surroundings import environment, mark_code
from gate.reports.overview import notes_of
from gate.results import (
    GLOSSARY,
    CheckResult,
    ConfigChange,
    Effect,
    ItemTable,
    MetricColumn,
    Origin,
    Report,
    ShowText,
    Status,
    SuiteReport,
)
from gate.results.record import Trend, TrendPoint

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = ["worked", "passing", "broken", "crowded"]
# An element that has no end tag.
VOID = {"meta", "link", "br", "img", "input"}
TEXT_OF_NO_INTEREST = {"style", "script", "title"}


class Page(HTMLParser):
    """A page taken apart."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.contents: dict[str, str] = {}
        self.texts: list[tuple[str, str]] = []
        self._open: list[tuple[str, str]] = []
        self.feed(source)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self._open.append((tag, attributes.get("type", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tag, kind = self._open[-1] if self._open else ("", "")
        if tag in TEXT_OF_NO_INTEREST:
            self.contents[f"{tag} {kind}".strip()] = data
        elif data.strip():
            self.texts.append((tag, " ".join(data.split())))

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]

    @property
    def text(self) -> str:
        return "\n".join(text for _, text in self.texts)

    @property
    def outline(self) -> str:
        """The text by lines, each with the element it stands in: what a reader gets, without how it looks."""
        return "".join(f"{tag}: {text}\n" for tag, text in self.texts)


def page_of(report: Report) -> Page:
    return Page(html.render(report))


@pytest.mark.parametrize("case", CASES)
def test_the_page_says_what_it_always_said(case: str, make: ModuleType) -> None:
    outline = page_of(make.CASES[case]()).outline
    file = GOLDEN / f"{case}.html.txt"
    if os.environ.get("GATE_REWRITE"):
        file.write_text(outline, encoding="utf-8")
    assert outline == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_the_same_report_gives_the_same_page(case: str, make: ModuleType) -> None:
    assert html.render(make.CASES[case]()) == html.render(make.CASES[case]())


@pytest.mark.parametrize("case", CASES)
def test_the_json_in_the_page_is_the_json_report_s_own_text(case: str, make: ModuleType) -> None:
    report = make.CASES[case]()
    embedded = page_of(report).contents["script application/json"]
    assert "<" not in embedded
    assert embedded.replace(r"\u003c", "<") + "\n" == json.render(report)
    assert plain_json.loads(embedded) == plain_json.loads(json.render(report))


@pytest.mark.parametrize("case", CASES)
def test_the_policy_allows_the_page_s_own_style_and_script_and_nothing_else(case: str, make: ModuleType) -> None:
    found = page_of(make.CASES[case]())
    policy = next(
        attributes["content"]
        for _, attributes in found.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {source(found.contents['style'])}",
        f"script-src {source(found.contents['script module'])}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


@pytest.mark.parametrize("case", CASES)
def test_no_address_but_that_of_the_terms_leads_out_of_the_page(case: str, make: ModuleType) -> None:
    found = page_of(make.CASES[case]())
    ids = set(found.attributes("id"))
    assert {link for link in found.attributes("href") if link.removeprefix("#") not in ids} == {GLOSSARY}
    assert not found.attributes("src")
    assert set(re.findall(r"url\(([^)]*)\)", found.contents["style"])) <= {"#hatch", "#loss", "#wrong"}
    assert "@import" not in found.contents["style"]
    script = re.sub(r"^\s*//.*|\s// .*", "", found.contents["script module"], flags=re.MULTILINE)
    assert "//" not in script.replace("http://www.w3.org/2000/svg", "")  # the name of SVG's elements, no address


@pytest.mark.parametrize("case", CASES)
def test_no_element_has_a_style_or_a_handler_of_its_own_and_every_id_is_used_once(case: str, make: ModuleType) -> None:
    found = page_of(make.CASES[case]())
    names = {name for _, attributes in found.elements for name in attributes}
    assert [name for name in names if name == "style" or name.startswith("on")] == []
    ids = found.attributes("id")
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("case", CASES)
def test_a_label_names_what_is_there(case: str, make: ModuleType) -> None:
    found = page_of(make.CASES[case]())
    assert set(found.attributes("aria-labelledby")) <= set(found.attributes("id"))
    assert all(attributes.get("aria-label") for _, attributes in found.elements if attributes.get("role") == "img")


@pytest.mark.parametrize("case", CASES)
def test_no_character_that_does_not_print_gets_into_the_page(case: str, make: ModuleType) -> None:
    assert all(line.isprintable() for line in html.render(make.CASES[case]()).split("\n"))


@pytest.mark.parametrize("case", CASES)
def test_every_result_is_told_and_every_piece_of_evidence_has_its_card(case: str, make: ModuleType) -> None:
    report = make.CASES[case]()
    found = page_of(report)
    results = [result for suite in report.suites for result in suite.results]
    assert all(" ".join(result.sentence.split()) in found.text for result in results)
    anchors = {anchor for anchor in found.attributes("id") if re.fullmatch(r"suite-\d+-check-\d+", anchor)}
    assert len(anchors) == sum(result.evidence is not None for result in results)


def test_the_verdict_is_the_one_heading_of_the_first_order(make: ModuleType) -> None:
    found = page_of(make.worked())
    assert [tag for tag, _ in found.elements].count("h1") == 1
    assert "BLOCK" in found.text
    assert found.contents["title"] == "BLOCK · gate report"


def test_an_error_is_told_with_its_place_and_remedy_and_without_tables(make: ModuleType) -> None:
    found = page_of(make.broken())
    assert "ERROR" in found.text
    assert all(part in found.text for part in ("is not a number", "runs/b.csv, line 4", "write a number"))
    assert "table" not in [tag for tag, _ in found.elements]


def test_of_many_suites_those_that_need_a_look_are_drawn_and_all_stand_in_the_overview(make: ModuleType) -> None:
    quiet = [make.suite_of(make.regression(), name=f"quiet {number}") for number in range(views.MOST_SUITES + 5)]
    report = make.report_of(*quiet, make.suite_of(make.drift(), name="loud"))
    found = page_of(report)
    assert f"suite-{len(quiet)}" in found.attributes("id")
    assert sum(re.fullmatch(r"suite-\d+", anchor) is not None for anchor in found.attributes("id")) == views.MOST_SUITES
    assert "6 suites not drawn" in found.text
    assert all(f"quiet {number}" in found.text for number in range(len(quiet)))


def test_of_more_rows_than_a_table_takes_those_that_need_a_look_are_kept(make: ModuleType) -> None:
    quiet = [make.suite_of(make.regression(), name=f"quiet {number}") for number in range(views.MOST_ROWS + 2)]
    report = make.report_of(*quiet, make.suite_of(make.drift(), name="loud"))
    found = page_of(report)
    assert "loud" in found.text
    assert "and 3 suites more, none worse" in found.text
    assert "and 3 more, none worse" in found.text
    assert f"quiet {views.MOST_ROWS - 2}" in found.text
    assert f"quiet {views.MOST_ROWS}" not in found.text


def test_of_very_many_notes_the_others_are_counted(make: ModuleType) -> None:
    noted = replace(make.regression(), notes=tuple(f"note {number}" for number in range(203)))
    suite = make.suite_of(noted)
    every = len(notes_of(suite))
    assert every > 203
    assert f"and {every - 200} more" in page_of(make.report_of(suite)).text


def test_words_of_the_eval_stand_in_the_page_only_where_they_may(make: ModuleType) -> None:
    suite = make.suite_of(make.regression(), make.contamination(), texts={"q04": "What is the capital of Peru?"})
    silent, open_ = (html.render(make.report_of(suite, show_text=show)) for show in (ShowText.IDS, ShowText.SNIPPETS))
    assert "Peru" not in silent
    assert "<mark>" not in silent
    assert "capital of Peru" in open_
    assert "<mark>capital</mark>" in open_


def wide_report(make: ModuleType, n: int) -> Report:
    """``n`` items with ids of some length, digests, groups, and three metrics of uneven scores."""
    status = ("scored",) * n
    scores = [tuple(((index * 7919 + shift) % 10_007) / 10_007 for index in range(n)) for shift in range(2)]
    column = MetricColumn("higher", (0.0, 1.0), "given", scores[0], scores[1], status)
    items = ItemTable(
        tuple(f"subset/of-the-benchmark/item-{index:06d}" for index in range(n)),
        tuple(hashlib.sha256(str(index).encode()).hexdigest() for index in range(n)),
        tuple(f"group {index % 40}" for index in range(n)),
        {"accuracy": column, "faithfulness": column, "relevance": column},
    )
    results = [
        replace(result, metric=metric)
        for metric in items.metrics
        for result in (make.coverage(), make.threshold(), make.regression(), make.drift())
    ]
    report: Report = make.report_of(make.suite_of(*results, items=items))
    return report


def test_a_thousand_items_of_three_metrics_take_less_than_500_kb(make: ModuleType) -> None:
    assert len(html.render(wide_report(make, 1000)).encode()) < 500_000


def test_what_stands_around_the_items_does_not_grow_with_them(make: ModuleType) -> None:
    few, many = (
        len(html.render(report)) - len(json.render(report))
        for report in (wide_report(make, 400), wide_report(make, 4000))
    )
    assert abs(many - few) < 2000


def test_a_waived_result_names_its_waiver(make: ModuleType) -> None:
    agreed = make.waiver().waiver
    suite = make.suite_of(make.threshold(status=Status.WARN, waiver=agreed))
    assert "Waived until 2026-01-31 by Ada: the mend is under review" in page_of(make.report_of(suite)).text


@pytest.mark.parametrize("name", sorted(environment().list_templates(extensions=["j2"])))
def test_no_template_lets_a_value_through_or_leaves_an_attribute_without_quotes(name: str) -> None:
    assert environment().loader is not None
    source = environment().loader.get_source(environment(), name)[0]  # type: ignore[union-attr]  # asserted above
    assert "safe" not in source
    assert "autoescape" not in source
    assert re.findall(r"\s[\w-]+=(?![\"'{])\S*\{\{", source) == []
    assert re.findall(r"=\{\{", source) == []


def test_the_page_is_written_without_a_template_of_markdown(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gate.reports.templating", None)
    assert page.render(make.worked()).startswith("<!DOCTYPE html>")


@settings(max_examples=60)
@given(
    figures=st.lists(st.floats(), min_size=6, max_size=6),
    axis=st.lists(st.floats(allow_nan=False), min_size=2, max_size=2),
)
def test_whatever_the_figures_every_mark_has_a_place(make: ModuleType, figures: list[float], axis: list[float]) -> None:
    low, value, high, limit, exact_low, exact_high = figures
    evidence = IntervalEvidence(
        Estimate(value, low, high, 0.95, "bootstrap", 3),
        limit,
        "bar",
        (min(axis), max(axis)),
        ExactBound(exact_low, exact_high, 0.5),
    )
    scores = (low, value, high), (limit, exact_low, exact_high)
    items = make.item_table(*(tuple(score if math.isfinite(score) else None for score in run) for run in scores))
    found = page_of(make.report_of(make.suite_of(make.threshold(evidence=evidence), items=items)))
    marks = [attributes for tag, attributes in found.elements if tag in {"line", "rect", "circle", "text", "path"}]
    places = [mark[name] for mark in marks for name in mark.keys() & {"x", "y", "x1", "x2", "y1", "y2", "cx", "cy"}]
    assert all(math.isfinite(float(place)) for place in places)
    lengths = [
        float(mark[name]) for mark in marks for name in mark.keys() & {"width", "height"} if "%" not in mark[name]
    ]
    assert all(math.isfinite(length) and length >= 0 for length in lengths)


def test_a_history_is_drawn_with_the_run_that_is_judged_last(make: ModuleType) -> None:
    first = TrendPoint(0.9, 20, dt.date(2026, 1, 2), "abcdef0123456789", promoted=True)
    points = (first, TrendPoint(0.8, 20), TrendPoint(0.725, 20))
    trend = Trend("default", "score", "higher", points, runs=3, others=2, standard_error=0.05)
    found = page_of(replace(make.worked(), trends=(trend,)))
    assert "0.900 to 0.725 in 3 runs; 2 runs of other items left out" in found.text
    assert "2026-01-02, promoted" in found.text
    assert "abcdef012345\n" in found.text
    assert "0.900, 0.800, 0.725" in found.attributes("aria-label")


def test_a_decline_has_its_card_with_the_runs_and_its_reason_leads_there(make: ModuleType) -> None:
    points = (TrendPoint(0.9, 20, dt.date(2026, 1, 2), promoted=True), TrendPoint(0.6, 20))
    trend = Trend("default", "score", "higher", points, runs=2)
    told = "small steps add up: 0.300 under the best promoted run"
    decline = CheckResult(
        "decline", Status.FAIL, "slow-decline", told, metric="score", figures={"best": 0.9, "margin": None}
    )
    found = page_of(replace(make.report_of(make.suite_of(decline)), trends=(trend,)))
    assert "0.900, 0.600; best 0.900" in found.attributes("aria-label")
    assert "Over the runs so far" not in found.text
    (card,) = (each for each in found.attributes("id") if each.startswith("suite-0-check") and each[-1].isdigit())
    assert f"#{card}" in found.attributes("href")


def test_proposed_changes_of_the_configuration_are_told_as_text(make: ModuleType) -> None:
    change = ConfigChange("suites[default].checks.threshold.bar", "0.7", "<b>0.5</b>", Effect.LAXER)
    found = page_of(replace(make.worked(), config_changes=(change,)))
    assert "1 change, 1 laxer; the verdict is by the gate.yml in force" in found.text
    assert "laxer" in found.text
    assert "<b>0.5</b>" in found.text


def test_which_version_of_the_baseline_was_read_is_told(make: ModuleType) -> None:
    report = make.worked()
    baseline = replace(report.suites[0].baseline, origin=Origin("abcdef0123456789", None, None, "git", "<b>main</b>"))
    found = page_of(replace(report, suites=(replace(report.suites[0], baseline=baseline),)))
    assert "<b>main</b>" in found.text
    assert "age not known" in found.text


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("name one: `--metric NAME`, or more", "name one: <code>--metric NAME</code>, or more"),
        ("an odd ` alone", "an odd ` alone"),
        ("`a` and ` alone", "<code>a</code> and ` alone"),
        ("`<b>`<i>\x1b", "<code>&lt;b&gt;</code>&lt;i&gt;\\x1b"),
    ],
)
def test_what_a_sentence_sets_in_backticks_is_code_and_nothing_else_is_markup(told: str, shown: str) -> None:
    assert mark_code(told) == shown


def suite_without_items(make: ModuleType) -> SuiteReport:
    suite: SuiteReport = make.suite_of(make.contamination(), items=ItemTable((), (), (), {}))
    return suite


def test_where_no_suite_has_items_there_is_no_table_of_them(make: ModuleType) -> None:
    found = page_of(make.report_of(suite_without_items(make)))
    assert "items" not in found.attributes("id")
