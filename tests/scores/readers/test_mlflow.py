"""MLflow's evaluation tables."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# the artifact that mlflow.models.evaluate of MLflow 3.17.2 logged to a local file store
WRITTEN = Path(__file__).parents[1] / "samples" / "mlflow" / "mlflow-3.17.2.json"
NAMES = ["inputs", "ground_truth", "outputs", "words/v1/score", "words/v1/justification"]


def table(*rows: list[object], names: list[str] = NAMES) -> str:
    return json.dumps({"columns": names, "data": rows})


def row(question: object, score: object, answer: object = "yes") -> list[object]:
    return [question, answer, "7", score, "because"]


def test_the_tool_s_own_table_is_read() -> None:
    run = read_run(WRITTEN)
    assert (run.source.format, list(run.metrics)) == ("mlflow", ["words"])
    told = describe(run).metrics["words"]
    assert (told.scored, told.missing_by_status) == (3, {"unscored": 1})
    assert told.mean == pytest.approx(17 / 3, abs=1e-12)


def test_a_question_with_another_answer_is_another_item() -> None:
    run = read_run(WRITTEN)
    assert run.n_items == 4
    assert run.inputs is not None
    assert run.inputs[0] == run.inputs[3] == "What is a made-up cat?"


def test_outputs_that_are_numbers_are_no_metric(read: Read) -> None:
    assert list(read(table(row("a", 1), row("b", 2))).metrics) == ["words/v1"]


def test_latency_and_tokens_are_better_when_lower(read: Read) -> None:
    run = read(table(["a", 1.5, 20, 1], names=["question", "latency", "token_count", "s/score"]))
    assert {name: column.direction for name, column in run.metrics.items()} == {
        "latency": Direction.LOWER,
        "token_count": Direction.LOWER,
        "s": None,
    }


def test_a_column_of_the_data_can_be_mapped(read: Read, refused: Refused) -> None:
    named = table(["n1", "Why?", 1], ["n2", "Why?", 0], names=["nr", "ask", "s/score"])
    assert refused(named).what == "no column names the items"
    run = read(named, columns=Columns(id=("nr",), inputs="ask"))
    assert (run.ids, run.inputs) == (("n1", "n2"), ("Why?", "Why?"))


def test_a_part_that_the_table_does_not_take_is_an_error(refused: Refused) -> None:
    assert "columns maps weight" in refused(table(row("a", 1)), columns=Columns(weight="outputs")).what


def test_questions_and_answers_that_stand_twice_ask_for_an_id(refused: Refused) -> None:
    fault = refused(table(row("a", 1), row("b", 1), row("a", 0)))
    assert fault.what.endswith("(records 1, 3)")
    assert str(fault.where).endswith("data[2]")
    assert "columns: {id: NAME}" in fault.remedy


def test_a_score_that_was_not_given_is_unscored(read: Read) -> None:
    status = read(table(row("a", 1), row("b", None))).metrics["words/v1"].status
    assert status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_an_answer_that_is_not_known_is_no_fault(read: Read) -> None:
    assert read(table(row("a", 1, None), row("b", 1))).n_items == 2


@pytest.mark.parametrize("score", ["high", "1", [1], {"a": 1}, 1e999])
def test_a_score_that_is_no_number_is_an_error_with_its_place(refused: Refused, score: object) -> None:
    fault = refused(table(row("a", 1), row("b", score)))
    assert str(fault.where).endswith('data[1], column "words/v1/score"')


def test_a_row_without_a_question_is_an_error_with_its_place(refused: Refused) -> None:
    fault = refused(table(row("a", 1), row(None, 1)))
    assert (fault.what, str(fault.where).rsplit(", ", 1)[-1]) == ("the row has no id", "data[1]")


@pytest.mark.parametrize("broken", [["a"], {"inputs": "a"}, "a", None])
def test_a_row_that_does_not_fit_the_columns_is_an_error(refused: Refused, broken: object) -> None:
    text = json.dumps({"columns": NAMES, "data": [row("a", 1), broken]})
    assert refused(text).what == "the row does not have a value for each of the 5 columns"


def test_a_table_without_scores_is_an_error(refused: Refused) -> None:
    assert refused(table(["a", "b"], names=["inputs", "outputs"])).what == "no column holds scores per row"


@pytest.mark.parametrize("names", [["inputs", "inputs", "s/score"], ["inputs", 1, "s/score"]])
def test_names_that_are_none_are_errors(refused: Refused, names: list[object]) -> None:
    text = json.dumps({"columns": names, "data": [["a", "b", 1]]})
    assert refused(text).what in {"two columns have the same name", "the file is not a table of column names and rows"}


def test_a_table_of_another_shape_is_no_table_of_mlflow(refused: Refused) -> None:
    assert "not a table" in refused('{"columns": 1, "data": []}', format="mlflow").what


def test_the_questions_can_be_read_alone() -> None:
    assert [item.text for item in read_items(WRITTEN)][:2] == ["What is a made-up cat?", "What is a made-up dog?"]
