"""The file of a history: JSONL, a line a run, only ever appended to."""

import dataclasses
import fcntl
import math
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.baselines import is_in_git, read_in_git
from gate.commits import COMMIT
from gate.errors import Place, RecordError, WriteError
from gate.files import require_regular_file
from gate.json_text import dump
from gate.results.record import RunRecord
from gate.validation import first_problem

if TYPE_CHECKING:
    from pydantic import TypeAdapter

HISTORY_VERSION = 1
_MOST_BYTES = 256_000_000
_REMEDY = "take the line out, or take the file from an earlier commit"


def read_history(path: str) -> tuple[RunRecord, ...]:
    """All runs, oldest first; an empty file has none yet.

    Args:
        path: the file, or ``git:REF:PATH``.

    Raises:
        RecordError: where there is no such file, or naming the first line that is damaged.
        GitError: where it cannot be had from git.
    """
    if is_in_git(path):
        return _parsed(read_in_git(path, os.environ), path)
    if not os.path.lexists(path):
        raise RecordError(
            "there is no such file",
            where=Place(path),
            remedy="check the path; a history begins as an empty file, to which `gate history add` adds",
        )
    require_regular_file(Path(path), error=RecordError)
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except OSError as fault:
        raise _unreadable(path, fault) from fault
    return _parsed(raw, path)


def append_run(path: str, record: RunRecord) -> bool:
    """Add a run to the end of the file, which is made where there is none; False where it is there already.

    The file is locked while it is read, looked through and added to: two jobs that end at once must neither lose a
    line nor write one twice. It is added to in place, by one write at its end, and not replaced as a report is:
    whoever waits for the lock of a file that is replaced would then write into the one that is gone. A write that
    comes to no end, on a full disk, is taken back.

    Raises:
        RecordError: where the file is damaged; nothing is added to it then.
        WriteError: where it cannot be written.
    """
    if is_in_git(path):
        raise WriteError(
            "a history in git is read, not added to",
            where=Place(path),
            remedy="name the file of the working tree, and commit it",
        )
    line = render_run(record).encode()
    with _locked(path) as handle:
        raw = _read(handle, path)
        if any(_is_same(known, record) for known in _parsed(raw, path)):
            return False
        _append(handle, line, len(raw), path)
    return True


def render_run(record: RunRecord) -> str:
    """One line of a history: keys in the order of the structure, ASCII, so that nothing in it is more than one line."""
    dumped = _adapter().dump_python(record, mode="json")
    return dump(dumped) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one line."""
    body = _adapter().json_schema(mode="serialization")
    body["properties"]["schema_version"]["const"] = HISTORY_VERSION
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **body, "title": "gate history, one line"}


def _is_same(known: RunRecord, record: RunRecord) -> bool:
    """One report of one commit is one run; that it was promoted is news, where its line did not say so."""
    return (known.report, known.commit) == (record.report, record.commit) and (known.promoted or not record.promoted)


@contextmanager
def _locked(path: str) -> Iterator[int]:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        # no link, and no pipe to wait for
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    except (OSError, ValueError) as fault:
        raise WriteError(
            f"the history cannot be opened: {getattr(fault, 'strerror', None) or fault}",
            where=Place(path),
            remedy="name a regular file, no link, in a folder that this user may write to",
        ) from fault
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise RecordError("this is not a regular file", where=Place(path), remedy="name a regular file")
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def _read(handle: int, path: str) -> bytes:
    try:
        with open(handle, "rb", closefd=False) as file:
            return file.read(_MOST_BYTES + 1)
    except OSError as fault:
        raise _unreadable(path, fault) from fault


def _append(handle: int, line: bytes, size: int, path: str) -> None:
    try:
        written, fault = os.write(handle, line), None
        os.fsync(handle)
    except OSError as broken:
        written, fault = 0, broken
    if written < len(line):
        os.ftruncate(handle, size)
        raise WriteError(
            f"the history cannot be added to: {fault.strerror if fault is not None else 'the disk is full'}",
            where=Place(path),
            remedy="make room on the disk and add the run again",
        ) from fault


def _parsed(raw: bytes, path: str) -> tuple[RunRecord, ...]:
    if len(raw) > _MOST_BYTES:
        raise RecordError(
            f"the history is over {_MOST_BYTES // 1_000_000} MB", where=Place(path), remedy="begin a new one"
        )
    lines = raw.split(b"\n")
    if lines.pop():
        raise RecordError("the last line is cut short", where=Place(path, len(lines) + 1), remedy=_REMEDY)
    return tuple(_run(line, Place(path, number)) for number, line in enumerate(lines, start=1))


def _run(line: bytes, where: Place) -> RunRecord:
    from pydantic import ValidationError  # noqa: PLC0415  # its cost is paid only where there is a history

    try:
        record = _adapter().validate_json(line, strict=True)
    except ValidationError as fault:
        problem = first_problem(fault)
        told = "it is no JSON" if problem.kind == "json_invalid" else problem.told
        raise RecordError(
            f"this is no line of a history: {told}",
            where=where._replace(part=problem.part),
            remedy=_REMEDY,
        ) from fault
    _require_sound(record, where)
    if record.schema_version != HISTORY_VERSION:
        raise RecordError(
            f"this is no line of schema version {HISTORY_VERSION}",
            where=where._replace(part="schema_version"),
            remedy="read it with the version of gate that wrote it",
        )
    return record


def _require_sound(record: RunRecord, where: Place) -> None:
    """What the types do not say: a figure that is none would compare with nothing."""
    problem = None
    if record.commit and re.fullmatch(COMMIT, record.commit) is None:
        problem = "its commit is none"
    for suite in record.suites.values():
        for figures in suite.metrics.values():
            values = [value for value in dataclasses.astuple(figures) if isinstance(value, float)]
            if not all(map(math.isfinite, values)):
                problem = "a figure is not finite"
            if figures.direction not in {"higher", "lower"}:
                problem = "a direction is neither `higher` nor `lower`"
    if problem is not None:
        raise RecordError(f"this is no line of a history: {problem}", where=where, remedy=_REMEDY)


def _unreadable(path: str, fault: OSError) -> RecordError:
    return RecordError(
        f"the history cannot be read: {fault.strerror or fault}",
        where=Place(path),
        remedy="check that this user may read it",
    )


@cache
def _adapter() -> "TypeAdapter[RunRecord]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # as above

    return TypeAdapter(RunRecord)
