"""LangSmith's ``ExperimentResults.to_pandas()`` as CSV or JSON: inputs.*, reference.*, feedback.*, example_id, id.

``id`` is the run's and new each time, ``example_id`` the data set's; repetitions of an example are its samples. A run
that ended in an error has that for every feedback, whatever the evaluators said of an answer that is not there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from gate.errors import Place, ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.frame import rows_of_csv
from gate.scores.ids import as_text, make_id
from gate.scores.kinds import Kinds
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records
from gate.scores.strict_json import canonical
from gate.wording import count

_SIGNATURE = frozenset({"example_id", "id", "error", "execution_time"})
_INPUTS, _REFERENCE, _FEEDBACK = "inputs.", "reference.", "feedback."


@dataclass(slots=True)
class _Table:
    """What has been read of the file so far.

    Attributes:
        kinds: which feedbacks are scores, and which are texts, such as a category.
        failed: how many runs ended in an error.
    """

    kinds: Kinds = field(default_factory=Kinds)
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
    return run_of_records(file, _form(table), _records(file, table), wanted, notes=_notes(table))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The examples' inputs."""
    table = _Table()
    return items_of_records(file, _form(table), _records(file, table), columns)


def _form(table: _Table) -> Form:
    return Form("langsmith", repeats=True, left_out=lambda: table.kinds.texts)


def _records(file: ScoreFile, table: _Table) -> Iterator[Record]:
    rows = 0
    for numbered in _rows(file):
        rows += 1
        yield _record(numbered, table, file)
    table.kinds.require_one_kind(
        remedy="let the evaluator return a score in every run, or none: EvaluationResult(key=..., score=None)"
    )
    if rows and not table.kinds.scored:
        raise ScoreFileError(
            "no feedback is a score",
            where=file.place(),
            remedy='let an evaluator return one, e.g. {"key": "correct", "score": 1}',
        )


def _rows(file: ScoreFile) -> Iterator[Numbered]:
    return iter_records(file) if file.first in {"[", "{"} else rows_of_csv(file)


def _record(numbered: Numbered, table: _Table, file: ScoreFile) -> Record:
    line, row = numbered
    failed = as_text(row.get("error")) is not None
    table.failed += failed
    return Record(
        id=make_id([row.get("example_id")], is_text=False, file=file, line=line).id,
        scores={key: ItemStatus.ERROR if failed else score for key, score in _scores(numbered, table, file).items()},
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
        key = name.removeprefix(_FEEDBACK)
        score = table.kinds.take(key, cell, line, partial(_place, file, line, name))
        if score is not None:
            scores[key] = score
    return scores


def _place(file: ScoreFile, line: int, column: str) -> Place:
    return file.place(line, f"column {quote(column)}")


def _joined(row: Mapping[str, object], prefix: str) -> str | None:
    """The one text that has this prefix; of several, an object of them, alike for CSV and JSON."""
    texts = {name: text for name, cell in row.items() if name.startswith(prefix) and (text := as_text(cell))}
    return canonical(texts) if len(texts) > 1 else next(iter(texts.values()), None)


def _notes(table: _Table) -> Iterator[str]:
    yield from table.kinds.notes()
    if table.failed:
        yield f"{count(table.failed, 'run')} ended in an error: what evaluators said of it is left out"
