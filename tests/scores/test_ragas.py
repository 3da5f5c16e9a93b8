"""Tables that ragas 0.4.3 wrote of made-up samples, read as plain files."""

from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Columns, ItemStatus, Wanted

SAMPLES = Path(__file__).parent / "samples" / "ragas"
BY_BOTH = Wanted(Columns(id=("user_input", "reference")))


def test_a_metric_that_raised_leaves_its_sample_unscored() -> None:
    run = read_run(SAMPLES / "single-0.4.3.csv", BY_BOTH)
    assert list(run.metrics) == ["exact_match", "string_present", "crashy"]
    assert run.metrics["crashy"].status.tolist() == [0, 0, ItemStatus.UNSCORED, 0]
    assert run.metrics["crashy"].values.tolist()[0] == 0.7
    assert run.n_items == 4


def test_a_question_that_stands_twice_is_an_error_that_names_the_columns_to_take() -> None:
    with pytest.raises(ScoreFileError) as caught:
        read_run(SAMPLES / "single-0.4.3.csv")
    assert "columns: {id: [user_input, reference]}" in caught.value.remedy


def test_a_conversation_is_an_item_by_its_messages() -> None:
    run = read_run(SAMPLES / "multi-0.4.3.jsonl")
    assert (run.n_items, run.metrics["turns"].values.tolist()) == (2, [1.0, 0.0])
    assert all(len(item) == 16 for item in run.ids)
