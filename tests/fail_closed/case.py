"""What a row of docs/fail-closed.md is made of: what is wrong, the files that are so, and what must happen."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gate.results import Word

# What lies at a path: its bytes, what makes it (given the path), or nothing.
Content = bytes | Callable[[Path], object] | None

ROOT = Path(__file__).parent.parent.parent
PAIR = ("--baseline", "baseline.csv", "--candidate", "candidate.csv")
CONFIG = ("--config", "gate.yml")


class Expected(NamedTuple):
    """What must happen.

    Attributes:
        verdict: never PASS.
        reason: of an ERROR its kind, of a BLOCK or a WARN the check and its reason code.
        place: the file, line and part that an ERROR names; empty where it is about the command line alone.
        says: how the message begins.
        remedy: how the remedy begins.
    """

    verdict: Word
    reason: str
    place: str
    says: str
    remedy: str

    @property
    def exit_code(self) -> int:
        return {Word.ERROR: 2, Word.BLOCK: 1}.get(self.verdict, 0)


def error(kind: str, place: str, says: str, remedy: str) -> Expected:
    return Expected(Word.ERROR, kind, place, says, remedy)


def block(reason: str, says: str, remedy: str) -> Expected:
    return Expected(Word.BLOCK, reason, "", says, remedy)


def warn(reason: str, says: str, remedy: str) -> Expected:
    return Expected(Word.WARN, reason, "", says, remedy)


class Meanwhile(NamedTuple):
    """What becomes of files while the gate is at work: as soon as it calls ``module:function`` for the first time."""

    function: str
    files: Mapping[str, Content]


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which an input is wrong.

    Attributes:
        wrong: as the page says it; no two cases share it.
        files: what lies in the folder, beside a sound baseline.csv and candidate.csv, or in their place.
        expected: what must happen.
        arguments: of ``gate check``, which runs in that folder.
        environ: variables that are set.
        unprivileged: run without the rights of root, who may read and write everything.
        confined: run as a process of its own, with little memory: it could hang, or fill the machine.
        meanwhile: what changes during the run, if anything.
    """

    wrong: str
    files: Mapping[str, Content]
    expected: Expected
    arguments: tuple[str, ...] = PAIR
    environ: Mapping[str, str] = field(default_factory=dict)
    unprivileged: bool = False
    confined: bool = False
    meanwhile: Meanwhile | None = None


@dataclass(frozen=True, slots=True)
class Harmless:
    """Something odd that is no fault.

    Attributes:
        odd: as the page says it.
        files: the same run without it lies in baseline.csv and candidate.csv.
        becomes: what the page says of it.
        told: what a report says of it; empty where nothing is to be said.
    """

    odd: str
    files: Mapping[str, Content]
    becomes: str
    told: str = ""


N_ITEMS = 40
IDS = tuple(f"q{row:02d}" for row in range(N_ITEMS))
SCORES: tuple[object, ...] = tuple(int(row % 4 > 0) for row in range(N_ITEMS))


def csv(columns: Mapping[str, Sequence[object]]) -> bytes:
    """A table of columns whose cells need no quotes."""
    rows = zip(*columns.values(), strict=True)
    return "".join(",".join(map(str, row)) + "\n" for row in [tuple(columns), *rows]).encode()


def scored(scores: Sequence[object], ids: Sequence[object] = IDS) -> bytes:
    return csv({"id": ids[: len(scores)], "score": scores})


def jsonl(rows: Sequence[object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def replaced(row: int, value: object, column: Sequence[object] = SCORES) -> list[object]:
    """The column with one value in the place of another."""
    return [*column[:row], value, *column[row + 1 :]]


GOOD = scored(SCORES)
GOOD_JSONL = jsonl([{"id": item, "score": score} for item, score in zip(IDS, SCORES, strict=True)])
SOUND: Mapping[str, Content] = {"baseline.csv": GOOD, "candidate.csv": GOOD}


def cell(value: object) -> Mapping[str, Content]:
    """A candidate with one cell that is wrong, on line 7."""
    return {"candidate.csv": scored(replaced(5, value))}


def json_cell(text: str) -> Mapping[str, Content]:
    """The same in JSON Lines, the value as it stands in the file, on line 6."""
    lines = GOOD_JSONL.splitlines(keepends=True)
    lines[5] = f'{{"id": "q05", "score": {text}}}\n'.encode()
    return {"candidate.csv": b"".join(lines)}


def candidate(content: Content) -> Mapping[str, Content]:
    return {"candidate.csv": content}


def suite(lines: str = "", *, tail: str = "", baseline: str = "baseline.csv") -> Mapping[str, Content]:
    """A gate.yml of one suite with the two files; ``lines`` more in the suite, indented by four, ``tail`` after it."""
    text = f"version: 1\nsuites:\n  - name: answers\n    baseline: {baseline}\n    candidate: candidate.csv\n"
    return {"gate.yml": f"{text}{lines}{tail}".encode()}
