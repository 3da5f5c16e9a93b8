"""A corpus that cannot be read, or holds nothing, at the command line: an error with its place and what to do."""

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from gate.contamination import Item, read_scan, scan

Gate = Callable[..., tuple[int, str, str]]
LINES = "".join(f'{{"text": "the words of line {number}"}}\n' for number in range(3000)).encode()


def truncated_gzip(folder: Path) -> None:
    (folder / "bad.jsonl.gz").write_bytes(gzip.compress(LINES)[:-500])


def broken_zstd(folder: Path) -> None:
    whole = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(LINES))
    whole[len(whole) // 2] ^= 0xFF
    (folder / "bad.jsonl.zst").write_bytes(whole)


def truncated_zstd(folder: Path) -> None:
    (folder / "bad.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(LINES)[:-50])


def other_columns(folder: Path) -> None:
    pq.write_table(pa.table({"body": ["some words"], "url": ["a"]}), folder / "bad.parquet")


def broken_parquet(folder: Path) -> None:
    pq.write_table(pa.table({"text": ["some words"]}), folder / "whole.parquet")
    (folder / "bad.parquet").write_bytes((folder / "whole.parquet").read_bytes()[:-9])


def binary(folder: Path) -> None:
    (folder / "bad.txt").write_bytes(bytes(range(256)) * 20)


def link_to_itself(folder: Path) -> None:
    (folder / "bad.txt").symlink_to("bad.txt")


def no_text(folder: Path) -> None:
    (folder / "bad.txt").write_text(" \n\t\n")


def no_lines(folder: Path) -> None:
    (folder / "bad.jsonl").write_text("\n\n")


BAD: dict[Callable[[Path], None], str] = {
    truncated_gzip: "bad.jsonl.gz: the compressed file is broken or cut short",
    broken_zstd: "bad.jsonl.zst: the compressed file is broken or cut short",
    truncated_zstd: "bad.jsonl.zst: the compressed file is broken or cut short",
    other_columns: "bad.parquet: no column is named text or ",
    broken_parquet: "bad.parquet: the Parquet file is broken or cut short",
    binary: "bad.txt: the file is binary, not text",
    link_to_itself: "bad.txt: there is no such file or folder",
    no_text: "bad.txt: the corpus holds no text, so nothing can be said about the items",
    no_lines: "bad.jsonl: the corpus holds no text, so nothing can be said about the items",
}


@pytest.mark.parametrize("make", BAD, ids=lambda make: str(make.__name__))
@pytest.mark.parametrize("command", ["scan", "check"])
def test_a_corpus_that_cannot_be_searched_is_an_error_and_never_clean(
    gate: Gate, folder: Path, make: Callable[[Path], None], command: str
) -> None:
    make(folder)
    (bad,) = folder.glob("bad.*") if make is not link_to_itself else [folder / "bad.txt"]
    (folder / "run.csv").write_text("id,question,score\n1,What is the capital of France,1\n")
    asked = ["--items", "items.txt", "--out", "scan.json"] if command == "scan" else ["--candidate", "run.csv"]
    code, out, err = gate(command, *asked, "--corpus", bad.name)
    assert (code, out) == (2, "")
    assert f"ERROR: {BAD[make]}" in err
    assert "remedy: " in err
    assert "Traceback" not in err
    assert not (folder / "scan.json").exists()


def test_what_is_not_utf_8_is_replaced_and_counted_with_its_file_named(gate: Gate, folder: Path) -> None:
    (folder / "latin.txt").write_bytes("Déjà vu in Zürich".encode("latin-1"))
    code, out, _ = gate("scan", "--items", "items.txt", "--corpus", "latin.txt", "--corpus", "corpus.jsonl")
    assert code == 0
    assert out.splitlines()[-1] == "note  not UTF-8, replaced: 3 places in latin.txt (3)"


def test_a_folder_that_links_to_itself_is_searched_once(gate: Gate, folder: Path) -> None:
    (folder / "loop").mkdir()
    (folder / "loop" / "a.txt").write_text("some words of a file")
    (folder / "loop" / "again").symlink_to(folder / "loop", target_is_directory=True)
    code, _, err = gate("scan", "--items", "items.txt", "--corpus", "loop", "--out", "scan.json")
    assert (code, err) == (0, "")
    assert read_scan(folder / "scan.json").corpus.documents == 1


@pytest.mark.parametrize("text", ["some words again and again ", "x"], ids=["one line", "one word"])
def test_a_document_without_an_end_of_line_takes_no_more_memory_than_its_pieces(tmp_path: Path, text: str) -> None:
    megabytes = 32
    (tmp_path / "a.txt").write_text(text * (megabytes * 2**20 // len(text)))
    tracemalloc.start()
    found = scan([Item("q", "words again and some")], "a.txt", base=tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.corpus.bytes > (megabytes - 1) * 2**20
    assert peak < megabytes * 2**20 / 2
