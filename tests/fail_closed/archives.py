"""Bombs, and archives that lie: each runs as a process of its own with little memory and little time."""

import gzip
import json
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import zstandard
from pyarrow import parquet

from tests.fail_closed.case import IDS, Case, candidate, error

_BLOCK = bytes(1 << 20)
_CANDIDATE = ("--candidate", "run.eval", "--threshold", "0.5")
_HEADER = json.dumps({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}).encode()


def gzip_bomb(path: Path, blocks: int = 64) -> None:
    """One line of so many times 64 MB: a stream of the same member over and over."""
    path.write_bytes(gzip.compress(b"id,score\n") + gzip.compress(b"q" * (1 << 26), 9) * blocks)


def _gzip_bomb_of_lines(path: Path) -> None:
    path.write_bytes(gzip.compress(b"id,score\n") + gzip.compress(b"\n" * (1 << 24), 9) * 256)


def _nested(path: Path) -> None:
    gzip_bomb(path)
    path.write_bytes(gzip.compress(path.read_bytes()))


def _zstd_bomb(path: Path) -> None:
    packer = zstandard.ZstdCompressor()
    path.write_bytes(packer.compress(b"id,score\n") + packer.compress(b"q" * (1 << 26)) * 64)


def _members(members: dict[str, bytes], method: int, path: Path) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Callable[[Path], None]:
    return partial(_members, members, method)


def log(content: bytes, method: int = zipfile.ZIP_DEFLATED) -> Callable[[Path], None]:
    """A log as Inspect writes it, with one sample."""
    return archive({"header.json": _HEADER, "samples/1_epoch_1.json": content}, method)


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive_:
        archive_.writestr("header.json", _HEADER)
        with archive_.open("samples/1_epoch_1.json", "w", force_zip64=True) as member:
            for _ in range(1024):
                member.write(_BLOCK)


def _lying_bomb(path: Path) -> None:
    """A bomb whose directory says that it is small."""
    log(bytes(300 << 20))(path)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(struct.pack("<I", 300 << 20), struct.pack("<I", 1000)))


def _flagged(path: Path) -> None:
    """Every member is marked as encrypted, in the directory and before the member."""
    log(b"{}")(path)
    raw = bytearray(path.read_bytes())
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (start := raw.find(magic, start)) >= 0:
            raw[start + at] |= 1
            start += 1
    path.write_bytes(raw)


def _damaged(path: Path) -> None:
    log(json.dumps({"id": 1, "epoch": 1, "scores": {"s": {"value": 1}}}).encode(), zipfile.ZIP_STORED)(path)
    path.write_bytes(path.read_bytes().replace(b'"value": 1', b'"value": 0'))


def _cut(path: Path) -> None:
    log(b"{}")(path)
    path.write_bytes(path.read_bytes()[:-30])


def _parquet_of_rows(path: Path) -> None:
    rows = pa.table({"id": pa.array(["q"]).take(pa.array([0] * 1_000_000)), "score": pa.array([1.0] * 1_000_000)})
    with parquet.ParquetWriter(path, rows.schema, compression="zstd") as file:
        for _ in range(11):
            file.write_table(rows)


