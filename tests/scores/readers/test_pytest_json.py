"""The sample was written by pytest-json-report 1.5.0 under pytest 9.2.0 with pytest-rerunfailures 16.7."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples"


def ran(name: str, outcome: str, *, call: str | None = "passed", setup: str = "passed", **more: object) -> Any:
    stages = {"setup": {"outcome": setup}, "teardown": {"outcome": more.pop("teardown", "passed")}}
    return {
        "nodeid": f"t.py::{name}",
        "outcome": outcome,
        **stages,
        **({"call": {"outcome": call}} if call else {}),
    } | more


def report(*tests: object, exitcode: object = 1, **summary: object) -> str:
    counts = {"total": len(tests), "collected": len(tests)} | summary
    whole = {"created": 1.5, "exitcode": exitcode, "root": "project", "summary": counts, "tests": list(tests)}
    return json.dumps(whole)


def statuses(run: Run, metric: str = "passed") -> list[float | ItemStatus]:
    column = run.metrics[metric]
    pairs = zip(column.values.tolist(), column.status.tolist(), strict=True)
    return [value if status == ItemStatus.SCORED else ItemStatus(status) for value, status in pairs]


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        (ran("a", "passed"), 1.0),
        (ran("a", "failed", call="failed"), 0.0),
        (ran("a", "error", setup="failed", call=None), ItemStatus.ERROR),
        (ran("a", "error", teardown="failed"), ItemStatus.ERROR),
        (ran("a", "error", call="failed", teardown="failed"), 0.0),
        (ran("a", "skipped", call="skipped"), ItemStatus.SKIPPED),
        (ran("a", "xfailed", call="skipped"), 0.0),
        (ran("a", "xfailed", setup="skipped", call=None), ItemStatus.SKIPPED),
        (ran("a", "xpassed"), 1.0),
        (ran("a", "rerun"), 1.0),
        (ran("a", "subtests passed", call="failed"), 0.0),
        (ran("a", "own word", setup="failed", call=None), ItemStatus.ERROR),
    ],
)
def test_the_outcome_and_where_it_tells_too_little_the_stages_give_the_score(
    read: Read, test: Any, outcome: float | ItemStatus
) -> None:
    assert statuses(read(report(test, ran("b", "passed")))) == [outcome, 1.0]


def test_the_metric_is_passed_on_the_scale_0_to_1_and_the_node_names_the_item(read: Read) -> None:
    run = read(report(ran("a[x]", "passed")))
    assert run.source.format == "pytest_json"
    assert run.ids == ("t.py::a[x]",)
    assert run.metrics["passed"].scale == Scale(0.0, 1.0)
    assert run.facts == {"created": "1970-01-01T00:00:01+00:00"}


def test_numbers_that_tests_recorded_are_metrics(read: Read) -> None:
    run = read(
        report(
            ran("a", "passed", user_properties=[{"score": 0.5}, {"judge": "m"}, {"score": 0.75}, {"exact": True}]),
            ran("b", "passed", metadata={"score": 0.25, "texts": ["x"], "passed": 0}),
            ran("c", "skipped", call="skipped"),
        )
    )
    assert list(run.metrics) == ["passed", "score", "exact"]
    assert statuses(run, "score") == [0.75, 0.25, ItemStatus.SKIPPED]
    assert statuses(run, "exact") == [1.0, ItemStatus.UNSCORED, ItemStatus.SKIPPED]
    assert statuses(run) == [1.0, 1.0, ItemStatus.SKIPPED]
    assert run.notes == ('recorded by tests, but not as numbers, and left out there: "judge", "texts"',)


def test_a_number_that_is_not_finite_is_no_figure(read: Read) -> None:
    text = report(ran("a", "passed", user_properties=[{"x": float("nan")}]), ran("b", "passed", metadata={"x": 1}))
    assert statuses(read(text), "x") == [ItemStatus.UNSCORED, 1.0]


def test_both_of_pytests_reports_of_one_run_say_the_same() -> None:
    ours, junit = read_run(SAMPLES / "pytest_json" / "reruns.json"), read_run(SAMPLES / "junit" / "reruns.xml")
    assert [item.rpartition("::")[2] for item in ours.ids] == [item.rpartition("::")[2] for item in junit.ids]
    assert list(ours.metrics) == list(junit.metrics) == ["passed", "score", "exact"]
    for metric in ours.metrics:
        assert statuses(ours, metric) == statuses(junit, metric)


def test_marked_and_repeated_tests_are_told() -> None:
    assert read_run(SAMPLES / "pytest_json" / "reruns.json").notes == (
        "2 tests are marked as expected to fail; one that failed counts as 0, one that passed as 1",
        "1 test was run several times, and the last run counts",
        'recorded by tests, but not as numbers, and left out there: "judge"',
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (report(ran("a", "passed"), collected=3), 'exit code "1", and 2 tests were not run'),
        (report(ran("a", "passed"), exitcode=2), 'exit code "2", and not every test was run'),
        (report(ran("a", "passed"), exitcode="x"), 'exit code "x", and not every test was run'),
    ],
)
def test_a_run_that_was_cut_short_is_refused_unless_allowed(
    read: Read, refused: Refused, content: str, told: str
) -> None:
    fault = refused(content)
    assert told in fault.what
    assert "allow_unfinished: true" in fault.remedy
    assert read(content, unfinished=True).n_items == 1


def test_tests_that_were_deselected_were_not_to_be_run(read: Read) -> None:
    assert read(report(ran("a", "passed"), collected=3, deselected=2)).n_items == 1


def test_modules_that_could_not_be_collected_are_refused_unless_allowed_and_then_told(
    read: Read, refused: Refused
) -> None:
    whole = json.loads(report(ran("a", "passed")))
    whole["collectors"] = [{"nodeid": "t.py", "outcome": "passed"}, {"nodeid": "u.py", "outcome": "failed"}]
    assert refused(json.dumps(whole)).what.endswith('; the tests of "u.py" could not be collected')
    assert read(json.dumps(whole), unfinished=True).notes == ('the tests of "u.py" could not be collected',)


def test_a_summary_without_tests_is_refused_with_the_option(refused: Refused) -> None:
    whole = json.loads(report())
    del whole["tests"]
    assert "--json-report-summary" in refused(json.dumps(whole)).remedy


@pytest.mark.parametrize(
    ("test", "what"),
    [
        (3, "a test with its `nodeid` is expected here"),
        ({"nodeid": 4, "outcome": "passed"}, "a test with its `nodeid` is expected here"),
        ({"nodeid": "t.py::b", "outcome": ["x"], "call": "x"}, 'the outcome of "t.py::b" is'),
    ],
)
def test_a_test_that_is_not_as_the_tool_writes_it_is_an_error_with_its_place(
    refused: Refused, test: object, what: str
) -> None:
    fault = refused(report(ran("a", "passed"), test))
    assert fault.what.startswith(what)
    assert "tests[1]" in str(fault.where)


def test_a_test_that_stands_twice_is_an_error(refused: Refused) -> None:
    assert '"t.py::a" (records 1, 2)' in refused(report(ran("a", "passed"), ran("a", "passed"))).what


def test_its_files_hold_no_questions(write: Callable[[str], Path]) -> None:
    with pytest.raises(ScoreFileError, match="no question texts"):
        read_items(write(report(ran("a", "passed"))))
