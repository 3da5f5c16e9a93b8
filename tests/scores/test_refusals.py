import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores.model import Run

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def zipped(name: str = "notes.txt") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), "{}")
    return buffer.getvalue()


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("scores.csv"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "what", "remedy"),
    [
        (b"", "the file is empty", "the step that writes it"),
        (b" \n\n", "the file is empty", "the step that writes it"),
        pytest.param(b"\xef\xbb\xbf", "the file is empty", "the step that writes it", id="mark alone"),
        pytest.param(gzip.compress(b"", mtime=0), "the file is empty", "the step that writes it", id="empty gzip"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "this is a Git LFS pointer", "git lfs pull"),
        pytest.param(zipped(), "this is a zip archive, and no log of Inspect's", "unpack it", id="foreign zip"),
        pytest.param(zipped("xl/workbook.xml"), "this is an Excel workbook", "as CSV", id="workbook"),
        pytest.param(tarred(), "this is a tar archive", "unpack it", id="tar"),
        pytest.param(gzip.compress(tarred(), mtime=0), "this is a tar archive", "unpack it", id="tar.gz"),
        pytest.param(zipped()[:40], "the zip archive is broken or cut short", "again", id="cut zip"),
        pytest.param(b"PK\x05\x06" + bytes(18), "this is an empty zip archive", "again", id="empty zip"),
        pytest.param(b"PAR1\x15\x04", "the Parquet file is broken or cut short", "again", id="cut parquet"),
        pytest.param("id,score\na,1\n".encode("utf-16"), "this is UTF-16 text", "UTF-8", id="utf-16"),
        pytest.param(
            "id,score\na,1\n".encode("utf-16-be"),
            "this is a binary file, or text that is not UTF-8",
            "UTF-8",
            id="utf-16 without a mark",
        ),
        (b"<!DOCTYPE html><html>", "this is an HTML page", "the results file itself"),
        (b"<HTML><body>", "this is an HTML page", "the results file itself"),
        (b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x/>', "the XML file has a document type", "again"),
        (b'<?xml version="1.0"?><unknown/>', "the file's content matches no format", "say which format"),
        (b"<a", "this is not valid XML", "again"),
        pytest.param(b"SQLite format 3\0", "this is an SQLite database", "export", id="sqlite"),
    ],
)
def test_what_cannot_hold_scores_is_refused_by_its_first_bytes(
    refused: Refused, content: bytes, what: str, remedy: str
) -> None:
    fault = refused(content)
    assert fault.what.startswith(what)
    assert remedy in fault.remedy


def test_a_refusal_says_in_what_scores_come(refused: Refused) -> None:
    assert "scores come as text, Parquet or an Inspect .eval log" in refused(b"\x80\x04pickled\0").what


def test_a_named_format_does_not_lift_a_refusal_by_bytes(refused: Refused) -> None:
    assert "Git LFS pointer" in refused("version https://git-lfs.github.com/spec/v1\n", format="csv").what


def test_a_header_that_begins_like_an_archive_is_a_header(read: Read) -> None:
    assert list(read("PK,id,score\nx,a,1\n").metrics) == ["score"]


@pytest.mark.parametrize(
    "content",
    [
        '{"results": {"mmlu": {"acc,none": 0.5, "alias": "mmlu"}}, "config": {"model": "hf"}}',
        '{\n"results": {"mmlu": {"acc": 0.5}},\n"versions": {"mmlu": 1}\n}',
    ],
)
def test_the_summary_of_lm_eval_is_refused_with_the_way_to_the_samples(refused: Refused, content: str) -> None:
    fault = refused(content)
    assert "the summary that lm-eval writes" in fault.what
    assert "--log_samples" in fault.remedy


# two of the leaderboards that alpaca_eval 0.6.6 brings along, a newer and the oldest
@pytest.mark.parametrize(
    "header",
    [
        ",win_rate,standard_error,mode,avg_length,n_wins,n_wins_base,n_draws,n_total,length_controlled_winrate",
        ",win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,mode",
    ],
)
def test_the_leaderboard_of_alpaca_eval_is_refused_with_the_way_to_the_annotations(
    refused: Refused, header: str
) -> None:
    row = ",".join(["made_up", *["50.0"] * header.count(",")])
    fault = refused(f"{header}\n{row}\n")
    assert "the leaderboard that AlpacaEval writes" in fault.what
    assert "annotations.json" in fault.remedy


def test_a_table_with_a_win_rate_per_item_is_no_leaderboard(read: Read) -> None:
    assert list(read("id,win_rate,standard_error\na,0.5,0.1\n").metrics) == ["win_rate", "standard_error"]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("metric,score\nfaithfulness,0.8\n", "csv"),
        ("Metrics,Mean\nfaithfulness,0.8\n", "csv"),
        ('{"groundedness": {"pass_rate": 0.9, "mean_rating": 4.8}, "latency": {"mean": 2, "max": 5}}', "json"),
        ('{"accuracy": 0.8, "f1": 0.7}', "json"),
    ],
)
def test_a_summary_with_a_figure_per_metric_is_refused_unless_its_format_is_named(
    read: Read, refused: Refused, content: str, named: str
) -> None:
    fault = refused(content)
    assert fault.what.startswith("this is a summary, one figure per metric")
    assert f"format: {named}" in fault.remedy
    if named == "json":
        assert read(content, format=named).n_items == 2


def test_columns_that_share_a_name_with_a_tools_keys_are_just_columns(read: Read) -> None:
    assert read("id,spec,accuracy,details\na,x,1,y\n").ids == ("a",)
    assert read('{"id": "a", "accuracy": 1, "details": "y"}\n{"id": "b", "accuracy": 1}\n').ids == ("a", "b")
