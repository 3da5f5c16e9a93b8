"""Baselines that were promoted, or are reports of the gate."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gate.cli import run
from tests.fail_closed.case import SCORES, Case, error, scored, warn

REPORT = ("--baseline", "main.json", "--candidate", "candidate.csv")


def promoted(path: Path) -> None:
    """The baseline was promoted by a person's word; ``path`` is what says so."""
    assert run(["promote", "candidate.csv", path.name.removesuffix(".promotion.json"), "--force", "--reason", "x"]) == 0


def edited(path: Path) -> None:
    promoted(path)
    Path("baseline.csv").write_bytes(scored([1, *SCORES[1:]]))


def half_promoted(path: Path) -> None:
    promoted(path)
    path.write_bytes(path.read_bytes()[:40])


def reported(change: Callable[[dict[str, Any]], object] | None = None, *arguments: str) -> Callable[[Path], None]:
    """A report.json of the gate about the sound candidate, changed by hand."""

    def make(path: Path) -> None:
        run(["check", "--candidate", "candidate.csv", "--threshold", "0.01", *arguments, "--report", f"json:{path}"])
        report = json.loads(path.read_text())
        if change is not None:
            change(report)
        path.write_text(json.dumps(report))

    return make


def _items(report: dict[str, Any]) -> dict[str, Any]:
    items: dict[str, Any] = report["suites"][0]["items"]
    return items


def _easier(report: dict[str, Any]) -> None:
    column = _items(report)["metrics"]["score"]
    column["candidate"] = [0.0] * 39


def _worded(report: dict[str, Any]) -> None:
    _items(report)["metrics"]["score"]["candidate"][3] = "1"


def _doubled(report: dict[str, Any]) -> None:
    _items(report)["ids"][1] = "q00"


def _many_digits(report: dict[str, Any]) -> None:
    _items(report)["metrics"]["score"]["candidate"][3] = 10**4000


CASES = (
    Case(
        "A promoted baseline was edited by hand",
        {"baseline.csv.promotion.json": edited},
        warn(
            "coverage: baseline-edited",
            "the baseline is not what was promoted on",
            "take the file that was promoted from the repository, or promote a",
        ),
    ),
    Case(
        "What was written down at a promotion is cut short",
        {"baseline.csv.promotion.json": half_promoted},
        error(
            "record",
            "baseline.csv.promotion.json",
            "this is no promotion as gate writes it: invalid json: eof while parsing a",
            "promote the baseline again with this version of gate, or delete the file",
        ),
    ),
    Case(
        "The baseline is the report of a run that was blocked",
        {"main.json": reported(None, "--threshold", "0.99")},
        warn(
            "coverage: baseline-was-blocked",
            "the baseline is the report of a candidate that the gate would have kept",
            "give the report of a run that passed, or accept this one openly: `gate",
        ),
        REPORT,
    ),
    Case(
        "The baseline is the report of a run that could not be judged",
        {"main.json": reported(None, "--threshold", "nan")},
        error(
            "score-file",
            "main.json",
            "this is the report of a run that could not be judged",
            "give the report of a run with a verdict, or a score file",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report of another schema version",
        {"main.json": reported(lambda report: report.update(schema_version=2))},
        error(
            "score-file",
            "main.json, schema_version",
            "this is no report of schema version 1",
            "write the report again with this version of gate, or give the score file",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report whose columns are of different lengths",
        {"main.json": reported(_easier)},
        error(
            "score-file",
            'main.json, suite "scores"',
            "this is not a report as gate writes it: candidate is no list of 40",
            "give the report.json as the gate wrote it, or the score file that it was",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report with a text in a score's place",
        {"main.json": reported(_worded)},
        error(
            "score-file",
            'main.json, suite "scores"',
            'this is not a report as gate writes it: candidate holds "1"',
            "give the report.json as the gate wrote it, or the score file that it was",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report with a number of thousands of digits",
        {"main.json": reported(_many_digits)},
        error(
            "score-file",
            'main.json, suite "scores"',
            "this is not a report as gate writes it: candidate holds",
            "give the report.json as the gate wrote it, or the score file that it was",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report in which an id stands twice",
        {"main.json": reported(_doubled)},
        error(
            "score-file",
            'main.json, suite "scores"',
            "this is not a report as gate writes it: an id stands in it twice",
            "give the report.json as the gate wrote it, or the score file that it was",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report without items",
        {"main.json": reported(lambda report: report.update(suites=[]))},
        error(
            "score-file",
            "main.json",
            "the report holds no items of a candidate",
            "give the report of a suite with scores: battles and corpora have no items",
        ),
        REPORT,
    ),
    Case(
        "The baseline is a report, cut short",
        {"main.json": lambda path: (reported()(path), path.write_bytes(path.read_bytes()[:-100]))},
        error(
            "score-file",
            "main.json, line 1",
            "this is not valid JSON (unterminated string starting at); the file was",
            "write the file again and check that the step that writes it runs to its",
        ),
        REPORT,
    ),
)
