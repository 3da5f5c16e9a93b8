"""Braintrust's results."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# the results of Eval(..., trial_count=2, no_send_logs=True) of braintrust 0.48.1, by as_dict(); the trace is shortened
WRITTEN = Path(__file__).parents[1] / "samples" / "braintrust" / "braintrust-0.48.1.jsonl"


def case(question: object, scores: object, expected: object = "2", error: object = None, **others: object) -> str:
    row = {"input": question, "output": "2", "scores": scores, "expected": expected, "metadata": {}, "tags": None,
           "error": error}  # fmt: skip
    return json.dumps({**row, **others}) + "\n"


def test_the_tool_s_own_results_are_read_with_trials_as_samples() -> None:
    run = read_run(WRITTEN)
    assert (run.n_items, run.n_samples) == (4, 8)
    exact, maybe = (describe(run).metrics[name] for name in ("exact", "maybe"))
    # the SDK's own summary says 0.667 and 0.5
    assert exact.mean == pytest.approx(2 / 3, abs=1e-12)
    assert exact.missing_by_status == {"error": 2}
    assert (maybe.mean, maybe.missing_by_status) == (0.5, {"skipped": 2, "error": 2})


def test_the_scale_is_0_to_1_as_the_sdk_demands(read: Read) -> None:
    assert read(case("a", {"s": 0.5})).metrics["s"].scale == Scale(0.0, 1.0)


def test_an_item_is_its_input_with_what_is_expected(read: Read) -> None:
    lines = [case("a", {"s": 1}, "2"), case("a", {"s": 0}, "3"), case({"b": [1]}, {"s": 0}), case("a", {"s": 0}, "2")]
    run = read("".join(lines))
    assert (run.n_items, run.item_scores("s").values.tolist()) == (3, [0.5, 0.0, 0.0])


def test_ids_of_logged_rows_are_not_used(read: Read) -> None:
    first, second = (read(case("a", {"s": 1}, id=number)).ids for number in ("r1", "r2"))
    assert first == second


def test_the_order_of_keys_in_an_input_makes_no_other_item(read: Read) -> None:
    first, second = (read(case(given, {"s": 1})).ids for given in ({"x": 1, "y": 2}, {"y": 2, "x": 1}))
    assert first == second


def test_a_case_with_an_error_is_an_error_in_each_score_that_it_lacks(read: Read) -> None:
    run = read(case("a", {}, error="no answer") + case("b", {"s": 1, "t": 1}) + case("c", {"s": 1}, error="t fell"))
    by_id = {
        metric: [column.status[run.ids.index(name)] for name in (read(case(q, {"s": 1})).ids[0] for q in "abc")]
        for metric, column in run.metrics.items()
    }
    assert by_id == {
        "s": [ItemStatus.ERROR, ItemStatus.SCORED, ItemStatus.SCORED],
        "t": [ItemStatus.ERROR, ItemStatus.SCORED, ItemStatus.ERROR],
    }


def test_a_scorer_that_fell_is_an_error_of_its_score(read: Read) -> None:
    run = read(case("a", {"s": 1}, metadata={"scorer_errors": {"t": "Traceback"}}) + case("b", {"s": 1, "t": 1}))
    assert sorted(run.metrics["t"].status.tolist()) == [ItemStatus.SCORED, ItemStatus.ERROR]
    assert run.metrics["s"].status.tolist() == [ItemStatus.SCORED, ItemStatus.SCORED]


def test_a_file_of_errors_alone_is_refused(refused: Refused) -> None:
    assert refused(case("a", {}, error="no") + case("b", None, error="no")).what == "every case ended in an error"


@pytest.mark.parametrize("value", ["good", "1", [1], {"a": 1}, 1e999])
def test_a_score_that_is_no_number_is_an_error_with_its_place(refused: Refused, value: object) -> None:
    fault = refused(case("a", {"s": 1}) + case("b", {"s": value}))
    assert str(fault.where).endswith('line 2, scores, key "s"')


def test_scores_that_are_no_object_are_an_error(refused: Refused) -> None:
    assert refused(case("a", {"s": 1}) + case("b", [1])).what.startswith("the scores are ")


@pytest.mark.parametrize("given", [None, ""])
def test_a_case_without_an_input_is_an_error(refused: Refused, given: object) -> None:
    assert refused(case("a", {"s": 1}) + case(given, {"s": 1})).what == "the case has no input"


def test_the_inputs_are_the_questions() -> None:
    assert [item.text for item in read_items(WRITTEN)] == [
        "made-up 1+1?",
        "made-up 2+2?",
        "made-up crash?",
        "made-up 3+3?",
    ]
