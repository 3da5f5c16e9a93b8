"""The file beside a promoted baseline: what was promoted, when, of which commit, and by what verdict."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gate.baselines.identity import age
from gate.errors import Place, RecordError
from gate.files import open_bytes, sha256_of
from gate.json_text import dump
from gate.mirror import IN_PLACE, Mirror
from gate.results import Origin
from gate.scores.beside import PROMOTION
from gate.validation import first_problem
from gate.writing import write_atomically

if TYPE_CHECKING:
    from pydantic import TypeAdapter

PROMOTION_VERSION = 1
_MOST_BYTES = 64_000_000
_DIGITS = 10
_REMEDY = "promote the baseline again with this version of gate, or delete the file"


@dataclass(frozen=True, slots=True)
class MainFigures:
    """The candidate's mean of one metric, and over how many items."""

    mean: float
    n: int


@dataclass(frozen=True, slots=True)
class Promotion:
    """What made a file, or a folder, the baseline.

    Attributes:
        schema_version: of this form.
        digest: what was promoted, as ``tree_digest`` tells it.
        date: when, by UTC.
        commit: what it is of, in hexadecimal; empty where it is not known.
        verdict: what it was judged; None where it was promoted without a report.
        report: SHA-256 of the JSON report; None likewise.
        reason: why it was forced; None where it was not.
        promoted_by: who asked for it; empty where that is not known.
        figures: suite -> metric -> its main figures.
    """

    schema_version: int
    digest: str
    date: date
    commit: str = ""
    verdict: str | None = None
    report: str | None = None
    reason: str | None = None
    promoted_by: str = ""
    figures: Mapping[str, Mapping[str, MainFigures]] = field(default_factory=dict)


def promotion_path(baseline: str) -> Path:
    """Where the promotion of a baseline stands: beside it, ``main.csv.promotion.json``."""
    return Path(baseline.rstrip("/") + PROMOTION)


def read_promotion(baseline: str, mirror: Mirror = IN_PLACE) -> Promotion | None:
    """What the file beside a baseline says; None where there is none. ``is_edited`` says whether it still holds.

    Args:
        baseline: a file or a folder.
        mirror: how files of it are told.

    Raises:
        RecordError: where there is one that cannot be read, or is of another version.
    """
    path = promotion_path(baseline)
    if not os.path.lexists(path):
        return None
    shown = mirror.shown(str(path))
    with open_bytes(path, error=RecordError) as file:
        raw = file.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise RecordError(f"the file is over {_MOST_BYTES // 1_000_000} MB", where=Place(shown), remedy=_REMEDY)
    return _parsed(raw, shown)


def is_edited(baseline: str, promotion: Promotion) -> bool:
    """Whether the baseline is no longer what was promoted.

    Raises:
        RecordError: where it cannot be read.
    """
    return tree_digest(Path(baseline)) != promotion.digest


def promotion_origin(promotion: Promotion, today: date | None) -> Origin:
    """The promotion as where a baseline comes from, to be told by reports."""
    return Origin(promotion.commit, promotion.date, age(promotion.date, today), "promotion", "")


def tell_edited(promotion: Promotion) -> str:
    """The doubt about a baseline that is no longer what was promoted."""
    return f"the baseline is not what was promoted on {promotion.date.isoformat()}: it was changed since"


def tell_promotion(promotion: Promotion) -> str:
    """By whose word a baseline is one."""
    commit = f" of commit {promotion.commit[:_DIGITS]}" if promotion.commit else ""
    judged = "without a report" if promotion.verdict is None else f"judged {promotion.verdict}"
    forced = f", by force: {promotion.reason}" if promotion.reason is not None else ""
    return f"promoted on {promotion.date.isoformat()}{commit}, {judged}{forced}"


def write_promotion(baseline: str, promotion: Promotion) -> None:
    """Write the file beside a baseline, whole or not at all: the same promotion gives the same bytes.

    Raises:
        WriteError: where it cannot be written.
    """
    dumped = _adapter().dump_python(promotion, mode="json")
    write_atomically(promotion_path(baseline), dump(dumped, indent=1) + "\n")


def tree_digest(path: Path) -> str:
    """SHA-256 of a file's bytes; of a folder's, of the digests and names of all files in it, in the order of names.

    Raises:
        RecordError: where it cannot be read.
    """
    try:
        if not path.is_dir():
            return sha256_of(path)
        whole = hashlib.sha256()
        for file in sorted(each for each in path.rglob("*") if not each.is_dir() or each.is_symlink()):
            # a link is no file that was promoted, whatever it leads to
            told = "link" if file.is_symlink() else sha256_of(file)
            whole.update(f"{told}  {file.relative_to(path).as_posix()}\n".encode(errors="surrogateescape"))
        return whole.hexdigest()
    except (OSError, ValueError) as fault:
        raise RecordError(
            f"it cannot be read: {getattr(fault, 'strerror', None) or fault}",
            where=Place(str(path)),
            remedy="check the path and its rights",
        ) from fault


def _parsed(raw: bytes, path: str) -> Promotion:
    from pydantic import ValidationError  # noqa: PLC0415  # its cost is paid only where there is a promotion

    try:
        promotion = _adapter().validate_json(raw)
    except ValidationError as fault:
        problem = first_problem(fault)
        raise RecordError(
            f"this is no promotion as gate writes it: {problem.told}",
            where=Place(path, part=problem.part),
            remedy=_REMEDY,
        ) from fault
    if promotion.schema_version != PROMOTION_VERSION:
        raise RecordError(
            f"this is no promotion of schema version {PROMOTION_VERSION}",
            where=Place(path, part="schema_version"),
            remedy=_REMEDY,
        )
    return promotion


@cache
def _adapter() -> "TypeAdapter[Promotion]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # as above

    return TypeAdapter(Promotion)