def _parquet_of_one_text(path: Path) -> None:
    """Thirty thousand rows of one text of 4 MB, which the file holds once and compressed."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 30_000, pa.int32()), pa.array(["x" * 4_000_000]))
    table = pa.table({"id": pa.array(map(str, range(30_000))), "question": text, "score": pa.array([1.0] * 30_000)})
    parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=1 << 30)


_TRAVERSAL = {"../../../../tmp/gate-was-here": b"x", "/etc/gate-was-here": b"x", "..\\gate-was-here": b"x"}

CASES = (
    Case(
        "A gzip bomb: 4 GB of one line",
        candidate(gzip_bomb),
        error(
            "score-file",
            "candidate.csv, line 2",
            "the line is longer than 64 MB",
            "write one record a line; no item's texts and scores are as long as that",
        ),
        confined=True,
    ),
    Case(
        "A gzip bomb in a gzip file",
        candidate(_nested),
        error(
            "score-file",
            "candidate.csv",
            "this is a binary file, or text that is not UTF-8; scores come as text,",
            "save it as UTF-8 text",
        ),
        confined=True,
    ),
    Case(
        "A gzip bomb: 4 GB of lines",
        candidate(_gzip_bomb_of_lines),
        error(
            "score-file",
            "candidate.csv",
            "the file has over 10000000 lines",
            "look at what it holds; if all of it is scores, split the run into several",
        ),
        confined=True,
    ),
    Case(
        "A zstd bomb: 4 GB of one line",
        candidate(_zstd_bomb),
        error(
            "score-file",
            "candidate.csv, line 2",
            "the line is longer than 64 MB",
            "write one record a line; no item's texts and scores are as long as that",
        ),
        confined=True,
    ),
    Case(
        "A zip bomb: a sample of 1 GB",
        {"run.eval": _bomb},
        error(
            "score-file",
            "run.eval",
            "the archive expands beyond all measure: to over 200 times its size",
            "look at what it holds; if it is sound, export the log as JSON and give",
        ),
        _CANDIDATE,
        confined=True,
    ),
    Case(
        "A zip bomb that says it is small",
        {"run.eval": _lying_bomb},
        error(
            "score-file",
            'run.eval, member "samples/1_epoch_1.json"',
            "the member is broken",
            "write or copy the archive again; a part of it is missing or damaged",
        ),
        _CANDIDATE,
        confined=True,
    ),
    Case(
        "A zip archive whose members' names lead out of it",
        {"run.eval": archive(_TRAVERSAL)},
        error(
            "score-file",
            "run.eval",
            "this is a zip archive, and no log of Inspect's",
            "unpack it and give the file in it",
        ),
        _CANDIDATE,
    ),
    Case(
        "A log with members beside it whose names lead out of it",
        {"run.eval": archive({"header.json": _HEADER, **_TRAVERSAL})},
        error(
            "score-file",
            "run.eval",
            "the log holds no samples",
            "run the task without --no-log-samples; a log without samples has only",
        ),
        _CANDIDATE,
    ),
    Case(
        "A zip archive that is encrypted",
        {"run.eval": _flagged},
        error(
            "score-file",
            'run.eval, member "header.json"',
            "the archive is encrypted",
            "give an archive without a password",
        ),
        _CANDIDATE,
    ),
    Case(
        "A zip archive packed by LZMA, which may ask for gigabytes",
        {"run.eval": log(b"{}", zipfile.ZIP_LZMA)},
        error(
            "score-file",
            'run.eval, member "header.json"',
            "the member is compressed in a way that no log is (the zip format's number",
            "give the archive as the tool wrote it, or compress it with deflate",
        ),
        _CANDIDATE,
        confined=True,
    ),
    Case(
        "A zip archive, a byte of a member changed",
        {"run.eval": _damaged},
        error(
            "score-file",
            'run.eval, member "samples/1_epoch_1.json"',
            "the member is broken",
            "write or copy the archive again; a part of it is missing or damaged",
        ),
        _CANDIDATE,
    ),
    Case(
        "A zip archive, cut short",
        {"run.eval": _cut},
        error(
            "score-file",
            "run.eval",
            "the zip archive is broken or cut short",
            "write or copy the archive again; a part of it is missing or damaged",
        ),
        _CANDIDATE,
    ),
    Case(
        "An empty zip archive",
        {"run.eval": archive({})},
        error("score-file", "run.eval", "this is an empty zip archive", "let the tool write it again"),
        _CANDIDATE,
    ),
    Case(
        "A spreadsheet",
        {"run.eval": archive({"xl/workbook.xml": b""})},
        error("score-file", "run.eval", "this is an Excel workbook", "save the sheet with the scores as CSV"),
        _CANDIDATE,
    ),
    Case(
        "Ids of 10 MB, which are not the baseline's",
        candidate(b"id,score\n" + b"".join(b"%b%b,1\n" % (item.encode(), b"x" * 10_000_000) for item in IDS[:3])),
        error(
            "alignment",
            "candidate.csv",
            "no item id stands in both files (baseline e.g. 'q00', candidate e.g.",
            "compare two runs of one data set, or name the id column in `columns: {id:",
        ),
        confined=True,
    ),
    Case(
        "A line of 70 MB",
        candidate(b"id,score\nq00," + b"1" * 70_000_000 + b"\n"),
        error(
            "score-file",
            "candidate.csv, line 2",
            "the line is longer than 64 MB",
            "write one record a line; no item's texts and scores are as long as that",
        ),
        confined=True,
    ),
    Case(
        "A million metrics",
        candidate(b"id," + b",".join(b"m%d" % n for n in range(1_000_000)) + b"\nq00" + b",1" * 1_000_000 + b"\n"),
        error(
            "score-file",
            "candidate.csv",
            "there are over 10000 columns or keys",
            "write one row an item, with a column for each metric",
        ),
        confined=True,
    ),
    Case(
        "Every row of JSON has a metric of its own: a table of millions of cells",
        candidate(b"".join(b'{"id": "q%d", "m%d": 1}\n' % (n, n) for n in range(20_000))),
        error(
            "score-file",
            "candidate.csv",
            "the records differ too much to be one table: 1022 different keys in 1020",
            "write the same keys in every record",
        ),
        confined=True,
    ),
    Case(
        "A cell of promptfoo's CSV of names without a score: a search that began anew at each character would not end",
        candidate(b'question,[openai:gpt] p\n"q1","[PASS] (1.00, ' + b"a: b:" * 200_000 + b')\n"\n'),
        error(
            "alignment",
            "candidate.csv",
            "no item id stands in both files (baseline e.g. 'q00', candidate e.g.",
            "compare two runs of one data set, or name the id column in `columns: {id: ...}`;",
        ),
        confined=True,
    ),
    Case(
        "A Parquet file of half a megabyte with eleven million rows",
        candidate(_parquet_of_rows),
        error(
            "score-file",
            "candidate.csv",
            "the file has over 10000000 rows",
            "look at what it holds; if all of it is scores, split the run into several",
        ),
        confined=True,
    ),
    Case(
        "A Parquet file of a few kilobytes that stands for 120 GB of text",
        candidate(_parquet_of_one_text),
        error(
            "score-file",
            "candidate.csv",
            "the file expands beyond all measure: to over 200 times its size",
            "look at what it holds; if it is sound, export the table as CSV or JSON",
        ),
        confined=True,
    ),
    Case(
        "A gzip file of 100 KB with one JSON value of millions of empty lists",
        candidate(lambda path: path.write_bytes(gzip.compress(b'{"x":[' + b"[]," * 33_000_000 + b"[]]}", 6))),
        error(
            "score-file",
            "candidate.csv",
            "the compressed file expands beyond all measure: to over 5000000 values in one JSON text",
            "look at what it holds; if it is sound, unpack it and give the unpacked",
        ),
        confined=True,
    ),
    Case(
        "The same on one line of JSON Lines",
        candidate(
            lambda path: path.write_bytes(
                gzip.compress(b'{"id":1,"score":1}\n{"id":2,"score":1,"x":[' + b"[]," * 20_000_000 + b"[]]}\n", 6)
            )
        ),
        error(
            "score-file",
            "candidate.csv, line 2",
            "the compressed file expands beyond all measure: to over 5000000 values in one JSON text",
            "look at what it holds; if it is sound, unpack it and give the unpacked",
        ),
        confined=True,
    ),
    Case(
        "The same in a sample of a log",
        {"run.eval": log(b'{"id":1,"epoch":1,"x":[' + b"[]," * 30_000_000 + b"[]]}")},
        error(
            "score-file",
            'run.eval, member "samples/1_epoch_1.json"',
            "the compressed file expands beyond all measure: to over 5000000 values in one JSON text",
            "look at what it holds; if it is sound, unpack it and give the unpacked",
        ),
        _CANDIDATE,
        confined=True,
    ),
)
