"""Every text of a report, whatever it is, through every form that a report has: nothing in it comes to life.

The report has every kind of evidence. Each of its texts is replaced by another payload, the same text by the same one,
and with every round the payloads move on by one, so that in the end every field has held every payload.
"""

import dataclasses
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from enum import Enum
from itertools import chain, count
from typing import Any

import pytest

from gate.entry import Conclusion
from gate.errors import ExitCode, Place, ScoreFileError
from gate.evidence import ArenaEvidence, Estimate, Part, Standing
from gate.github.annotations import annotations_of
from gate.github.commands import annotate, quote
from gate.github.comment_body import render as render_comment
from gate.github.comment_settings import RunPage
from gate.github.outputs import outputs_of
from gate.reports import REPORTS
from gate.reports.text import render as render_text
from gate.results import CheckResult, Effect, Origin, Report, Status
from gate.results.record import Trend, TrendPoint
from tests.injection.nothing_live import in_html, in_markdown, in_text, in_xml
from tests.injection.payloads import ALL, GROUPS, INERT, PAYLOADS
from tests.reports.conftest import CASES, crowded, scanned_leak, suite_of
from tests.runner import obey, obey_all, read_outputs

PAGE = RunPage("https://github.com", "owner/repository", (12, 1))
# the words that its code compares with, and keys of gate.yml
OURS = {"higher", "lower", "scored", "interval", "csv", "bar", "alpha"}


RAW = (
    "{}\n", "a {} b\n", "- {}\n", "## `a`\n\n{}\n", "| a | b |\n| --- | --- |\n| {} | x |\n", "`{}`\n",
    "`{}` and `@octocat`\n",
    "``{}`` and `<b>`\n", "```\n{}\n```\n", "a\n{}\n", "## \U0001f7e2 PASS: x\n\n{}\n",
)  # fmt: skip
RAW_HTML = ("{}", '<p title="{}"></p>', "<p title='{}'></p>", "<p>{}</p>")
# what comes to life only beside something else that is foreign too, or looks like what the gate itself writes
IN_COMPANY = {
    "- item", "+ item", "* item", "- [x] done", "[x](javascript:evil())", "[^1]: note", "\\", "[!WARNING]", "`", "``",
    "```",
    "~~~", "`a`", "`a``b`", "\\|", "&#124;", "-->", "javascript:window.hacked = 7", "&lt;b&gt;", "\\u003cscript>", "://x",
    "::",
    ":octocat", "##", "verdict=PASS", "ghadelimiter", "&amp;",
}  # fmt: skip


def everything() -> Report:
    """The crowded sample, and what it lacks: parts, a board, answers, a trend, the version of a baseline."""
    report = crowded()
    first, second = report.suites
    interval = first.results[1]
    parts = replace(interval.evidence, parts=(Part("group", 1, 2, 3, -0.5), Part("stratum", 3, 2, 1, 0.5)))  # type: ignore[type-var]  # it is an interval
    origin = Origin("0a1b2c3d4e5f", date(2026, 1, 1), 3, "git", "a ref", "1a1b2c3d4e5f")
    run = first.baseline
    assert run is not None
    first = replace(
        first,
        baseline=replace(run, origin=origin, facts={"made by": "a model"}, notes=("a note of the run",)),
        results=(*first.results, replace(interval, check="parts", evidence=parts), scanned_leak(), _board()),
    )
    points = (TrendPoint(0.5, 20, date(2026, 1, 1), "2a1b2c3d4e5f", promoted=True), TrendPoint(0.6, 20))
    trends = tuple(Trend(suite.name, "score", "higher", points, 2) for suite in (first, second))
    return replace(report, suites=(first, second, suite_of(name="third")), trends=trends)


def _board() -> CheckResult:
    standings = tuple(Standing(name, 1, 1, 2, 1, 1000.0, 990.0, 1010.0, 10, 5, 1, 4) for name in ("new", "old"))
    evidence = ArenaEvidence(
        Estimate(0.4, 0.3, 0.5, 0.95, "a method", 10),
        0.5,
        "a limit",
        standings=standings,
        chances=((None, 0.4), (0.6, None)),
        wins=((0, 5.5), (4.5, 0)),
    )
    return CheckResult("arena", Status.FAIL, "a reason", "new loses to old", evidence=evidence)


