"""LangSmith's ``ExperimentResults.to_pandas()`` as CSV or JSON: inputs.*, reference.*, feedback.*, example_id, id.

``id`` is the run's and new each time, ``example_id`` the data set's; repetitions of an example are its samples. A run
that ended in an error has that for every feedback, whatever the evaluators said of an answer that is not there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gate.errors import ScoreFileError
from gate.scores.cells import Fault, Percent, parse_cell
from gate.scores.content import ScoreFile
from gate.scores.delimited import iter_rows
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import counted, quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records
from gate.scores.strict_json import canonical

_FORM = Form("langsmith", repeats=True)
_SIGNATURE = frozenset({"example_id", "id", "error", "execution_time"})
_INPUTS, _REFERENCE, _FEEDBACK = "inputs.", "reference.", "feedback."


@dataclass(slots=True)
class _Table:
    """What has been read of the file so far.

    Attributes:
        scored: feedback -> the line on which it was first a score.
        labels: feedback -> the line on which it was first a text, such as a category.
        failed: how many runs ended in an error.
    """

    scored: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    failed: int = 0


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a run over an example, with what evaluators said of it."""
    names = first.fields.keys()
    text = first.container in {Container.CSV, Container.JSON, Container.JSONL} and not first.is_map
    return text and names >= _SIGNATURE and any(name.startswith((_INPUTS, _FEEDBACK)) for name in names)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in an experiment's table; its metrics are the feedback keys.

    Raises:
        ScoreFileError: where a row has no example, or a feedback is a score in one row and a text in another.
    """
    table = _Table()
    return run_of_records(file, _FORM, _records(file, table), wanted, notes=_notes(table))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The examples' inputs."""
    return items_of_records(file, _FORM, _records(file, _Table()), columns)


def _records(file: ScoreFile, table: _Table) -> Iterator[Record]:
    rows = 0
    for numbered in _rows(file):
        rows += 1
        yield _record(numbered, table, file)
    for key in sorted(table.scored.keys() & table.labels.keys()):
        raise ScoreFileError(
            f"the feedback {quote(key)} is a score on line {table.scored[key]} and a text here",
            where=file.place(table.labels[key], f"column {quote(_FEEDBACK + key)}"),
            remedy="let the evaluator return a score in every run, or none: EvaluationResult(key=..., score=None)",
        )
    if rows and not table.scored:
        raise ScoreFileError(
            "no feedback is a score",
            where=file.place(),
            remedy='let an evaluator return one, e.g. {"key": "correct", "score": 1}',
        )


def _rows(file: ScoreFile) -> Iterator[Numbered]:
    if file.first in {"[", "{"}:
        yield from iter_records(file)
        return
    rows = iter_rows(file)
    header = next(rows)
    for line, fields in rows:
        yield Numbered(line, dict(zip(header.fields, fields, strict=True)))


def _record(numbered: Numbered, table: _Table, file: ScoreFile) -> Record:
    line, row = numbered
    failed = as_text(row.get("error")) is not None
    table.failed += failed
    return Record(
        id=make_id([row.get("example_id")], is_text=False, file=file, line=line).id,
        scores={
            key: ItemStatus.ERROR if failed else score
            for key, score in _scores(numbered, table, file).items()
            if key not in table.labels
        },
        line=line,
        inputs=_joined(row, _INPUTS),
        target=_joined(row, _REFERENCE),
    )


def _scores(numbered: Numbered, table: _Table, file: ScoreFile) -> dict[str, float | ItemStatus]:
    line, row = numbered
    scores: dict[str, float | ItemStatus] = {}
    for name, cell in row.items():
        if not name.startswith(_FEEDBACK):
            continue
        key, score = name.removeprefix(_FEEDBACK), parse_cell(cell)
        if score is Fault.TEXT or score is Fault.NESTED or isinstance(score, Percent):
            table.labels.setdefault(key, line)
        elif isinstance(score, Fault):
            what, remedy = score.value
            raise ScoreFileError(
                f"{quote(cell)} {what}", where=file.place(line, f"column {quote(name)}"), remedy=remedy
            )
        else:
            if isinstance(score, float):
                table.scored.setdefault(key, line)
            scores[key] = score
    return scores


def _joined(row: Mapping[str, object], prefix: str) -> str | None:
    """The one text that has this prefix; of several, an object of them, alike for CSV and JSON."""
    texts = {name: text for name, cell in row.items() if name.startswith(prefix) and (text := as_text(cell))}
    return canonical(texts) if len(texts) > 1 else next(iter(texts.values()), None)


def _notes(table: _Table) -> Iterator[str]:
    if table.labels:
        yield f"left out, as texts are no scores: {quoted_listing(table.labels)}"
    if table.failed:
        yield f"{counted(table.failed, 'run', 'runs')} ended in an error: what evaluators said of it is left out"
