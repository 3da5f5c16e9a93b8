"""Bytes that are no text, or not the text that they should be."""

import gzip
import io
import tarfile
from pathlib import Path

import zstandard

from tests.fail_closed.case import GOOD, GOOD_JSONL, Case, block, candidate, error

_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


def _tar(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        member = tarfile.TarInfo("../../scores.csv")
        member.size = len(GOOD)
        archive.addfile(member, io.BytesIO(GOOD))


def _xml(entities: str) -> bytes:
    """A JUnit report with a name of entities of its own."""
    cases = '<testsuites><testsuite><testcase name="&a;"/></testsuite></testsuites>'
    return f'<?xml version="1.0"?><!DOCTYPE x [{entities}]>{cases}'.encode()


CASES = (
    Case(
        "The file is empty",
        candidate(b""),
        error(
            "score-file",
            "candidate.csv",
            "the file is empty",
            "check the step that writes it; it may have failed half way",
        ),
    ),
    Case(
        "The file holds white space alone",
        candidate(b" \n" * 100),
        error(
            "score-file",
            "candidate.csv",
            "the file is empty",
            "check the step that writes it; it may have failed half way",
        ),
    ),
    Case(
        "The file is a gzip file of nothing",
        candidate(gzip.compress(b"")),
        error(
            "score-file",
            "candidate.csv",
            "the file is empty",
            "check the step that writes it; it may have failed half way",
        ),
    ),
    Case(
        "JSON Lines, cut short",
        candidate(GOOD_JSONL[:-9]),
        error(
            "score-file",
            "candidate.csv, line 40",
            "the line is not valid JSON (unterminated string starting at: column 15);",
            "write the file again and check that the step that writes it runs to its",
        ),
    ),
    Case(
        "CSV, cut short within a row",
        candidate(GOOD[: GOOD.index(b"q30") + 3]),
        error(
            "score-file",
            "candidate.csv, line 32",
            "the row has 1 field, the header has 2",
            "put a field with a comma in it in double quotes; if this is the last row,",
        ),
    ),
    Case(
        "CSV, cut short between two rows",
        candidate(GOOD[: GOOD.index(b"q30")]),
        block(
            "coverage: coverage-too-low",
            "only 30 of 40 items could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A JSON array, cut short",
        candidate(b"[" + b",".join(GOOD_JSONL.splitlines())[:-20]),
        error(
            "score-file",
            "candidate.csv, line 1",
            "this is not valid JSON (expecting ':' delimiter); the file was probably",
            "write the file again and check that the step that writes it runs to its",
        ),
    ),
    Case(
        "gzip, cut short",
        candidate(gzip.compress(GOOD)[:-12]),
        error(
            "score-file",
            "candidate.csv",
            "the compressed file is broken or cut short",
            "write or copy the file again; its end or a part of it is missing",
        ),
    ),
    Case(
        "gzip, a byte of it changed",
        candidate(gzip.compress(GOOD)[:-6] + b"\0" + gzip.compress(GOOD)[-5:]),
        error(
            "score-file",
            "candidate.csv",
            "the compressed file is broken or cut short",
            "write or copy the file again; its end or a part of it is missing",
        ),
    ),
    Case(
        "zstd, cut short",
        candidate(zstandard.ZstdCompressor().compress(GOOD)[:-5]),
        error(
            "score-file",
            "candidate.csv",
            "the compressed file is broken or cut short (compressed file ended before",
            "write or copy the file again; its end or a part of it is missing",
        ),
    ),
    Case(
        "Parquet, cut short",
        candidate(b"PAR1" + b"\0" * 64),
        error("score-file", "candidate.csv", "the Parquet file is broken or cut short", "write or copy the file again"),
    ),
    Case(
        "A quote that is never closed",
        candidate(GOOD.replace(b"q07,", b'"q07,')),
        error(
            "score-file",
            "candidate.csv, line 9",
            "a quoted field that begins here is never closed; the file was probably",
            "write the file again and check that the step that writes it runs to its",
        ),
    ),
    Case(
        "NUL bytes, as a disk leaves them after a crash",
        candidate(GOOD + b"\0" * 4096),
        error(
            "score-file",
            "candidate.csv",
            "this is a binary file, or text that is not UTF-8; scores come as text,",
            "save it as UTF-8 text",
        ),
    ),
    Case(
        "NUL bytes beyond what is looked at first",
        candidate(GOOD + b" " * 70_000 + b"\0"),
        error(
            "score-file",
            "candidate.csv, line 42",
            "the line holds a NUL character",
            "write the file again as plain text; a disk or a copy may have damaged it",
        ),
    ),
    Case(
        "Text that is not UTF-8",
        candidate(GOOD.replace(b"q07", b"q\xff7")),
        error(
            "score-file",
            "candidate.csv, line 9",
            "the line is not valid UTF-8 (byte 2 of it)",
            "save the file as UTF-8",
        ),
    ),
    Case(
        "Half of a surrogate pair, in the bytes of UTF-8",
        candidate(GOOD.replace(b"q07", b"q\xed\xa0\x807")),
        error(
            "score-file",
            "candidate.csv, line 9",
            "the line is not valid UTF-8 (byte 2 of it)",
            "save the file as UTF-8",
        ),
    ),
    Case(
        "UTF-16, as a spreadsheet saves it",
        candidate(GOOD.decode().encode("utf-16")),
        error("score-file", "candidate.csv", "this is UTF-16 text", "save the file as UTF-8"),
    ),
    Case(
        "A Git LFS pointer in place of the file",
        candidate(_POINTER),
        error(
            "score-file",
            "candidate.csv",
            "this is a Git LFS pointer, not the file itself",
            "fetch the file with `git lfs pull`, or set `lfs: true` in the checkout",
        ),
    ),
    Case(
        "An SQLite database",
        candidate(b"SQLite format 3\0" + b"\0" * 100),
        error(
            "score-file",
            "candidate.csv",
            "this is an SQLite database",
            "let the tool export the results, and give that file",
        ),
    ),
    Case(
        "A tar archive whose member's name leads out of the folder",
        candidate(_tar),
        error("score-file", "candidate.csv", "this is a tar archive", "unpack it and give the file in it"),
    ),
    Case(
        "A web page, of a download that failed",
        candidate(b"<!DOCTYPE html><html><body>404</body></html>\n"),
        error(
            "score-file",
            "candidate.csv",
            "this is an HTML page, not scores: a report for people, or an error page",
            "give the results file itself, and check what the download step fetched",
        ),
    ),
    Case(
        "A JSON key stands twice",
        candidate(GOOD_JSONL.replace(b'"q07", ', b'"q07", "score": 0, ')),
        error(
            "score-file",
            "candidate.csv, line 8",
            'the key "score" stands twice in one object',
            "write each key once; nobody can tell which of the two values is meant",
        ),
    ),
    Case(
        "JSON, nested a hundred thousand times",
        candidate(b'{"id": "q00", "score": 1, "x": ' + b"[" * 100_000 + b"\n"),
        error(
            "score-file",
            "candidate.csv, line 1",
            "the value is nested too deeply",
            "write the fields that matter without their nesting",
        ),
        confined=True,
    ),
    Case(
        "JSON that goes on after its end",
        candidate(b'[{"id": "q00", "score": 1}] [{"id": "q01", "score": 1}]'),
        error(
            "score-file",
            "candidate.csv, line 1",
            "this is not valid JSON (more follows after the end of the JSON value)",
            "leave one JSON value in the file; if every line is an object, it is JSON",
        ),
    ),
    Case(
        "XML with an entity that is declared",
        candidate(_xml('<!ENTITY a SYSTEM "file:///etc/passwd">')),
        error(
            "score-file",
            "candidate.csv",
            "the XML file has a document type, which could hide what it says",
            "write the file again with the test runner itself",
        ),
    ),
    Case(
        "XML with entities that multiply (billion laughs)",
        candidate(_xml(f'<!ENTITY b "{"ha" * 9}"><!ENTITY a "{"&b;" * 9}">')),
        error(
            "score-file",
            "candidate.csv",
            "the XML file has a document type, which could hide what it says",
            "write the file again with the test runner itself",
        ),
    ),
)