def poisoned(value: Any, poison: Callable[[str], str]) -> Any:
    """The same structure with every text in it replaced."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return poison(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{each.name: poisoned(getattr(value, each.name), poison) for each in dataclasses.fields(value)}
        )
    if isinstance(value, Mapping):
        return {poisoned(key, poison): poisoned(entry, poison) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return tuple(poisoned(entry, poison) for entry in value)
    return value


def poison_from(start: int) -> Callable[[str], str]:
    """A function that gives each new text the next payload; one that came before is told apart at its end."""
    known: dict[str, str] = {}
    fresh = count(start)

    def poison(text: str) -> str:
        if text not in known and text not in OURS:
            place = next(fresh)
            known[text] = ALL[place % len(ALL)] + (f" {place}" if place >= start + len(ALL) else "")
        return known.get(text, text)

    return poison


def poisoned_report(make: Callable[[], Report], start: int) -> Report:
    made = make()
    report: Report = poisoned(made, poison_from(start))
    effects = tuple(Effect)
    changes = tuple(replace(one, effect=effects[start % len(effects)]) for one in report.config_changes)
    return replace(report, glossary=made.glossary, config_changes=changes)


def started(group: str) -> Iterator[int]:
    """A round for each payload of the group: in each of them every field has another one."""
    before = sum(len(PAYLOADS[other]) for other in GROUPS[: GROUPS.index(group)])
    return iter(range(before, before + len(PAYLOADS[group])))


@pytest.fixture(scope="module", params=GROUPS)
def reports(request: pytest.FixtureRequest) -> list[Report]:
    makers = (everything, CASES["broken"])
    return [poisoned_report(make, start) for start in started(request.param) for make in makers]


def test_a_summary_shows_text_and_nothing_else(reports: list[Report]) -> None:
    for report in reports:
        in_markdown(REPORTS["markdown"](report))


def test_a_comment_shows_text_and_nothing_else(reports: list[Report]) -> None:
    for report in reports:
        in_markdown(render_comment(report, PAGE, sha="0123456789abcdef", key=report.provenance.command))


def test_the_page_shows_text_and_nothing_else(reports: list[Report]) -> None:
    for report in reports:
        in_html(REPORTS["html"](report))


def test_junit_holds_text_and_nothing_else(reports: list[Report]) -> None:
    for report in reports:
        in_xml(REPORTS["junit"](report))


def test_json_is_read_back_as_it_was_meant_and_commands_no_log(reports: list[Report]) -> None:
    for report in reports:
        told = REPORTS["json"](report)
        in_text(told)
        names = [suite.name for suite in report.suites]
        assert [suite["name"] for suite in json.loads(told)["suites"]] == names


@pytest.mark.parametrize("options", [{"verbose": True}, {"quiet": True}], ids=["verbose", "quiet"])
def test_a_log_shows_text_and_nothing_else(reports: list[Report], options: dict[str, bool]) -> None:
    for report in reports:
        in_text(render_text(report, **options))


def test_annotations_are_the_gate_s_own_commands_and_no_other(reports: list[Report]) -> None:
    for report in reports:
        fault = report.fault
        error = None
        if fault is not None:
            error = ScoreFileError(fault.what, remedy=fault.remedy, where=Place(fault.where))
        stream = io.StringIO()
        annotations = annotations_of(Conclusion(report, ExitCode.BLOCKED, error), None)
        for annotation in annotations:
            annotate(stream, annotation)
        obeyed = obey_all(stream.getvalue())
        assert len(obeyed) == len(annotations) == stream.getvalue().count("\n")
        assert {command.name for command in obeyed} <= {"notice", "warning", "error"}
        assert all(command.properties.keys() == {"title"} for command in obeyed)


def test_an_output_is_one_harmless_line(reports: list[Report]) -> None:
    for report in reports:
        for value in outputs_of(report, {}).values():
            assert "\n" not in value
            in_text(value)


def test_stopped_commands_stay_stopped(reports: list[Report]) -> None:
    for report in reports:
        stream = io.StringIO()
        quote(stream, "".join(chain(str(report), "\n", render_text(report, verbose=True))))
        assert obey(stream.getvalue()) == []


def raw_outputs(payload: str) -> Iterator[Callable[[], None]]:
    """What the gate writes, with the payload as it stands: in a line, at its start, in a cell, in code, in a page."""
    yield lambda: in_text(payload)
    for context in RAW:
        yield lambda context=context: in_markdown(context.format(payload))  # type: ignore[misc]
    page = REPORTS["html"](CASES["passing"]())
    for context in RAW_HTML:
        yield lambda context=context: in_html(page.replace("<main", f"{context.format(payload)}<main", 1))  # type: ignore[misc]
    yield lambda: in_xml(f"<testcase>{payload}</testcase>")
    yield lambda: in_output(payload)


def in_output(value: str) -> None:
    assert read_outputs(f"reason<<EOF\n{value}\nEOF\n") == {"reason": value}


@pytest.mark.parametrize("group", [group for group in GROUPS if group not in INERT])
def test_these_tests_would_notice_what_is_not_escaped(group: str) -> None:
    unnoticed = set()
    for payload in PAYLOADS[group]:
        for look in raw_outputs(payload):
            try:
                look()
            except BaseException:  # an assertion, a strict reader that gives up, pytest.fail
                break
        else:
            unnoticed.add(payload)
    assert unnoticed == IN_COMPANY & set(PAYLOADS[group])


@pytest.mark.parametrize("group", INERT)
def test_what_nothing_could_bring_to_life_comes_back_as_it_went_in(group: str) -> None:
    for payload in PAYLOADS[group]:
        report = replace(CASES["passing"](), suites=(suite_of(name=payload), suite_of(name="other")))
        assert json.loads(REPORTS["json"](report))["suites"][0]["name"] == payload
