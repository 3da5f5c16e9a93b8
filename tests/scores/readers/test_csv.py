import csv
import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Columns, ItemStatus, Run
from gate.scores.readers import csv as reader

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

PLAIN = "id,score\nq1,1\nq2,0.5\n"


def values(run: Run, metric: str = "score") -> list[float | None]:
    column = run.metrics[metric]
    pairs = zip(column.values.tolist(), column.status.tolist(), strict=True)
    return [value if status == ItemStatus.SCORED else None for value, status in pairs]


def test_a_header_and_a_row_per_item_are_a_run(read: Read) -> None:
    run = read(PLAIN)
    assert run.ids == ("q1", "q2")
    assert values(run) == [1.0, 0.5]
    assert run.source.format == "csv"
    assert run.source.size == len(PLAIN)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(PLAIN.encode(), mtime=0),
        zstandard.ZstdCompressor().compress(PLAIN.encode()),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\n" + PLAIN.replace("\n", "\n\n").encode() + b"  \n",
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace(",", " , ").encode(),
    ],
    ids=["gzip", "zstd", "byte order mark", "CRLF", "blank lines", "no last line break", "spaces"],
)
def test_the_same_table_in_another_wrapping_is_the_same_run(read: Read, content: bytes) -> None:
    run = read(content)
    assert run.ids == ("q1", "q2")
    assert values(run) == [1.0, 0.5]


def test_missing_scores_keep_their_statuses_apart(read: Read) -> None:
    run = read("id,score\na,1\nb,\nc,NaN\nd,error\ne,timeout\nf,skipped\n")
    names = [ItemStatus(status).name for status in run.metrics["score"].status]
    assert names == ["SCORED", "UNSCORED", "UNSCORED", "ERROR", "TIMEOUT", "SKIPPED"]
    assert np.isnan(run.metrics["score"].values[1:]).all()


def test_a_field_longer_than_the_csv_modules_limit_is_read(read: Read) -> None:
    assert read(f'id,output,score\nq1,"{"x" * 200_000}",1\n').ids == ("q1",)


def test_reading_leaves_the_csv_modules_limit_as_it_was(read: Read) -> None:
    before = csv.field_size_limit()
    read(PLAIN)
    assert csv.field_size_limit() == before


def test_a_field_may_hold_commas_quotes_and_line_breaks(read: Read) -> None:
    run = read('id,question,score\nq1,"a, ""b""\nc",1\nq2,d,0\n')
    assert run.inputs == ('a, "b"\nc', "d")


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("id,score\nq1,1\nq2\n", 3, "the row has 1 field, the header has 2"),
        ("id,score\nq1,1,1\n", 2, "the row has 3 fields, the header has 2"),
        ('id,q,score\nq1,"a\nb",1\nq2,c\n', 4, "the row has 2 fields, the header has 3"),
        ('id,score\nq1,1\nq2,"0.', 3, "a quoted field that begins here is never closed"),
        ('id,score\nq1,"a"b\n', 2, "the row is not valid CSV"),
        ("id,score\nq1,1\nq\r2,1\n", 3, "the row is not valid CSV (a carriage return in a field without quotes)"),
        ("id,score,score\nq1,1,0\n", 1, 'the header names a column twice: "score"'),
        ("q1,0.5\nq2,1\n", 1, 'the first row looks like data, not like column names: "q1", "0.5"'),
        ("id;score\nq1;0,5\n", 1, "the fields are separated by semicolons, not by commas"),
        ("id\tscore\nq1\t0.5\n", 1, "the fields are separated by tabs, not by commas"),
    ],
)
def test_a_broken_table_is_an_error_naming_the_line(refused: Refused, content: str, line: int, what: str) -> None:
    fault = refused(content)
    assert fault.where is not None
    assert fault.where.line == line
    assert fault.what.startswith(what)


def test_a_file_cut_in_the_middle_of_a_row_says_so(refused: Refused) -> None:
    assert "cut short" in refused("id,score\nq1,1\nq2").remedy
    assert "cut short" in refused('id,score\nq1,1\n"q2').what


def test_the_beginning_of_a_broken_row_is_for_a_terminal_alone(refused: Refused) -> None:
    fault = refused("question,score\nWhat is a secret\n")
    assert "secret" not in str(fault)
    assert fault.excerpt == 'the row begins with "What is a secret"'


@pytest.mark.parametrize("cell", ["", " ", '""'])
def test_a_file_cut_just_before_its_last_score_says_so(refused: Refused, cell: str) -> None:
    fault = refused(f"id,score\nq1,1\nq2,{cell}")
    assert "cut short" in fault.what
    assert str(fault.where).endswith('line 3, column "score"')
    assert "line break" in fault.remedy


