"""Histories, battles, waivers, and a proposed gate.yml."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from gate.cli import run
from tests.fail_closed.case import CONFIG, PAIR, Case, Content, block, error, jsonl, scored, suite

HISTORY = (*PAIR, "--history", "history.jsonl")


PROPOSED = (*CONFIG, "--proposed-config", "proposed.yml")


def history(change: Callable[[str], str] = str) -> Callable[[Path], None]:
    """A history of one run, changed by hand."""

    def make(path: Path) -> None:
        assert run(["check", *PAIR, "--report", "json:first.json"]) == 0
        assert run(["history", "add", "first.json", "--to", str(path)]) == 0
        path.write_text(change(path.read_text()))

    return make


def battles(*fought: tuple[str, str, str]) -> Mapping[str, Content]:
    rows = [{"model_a": one, "model_b": other, "winner": winner} for one, other, winner in fought]
    arena = "version: 1\nsuites:\n  - name: bots\n    kind: battles\n    candidate: battles.jsonl\n"
    return {
        "gate.yml": f"{arena}    checks: {{arena: {{model: new, against: old}}}}\n".encode(),
        "battles.jsonl": jsonl(rows),
    }


CASES = (
    Case(
        "A line of the history is cut short",
        {"history.jsonl": history(lambda text: text + text[:50])},
        error(
            "record",
            "history.jsonl, line 2",
            "the last line is cut short",
            "take the line out, or take the file from an earlier commit",
        ),
        HISTORY,
    ),
    Case(
        "A line of the history is of another schema version",
        {"history.jsonl": history(lambda text: text.replace('"schema_version":1', '"schema_version":2'))},
        error(
            "record",
            "history.jsonl, line 1, schema_version",
            "this is no line of schema version 1",
            "read it with the version of gate that wrote it",
        ),
        HISTORY,
    ),
    Case(
        "A mean in the history is no number",
        {"history.jsonl": history(lambda text: text.replace('"mean":0.75', '"mean":NaN'))},
        error(
            "record",
            "history.jsonl, line 1",
            "this is no line of a history: a figure is not finite",
            "take the line out, or take the file from an earlier commit",
        ),
        HISTORY,
    ),
    Case(
        "A number of thousands of digits in the history",
        {"history.jsonl": history(lambda text: text.replace('"n":40', '"n":4' + "0" * 5000))},
        error(
            "record",
            "history.jsonl, line 1",
            "this is no line of a history: it is no JSON",
            "take the line out, or take the file from an earlier commit",
        ),
        HISTORY,
    ),
    Case(
        "The history is not there",
        {},
        error("record", "history.jsonl", "there is no such file", "check the path; a history begins as an empty file"),
        HISTORY,
    ),
    Case(
        "The history is a named pipe",
        {"history.jsonl": os.mkfifo},
        error("record", "history.jsonl", "this is not a regular file", "name a regular file, not a pipe or a device"),
        HISTORY,
        confined=True,
    ),
    Case(
        "No chain of battles links the two models",
        battles(("new", "third", "model_a"), ("old", "fourth", "tie")),
        block(
            "arena: not-comparable",
            "no chain of battles links the two models",
            "let them meet, or let both meet a third model",
        ),
        CONFIG,
    ),
    Case(
        "A model that is asked for fought no battle",
        battles(("newer", "old", "model_a")),
        error(
            "score-file",
            "battles.jsonl",
            'the battles name no model "new"; did you mean "newer"?',
            'name one of those that there are: "newer", "old"',
        ),
        CONFIG,
    ),
    Case(
        "A battle of a model with itself",
        battles(("new", "new", "model_a"), ("new", "old", "model_a")),
        error(
            "score-file",
            "battles.jsonl, line 1",
            'the battle is one of "new" with itself',
            "take it out: it says nothing about who is better",
        ),
        CONFIG,
    ),
    Case(
        "A battle was won by a third",
        battles(("new", "old", "third")),
        error(
            "score-file",
            'battles.jsonl, line 1, column "winner"',
            'the winner is "third"',
            "write model_a, model_b, tie, tie (bothbad), or the name of one of the two",
        ),
        CONFIG,
    ),
    Case(
        "There are no battles",
        {**battles(), "battles.jsonl": b""},
        error(
            "score-file",
            "battles.jsonl",
            "the file is empty",
            "check the step that writes it; it may have failed half way",
        ),
        CONFIG,
    ),
    Case(
        "A proposed gate.yml is broken, and the candidate lost",
        {**suite(), "candidate.csv": scored([0] * 40), "proposed.yml": b"suites: [\n"},
        block(
            "regression: regression-shown",
            "the candidate is worse: delta -0.750, p < 0.001",
            "read the items that got worse; mend the candidate",
        ),
        PROPOSED,
    ),
    Case(
        "A waiver in a proposed gate.yml, and the candidate lost",
        {
            **suite(),
            "candidate.csv": scored([0] * 40),
            "proposed.yml": suite(
                tail="waivers:\n  - {check: regression, reason: please, approved_by: me, expires: 2999-01-01}\n"
            )["gate.yml"],
        },
        block(
            "regression: regression-shown",
            "the candidate is worse: delta -0.750, p < 0.001",
            "read the items that got worse; mend the candidate",
        ),
        PROPOSED,
    ),
    Case(
        "A waiver that has expired, and the candidate lost",
        {
            **suite(tail="waivers:\n  - {check: regression, reason: later, approved_by: me, expires: 2020-01-01}\n"),
            "candidate.csv": scored([0] * 40),
        },
        block(
            "regression: regression-shown",
            "the candidate is worse: delta -0.750, p < 0.001",
            "read the items that got worse; mend the candidate",
        ),
        CONFIG,
    ),
    Case(
        "A clock in 1970, by which a waiver would hold for ever",
        {
            **suite(tail="waivers:\n  - {check: regression, reason: later, approved_by: me, expires: 2020-01-01}\n"),
            "candidate.csv": scored([0] * 40),
        },
        error(
            "usage",
            "",
            "waivers hold until a day, and the clock says 1970-01-01",
            "set the clock of the machine, or SOURCE_DATE_EPOCH to the day of the run",
        ),
        CONFIG,
        environ={"SOURCE_DATE_EPOCH": "0"},
    ),
    Case(
        "Battles of sixty thousand models, each to be held against each",
        battles(*((f"m{number}", f"m{number + 1}", "model_a") for number in range(60_000)), ("new", "old", "model_b")),
        error(
            "score-file",
            "battles.jsonl",
            "the battles are of 60003 models, more than 1000",
            "look at the columns of models; if all of them are models, leave out",
        ),
        CONFIG,
        confined=True,
    ),
)
