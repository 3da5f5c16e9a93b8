import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parent.parent / "samples" / "every_eval_ever"


def row(sample: object, score: object, result: str | None = "acc", **more: object) -> dict[str, object]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "made/up/17",
        "model_id": "made/up",
        "evaluation_name": "sums",
        "evaluation_result_id": result,
        "sample_id": sample,
        "input": {"raw": f"q{sample}", "formatted": None, "reference": ["a"], "choices": None},
        "evaluation": {"score": score, "is_correct": bool(score)},
        "error": None,
        **more,
    }


def lines(*rows: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in rows)


def test_what_0_3_0_converted_of_a_log_with_epochs_and_errors_is_read() -> None:
    run = read_run(SAMPLES / "inspect_samples.jsonl")
    assert (run.source.format, set(run.ids), run.n_samples) == ("every_eval_ever", {"1", "b", "3", "4", "5"}, 10)
    found = dict(zip(run.ids, run.item_scores("includes:accuracy").values.tolist(), strict=True))
    assert found == pytest.approx({"1": 0.0, "3": 1.0, "4": 1.0, "5": float("nan"), "b": 0.0}, nan_ok=True)
    assert run.metrics["graded:mean"].status.tolist().count(ItemStatus.ERROR) == 2
    assert run.facts == {"model": "openai/made-up", "task": "sums"}


def test_what_0_3_0_converted_of_two_filters_is_two_variants() -> None:
    with pytest.raises(ScoreFileError, match='2 variants: "made_up/strict", "made_up/first"'):
        read_run(SAMPLES / "lm_eval_samples.jsonl")
    run = read_run(SAMPLES / "lm_eval_samples.jsonl", Wanted(variant="made_up/first"))
    assert {name: column.values.tolist() for name, column in run.metrics.items()} == {
        "exact_match:first": [1.0, 0.0, 0.0]
    }


def test_the_results_of_a_sample_stand_on_lines_of_their_own_in_any_order(read: Read) -> None:
    run = read(lines(row(1, 1.0), row(2, 0.0), row(2, 0.5, "f1"), row(1, 0.25, "f1")))
    assert (run.ids, run.n_samples) == (("1", "2"), 2)
    assert run.metrics["f1"].values.tolist() == [0.25, 0.5]


def test_a_result_that_stands_again_is_a_repeat(read: Read) -> None:
    run = read(lines(row(1, 1.0), row(1, 0.5, "f1"), row(1, 0.0), row(1, 0.0, "f1")))
    assert (run.n_items, run.n_samples) == (1, 2)
    assert run.item_scores("acc").values.tolist() == [0.5]
    assert run.item_scores("f1").values.tolist() == [0.25]


def test_a_score_of_0_with_an_error_is_an_error(read: Read) -> None:
    run = read(lines(row(1, 1.0), row(2, 0.0, error="RateLimitError"), row(3, 0.0, None, error="boom")))
    assert dict(zip(run.ids, run.metrics["acc"].status.tolist(), strict=True)) == {
        "1": ItemStatus.SCORED,
        "2": ItemStatus.ERROR,
        "3": ItemStatus.ERROR,
    }


def test_results_without_a_name_are_the_score(read: Read) -> None:
    run = read(lines(row(1, 1.0, None), row(2, 0.0, None, error="boom")))
    assert {name: column.status.tolist() for name, column in run.metrics.items()} == {"score": [0, ItemStatus.ERROR]}


def test_the_evaluations_own_id_is_no_part_of_a_results_name(read: Read) -> None:
    assert list(read(lines(row(1, 1.0, "made/up/17#accuracy"))).metrics) == ["accuracy"]


@pytest.mark.parametrize(
    "change",
    [
        {"raw": "other", "reference": ["a"]},
        {"raw": "q1", "reference": ["b"]},
        {"raw": "q1", "reference": ["a"], "choices": ["a", "b"]},
    ],
)
def test_input_reference_and_choices_identify_a_sample(read: Read, change: dict[str, object]) -> None:
    one, other = read(lines(row(1, 1.0))), read(lines(row(1, 1.0, input=change)))
    assert one.content_digests != other.content_digests


def test_the_formatted_prompt_does_not(read: Read) -> None:
    asked = {"raw": "q1", "formatted": "<user>q1</user>", "reference": ["a"], "choices": None}
    one, other = read(lines(row(1, 1.0))), read(lines(row(1, 1.0, input=asked)))
    assert one.content_digests == other.content_digests
    assert other.prompt_digests is not None


def test_the_questions_come_once_per_sample(write: Callable[[str], Path]) -> None:
    path = write(lines(row(1, 1.0), row(1, 1.0, "f1"), row(2, 0.0)))
    assert [(item.id, item.text) for item in read_items(path)] == [("1", "q1"), ("2", "q2")]


@pytest.mark.parametrize("score", ["x", [1], {"a": 1}, float("inf")])
def test_a_score_that_is_no_number_is_an_error_with_its_line(refused: Refused, score: object) -> None:
    fault = refused(lines(row(1, 1.0), row(2, score)))
    assert str(fault.where).endswith('line 2, key "evaluation.score"')


def test_a_record_without_a_sample_is_an_error_with_its_line(refused: Refused) -> None:
    fault = refused(lines(row(1, 1.0), row(None, 1.0)))
    assert fault.what == "the row has no id"
    assert fault.where is not None
    assert fault.where.line == 2


def test_the_aggregate_is_refused_with_the_right_files_name(refused: Refused) -> None:
    fault = refused('{\n"schema_version": "0.3.0", "evaluation_id": "x", "evaluation_results": []}')
    assert "one figure per result" in fault.what
    assert "_samples.jsonl" in fault.remedy
