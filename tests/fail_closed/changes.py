"""Files that another step still writes to, or takes away, while the gate reads them."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.fail_closed.beside import ASKED, CORPUS, QUESTIONS, SCAN, corpus, scanned
from tests.fail_closed.case import (
    CONFIG,
    GOOD,
    GOOD_JSONL,
    SCORES,
    Case,
    Content,
    Expected,
    Meanwhile,
    error,
    scored,
    suite,
)
from tests.fail_closed.records import HISTORY, history
from tests.fail_closed.reports import edited

OTHER = scored([1, *SCORES[1:]])
WAIT = "wait until the step that writes it is done, then run again"
# the first two are reached when the file was opened, and when it was read
OPENED, READ = "gate.scores.reading:detect", "gate.scores.readers.csv:read_table"
TWO_SUITES = suite(tail="  - {name: same, baseline: baseline.csv, candidate: candidate.csv}\n")


def changed(place: str = "candidate.csv", kind: str = "score-file") -> Expected:
    return error(kind, place, "the file changed while it was read", WAIT)


def in_secret(content: bytes) -> Callable[[Path], None]:
    """Write over the file in place, and put its time back: file systems do not tell milliseconds apart anyway."""

    def write(path: Path) -> None:
        before = path.stat()
        assert len(content) == before.st_size
        with path.open("r+b") as file:
            file.write(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    return write


def replaced(content: bytes) -> Callable[[Path], object]:
    """Another file in its place, as a step leaves it that writes beside it and renames."""

    def write(path: Path) -> None:
        path.with_suffix(".new").write_bytes(content)
        path.with_suffix(".new").rename(path)

    return write


def restored(path: Path) -> None:
    """What was promoted comes back in the place of what was edited."""
    path.write_bytes(GOOD)


def while_read(function: str, **files: Content) -> Meanwhile:
    return Meanwhile(function, {name.replace("_", "."): content for name, content in files.items()})


CASES = (
    Case("The candidate is written again", {}, changed(), meanwhile=while_read(READ, candidate_csv=OTHER)),
    Case(
        "The candidate is written again by the time it is opened a second time",
        {},
        changed(),
        meanwhile=while_read(OPENED, candidate_csv=OTHER),
    ),
    Case(
        "The candidate is written over in place, with its size and its time as they were",
        {},
        changed(),
        # under this name it is not taken away before
        meanwhile=Meanwhile(READ, {"./candidate.csv": in_secret(OTHER)}),
    ),
    Case(
        "The candidate is replaced by another", {}, changed(), meanwhile=while_read(READ, candidate_csv=replaced(GOOD))
    ),
    Case("The candidate still grows", {}, changed(), meanwhile=while_read(READ, candidate_csv=GOOD + b"q40,1\n")),
    Case(
        "The candidate is half written when it is read",
        {"candidate.csv": GOOD_JSONL},
        changed(),
        meanwhile=while_read(OPENED, candidate_csv=GOOD_JSONL[:-9]),
    ),
    Case(
        "The candidate is taken away",
        {},
        error("score-file", "candidate.csv", "there is no such file", "check the path and the step that writes it"),
        meanwhile=Meanwhile(READ, {"candidate.csv": None}),
    ),
    Case(
        "The baseline is written again before the next suite reads it",
        TWO_SUITES,
        error("score-file", "baseline.csv", "the file changed between two readings of it", WAIT),
        CONFIG,
        meanwhile=while_read("gate.suites:build_item_table", baseline_csv=OTHER),
    ),
    Case(
        "What was promoted takes the place of a baseline that was edited, once that was read",
        {"baseline.csv.promotion.json": edited},
        changed("baseline.csv"),
        meanwhile=Meanwhile("gate.baselines.reading:read_promotion", {"baseline.csv": restored}),
    ),
    Case(
        "gate.yml is written again",
        suite("    checks: {threshold: {bar: 0.5}}\n"),
        changed("gate.yml", "config"),
        CONFIG,
        meanwhile=Meanwhile("gate.pipeline:finding_baselines", suite("    checks: {threshold: {bar: 0.1}}\n")),
    ),
    Case(
        "gate.yml is taken away",
        suite(),
        changed("gate.yml", "config"),
        CONFIG,
        meanwhile=Meanwhile("gate.pipeline:finding_baselines", {"gate.yml": None}),
    ),
    Case(
        "The history is written again",
        {"history.jsonl": history()},
        changed("history.jsonl", "record"),
        HISTORY,
        meanwhile=Meanwhile("gate.pipeline:follow_history", {"history.jsonl": b""}),
    ),
    Case(
        "The scan is written again",
        {**ASKED, "scan.json": scanned(QUESTIONS)},
        changed("scan.json", "corpus"),
        SCAN,
        meanwhile=Meanwhile(
            "gate.suites:search_corpus", {"scan.json": lambda path: path.write_text(path.read_text() + "\n")}
        ),
    ),
    Case(
        "The file of questions is written again",
        {
            **ASKED,
            **suite("    checks: {contamination: {corpus: corpus, items: items.csv}}\n"),
            "items.csv": ASKED["candidate.csv"],
            "corpus/text.txt": b"nothing of that\n",
        },
        changed("items.csv"),
        CONFIG,
        meanwhile=Meanwhile("gate.suites:tell_leaks", {"items.csv": GOOD}),
    ),
    Case(
        "A file of the corpus is written again",
        corpus(b"nothing of all that\n"),
        error(
            "corpus",
            "corpus/text.txt",
            "the file has changed since the scan began, so that no one version of it was read",
            "scan again when nothing writes to it any more",
        ),
        CORPUS,
        meanwhile=Meanwhile(
            "gate.contamination.scan:build_index", {"corpus/text.txt": b"nothing of all this, either\n"}
        ),
    ),
    Case(
        "A file of the corpus is half written when it is read",
        {**corpus(None), "corpus/text.jsonl": b'{"text": "nothing of all that"}\n'},
        error(
            "corpus",
            "corpus/text.jsonl",
            "the file has changed since the scan began, so that no one version of it was read",
            "scan again when nothing writes to it any more",
        ),
        CORPUS,
        meanwhile=Meanwhile("gate.contamination.shards:require_unchanged", {"corpus/text.jsonl": b'{"text": "noth'}),
    ),
)
