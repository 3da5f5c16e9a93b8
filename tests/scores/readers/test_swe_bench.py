"""The sample was written by swebench 5.0.2 (`make_run_report`) over made-up instances."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLE = Path(__file__).parents[1] / "samples" / "swe_bench" / "report.json"


def report(**lists: object) -> str:
    return json.dumps({"resolved_ids": [], "unresolved_ids": [], "schema_version": 2} | lists, indent=1)


def scores(run: Run) -> dict[str, float | ItemStatus]:
    column = run.metrics["resolved"]
    told = zip(run.ids, column.values.tolist(), column.status.tolist(), strict=True)
    return {item: value if status == ItemStatus.SCORED else ItemStatus(status) for item, value, status in told}


def test_every_list_of_the_tools_report_is_read() -> None:
    run = read_run(SAMPLE)
    assert scores(run) == {
        "made__up-1": 1.0,
        "made__up-2": 1.0,
        "made__up-3": 1.0,
        "made__up-4": 0.0,
        "made__up-5": 0.0,
        "made__up-6": 0.0,  # an error: its report is empty
        "made__up-7": 0.0,  # an error: it has no report
        "made__up-8": 0.0,  # an empty patch
        "made__up-9": 0.0,  # no patch
        "outside__data-1": ItemStatus.UNSCORED,
    }
    assert run.source.format == "swe_bench"
    assert run.metrics["resolved"].scale == Scale(0.0, 1.0)


def test_what_counts_as_not_resolved_for_another_reason_is_told() -> None:
    assert read_run(SAMPLE).notes == (
        "left out: 3 instances of the data set without a prediction",
        'counted as not resolved, as the evaluation ended in an error: 2 instances ("made__up-6", "made__up-7")',
        'counted as not resolved, as the patch is empty: 2 instances ("made__up-8", "made__up-9")',
        'counted as not resolved, though it was probably the environment that failed: 1 instance ("made__up-7")',
    )


def test_the_rate_is_that_of_the_submitted_and_not_of_the_data_set(read: Read) -> None:
    run = read(
        report(submitted_ids=["a", "b"], resolved_ids=["a"], unresolved_ids=["b"], incomplete_ids=["c", "d", "e"])
    )
    assert scores(run) == {"a": 1.0, "b": 0.0}


def test_without_the_list_of_the_submitted_the_outcomes_are_the_items(read: Read) -> None:
    assert scores(read(report(resolved_ids=["a"], error_ids=["b"]))) == {"a": 1.0, "b": 0.0}


def test_a_report_on_one_line_is_read_all_the_same(read: Read) -> None:
    assert scores(read(json.dumps({"submitted_ids": ["a"], "resolved_ids": ["a"]}))) == {"a": 1.0}


def test_an_evaluation_that_is_still_going_on_is_refused_unless_allowed(read: Read, refused: Refused) -> None:
    content = report(submitted_ids=["a", "b"], resolved_ids=["a"], pending_instances=1)
    fault = refused(content)
    assert fault.what == "the evaluation of 1 instance is still pending"
    assert "allow_unfinished: true" in fault.remedy
    assert scores(read(content, unfinished=True)) == {"a": 1.0, "b": ItemStatus.UNSCORED}


def test_an_instance_with_two_outcomes_is_an_error(refused: Refused) -> None:
    fault = refused(report(resolved_ids=["a"], unresolved_ids=["b", "a"]))
    assert fault.what == '"a" stands in resolved_ids and in unresolved_ids'
    assert str(fault.where).endswith('key "unresolved_ids"')


def test_an_instance_that_was_submitted_twice_is_an_error(refused: Refused) -> None:
    fault = refused(report(submitted_ids=["a", "b", "a"], resolved_ids=["a"]))
    assert fault.what == '1 id stands more than once: "a" (records 1, 3)'
    assert str(fault.where).endswith("submitted_ids[2]")


@pytest.mark.parametrize("lists", [{"resolved_ids": {"a": 1}}, {"error_ids": [1]}, {"incomplete_ids": "a"}])
def test_a_list_that_is_none_of_ids_is_an_error_that_names_it(refused: Refused, lists: dict[str, object]) -> None:
    fault = refused(report(submitted_ids=["x"], **lists))
    assert "a list of instance ids is expected here" in fault.what
    assert f'key "{next(iter(lists))}"' in str(fault.where)


def test_a_report_without_a_submission_has_no_items(refused: Refused) -> None:
    assert refused(report(incomplete_ids=["a"])).what == "the file has no items"


def test_its_files_hold_no_questions() -> None:
    with pytest.raises(ScoreFileError, match="no problem statements"):
        read_items(SAMPLE)


def test_an_instance_without_an_id_is_an_error_with_its_place(refused: Refused) -> None:
    fault = refused(report(submitted_ids=["a", ""], resolved_ids=["a"]))
    assert fault.what == "the row has no id"
    assert str(fault.where).endswith(", submitted_ids[1]")
