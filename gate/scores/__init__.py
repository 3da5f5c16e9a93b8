"""READ: score files of every format -> Run."""

from pathlib import Path

from gate.scores.content import open_score_file
from gate.scores.detect import detect
from gate.scores.model import EVERYTHING, GUESSED, Columns, Run, Wanted
from gate.scores.reader import Item
from gate.scores.registry import FORMATS, READERS

__all__ = ["FORMATS", "READERS", "read_items", "read_run"]


def read_run(
    path: Path,
    wanted: Wanted = EVERYTHING,
    *,
    shown: str | None = None,
    format: str | None = None,  # noqa: A002  # the option's own name
) -> Run:
    """Read a score file, plain, gzip or zstd; ScoreFileError where it cannot be read as scores.

    ``wanted`` says what of it; ``shown`` is its name in messages and reports, where that is not the path; ``format`` is
    one of FORMATS, None tells it by the content.
    """
    file = open_score_file(path, shown or str(path))
    run = READERS[detect(file, READERS, format)].read(file, wanted)
    file.require_unchanged()
    return run


def read_items(path: Path, *, format: str | None = None, columns: Columns = GUESSED) -> tuple[Item, ...]:  # noqa: A002  # ditto
    """Read a file of questions, which need no scores; ``columns`` maps a plain file, the rest is as in ``read_run``."""
    file = open_score_file(path, str(path))
    items = READERS[detect(file, READERS, format)].read_items(file, columns)
    file.require_unchanged()
    return items
