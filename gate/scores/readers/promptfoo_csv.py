"""promptfoo's CSV, as ``-o out.csv`` and its web page write it: columns of vars, then one or several for each prompt.

At first the cell of a prompt began with ``[PASS] (score, name: score, ...)``; since 0.12x status and scores have
columns beside it, and the web page's earlier export told no score. Headers may stand twice.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.cells import Fault, Percent, parse_cell
from gate.scores.content import ScoreFile
from gate.scores.delimited import Row, iter_rows
from gate.scores.first_record import Container, FirstRecord
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.prompt_table import Column, label_columns, name_test, question_of
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, items_of_records, run_of_records
from gate.scores.strict_json import parse_fast

_FORM = Form("promptfoo_csv", repeats=True, traits={"success": RATE}.get)
_HEADER = re.compile(r"\[([^\]]+)\] (.+)", re.DOTALL)
_EARLY_HEADER = '{"raw":'
_APART = ["Status", "Score", "Named Scores"]
_DESCRIPTION = "Description"
_CELL = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((-?[\d.]+|undefined|NaN)(?:, (.*))?\)\s*?(?:\n|$))?")
_NAMED_SCORE = re.compile(r": ([^:, ]+)(?:, |$)")
_GRADED = "Fail Reason: "
_UNDEFINED = "undefined"
_LOST = "[object Object]"
_ROUNDED = "promptfoo rounds the scores in its CSV to two decimals; -o out.json keeps them whole"


class _Prompt(NamedTuple):
    """The column of a prompt, the variant that it is, and whether status and scores stand in columns beside it."""

    at: int
    column: Column
    is_apart: bool


class _Table(NamedTuple):
    """The header: the vars with their columns, and the prompts."""

    vars: Mapping[str, int]
    prompts: list[_Prompt]


class _Grading(NamedTuple):
    """PASS, FAIL or ERROR, and the scores by name, where they are told."""

    status: str
    scores: Mapping[str, object]


def matches(first: FirstRecord) -> bool:
    """Whether the header has a column named as promptfoo names a prompt, or those that stand beside one."""
    names = list(first.fields)
    return first.container is Container.CSV and (
        any(_column_of(name) is not None for name in names) or all(name in names for name in _APART)
    )


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in one prompt of the table: ``success``, and where they are told ``score`` and the named scores.

    Raises:
        ScoreFileError: where a cell has no status, a score is no number, or vars were lost in writing.
    """
    notes: dict[str, None] = {}
    return run_of_records(file, _FORM, _records(file, notes), wanted, notes=notes)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The tests' questions, one for each test, whatever the variants and repeats."""
    return items_of_records(file, _FORM, _records(file, {}), columns)


def _column_of(name: str) -> Column | None:
    """The provider and prompt that a header names; early versions wrote the prompt as JSON."""
    if found := _HEADER.fullmatch(name):
        return Column(found[1], found[2])
    prompt = _early_prompt(name)
    return Column(str(prompt.get("provider", "")), _early_label(prompt)) if prompt else None


def _early_prompt(name: str) -> Mapping[str, object]:
    if not name.startswith(_EARLY_HEADER):
        return {}
    try:
        prompt = parse_fast(name.encode("utf-8", "replace"))
    except ValueError:
        return {}
    return prompt if isinstance(prompt, dict) else {}


def _early_label(prompt: Mapping[str, object]) -> str:
    return str(prompt.get("label") or prompt.get("display") or prompt["raw"])


def _table(header: Row, file: ScoreFile) -> _Table:
    names = header.fields
    found = []
    for at, name in enumerate(names):
        column, is_apart = _column_of(name), names[at + 1 : at + 4] == _APART
        if column is not None or is_apart:
            found.append(_Prompt(at, column or Column("", name), is_apart))
    if not found:
        raise ScoreFileError(
            "no column is named as promptfoo names its prompts, [provider] prompt",
            where=file.place(header.line),
            remedy="write the file with `promptfoo eval -o out.csv`, or name another format, e.g. format: csv",
        )
    early = [prompt for name in names if (prompt := _early_prompt(name))]
    texts = {label for prompt in early if (label := _early_label(prompt)).strip() == str(prompt["raw"]).strip()}
    labels = label_columns([prompt.column for prompt in found], texts)
    prompts = [prompt._replace(column=label) for prompt, label in zip(found, labels, strict=True)]
    return _Table({names[at]: at for at in range(prompts[0].at) if names[at] != _DESCRIPTION}, prompts)


