"""Plain tables in Parquet."""

import datetime as dt
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.content import open_score_file
from gate.scores.model import Columns, ItemStatus, Wanted
from gate.scores.parquet_file import column_tree, iter_rows

Write = Callable[..., Path]


@pytest.fixture
def table(tmp_path: Path) -> Write:
    """Write a table whose file's name says nothing of its format."""

    def write(**columns: object) -> Path:
        path = tmp_path / "scores"
        parquet.write_table(pa.table(columns), path)
        return path

    return write


def test_each_column_of_numbers_is_a_metric(table: Write) -> None:
    run = read_run(table(id=["a", "b"], f1=[0.5, None], em=[True, False]))
    assert (run.source.format, run.ids, list(run.metrics)) == ("parquet", ("a", "b"), ["f1", "em"])
    assert run.metrics["f1"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]
    assert run.metrics["em"].values.tolist() == [1.0, 0.0]


def test_a_tool_s_keys_as_columns_of_a_table_are_a_table_and_no_damaged_text(table: Write) -> None:
    # the Chatbot Arena's battles and AlpacaEval's annotations are passed on so
    battles = table(question_id=[1, 2], model_a=["a", "a"], model_b=["b", "b"], winner=["tie", "model_a"])
    with pytest.raises(ScoreFileError, match="no column holds scores"):
        read_run(battles)
    annotations = table(instruction=["x", "y"], output_1=["", ""], output_2=["", ""], preference=[1.0, 2.0])
    assert read_run(annotations).source.format == "parquet"


def test_columns_are_mapped_as_in_any_plain_file(table: Write) -> None:
    path = table(name=["a", "b"], points=[1, 0], about=["x", "y"])
    run = read_run(path, Wanted(Columns(id=("name",), score="points", inputs="about")))
    assert run.inputs == ("x", "y")


def test_decimals_are_numbers_and_days_are_text(table: Write) -> None:
    run = read_run(table(id=[dt.date(2026, 1, 1)], score=[Decimal("0.25")]))
    assert run.ids == ("2026-01-01",)
    assert run.metrics["score"].values.tolist() == [0.25]


def test_questions_are_read_without_scores(table: Write) -> None:
    assert [item.text for item in read_items(table(id=["a"], question=["why?"]))] == ["why?"]


def test_an_id_that_stands_twice_is_an_error_that_numbers_the_rows(table: Write) -> None:
    with pytest.raises(ScoreFileError, match="stands more than once"):
        read_run(table(id=["a", "a"], score=[1, 0]))


def test_nested_columns_are_told_as_a_tree_and_read_by_path(table: Write) -> None:
    file = open_score_file(table(doc=[{"id": "a", "long": "x"}], n=[1], list=[[1.5]]), "scores")
    assert column_tree(file) == {"doc": {"id": "", "long": ""}, "n": "", "list": ""}
    assert [row.record for row in iter_rows(file, ["doc.id"])] == [{"doc": {"id": "a"}}]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_file_cut_short_is_an_error(table: Write, share: float) -> None:
    path = table(id=["a", "b"], score=[1.0, 0.0])
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ScoreFileError, match="the Parquet file is broken or cut short"):
        read_run(path)


def test_without_pyarrow_the_missing_piece_is_named(table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(id=["a"], score=[1.0])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ScoreFileError, match="this is a Parquet file, which needs pyarrow") as caught:
        read_run(path)
    assert "gate[parquet]" in caught.value.remedy
    assert "export the table as CSV" in caught.value.remedy
