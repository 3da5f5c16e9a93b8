"""The table of ``mlflow.genai.evaluate``: a row for each trace, ``NAME/value`` of what scorers and people said of it.

``trace_id`` is new in every run, so an item is its request and what is expected of it. Expectations stand beside the
scores as ``NAME/value``, too; the assessments tell them apart. A trace that ended in an error has that for every score,
whatever the scorers said of an answer that is not there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.frame import Frame, open_frame
from gate.scores.ids import as_text, make_id
from gate.scores.kinds import Kinds
from gate.scores.literals import parse_literal
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.prompt_table import question_of
from gate.scores.quoting import listing
from gate.scores.reader import Item
from gate.scores.recorded import Form, items_of_records, run_of_records
from gate.scores.records import Numbered
from gate.scores.strict_json import as_object, canonical
from gate.wording import count

_SIGNATURE = frozenset({"trace_id", "state", "request", "response", "assessments"})
_VALUE, _ERROR = "/value", "/error_message"
_FAILED = "ERROR"
_JUDGE = "LLM_JUDGE"
_AGAIN = 'write the table as JSON Lines: result.tables["eval_results"].to_json(FILE, orient="records", lines=True)'
_DOUBLES_REMEDY = "take the rows that are too many out of the data set: they have the same inputs and expectations"


@dataclass(slots=True)
class _Table:
    """What has been read of the file so far.

    Attributes:
        kinds: which values are scores, and which are texts, such as a category.
        expected: what is no score but an expectation.
        judges: the models that judged.
        failed: how many traces ended in an error.
    """

    kinds: Kinds = field(default_factory=Kinds)
    expected: set[str] = field(default_factory=set)
    judges: set[str] = field(default_factory=set)
    failed: int = 0


def matches(first: FirstRecord) -> bool:
    """Whether the columns are those of traces with values, which stand by row or, in one JSON object, by column."""
    names = first.fields.keys()
    table = first.container not in {Container.ZIP, Container.XML}
    return table and names >= _SIGNATURE and any(name.endswith(_VALUE) for name in names)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a table; its metrics are the values that are no expectations.

    Raises:
        ScoreFileError: where a row has no request, a value is a score in one row and a text in another, or the
            assessments of a CSV file cannot be read.
    """
    frame, table = open_frame(file), _Table()
    facts: dict[str, str] = {}
    records = _records(frame, table, facts)
    return run_of_records(file, _form(frame, table), records, wanted, notes=_notes(table), facts=facts)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The requests."""
    frame, table = open_frame(file), _Table()
    return items_of_records(file, _form(frame, table), _records(frame, table, {}), columns)


def _form(frame: Frame, table: _Table) -> Form:
    return Form(
        "mlflow_genai",
        remedy=_DOUBLES_REMEDY,
        part=frame.part,
        left_out=lambda: table.expected | table.kinds.texts.keys(),
    )


def _records(frame: Frame, table: _Table, facts: dict[str, str]) -> Iterator[Record]:
    for numbered in frame.rows():
        yield _record(numbered, table, frame)
    table.kinds.require_one_kind(
        but=table.expected, remedy="let the scorer return a number, true or false in every row"
    )
    if table.judges:
        facts["judge"] = listing(sorted(table.judges))


def _record(numbered: Numbered, table: _Table, frame: Frame) -> Record:
    line, row = numbered
    expected = _expectations(numbered, table, frame)
    request = _parsed(row.get("request"), line, "request", frame)
    failed = row.get("state") == _FAILED
    table.failed += failed
    texts = {name: text for name, value in expected.items() if (text := as_text(value)) is not None}
    target = canonical(texts) if len(texts) > 1 else next(iter(texts.values()), None)
    cells = [request] if target is None else [request, target]
    return Record(
        id=make_id(cells, is_text=True, file=frame.file, line=line, part=frame.part).id,
        scores={name: ItemStatus.ERROR if failed else score for name, score in _scores(numbered, table, frame).items()},
        line=line,
        inputs=question_of(request) if isinstance(request, dict) else as_text(request),
        target=target,
        content=canonical([request, texts]),
    )


def _expectations(numbered: Numbered, table: _Table, frame: Frame) -> Mapping[str, object]:
    """What is expected of the answer, by name; and the judges are taken note of."""
    line, row = numbered
    assessments = _parsed(row.get("assessments"), line, "assessments", frame)
    expected: dict[str, object] = {}
    for assessment in map(as_object, assessments if isinstance(assessments, list) else []):
        name, source = as_text(assessment.get("assessment_name")), as_object(assessment.get("source"))
        judge = as_text(source.get("source_id"))
        if source.get("source_type") == _JUDGE and judge is not None:
            table.judges.add(judge)
        if name is not None and isinstance(expectation := assessment.get("expectation"), dict):
            expected[name] = expectation.get("value", expectation)
    table.expected |= expected.keys()
    return expected


def _parsed(cell: object, line: int, column: str, frame: Frame) -> object:
    """The cell as JSON holds it; of a CSV file, what pandas wrote there as Python would."""
    if not isinstance(cell, str) or not cell.startswith(("{", "[")) or frame.is_typed:
        return cell
    return parse_literal(cell, frame.place(line, column), remedy=_AGAIN)


def _scores(numbered: Numbered, table: _Table, frame: Frame) -> dict[str, float | ItemStatus]:
    line, row = numbered
    scores: dict[str, float | ItemStatus] = {}
    for column, cell in row.items():
        if not column.endswith(_VALUE):
            continue
        name = column.removesuffix(_VALUE)
        score = table.kinds.take(name, cell, line, partial(frame.place, line, column))
        if score is not None:
            failed = score is ItemStatus.UNSCORED and as_text(row.get(name + _ERROR)) is not None
            scores[name] = ItemStatus.ERROR if failed else score
    return scores


def _notes(table: _Table) -> Iterator[str]:
    yield from table.kinds.notes(but=table.expected)
    if table.failed:
        yield f"{count(table.failed, 'trace')} ended in an error: what scorers said of it is left out"
