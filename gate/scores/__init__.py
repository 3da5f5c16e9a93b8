"""READ: score files of every format -> Run. A new format is one module and one line in READERS."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from gate.scores import csv, human_eval, json, jsonl, lm_eval
from gate.scores.content import open_score_file
from gate.scores.detect import detect
from gate.scores.model import GUESSED, Columns, Run
from gate.scores.reader import Item, Reader

__all__ = ["FORMATS", "READERS", "read_items", "read_run"]

READERS: Mapping[str, Reader] = {
    "lm_eval": lm_eval,
    "human_eval": human_eval,
    "json": json,
    "jsonl": jsonl,
    "csv": csv,
}
FORMATS = tuple(READERS)


def read_run(
    path: Path,
    *,
    shown: str | None = None,
    format: str | None = None,  # noqa: A002  # the option's own name
    columns: Columns = GUESSED,
    metrics: Sequence[str] | None = None,
) -> Run:
    """Read a score file, plain, gzip or zstd; ScoreFileError where it cannot be read as scores.

    ``shown`` is its name in messages and reports, where that is not the path; ``format`` is one of FORMATS, None tells
    it by the content; ``columns`` maps a plain file; ``metrics`` are those to read, None reads all.
    """
    file = open_score_file(path, shown or str(path))
    run = READERS[detect(file, READERS, format)].read(file, columns, metrics)
    file.require_unchanged()
    return run


def read_items(path: Path, *, format: str | None = None, columns: Columns = GUESSED) -> tuple[Item, ...]:  # noqa: A002  # ditto
    """Read a file of questions, which need no scores; arguments and errors as in ``read_run``."""
    file = open_score_file(path, str(path))
    items = READERS[detect(file, READERS, format)].read_items(file, columns)
    file.require_unchanged()
    return items
