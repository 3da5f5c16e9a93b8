"""Rows as ai-rag-chat-evaluator writes them (its evaluate.py and code_metrics.py); all made up here."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run, Scale
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLE = Path(__file__).parents[1] / "samples" / "rag_chat_evaluator" / "eval_results.jsonl"


def row(question: str, truth: object = "t", **others: object) -> dict[str, object]:
    told = {
        "answer": "We open at nine [hours.pdf].",
        "context": "hours.pdf: nine",
        "latency": 1.5,
        "gpt_relevance": 4.0,
    }
    return {"question": question, "truth": truth, **told, **others}


def unanswered(question: str, **others: object) -> dict[str, object]:
    message = "Response from target http://app/chat is not valid JSON"
    return row(question, answer=message, context=message, latency=-1, **others)


def lines(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in rows)


def test_a_metric_that_was_skipped_in_the_first_rows_was_skipped_and_a_text_there_is_no_metric(read: Read) -> None:
    rows = [
        row("a", x_result="not_applicable", note=None),
        row("b", x_result="pass", note="well"),
    ]
    run = read(lines(*rows))
    assert run.metrics["x_result"].status.tolist() == [ItemStatus.SKIPPED, ItemStatus.SCORED]
    assert list(run.metrics) == ["latency", "gpt_relevance", "x_result"]


def test_the_sample_is_read_with_each_metric_and_its_errors() -> None:
    run = read_run(SAMPLE)
    assert (run.source.format, run.n_items) == ("rag_chat_evaluator", 5)
    told = describe(run).metrics
    assert {name: metric.mean for name, metric in told.items()} == pytest.approx(
        {
            "latency": 2.0,
            "gpt_groundedness": 4.0,
            "gpt_relevance": 4.5,
            "answer_length": 25.0,
            "has_citation": 2 / 3,
            "citation_match": 1 / 3,
        }
    )
    assert told["gpt_groundedness"].missing_by_status == {"error": 1, "unscored": 1}
    assert told["has_citation"].missing_by_status == {"error": 2}


def test_a_latency_of_minus_one_is_an_error_of_every_metric_and_never_the_best_latency(read: Read) -> None:
    run = read(lines(unanswered("a", answer_length=54), row("b", answer_length=28)))
    assert set(run.metrics) == {"latency", "gpt_relevance", "answer_length"}
    for column in run.metrics.values():
        assert dict(zip(run.inputs or (), column.status.tolist(), strict=True)) == {"b": 0, "a": ItemStatus.ERROR}
    assert run.notes == (
        "the app did not answer 1 question (latency -1): the ratings there, of an error's message, are left out",
    )


def test_an_unanswered_question_is_an_error_of_metrics_that_its_row_lacks(read: Read) -> None:
    run = read(lines(unanswered("a", gpt_relevance=math.nan), row("b", gpt_fluency=5)))
    assert run.metrics["gpt_fluency"].status.tolist() == [ItemStatus.SCORED, ItemStatus.ERROR]
    assert run.metrics["gpt_relevance"].status.tolist() == [ItemStatus.SCORED, ItemStatus.ERROR]


def test_one_question_with_two_truths_is_two_items(read: Read) -> None:
    run = read(lines(row("q", "one"), row("q", "two")))
    assert (run.n_items, run.inputs) == (2, ("q", "q"))


def test_another_answer_makes_no_other_item(read: Read) -> None:
    one, other = (read(lines(row("q", answer=text, context=text, latency=2))) for text in ("old", "new"))
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)


@pytest.mark.parametrize("metric", ["answer_length", "has_citation", "citation_match"])
def test_minus_one_is_an_error_of_metrics_on_an_answer_that_is_none(read: Read, metric: str) -> None:
    run = read(lines(row("a", answer=None, **{metric: -1}), row("b", **{metric: 1})))
    assert run.metrics[metric].status.tolist() == [ItemStatus.ERROR, ItemStatus.SCORED]
    assert run.metrics["gpt_relevance"].status.tolist() == [ItemStatus.SCORED] * 2


def test_minus_one_is_a_score_of_any_other_metric(read: Read) -> None:
    assert read(lines(row("a", sentiment=-1))).metrics["sentiment"].values.tolist() == [-1.0]


def test_a_rating_that_failed_is_an_error_and_no_zero(read: Read) -> None:
    column = read(lines(row("a", gpt_relevance="Failed"), row("b"))).metrics["gpt_relevance"]
    assert column.status.tolist() == [ItemStatus.ERROR, ItemStatus.SCORED]


def test_a_judge_that_gave_no_digit_leaves_the_row_unscored(read: Read) -> None:
    rows = [row("a", gpt_relevance=math.nan), row("b"), row("c", gpt_relevance=math.nan)]
    column = read(lines(*rows)).metrics["gpt_relevance"]
    assert column.status.tolist() == [ItemStatus.UNSCORED, ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_what_newer_evaluators_write_beside_the_rating_is_no_metric(read: Read) -> None:
    beside = {"relevance_result": "pass", "relevance_threshold": 3, "relevance_reason": "because"}
    run = read(lines(row("a", relevance=4.0, data_points=["x"], **beside)))
    assert set(run.metrics) == {"latency", "gpt_relevance", "relevance", "relevance_result"}
    assert run.metrics["relevance_result"].values.tolist() == [1.0]


@pytest.mark.parametrize(
    ("name", "score", "scale", "direction"),
    [
        ("gpt_coherence", 3, Scale(1.0, 5.0), Direction.HIGHER),
        ("coherence_score", 3, Scale(1.0, 5.0), Direction.HIGHER),
        ("dontknowness", 5, Scale(1.0, 5.0), None),
        ("has_citation", True, Scale(0.0, 1.0), Direction.HIGHER),
        ("f1_score", 0.5, Scale(0.0, 1.0), Direction.HIGHER),
        ("answer_length", 300, None, None),
        ("latency", 2.5, None, Direction.LOWER),
    ],
)
def test_scale_and_direction_are_those_of_the_tool(
    read: Read, name: str, score: object, scale: Scale | None, direction: Direction | None
) -> None:
    column = read(lines(row("q", **{name: score}))).metrics[name]
    assert (column.scale, column.direction) == (scale, direction)


@pytest.mark.parametrize("lacking", ["truth", "context", "latency"])
def test_a_file_that_merely_looks_similar_stays_a_plain_one(read: Read, lacking: str) -> None:
    other = {name: value for name, value in row("q").items() if name != lacking}
    assert read(lines(other, {**other, "question": "p"})).source.format == "jsonl"


def test_a_row_that_stands_twice_is_an_error_that_names_both_lines(refused: Refused) -> None:
    fault = refused(lines(row("q"), row("p"), row("q")))
    assert "(lines 1, 3)" in fault.what


@pytest.mark.parametrize(
    ("rows", "what", "place"),
    [
        ([row("a"), row("")], "the row has no question", 'line 2, key "question"'),
        (
            [row("a"), row("b", gpt_relevance="very")],
            '"gpt_relevance" is a score in one row (1)',
            'line 2, key "gpt_relevance"',
        ),
        ([row("a"), row("b", gpt_relevance=1e300)], "is too large for a score", 'line 2, key "gpt_relevance"'),
        ([unanswered("a")], "the app answered none of the questions", 'line 1, key "answer"'),
    ],
)
def test_a_broken_row_is_an_error_with_its_place(
    refused: Refused, rows: list[dict[str, object]], what: str, place: str
) -> None:
    fault = refused(lines(*rows))
    assert what in fault.what
    assert str(fault.where).endswith(place)


def test_texts_are_left_out_and_told(read: Read) -> None:
    assert read(lines(row("a", remark="nice"))).notes == ('left out, as texts are no scores: "remark"',)


def test_mapped_columns_are_refused(refused: Refused) -> None:
    assert "rag_chat_evaluator" in refused(lines(row("a")), columns=Columns(id=("question",))).what


def test_questions_are_read_of_answered_and_unanswered_rows(write: Callable[[str], Path]) -> None:
    items = read_items(write(lines(unanswered("why?"), row("when?"))))
    assert {(item.text, item.line) for item in items} == {("why?", 1), ("when?", 2)}
