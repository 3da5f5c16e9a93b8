"""pytest-json-report's ``.report.json``: a test passed, failed, or did not run to its end.

An expected failure is a failure, and an unexpected pass is a pass: the mark says what the team expects, not what the
model did, and a test must not leave the count by being marked.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from gate.errors import ScoreFileError
from gate.scores.cells import parse_cell
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import make_id
from gate.scores.model import ItemStatus, Run, Wanted
from gate.scores.outcomes import PASSED, ReportedTest, notes_of_tests, records_of_tests, refuse_questions
from gate.scores.quoting import quote, quoted_listing
from gate.scores.recorded import RATE, Form, run_of_records
from gate.scores.strict_json import parse_document
from gate.wording import count

_SIGNATURE = frozenset({"exitcode", "root", "summary"})
_FORM = Form("pytest_json", traits={PASSED: RATE}.get, part="tests[{index}]")
_ENDED = (0, 1, 5)  # all passed, some did not, there was none; else interrupted or broken
_OUTCOMES: Mapping[str, float | ItemStatus] = {
    "passed": 1.0,
    "failed": 0.0,
    "error": ItemStatus.ERROR,
    "skipped": ItemStatus.SKIPPED,
    "xfailed": 0.0,
    "xpassed": 1.0,
}


def matches(first: FirstRecord) -> bool:
    """Whether the whole file is one object with pytest-json-report's keys."""
    return first.container is Container.JSON and first.is_map and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a pytest report: ``passed``, and each number that a test recorded.

    Raises:
        ScoreFileError: where the report lacks its tests, the run was cut short, or a test is not as the tool writes it.
    """
    report = _report(file)
    if not wanted.unfinished:
        _require_finished(report, file)
    tests = [_tested(test, number, file) for number, test in enumerate(_tests(report, file), start=1)]
    notes = (*_notes(report), *notes_of_tests(tests))
    return run_of_records(file, _FORM, records_of_tests(tests, file), wanted, notes=notes, facts=_facts(report))


read_items = refuse_questions


def _report(file: ScoreFile) -> Mapping[str, object]:
    report = parse_document(file)
    return report if isinstance(report, dict) else {}


def _tests(report: Mapping[str, object], file: ScoreFile) -> Sequence[object]:
    tests = report.get("tests")
    if not isinstance(tests, list):
        raise ScoreFileError(
            "the report has no `tests`, only a summary",
            where=file.place(),
            remedy="run pytest with --json-report but without --json-report-summary",
        )
    return tests


def _require_finished(report: Mapping[str, object], file: ScoreFile) -> None:
    summary = report.get("summary")
    counts = summary if isinstance(summary, dict) else {}
    run, selected = counts.get("total"), counts.get("collected")
    deselected = counts.get("deselected", 0)
    known = isinstance(run, int) and isinstance(selected, int) and isinstance(deselected, int)
    left_out = selected - deselected - run if known else 0
    ended = report.get("exitcode") in _ENDED
    if left_out <= 0 and ended and not _uncollected(report):
        return
    cut = f"{count(left_out, 'test was', 'tests were')} not run" if left_out > 0 else "not every test was run"
    raise ScoreFileError(
        f"pytest ended with exit code {quote(report.get('exitcode'))}, and {cut}{_uncollected(report)}",
        where=file.place(part='key "exitcode"'),
        remedy="mend what ended it and run all tests (no -x or --maxfail), or set `allow_unfinished: true` in gate.yml"
        " / --allow-unfinished",
    )


def _tested(test: object, number: int, file: ScoreFile) -> ReportedTest:
    place = file.place(part=f"tests[{number - 1}]")
    if not isinstance(test, dict) or not isinstance(test.get("nodeid"), str):
        raise ScoreFileError(
            f"a test with its `nodeid` is expected here, not {quote(test)}",
            where=place,
            remedy="let pytest-json-report write the report again",
        )
    name = make_id([test["nodeid"]], is_text=False, file=file, line=number).id
    outcome = _outcome(test)
    if outcome is None:
        raise ScoreFileError(
            f"the outcome of {quote(name)} is {quote(test.get('outcome'))}, and no stage of it tells more",
            where=place,
            remedy="run pytest without the plugin that writes this outcome",
        )
    recorded = dict(_recorded(test))
    figures = {key: value for key, value in recorded.items() if isinstance(value, float)}
    return ReportedTest(name, outcome, figures, number, [key for key, value in recorded.items() if value is None])


def _outcome(test: Mapping[str, object]) -> float | ItemStatus | None:
    """What the test's outcome means; None where that cannot be told."""
    told, stages = test.get("outcome"), {name: _stage(test, name) for name in ("setup", "call", "teardown")}
    if told == "error" and stages["call"] == "failed":  # its teardown failed as well
        return 0.0
    if told == "xfailed" and stages["call"] is None and stages["setup"] == "skipped":  # marked with run=False
        return ItemStatus.SKIPPED
    known = _OUTCOMES.get(told) if isinstance(told, str) else None
    if known is not None:
        return known
    # pytest-rerunfailures leaves "rerun" where the last run passed, other plugins their own words
    if "failed" in (stages["setup"], stages["teardown"]):
        return ItemStatus.ERROR
    return _OUTCOMES.get(stages["call"] or "")


def _stage(test: Mapping[str, object], name: str) -> str | None:
    stage = test.get(name)
    outcome = stage.get("outcome") if isinstance(stage, dict) else None
    return outcome if isinstance(outcome, str) else None


def _recorded(test: Mapping[str, object]) -> Iterator[tuple[str, float | ItemStatus | None]]:
    """What was recorded by ``record_property`` and ``json_metadata``; None where it is no number."""
    recorded = test.get("user_properties")
    for properties in [*(recorded if isinstance(recorded, list) else []), test.get("metadata")]:
        for name, value in properties.items() if isinstance(properties, dict) else ():
            figure = parse_cell(value) if value is None or isinstance(value, int | float) else None
            yield name, figure if isinstance(figure, float | ItemStatus) else None


def _facts(report: Mapping[str, object]) -> Mapping[str, str]:
    created = report.get("created")
    if not isinstance(created, int | float) or not 0 <= created < datetime(9999, 1, 1, tzinfo=UTC).timestamp():
        return {}
    return {"created": datetime.fromtimestamp(created, UTC).isoformat(timespec="seconds")}


def _notes(report: Mapping[str, object]) -> Iterator[str]:
    tests = report.get("tests")
    outcomes = [test.get("outcome") for test in tests if isinstance(test, dict)] if isinstance(tests, list) else []
    if (expected := outcomes.count("xfailed") + outcomes.count("xpassed")) > 0:
        yield (
            f"{count(expected, 'test is', 'tests are')} marked as expected to fail; one that failed counts as 0, one "
            "that passed as 1"
        )
    if "rerun" in outcomes:
        yield f"{count(outcomes.count('rerun'), 'test was', 'tests were')} run several times, and the last run counts"
    if told := _uncollected(report):
        yield told.removeprefix("; ")


def _uncollected(report: Mapping[str, object]) -> str:
    collectors = report.get("collectors")
    failed = [
        str(collector.get("nodeid"))
        for collector in (collectors if isinstance(collectors, list) else [])
        if isinstance(collector, dict) and collector.get("outcome") == "failed"
    ]
    return f"; the tests of {quoted_listing(failed)} could not be collected" if failed else ""
