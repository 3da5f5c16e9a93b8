"""What is read beside two score files: corpora, scans, histories, battles, a proposed gate.yml."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from gate.cli import run
from tests.fail_closed.archives import gzip_bomb
from tests.fail_closed.case import IDS, PAIR, SCORES, Case, Content, block, csv, error
from tests.fail_closed.paths import linked_folders

QUESTIONS = [f"which river of the {word} survey was described in chapter {word}" for word in IDS]
ASKED = {name: csv({"id": IDS, "question": QUESTIONS, "score": SCORES}) for name in ("baseline.csv", "candidate.csv")}
CORPUS = (*PAIR, "--corpus", "corpus")
SCAN = (*PAIR, "--scan", "scan.json")


def corpus(content: Content) -> Mapping[str, Content]:
    return {**ASKED, "corpus/text.txt": content}


def scanned(questions: list[str], change: Callable[[str], str] = str) -> Callable[[Path], None]:
    """What `gate scan` writes of these questions, changed by hand."""

    def make(path: Path) -> None:
        Path("items.csv").write_bytes(csv({"id": IDS, "question": questions, "score": SCORES}))
        Path("corpus").mkdir()
        Path("corpus/text.txt").write_text("nothing of all that stands here\n")
        assert run(["scan", "--items", "items.csv", "--corpus", "corpus", "--out", str(path)]) == 0
        path.write_text(change(path.read_text()))

    return make


CASES = (
    Case(
        "The corpus is not there",
        ASKED,
        error(
            "corpus",
            "corpus",
            "there is no such file or folder",
            "check the path: it is meant from gate.yml's folder, or the current one",
        ),
        CORPUS,
    ),
    Case(
        "The corpus is an empty folder",
        {**ASKED, "corpus": lambda path: path.mkdir()},
        error(
            "corpus",
            "corpus",
            "there is no file here that can be read as text",
            "name files or folders with files that end in .txt, .md, .jsonl, .json,",
        ),
        CORPUS,
    ),
    Case(
        "The corpus is one named pipe",
        {**ASKED, "corpus": os.mkfifo},
        error("corpus", "corpus", "this is not a regular file", "name a regular file, not a pipe or a device"),
        CORPUS,
        confined=True,
    ),
    Case(
        "A named pipe in the corpus",
        {**ASKED, "corpus/a.txt": b"text\n", "corpus/b.txt": os.mkfifo},
        error("corpus", "corpus/b.txt", "this is not a regular file", "name a regular file, not a pipe or a device"),
        CORPUS,
        confined=True,
    ),
    Case(
        "A gzip bomb in the corpus",
        {**ASKED, "corpus/text.txt.gz": partial(gzip_bomb, blocks=8)},
        error(
            "corpus",
            "corpus/text.txt.gz",
            "the compressed file expands beyond all measure: to over 200 times its size",
            "look at what it holds; if it is sound, unpack it and give the unpacked",
        ),
        CORPUS,
        confined=True,
    ),
    Case(
        "A file of the corpus that is cut short",
        {**ASKED, "corpus/text.jsonl": b'{"text": "which river'},
        error(
            "corpus",
            "corpus/text.jsonl, line 1",
            "this is not JSON that can be read: Unterminated string starting at",
            "write one JSON value a line in .jsonl, one value in .json, or give the",
        ),
        CORPUS,
    ),
    Case(
        "A corpus, and no question to search it for",
        {"corpus/text.txt": b"text\n"},
        block(
            "contamination: no-questions",
            "contamination was asked for, but the score files hold no questions",
            "name the column that holds the question (`columns: {inputs: ...}`), or a",
        ),
        CORPUS,
    ),
    Case(
        "The scan is of other questions: it is stale",
        {**ASKED, "scan.json": scanned([text + " now" for text in QUESTIONS])},
        block(
            "contamination: scan-stale",
            "the scan does not cover 40 items: q00, q01, q02 and 37 more",
            "renew it where the corpus lives: `gate scan --items FILE --corpus PATH",
        ),
        SCAN,
    ),
    Case(
        "The scan lacks items",
        {
            **ASKED,
            "scan.json": scanned(
                QUESTIONS, lambda text: "\n".join(line for line in text.splitlines() if '"q05"' not in line)
            ),
        },
        block(
            "contamination: scan-stale",
            "the scan does not cover 1 item: q05",
            "renew it where the corpus lives: `gate scan --items FILE --corpus PATH",
        ),
        SCAN,
    ),
    Case(
        "The scan is cut short",
        {**ASKED, "scan.json": scanned(QUESTIONS, lambda text: text[:-200])},
        error(
            "corpus",
            "scan.json",
            "this is not JSON",
            "write it again with this version: gate scan --items FILE --corpus PATH",
        ),
        SCAN,
    ),
    Case(
        "The scan is of another schema version",
        {
            **ASKED,
            "scan.json": scanned(QUESTIONS, lambda text: text.replace('"schema_version": 1', '"schema_version": 2')),
        },
        error(
            "corpus",
            "scan.json",
            "this is no scan of schema version 1",
            "write it again with this version: gate scan --items FILE --corpus PATH",
        ),
        SCAN,
    ),
    Case(
        "The scan is not there",
        ASKED,
        error("corpus", "scan.json", "there is no such file", "check the path and the step that writes it"),
        SCAN,
    ),
    Case(
        "A number of thousands of digits in the scan",
        {
            **ASKED,
            "scan.json": scanned(QUESTIONS, lambda text: text.replace('"files": 1', '"files": 1' + "0" * 5000)),
        },
        error(
            "corpus",
            "scan.json",
            "this is not JSON",
            "write it again with this version: gate scan --items FILE --corpus PATH",
        ),
        SCAN,
    ),
    Case(
        "Links to folders that lead to each other, in a corpus that is named by a pattern",
        {**ASKED, "corpus": linked_folders},
        error(
            "corpus",
            "corpus/**/*.txt",
            "over 100000 paths lead through links to folders",
            "take links to folders out that lead to each other, or name the folder that",
        ),
        (*CORPUS[:-1], "corpus/**/*.txt"),
        confined=True,
    ),
)