def _records(file: ScoreFile, notes: dict[str, None]) -> Iterator[Record]:
    rows = iter_rows(file, doubled=True)
    table = _table(next(rows, Row(1, [])), file)
    for row in rows:
        test_vars = {name: row.fields[at] for name, at in table.vars.items()}
        if _LOST in test_vars.values():
            raise ScoreFileError(
                f"promptfoo wrote an object among the vars as {_LOST}: which test this is cannot be told",
                where=file.place(row.line),
                remedy="run `promptfoo eval -o out.json` and give that file",
            )
        item, question = name_test(test_vars, file, row.line), question_of(test_vars)
        for prompt in table.prompts:
            grading = _grading(row, prompt, file)
            # an empty cell: the test was not run with this prompt
            if grading is not None:
                notes.update(dict.fromkeys([_ROUNDED] if grading.scores else []))
                scores = _scores(grading, row, prompt, file)
                yield Record(
                    id=item,
                    scores=scores,
                    line=row.line,
                    inputs=question,
                    variant=prompt.column,
                    facts={"model": prompt.column.provider} if prompt.column.provider else None,
                )


def _grading(row: Row, prompt: _Prompt, file: ScoreFile) -> _Grading | None:
    """What the row tells of the prompt; None where the test was not run with it."""
    if prompt.is_apart:
        return _grading_apart(row, prompt, file)
    cell = row.fields[prompt.at]
    if not cell.strip():
        return None
    found = _CELL.match(cell)
    if found is None:
        raise _fault("the cell does not begin with [PASS], [FAIL] or [ERROR]", row, prompt, file)
    status, score, named = found.groups()
    if score is None:
        return _Grading(status, {})
    # early versions call an error a failure, too; only what was graded has a reason
    is_error = status == "FAIL" and _GRADED not in cell
    return _Grading("ERROR" if is_error else status, {**_named_scores(named or ""), "score": score})


def _named_scores(text: str) -> dict[str, str]:
    """``name: score, ...``; a name may have colons and commas, too, so that what stands before a score is its name.

    In one pass: a pattern that also looked for the names would begin anew at every character of a hostile text.
    """
    found: dict[str, str] = {}
    start = 0
    for score in _NAMED_SCORE.finditer(text):
        if score.start() > start:
            found[text[start : score.start()]] = score[1]
        start = score.end()
    return found


def _grading_apart(row: Row, prompt: _Prompt, file: ScoreFile) -> _Grading | None:
    status, score, cell = row.fields[prompt.at + 1 : prompt.at + 4]
    if not status:
        return None
    if status not in ("PASS", "FAIL", "ERROR"):
        raise _fault(f"the status is {quote(status)}", row, prompt, file)
    try:
        named = parse_fast(cell.encode("utf-8", "replace")) if cell else {}
    except ValueError:
        named = None
    if not isinstance(named, dict):
        raise _fault(f"the named scores are {quote(cell)}", row, prompt, file)
    return _Grading(status, {**named, "score": score})


def _scores(grading: _Grading, row: Row, prompt: _Prompt, file: ScoreFile) -> dict[str, float | ItemStatus]:
    if grading.status == "ERROR":
        return dict.fromkeys(["success", *grading.scores], ItemStatus.ERROR)
    scores: dict[str, float | ItemStatus] = {}
    for name, cell in grading.scores.items():
        score = ItemStatus.UNSCORED if cell == _UNDEFINED else parse_cell(cell)
        if isinstance(score, Fault | Percent):
            raise _fault(f"the score {quote(name)} is {quote(cell)}", row, prompt, file)
        scores[name] = score
    return {"success": float(grading.status == "PASS"), **scores}


def _fault(what: str, row: Row, prompt: _Prompt, file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        what,
        where=file.place(row.line, f"column {prompt.at + 1}"),
        remedy="write the file again with `promptfoo eval`, best with -o out.json",
    )
