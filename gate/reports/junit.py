"""The report as JUnit XML, for the pages on which GitLab, Jenkins and GitHub's test reporters show test results.

Each check is a test case. One that warns has passed: JUnit knows no warning, a failure would be red where the gate is
not, and `skipped` would say that it did not run; what it warns of stands in its output. Where a warning fails the run
(`fail_on: warn`), it is a failure.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from gate.reports.escape import SENTENCE_LIMIT, shorten, terminal, visible
from gate.reports.overview import STATUS_WORDS, config_change_lines, headline, tell_config_changes
from gate.reports.trees import tell_working_tree
from gate.results import CheckResult, FailOn, Fault, Figure, Report, Status, SuiteReport
from gate.results.words import REPORT_TITLE


class _Case(NamedTuple):
    """One test case.

    Attributes:
        classname: the suite, and the metric where it has one: with the name no two cases share it.
        name: the check.
        kind: ``failure``, ``error`` or ``skipped``; empty for one that passed.
        type: the reason's code.
        message: the finding in a sentence.
        lines: the same with all there is to say of it.
    """

    classname: str
    name: str
    kind: str
    type: str
    message: str
    lines: tuple[str, ...]


class _Suite(NamedTuple):
    """A group of test cases."""

    name: str
    cases: tuple[_Case, ...]


def render(report: Report) -> str:
    """Render the report: no time and no host, so that the same report gives the same bytes.

    Whatever the names say, no character gets in that does not print, and so none that XML 1.0 does not allow.
    """
    suites = [_of_suite(suite, report) for suite in report.suites]
    if report.fault is not None:
        suites.append(_of_fault(report.fault))
    counts = _counts([case for suite in suites for case in suite.cases])
    told = dict(_properties(report))
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<testsuites{_attributes({'name': REPORT_TITLE, **counts})}>",
        *(line for index, suite in enumerate(suites) for line in _drawn(suite, {} if index else told)),
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _of_suite(suite: SuiteReport, report: Report) -> _Suite:
    warns_fail = _warns_fail(report)
    return _Suite(suite.name, tuple(_of_check(suite.name, result, warns_fail=warns_fail) for result in suite.results))


def _of_check(suite: str, result: CheckResult, *, warns_fail: bool) -> _Case:
    kinds = {Status.FAIL: "failure", Status.WARN: "failure" if warns_fail else "", Status.NOT_RUN: "skipped"}
    owner = suite if result.metric is None else f"{suite}/{result.metric}"
    lines = (
        f"{STATUS_WORDS[result.status].upper()}: {result.sentence}",
        *([result.detail] if result.detail else []),
        *([f"what to do: {result.remedy}"] if result.remedy else []),
        *(f"{name}: {_figure(value)}" for name, value in result.figures.items() if value is not None),
        *(f"note: {note}" for note in result.notes),
    )
    return _Case(owner, result.check, kinds.get(result.status, ""), result.reason, result.sentence, lines)


def _of_fault(fault: Fault) -> _Suite:
    """An error judged nothing: it is the one test case."""
    where = (f"where: {fault.where}",) if fault.where else ()
    lines = (f"ERROR: {fault.what}", *where, f"what to do: {fault.remedy}")
    return _Suite("gate", (_Case("gate", "gate", "error", fault.kind, fault.what, lines),))


def _warns_fail(report: Report) -> bool:
    policies = report.provenance.options.get("policies")
    return isinstance(policies, Mapping) and policies.get("fail_on") == FailOn.WARN


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    """What is to be said of the run as a whole."""
    why = "; ".join(": ".join([*finding.where, finding.sentence]) for finding in headline(report))
    yield "verdict", f"{report.verdict.word}: {why}"
    if report.config_changes:
        yield "gate.yml", tell_config_changes(report)
    for number, change in enumerate(config_change_lines(report), start=1):
        yield f"gate.yml change {number}", f"{change.key}: {change.before} -> {change.after} ({change.effect})"
    if report.from_working_tree:
        yield "working tree", tell_working_tree(report)
    for number, each in enumerate(report.from_working_tree, start=1):
        yield f"working tree input {number}", f"{each.what}: {each.path}"
    if report.error_rates is not None:
        yield "error rates", report.error_rates.sentence
    yield "command", report.provenance.command
    yield "terms", report.glossary


def _drawn(suite: _Suite, properties: Mapping[str, str]) -> Iterator[str]:
    yield f"  <testsuite{_attributes({'name': suite.name, **_counts(suite.cases)})}>"
    if properties:
        yield "    <properties>"
        yield from (
            f"      <property{_attributes({'name': name, 'value': value})}/>" for name, value in properties.items()
        )
        yield "    </properties>"
    for case in suite.cases:
        yield f"    <testcase{_attributes({'classname': case.classname, 'name': case.name, 'time': '0'})}>"
        yield from _outcome(case)
        yield "    </testcase>"
    yield "  </testsuite>"


def _outcome(case: _Case) -> Iterator[str]:
    body = "\n".join(_text(terminal(line)) for line in case.lines)
    # readers show a skipped test by its message, and a passed one by its output
    match case.kind:
        case "":
            yield f"      <system-out>{body}</system-out>"
        case "skipped":
            yield f"      <skipped{_attributes({'message': case.message})}/>"
        case kind:
            yield f"      <{kind}{_attributes({'message': case.message, 'type': case.type})}>{body}</{kind}>"


def _counts(cases: Sequence[_Case]) -> dict[str, str]:
    kinds = Counter(case.kind for case in cases)
    numbers = {"tests": len(cases), "failures": kinds["failure"], "errors": kinds["error"], "skipped": kinds["skipped"]}
    return {name: str(number) for name, number in numbers.items()} | {"time": "0"}


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{_text(value)}"' for name, value in values.items())


def _text(line: str) -> str:
    return escape(visible(shorten(line, SENTENCE_LIMIT)))


def _figure(value: Figure) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
