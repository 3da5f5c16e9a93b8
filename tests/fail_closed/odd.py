"""What looks wrong and is no fault."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from tests.fail_closed.case import GOOD, IDS, SCORES, Content, Harmless, candidate, csv, jsonl, scored

# Two items worse than in the baseline and one better.
OTHER = tuple(1 - int(str(score)) if row in (5, 9, 12) else score for row, score in enumerate(SCORES))
CANDIDATE = scored(OTHER)
_WINDOWS = b"\xef\xbb\xbf" + CANDIDATE.replace(b"\n", b"\r\n\r\n")
_LINES = CANDIDATE.splitlines(keepends=True)


def renamed(old: str, new: str) -> Mapping[str, Content]:
    """One id is written otherwise in both files."""
    return {
        name: content.replace(f"{old},".encode(), f"{new},".encode())
        for name, content in (("baseline.csv", GOOD), ("candidate.csv", CANDIDATE))
    }


def _linked(path: Path) -> None:
    (path.parent / "elsewhere.csv").write_bytes(CANDIDATE)
    path.symlink_to("elsewhere.csv")


def _of_json(values: list[object]) -> bytes:
    return jsonl([{"id": item, "score": value} for item, value in zip(IDS, values, strict=True)])


HARMLESS = (
    Harmless("The rows are in another order", candidate(b"".join([_LINES[0], *_LINES[:0:-1]])), "the same figures"),
    Harmless("A score is -0.0", candidate(scored([score or "-0.0" for score in OTHER])), "0: the same figures"),
    Harmless("Scores are booleans", candidate(_of_json([bool(score) for score in OTHER])), "1 and 0: the same figures"),
    Harmless(
        "Scores are numbers written as texts",
        candidate(_of_json([f"{score}.0" for score in OTHER])),
        "the same figures",
    ),
    Harmless(
        "The candidate has items that the baseline has not",
        candidate(CANDIDATE + b"".join(b"easy%d,1\n" % row for row in range(400))),
        "they count for nothing, neither for the bar; their number is told",
        "400 new",
    ),
    Harmless(
        "A byte order mark, Windows' line ends, blank lines",
        candidate(_WINDOWS),
        "left out",
    ),
    Harmless("The file is compressed, whatever its name", candidate(gzip.compress(CANDIDATE)), "read by its content"),
    Harmless("The file is a link to a sound file", candidate(_linked), "followed; what it leads to is read"),
    Harmless(
        "A line separator (U+2028) in an id",
        renamed("q05", "q\u20285"),
        "part of the id, which is shown by its digest",
        "2727ec622d25de78",
    ),
    Harmless(
        "A right-to-left mark in an id",
        renamed("q05", "q\u202e5"),
        "part of the id, which is shown escaped",
        r"q\u202e5",
    ),
    Harmless(
        "An id of 10 MB in both files", renamed("q05", "q" * 10_000_000), "known by its digest, shown by the same"
    ),
    Harmless(
        "Texts beside the scores that are in nobody's alphabet",
        candidate(csv({"id": IDS, "score": OTHER, "note": [json.dumps("\u0000")[1:-1] + "🙂"] * len(IDS)})),
        "not read",
    ),
)
