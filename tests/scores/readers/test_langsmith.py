"""LangSmith's experiments as tables."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# evaluate(..., num_repetitions=2, upload_results=False) of langsmith 0.15.1, its to_pandas() by to_csv and to_json
SAMPLES = Path(__file__).parents[1] / "samples" / "langsmith"
CSV, JSON_LINES = SAMPLES / "langsmith-0.15.1.csv", SAMPLES / "langsmith-0.15.1.jsonl"


def row(example: object, **others: object) -> dict[str, object]:
    return {"inputs.question": f"Why {example}?", "outputs.answer": "2", "error": "", "reference.answer": "2",
            "feedback.correct": True, "execution_time": 0.1, "example_id": example, "id": "random",
            **others}  # fmt: skip


def table(*rows: dict[str, object]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("path", [CSV, JSON_LINES])
def test_the_tool_s_own_table_is_read_with_repetitions_as_samples(path: Path) -> None:
    run = read_run(path)
    assert (run.n_items, run.n_samples, list(run.metrics)) == (4, 8, ["correct", "quality"])
    correct, quality = (describe(run).metrics[name] for name in run.metrics)
    assert correct.mean == pytest.approx(2 / 3, abs=1e-12)
    assert correct.missing_by_status == {"error": 2}
    assert (quality.mean, quality.missing_by_status) == (0.25, {"unscored": 2, "error": 2})
    assert run.notes[:2] == (
        'left out, as texts are no scores: "tone"',
        "2 runs ended in an error: what evaluators said of it is left out",
    )


@pytest.mark.parametrize("error", ["", "it fell"])
def test_a_feedback_that_is_a_text_is_no_metric_though_its_first_rows_are_empty(read: Read, error: str) -> None:
    rows = table(
        row("e1", **{"feedback.tone": "", "error": error}),
        row("e2", **{"feedback.tone": "kind"}),
        row("e3", **{"feedback.tone": "rude"}),
    )
    run = read(rows)
    assert list(run.metrics) == ["correct"]
    assert run.notes[0] == 'left out, as texts are no scores: "tone"'
    first = ItemStatus.ERROR if error else ItemStatus.SCORED
    assert run.metrics["correct"].status.tolist() == [first, ItemStatus.SCORED, ItemStatus.SCORED]


def test_csv_and_json_tell_of_the_same_items() -> None:
    one, other = read_run(CSV), read_run(JSON_LINES)
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)


def test_items_are_named_by_the_example_and_not_by_the_run(read: Read) -> None:
    assert read(table(row("e1"), row("e2"))).ids == ("e1", "e2")


def test_several_inputs_are_one_content_alike_for_csv_and_json(read: Read) -> None:
    several = row("e1", **{"inputs.context": "c", "reference.why": ""})
    one, other = read(table(several)), read(json.dumps([several]))
    assert one.content_digests == other.content_digests
    assert one.inputs == ('{"inputs.context":"c","inputs.question":"Why e1?"}',)


def test_a_run_that_failed_is_an_error_whatever_evaluators_said_of_it(read: Read) -> None:
    run = read(table(row("e1"), row("e2", error="ValueError('no')", **{"feedback.correct": False})))
    assert run.metrics["correct"].status.tolist() == [ItemStatus.SCORED, ItemStatus.ERROR]


def test_a_feedback_that_was_not_given_is_unscored(read: Read) -> None:
    run = read(table(row("e1"), row("e2", **{"feedback.correct": ""})))
    assert run.metrics["correct"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_a_feedback_of_scores_and_texts_is_an_error(refused: Refused) -> None:
    fault = refused(table(row("e1"), row("e2", **{"feedback.correct": "perhaps"})))
    assert fault.what == '"correct" is a score in one row (2) and a text here'
    assert str(fault.where).endswith('line 3, column "feedback.correct"')


def test_a_table_of_texts_alone_has_nothing_to_compare(refused: Refused) -> None:
    assert refused(table(row("e1", **{"feedback.correct": "perhaps"}))).what == "no feedback is a score"


def test_an_infinite_feedback_is_an_error(refused: Refused) -> None:
    assert refused(table(row("e1", **{"feedback.correct": "inf"}))).what == '"inf" is not a finite number'


def test_a_row_without_an_example_is_an_error(refused: Refused) -> None:
    assert refused(table(row("e1"), row(""))).what == "the row has no id"


def test_the_inputs_are_the_questions() -> None:
    assert [item.text for item in read_items(CSV)][:2] == ["made-up 1+1?", "made-up 2+2?"]
