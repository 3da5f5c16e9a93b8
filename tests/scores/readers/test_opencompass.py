"""The samples were written by opencompass 0.3.9 (object.json) and 0.5.4 over made-up predictions."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples" / "opencompass"


def result(details: object) -> str:
    return json.dumps({"accuracy": 50.0, "details": details}, indent=4)


def statuses(run: Run) -> list[float | ItemStatus]:
    column = run.metrics["correct"]
    pairs = zip(column.values.tolist(), column.status.tolist(), strict=True)
    return [value if status == ItemStatus.SCORED else ItemStatus(status) for value, status in pairs]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("object.json", [str(n) for n in range(5)]),
        ("perplexity.json", [str(n) for n in range(5)]),
        ("list.json", [f"made-up_{n}" for n in range(5)]),
    ],
)
def test_the_rate_is_the_one_that_the_tool_states(name: str, ids: list[str]) -> None:
    run = read_run(SAMPLES / name)
    stated = json.loads((SAMPLES / name).read_text())
    assert run.source.format == "opencompass"
    assert list(run.ids) == ids
    assert statuses(run) == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert 100 * run.metrics["correct"].values.mean() == stated.get("score", stated.get("accuracy"))
    assert run.metrics["correct"].scale == Scale(0.0, 1.0)


def test_the_replicas_of_a_sample_are_repeats() -> None:
    run = read_run(SAMPLES / "replicas.json")
    assert (run.n_items, run.n_samples) == (5, 10)
    assert run.item_scores("correct").values.tolist() == [0.5] * 5


def test_another_reference_at_one_position_is_another_content_and_another_prompt_is_told(read: Read) -> None:
    def of(references: object, prompt: str = "Q") -> Run:
        return read(result({"type": "GEN", "0": {"prompt": prompt, "references": references, "correct": True}}))

    first = of(["4"])
    assert of(["5"]).content_digests != first.content_digests
    assert of(["4"], prompt="P").content_digests == first.content_digests
    assert of(["4"], prompt="P").prompt_digests != first.prompt_digests


def test_a_sample_without_a_judgement_is_unscored(read: Read) -> None:
    run = read(result({"type": "GEN", "0": {"correct": True}, "1": {"correct": None}, "2": {"predictions": "x"}}))
    assert statuses(run) == [1.0, ItemStatus.UNSCORED, ItemStatus.UNSCORED]


@pytest.mark.parametrize("key", ["is_correct", "cascade_correct"])
def test_the_other_names_of_a_judgement_are_known(read: Read, key: str) -> None:
    run = read(result([{"example_abbr": "a_0", key: [True, False]}]))
    assert list(run.metrics) == ["correct"]
    assert run.item_scores("correct").values.tolist() == [0.5]


def test_details_without_any_judgement_are_refused_with_the_option() -> None:
    with pytest.raises(ScoreFileError, match="no sample in the details says") as caught:
        read_run(SAMPLES / "unjudged.json")
    assert "--dump-eval-details" in caught.value.remedy


@pytest.mark.parametrize(
    ("details", "part"),
    [
        ({"0": {"correct": True}, "1": 3}, 'details["1"]'),
        ({"0": {"correct": "yes"}}, 'details["0"].correct'),
        ({"0": {"correct": [True]}}, 'details["0"].correct'),
        ([{"example_abbr": "a", "correct": [True, {}]}], "details[0].correct"),
    ],
)
def test_what_the_tool_does_not_write_is_an_error_with_its_place(refused: Refused, details: object, part: str) -> None:
    fault = refused(result(details))
    assert fault.what.endswith("is not what OpenCompass writes here")
    assert str(fault.where).endswith(part)


def test_an_example_without_a_name_is_an_error(refused: Refused) -> None:
    fault = refused(result([{"example_abbr": "a", "correct": [True]}, {"correct": [True]}]))
    assert fault.what == "the row has no id"
    assert str(fault.where).endswith(", details[1]")


def test_its_files_hold_no_questions() -> None:
    with pytest.raises(ScoreFileError, match="rendered prompts"):
        read_items(SAMPLES / "object.json")
