"""JUnit XML, as pytest and most test runners write it: a test passed, failed, or did not run to its end.

pytest's expected failures are failures: the mark says what the team expects, not what the model did, and a test must
not leave the count by being marked. Where a test was run again, the last run counts: pytest writes the earlier ones as
if they had passed.
"""

import xml.parsers.expat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.results.words import REPORT_TITLE
from gate.scores.cells import parse_cell
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import make_id
from gate.scores.markup import feed, refuse_doctype
from gate.scores.model import ItemStatus, Run, Wanted
from gate.scores.outcomes import PASSED, ReportedTest, notes_of_tests, records_of_tests, refuse_questions
from gate.scores.quoting import quoted_listing
from gate.scores.recorded import RATE, Form, run_of_records
from gate.wording import count

_ROOTS = ("testsuites", "testsuite")
_FORM = Form(
    "junit",
    remedy="give the report of one run; where it names two tests alike, give them different names",
    traits={PASSED: RATE}.get,
    part="testcase {number}",
)
_NOT_COLLECTED = "collection failure"
_NOT_RUN = "[NOTRUN]"


class _Suite(NamedTuple):
    """A testsuite element: which of the file's it is, from 1, and its name."""

    number: int
    name: str


@dataclass(slots=True)
class _Case:
    """One testcase element, or several in a row of one suite that are runs of one test.

    Attributes:
        suite: its testsuite element.
        number: the number of its last element.
        children: failure, error and skipped, each with its attributes.
        properties: what the test recorded.
    """

    id: str
    suite: _Suite
    number: int
    children: dict[str, Mapping[str, str]] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)


class _Report:
    """The test cases of a file, as its elements are met."""

    def __init__(self, file: ScoreFile) -> None:
        self.cases: dict[tuple[_Suite, str], _Case] = {}
        self.not_collected: list[str] = []
        self.run_again: set[str] = set()
        self.created: str | None = None
        self._file = file
        self._suites: list[_Suite] = []
        self._n_suites = self._n_cases = 0
        self._case: _Case | None = None

    def start(self, element: str, attributes: dict[str, str]) -> None:
        case = self._case
        if element == "testsuites" and attributes.get("name") == REPORT_TITLE:
            raise ScoreFileError(
                "this is a report of gate itself: its tests are checks, no items of an eval",
                where=self._file.place(),
                remedy="give the report that the test runner wrote",
            )
        if element == "testsuite":
            self._n_suites += 1
            self._suites.append(_Suite(self._n_suites, attributes.get("name", "")))
            self.created = self.created or attributes.get("timestamp")
        elif element == "testcase":
            self._case = self._open_case(attributes)
        elif case is not None and element in ("failure", "error", "skipped"):
            case.children[element] = attributes
        elif case is not None and element == "property":
            case.properties[attributes.get("name", "")] = attributes.get("value", "")

    def end(self, element: str) -> None:
        if element == "testsuite":
            self._suites.pop()
        elif element == "testcase" and self._case is not None:
            self._close_case(self._case)
            self._case = None

    def _open_case(self, attributes: Mapping[str, str]) -> _Case:
        self._n_cases += 1
        suite = self._suites[-1] if self._suites else _Suite(0, "")
        name = attributes.get("name")
        owner = attributes.get("classname") or suite.name
        told = f"{owner}::{name}" if owner and name else name
        if not told:
            raise ScoreFileError(
                "the test case has no name",
                where=self._file.place(part=f"testcase {self._n_cases}"),
                remedy="let the test runner write `classname` and `name` of every test",
            )
        found = make_id([told], is_text=False, file=self._file, line=self._n_cases).id
        case = _Case(found, suite, self._n_cases)
        if attributes.get("status") in ("notrun", "disabled"):
            case.children["skipped"] = {}
        return case

    def _close_case(self, case: _Case) -> None:
        if case.children.get("error", {}).get("message") == _NOT_COLLECTED:
            self.not_collected.append(case.id.rpartition("::")[2])
            return
        earlier = self.cases.get((case.suite, case.id))
        if earlier is not None:
            failed_before = "failure" in earlier.children and earlier.number == case.number - 1
            if failed_before and "error" in case.children:  # pytest: it failed, and so did its teardown
                case.children["failure"] = earlier.children["failure"]
            else:
                self.run_again.add(case.id)
        self.cases[case.suite, case.id] = case


def matches(first: FirstRecord) -> bool:
    """Whether the outermost element is testsuites or testsuite."""
    return first.container is Container.XML and not first.fields.keys().isdisjoint(_ROOTS)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a JUnit report: ``passed``, and each number that a test recorded as a property.

    Raises:
        ScoreFileError: where it is no XML, a test has no name or stands in two suites, or some were not collected.
    """
    report = _parse(file)
    if report.not_collected and not wanted.unfinished:
        raise ScoreFileError(
            f"pytest could not collect the tests of {quoted_listing(report.not_collected)}, so they were not run",
            where=file.place(),
            remedy="mend the import and run pytest again, or set `allow_unfinished: true` in gate.yml / "
            "--allow-unfinished",
        )
    names = _names(report)
    tests = [_tested(case, name) for case, name in zip(report.cases.values(), names, strict=True)]
    records = records_of_tests(tests, file)
    notes = (*_notes(report), *notes_of_tests(tests))
    facts = {} if report.created is None else {"created": report.created}
    return run_of_records(file, _FORM, records, wanted, notes=notes, facts=facts)


read_items = refuse_questions


def _parse(file: ScoreFile) -> _Report:
    report = _Report(file)
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = report.start
    parser.EndElementHandler = report.end
    parser.StartDoctypeDeclHandler = lambda *_: refuse_doctype(file)
    feed(parser, file)
    return report


def _names(report: _Report) -> list[str]:
    """The tests' ids, with the suite where its name alone tells two tests apart, as in Node's reports."""
    suites_of = Counter(case.id for case in report.cases.values())
    return [
        f"{case.suite.name}::{case.id}" if suites_of[case.id] > 1 and case.suite.name else case.id
        for case in report.cases.values()
    ]


def _tested(case: _Case, name: str) -> ReportedTest:
    parsed = {name: parse_cell(value) for name, value in case.properties.items()}
    figures = {name: value for name, value in parsed.items() if isinstance(value, float)}
    words = [name for name, value in parsed.items() if not isinstance(value, float | ItemStatus)]
    return ReportedTest(name, _outcome(case.children), figures, case.number, words)


def _outcome(children: Mapping[str, Mapping[str, str]]) -> float | ItemStatus:
    if "failure" in children:
        return 0.0
    if "error" in children:
        return ItemStatus.ERROR
    skipped = children.get("skipped")
    if skipped is None:
        return 1.0
    ran = skipped.get("type") == "pytest.xfail" and not skipped.get("message", "").startswith(_NOT_RUN)
    return 0.0 if ran else ItemStatus.SKIPPED


def _notes(report: _Report) -> Iterator[str]:
    kinds = [case.children.get("skipped", {}).get("type") for case in report.cases.values()]
    if (expected := kinds.count("pytest.xfail")) > 0:
        told = count(expected, "test is", "tests are")
        yield f"{told} marked as expected to fail; one that failed counts as 0"
    if report.run_again:
        yield (
            f"{count(len(report.run_again), 'test was', 'tests were')} run several times, and the last run counts: "
            f"{quoted_listing(sorted(report.run_again))}"
        )
    if report.not_collected:
        yield f"pytest could not collect the tests of {quoted_listing(report.not_collected)}"