def test_a_last_row_without_a_score_that_ends_with_a_line_break_is_whole(read: Read) -> None:
    assert values(read("id,score\nq1,1\nq2,\n")) == [1.0, None]


def test_a_last_row_without_a_line_break_is_whole_where_its_last_field_is_filled(read: Read) -> None:
    assert values(read("id,score,judge\nq1,1,a\nq2,,b")) == [1.0, None]


def test_a_line_longer_than_any_record_is_an_error_naming_the_line(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.scores.content.LONGEST_LINE", 1 << 20)
    fault = refused(f'id,output,score\nq1,a,1\nq2,"{"x" * (1 << 20)}",1\n')
    assert fault.what == "the line is longer than 1 MB"
    assert fault.where is not None
    assert fault.where.line == 3


def test_a_field_over_many_lines_longer_than_any_record_is_an_error_naming_its_line(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.scores.delimited.LONGEST_LINE", 1000)
    fault = refused('id,output,score\nq1,a,1\nq2,"' + "x\n" * 1000 + '",1\n')
    assert "field larger than field limit" in fault.what
    assert fault.where is not None
    assert fault.where.line == 3


@pytest.mark.parametrize("change", ["written again", "replaced by another", "deleted"])
def test_a_file_that_changes_while_it_is_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(PLAIN)
    os.utime(path, ns=(0, 0))
    real = reader.read

    def read_and_change(*args: Any) -> Run:
        run = real(*args)
        if change == "written again":
            path.write_text(PLAIN.replace("0.5", "0.9"))
        elif change == "deleted":
            path.unlink()
        else:
            other = tmp_path / "other"
            other.write_text(PLAIN)
            os.utime(other, ns=(0, 0))
            other.rename(path)
        return run

    monkeypatch.setattr(reader, "read", read_and_change)
    with pytest.raises(ScoreFileError, match="no such file" if change == "deleted" else "changed while it was read"):
        read_run(path)


@pytest.mark.parametrize("content", ["id,score\n", "id,score", "id,score\n\n\n"])
def test_a_header_without_rows_is_an_error(refused: Refused, content: str) -> None:
    assert refused(content).what == "the file has no items"


def test_columns_without_a_name_are_left_out_and_told(read: Read) -> None:
    run = read(",id,score,\n0,q1,1,\n1,q2,0,\n")
    assert list(run.metrics) == ["score"]
    assert "2 columns without a name are left out" in run.notes


def test_a_nul_character_is_an_error_naming_the_line(refused: Refused) -> None:
    fault = refused("id,score\n" + "q,1\n" * 20_000 + "x\0,1\n")
    assert fault.what == "the line holds a NUL character"
    assert fault.where is not None
    assert fault.where.line == 20_002


def test_text_that_is_not_utf_8_is_an_error_naming_the_line(refused: Refused) -> None:
    fault = refused(b"id,score\nq1,1\ncaf\xe9,1\n")
    assert fault.what == "the line is not valid UTF-8 (byte 4 of it)"
    assert fault.where is not None
    assert fault.where.line == 3


def test_errors_and_the_source_name_the_file_as_the_user_knows_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(PLAIN)
    assert read_run(path, shown="main:runs/a.csv").source.path == "main:runs/a.csv"
    path.write_bytes(gzip.compress(PLAIN.encode(), mtime=0)[:-6])
    with pytest.raises(ScoreFileError) as caught:
        read_run(path, shown="main:runs/a.csv")
    assert str(caught.value.where) == "main:runs/a.csv"


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match="no such file"):
        read_run(tmp_path / "gone.csv")


def test_forcing_csv_reads_a_table_that_looks_like_a_summary(read: Read) -> None:
    run = read("metric,score\nfaithfulness,0.8\n", format="csv", columns=Columns(id=("metric",)))
    assert run.ids == ("faithfulness",)


def test_a_table_of_mlflow_is_read_by_the_mapping_of_the_readme(read: Read) -> None:
    # as DataFrame.to_csv wrote it of MLflow 3.17.2, with its index
    text = (
        ",inputs,ground_truth,outputs,words/score,words/justification\n"
        "0,What is a made-up cat?,a cat,a cat,5.0,because a cat\n"
        "1,none here,nil,none,,because none\n"
        "2,What is a made-up cat?,a tiger,a tiger,7.0,because a tiger\n"
    )
    run = read(text, columns=Columns(id=("inputs", "ground_truth"), score="words/score"))
    assert values(run, "words/score") == [5.0, None, 7.0]
    assert run.n_items == 3
