"""The JUnit report: sound for strict readers whatever the names say, each check a test case."""

import re
import xml.parsers.expat
from collections import Counter
from dataclasses import dataclass, field, replace
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.reports.junit import render
from gate.results import ConfigChange, Effect, Report, Status

COUNTS = {"tests", "failures", "errors", "skipped"}
# Element -> the attributes it must have, and the children it may have, in this order: what the schema of Jenkins'
# plugin and the parsers of GitLab and of GitHub's test reporters agree on.
ATTRIBUTES = {
    "testsuites": {"name", "time"} | COUNTS,
    "testsuite": {"name", "time"} | COUNTS,
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "system-out": set(),
}
CHILDREN = {
    "testsuites": r"(testsuite )*",
    "testsuite": r"(properties )?(testcase )*",
    "properties": r"(property )+",
    "testcase": r"(skipped |failure |error |system-out )",
}
# XML 1.0, production 2
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list["Element"]:
        return [found for child in self.children for found in ([child] if child.name == name else child.all(name))]


def parse(document: str) -> Element:
    """The tree, of a document that any XML parser reads."""
    assert not FORBIDDEN.search(document)
    open_elements = [Element("", {})]
    parser = xml.parsers.expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        open_elements[-1].children.append(Element(name, attributes))
        open_elements.append(open_elements[-1].children[-1])

    def characters(text: str) -> None:
        open_elements[-1].text += text

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = characters
    parser.Parse(document.encode(), True)
    (root,) = open_elements[0].children
    return root


def assert_sound(element: Element) -> None:
    assert set(element.attributes) == ATTRIBUTES[element.name]
    below = "".join(f"{child.name} " for child in element.children)
    assert re.fullmatch(CHILDREN.get(element.name, ""), below), (element.name, below)
    assert element.name not in CHILDREN or not element.text.strip()
    for child in element.children:
        assert_sound(child)
    if set(element.attributes) >= COUNTS:
        kinds = Counter(case.children[0].name for case in element.all("testcase"))
        counts = {"failures": kinds["failure"], "errors": kinds["error"], "skipped": kinds["skipped"]}
        expected = {"tests": len(element.all("testcase")), **counts}
        assert {name: int(element.attributes[name]) for name in COUNTS} == expected


def read(report: Report) -> Element:
    root = parse(render(report))
    assert root.name == "testsuites"
    assert_sound(root)
    cases = [(case.attributes["classname"], case.attributes["name"]) for case in root.all("testcase")]
    # GitLab takes two of one name for one
    assert len(set(cases)) == len(cases)
    return root


def only(root: Element, kind: str) -> Element:
    (found,) = root.all(kind)
    return found


@pytest.mark.parametrize("case", ["worked", "passing", "broken", "crowded"])
def test_the_report_is_what_strict_readers_take(case: str, make: ModuleType) -> None:
    read(make.CASES[case]())


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), min_size=1))
def test_no_name_breaks_the_report(make: ModuleType, name: str) -> None:
    failing = make.threshold(sentence=name, remedy=name, metric=name, figures={name: name}, notes=(name,))
    change = ConfigChange(name, name, name, Effect.LAXER)
    report = replace(make.report_of(make.suite_of(failing, name=name)), config_changes=(change,))
    assert only(read(report), "failure").text.startswith("FAIL: ")


def test_a_fail_is_a_failure_with_the_sentence_the_remedy_and_the_figures(make: ModuleType) -> None:
    root = read(make.report_of(make.suite_of(make.threshold())))
    failure = only(root, "failure")
    assert failure.attributes == {"message": "low 0.550 is under the bar 0.70", "type": "low-under-bar"}
    assert failure.text.split("\n") == [
        "FAIL: low 0.550 is under the bar 0.70",
        "mean 0.725, 95 % interval [0.550, 0.875], n = 20",
        "what to do: improve the candidate, or add items: 20 items leave this much doubt",
        "mean: 0.725",
        "low: 0.55",
        "high: 0.875",
        "bar: 0.7",
        "n: 20",
        "note: the mean 0.725 alone would clear the bar: not proven at n = 20",
    ]
    assert only(root, "testcase").attributes == {"classname": "default/score", "name": "threshold", "time": "0"}


def test_a_check_of_the_whole_suite_is_named_for_the_suite_alone(make: ModuleType) -> None:
    case = only(read(make.report_of(make.suite_of(make.contamination()))), "testcase")
    assert (case.attributes["classname"], case.attributes["name"]) == ("default", "contamination")


def test_a_warning_has_passed_and_says_what_it_warns_of(make: ModuleType) -> None:
    root = read(make.report_of(make.suite_of(make.gaps())))
    assert only(root, "system-out").text.startswith("WARN: 6 of 20 items could not be compared")


def test_a_warning_is_a_failure_where_it_fails_the_run(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.gaps()))
    strict = replace(report.provenance, options={"policies": {"fail_on": "warn"}})
    assert only(read(replace(report, provenance=strict)), "failure").text.startswith("WARN: ")


def test_a_check_that_was_not_run_is_skipped(make: ModuleType) -> None:
    idle = make.threshold(status=Status.NOT_RUN, sentence="no bar checked")
    assert only(read(make.report_of(make.suite_of(idle))), "skipped").attributes == {"message": "no bar checked"}


def test_an_error_is_the_one_test_case(make: ModuleType) -> None:
    error = only(read(make.broken()), "error")
    assert error.attributes == {"message": 'the score "n/a" is not a number', "type": "score-file"}
    assert 'where: runs/b.csv, line 4, column "score"\nwhat to do: write a number' in error.text


def test_the_verdict_and_what_a_pull_request_changes_stand_in_the_first_lines(make: ModuleType) -> None:
    change = ConfigChange("policies.fail_on", "block", "never", Effect.LAXER)
    told = read(replace(make.worked(), config_changes=(change,))).all("property")[:3]
    assert [(each.attributes["name"], each.attributes["value"]) for each in told] == [
        ("verdict", "BLOCK: low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25"),
        ("gate.yml", "this pull request changes gate.yml: 1 change, 1 laxer; the verdict is by the gate.yml in force"),
        ("gate.yml change 1", "policies.fail_on: block -> never (laxer)"),
    ]


def test_names_that_differ_in_their_middle_stay_apart(make: ModuleType) -> None:
    names = [f"{'a' * 49}{letter}{'a' * 50}" for letter in "bc"]
    root = read(make.report_of(*(make.suite_of(make.threshold(), name=name) for name in names)))
    assert [suite.attributes["name"] for suite in root.all("testsuite")] == names


def test_no_line_of_a_case_commands_the_log_that_it_is_printed_in(make: ModuleType) -> None:
    told = render(make.report_of(make.suite_of(make.threshold(detail="::error::evil", metric="::add-mask::0"))))
    assert r"\x3a:error::evil" in told
    assert [line for line in told.split("\n") if line.lstrip().startswith("::")] == []
