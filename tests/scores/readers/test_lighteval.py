import io
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Direction, ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parent.parent / "samples" / "lighteval"
NAN = float("nan")


def packed(*rows: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(rows)), buffer)
    return buffer.getvalue()


def newer(number: int | None, metric: object, **doc: object) -> dict[str, object]:
    known = {
        "id": None if number is None else str(number),
        "query": f"q{number}",
        "choices": ["a", "b"],
        "gold_index": [0],
        "task_name": "made_up|0",
    }
    return {"doc": known | doc, "metric": metric, "model_response": {"input": f"Answer. q{number}", "text": ["a"]}}


def older(question: str, metrics: object, gold: str = "a") -> dict[str, object]:
    return {
        "example": question,
        "full_prompt": f"Q: x A: y {question}",
        "choices": ["a", "b"],
        "gold": [gold],
        "metrics": metrics,
        "pred_logits": [0.5],
    }


def test_details_that_lighteval_0_13_0_wrote_are_read() -> None:
    run = read_run(SAMPLES / "details_0.13.0.parquet")
    assert (run.source.format, run.ids, run.inputs) == ("lighteval", ("0", "1", "2"), ("1+1?", "2+2?", "3+3?"))
    assert {name: column.values.tolist() for name, column in run.metrics.items()} == {
        "em": [1.0, 0.0, 1.0],
        "f1": pytest.approx([0.5, NAN, 1.0], nan_ok=True),
        "pass@k:k=1": [1.0, 0.0, 1.0],
    }
    assert run.metrics["f1"].status.tolist() == [0, ItemStatus.UNSCORED, 0]
    assert run.facts == {"task": "made_up|0"}


def test_details_that_lighteval_0_8_1_wrote_are_read_and_named_by_question_and_answer() -> None:
    run = read_run(SAMPLES / "details_0.8.1.parquet")
    assert (run.source.format, run.inputs) == ("lighteval", ("1+1?", "2+2?"))
    assert all(len(item) == 16 for item in run.ids)
    assert run.metrics["em"].values.tolist() == [1.0, 0.0]
    assert run.metrics["f1"].status.tolist() == [0, ItemStatus.UNSCORED]


def test_scale_and_direction_are_as_lighteval_has_them(read: Read) -> None:
    metric = {"pass@k:k=1&n=4": 0.25, "bits_per_byte": 0.5, "BERTScore-F": 0.5}
    metrics = read(packed(newer(0, metric))).metrics
    assert {name: (column.scale, column.direction) for name, column in metrics.items()} == {
        "pass@k:k=1&n=4": (Scale(0.0, 1.0), Direction.HIGHER),
        "bits_per_byte": (None, Direction.LOWER),
        "BERTScore-F": (None, None),
    }


def test_the_original_query_goes_before_the_rendered_one(write: Callable[[bytes], Path]) -> None:
    path = write(packed(newer(0, {"em": 1.0}, query="Question: why?\nAnswer:", original_query="why?")))
    assert [(item.id, item.text) for item in read_items(path)] == [("0", "why?")]


@pytest.mark.parametrize("change", [{"query": "other"}, {"choices": ["a", "c"]}, {"gold_index": [1]}])
def test_question_choices_and_answer_identify_a_document(read: Read, change: dict[str, object]) -> None:
    one, other = read(packed(newer(0, {"em": 1.0}))), read(packed(newer(0, {"em": 1.0}, **change)))
    assert one.ids == other.ids
    assert one.content_digests != other.content_digests


def test_the_prompt_and_the_answers_kind_of_index_do_not(read: Read) -> None:
    row = newer(0, {"em": 1.0}, gold_index=0)
    row["model_response"] = {"input": "another template", "text": ["b"]}
    one, other = read(packed(newer(0, {"em": 1.0}))), read(packed(row))
    assert one.content_digests == other.content_digests
    assert one.prompt_digests != other.prompt_digests


def test_a_document_without_a_number_is_named_by_its_content(read: Read) -> None:
    ids = read(packed(newer(None, {"em": 1.0}), newer(None, {"em": 0.0}, query="other"))).ids
    assert len(set(ids)) == 2
    assert all(len(item) == 16 for item in ids)


def test_a_question_that_stands_twice_in_older_details_is_an_error_with_the_way_out(refused: Refused) -> None:
    fault = refused(packed(older("q", {"em": 1}), older("q", {"em": 0}), older("q", {"em": 0}, gold="b")))
    assert "1 id stands more than once" in fault.what
    assert "newer version" in fault.remedy


def test_metrics_of_the_whole_task_are_left_out_and_told(read: Read) -> None:
    run = read(packed(newer(0, {"em": 1.0, "bleu": {"golds": ["a"], "preds": ["b"]}, "ece": [0.5]})))
    assert list(run.metrics) == ["em"]
    assert run.notes[0] == 'left out, as they have no score per document: "bleu.golds", "bleu.preds", "ece"'


def test_details_without_a_metric_of_the_document_are_refused(refused: Refused) -> None:
    assert refused(packed(newer(0, {"bleu": ["a"]}))).what == 'no metric has a score per document: "bleu"'


def test_an_infinite_score_is_an_error_with_its_row(refused: Refused) -> None:
    fault = refused(packed(newer(0, {"em": 1.0}), newer(1, {"em": float("inf")})))
    assert fault.what == '"inf" of "em" is not a finite number'
    assert str(fault.where).endswith("row 2")


def test_metrics_as_text_are_an_error(refused: Refused) -> None:
    assert refused(packed(older("q", "{'em': 1}"))).what.startswith("the metrics are no object")


def test_other_parquet_files_are_not_lightevals(read: Read) -> None:
    assert read(packed({"id": "q1", "metric": 1.0})).source.format == "parquet"


def test_the_summary_is_refused_with_the_right_files_name(refused: Refused) -> None:
    fault = refused('{\n"config_general": {}, "results": {"all": {"em": 0.5}}, "versions": {}}')
    assert "lighteval writes" in fault.what
    assert "--save-details" in fault.remedy


def test_a_document_without_an_id_is_an_error_with_its_row(refused: Refused) -> None:
    fault = refused(packed(newer(0, {"em": 1.0}), newer(1, {"em": 1.0}, id=" ")))
    assert fault.what == "the row has no id"
    assert str(fault.where).endswith(", row 2")
