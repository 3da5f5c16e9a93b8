"""The samples were written by evalplus 0.3.1 (`evaluate`) over made-up problems."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples" / "evalplus"


def result(**tasks: object) -> str:
    return json.dumps({"date": "2023-10-17 15:24", "hash": "8b49", "eval": tasks})


def old(base: list[str], plus: list[str]) -> dict[str, object]:
    """A task as versions up to 0.2 write it."""
    pairs = {"base": [[status, []] for status in base], "plus": [[status, []] for status in plus]}
    return {"nfiles": len(base), **pairs}


def new(*statuses: tuple[str | None, str | None]) -> list[object]:
    return [{"task_id": "t", "solution": "x", "base_status": base, "plus_status": plus} for base, plus in statuses]


def test_the_samples_of_a_task_are_repeats_and_plus_is_both_sets_of_tests() -> None:
    run = read_run(SAMPLES / "plus.json")
    assert (run.source.format, run.n_samples) == ("evalplus", 9)
    assert run.ids == ("HumanEval/0", "HumanEval/1", "HumanEval/2", "HumanEval/3")
    assert run.item_scores("base").values.tolist() == [1 / 2, 1.0, 0.0, 2 / 3]
    assert run.item_scores("plus").values.tolist() == [1 / 2, 1 / 2, 0.0, 1 / 3]
    assert [run.metrics[metric].scale for metric in run.metrics] == [Scale(0.0, 1.0)] * 2


def test_a_result_of_the_base_tests_alone_has_no_metric_plus() -> None:
    run = read_run(SAMPLES / "base_only.json")
    assert list(run.metrics) == ["base"]
    assert run.item_scores("base").values.tolist() == [1 / 2, 1.0, 0.0, 2 / 3]


@pytest.mark.parametrize(
    "content",
    [
        result(a=old(["success", "failed", "timed out", "success"], ["success", "success", "timed out", "failed"])),
        result(a=new(("pass", "pass"), ("fail", "pass"), ("timeout", "timeout"), ("pass", "fail"))),
    ],
)
def test_both_schemas_say_the_same_and_plus_counts_only_with_base(read: Read, content: str) -> None:
    run = read(content)
    assert run.metrics["base"].values.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert run.metrics["plus"].values.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert set(run.metrics["plus"].status) == {ItemStatus.SCORED}


def test_the_old_schema_without_extra_tests_has_no_metric_plus(read: Read) -> None:
    assert list(read(result(a=old(["success"], []))).metrics) == ["base"]


def test_a_sample_without_its_extra_tests_lacks_plus_alone(read: Read) -> None:
    run = read(result(a=new(("pass", None)), b=new(("pass", "pass"))))
    assert run.metrics["plus"].status.tolist() == [ItemStatus.UNSCORED, ItemStatus.SCORED]
    assert run.metrics["base"].status.tolist() == [ItemStatus.SCORED] * 2


def test_the_hash_of_the_problems_tells_the_task(read: Read) -> None:
    run = read(result(**{"Mbpp/2": new(("pass", None))}))
    assert run.facts == {"task": "Mbpp 8b49", "created": "2023-10-17 15:24"}


@pytest.mark.parametrize(
    ("task", "what", "part"),
    [
        (new(("passed", None)), '"passed" is no status of EvalPlus', 'eval["a"][0]'),
        (new(("pass", None), (None, None)), '"None" is no status of EvalPlus', 'eval["a"][1]'),
        (old(["success", "failed"], ["success"]), 'the samples of "a" are neither', 'eval["a"]'),
        ({"base": [[]], "plus": []}, 'the samples of "a" are neither', 'eval["a"]'),
        ([3], 'the samples of "a" are neither', 'eval["a"]'),
        ("x", 'the samples of "a" are neither', 'eval["a"]'),
    ],
)
def test_what_is_of_neither_schema_is_an_error_with_its_place(
    refused: Refused, task: object, what: str, part: str
) -> None:
    fault = refused(result(a=task))
    assert fault.what.startswith(what)
    assert str(fault.where).endswith(part)


def test_a_result_without_tasks_has_no_items(refused: Refused) -> None:
    assert refused(result()).what == "the file has no items"


def test_its_files_hold_no_questions() -> None:
    with pytest.raises(ScoreFileError, match="no problem texts"):
        read_items(SAMPLES / "plus.json")


def test_a_task_without_a_name_is_an_error_with_its_sample(refused: Refused) -> None:
    fault = refused(result(**{"a": new(("pass", "pass")), "": new(("pass", "pass"))}))
    assert fault.what == "the row has no id"
    assert str(fault.where).endswith(", sample 2")
