"""MLflow's ``eval_results_table.json``: the names of the columns and the rows, in the shape that pandas calls split.

The columns of the data are the user's own, so those with questions and answers are found as in plain files, or mapped;
the scores are in NAME/score, with ``latency`` and ``token_count`` beside them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gate.errors import ScoreFileError
from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import MAP_ANOTHER, as_text, make_id, name_part
from gate.scores.model import GUESSED, Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import Form, Traits, items_of_records, run_of_records
from gate.scores.roles import Roles, resolve_roles
from gate.scores.strict_json import parse_document

_SCORE = "/score"
_COSTS = ("latency", "token_count")
_PART = "data[{index}]"


def _traits(metric: str) -> Traits | None:
    return Traits(direction=Direction.LOWER) if metric in _COSTS else None


_FORM = Form(
    "mlflow",
    remedy="give each row of the evaluation data a column with an id and name it: columns: {id: NAME}",
    traits=_traits,
    part=_PART,
)


class _Table(NamedTuple):
    names: Sequence[str]
    rows: Sequence[object]
    roles: Roles


def matches(first: FirstRecord) -> bool:
    """Whether the file is one object of column names and rows."""
    record = first.fields
    return first.is_map and all(isinstance(record.get(key), list) for key in ("columns", "data"))


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a table; a metric's name is its column's, without ``/score``.

    Raises:
        ScoreFileError: where no column names the items or none holds scores, or a score is no number.
    """
    table = _table(file, wanted.columns)
    if not any(map(_metric, table.names)):
        raise ScoreFileError(
            "no column holds scores per row",
            where=file.place(part='key "columns"'),
            remedy="evaluate with extra_metrics that score each row; their columns end in /score",
        )
    return run_of_records(file, _FORM, _records(table, file), replace(wanted, columns=GUESSED))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions in the table."""
    return items_of_records(file, _FORM, _records(_table(file, columns), file), GUESSED)


def _table(file: ScoreFile, columns: Columns) -> _Table:
    whole = parse_document(file)
    names = whole.get("columns") if isinstance(whole, dict) else None
    rows = whole.get("data") if isinstance(whole, dict) else None
    if not isinstance(names, list) or not isinstance(rows, list) or not all(isinstance(name, str) for name in names):
        raise ScoreFileError(
            "the file is not a table of column names and rows",
            where=file.place(),
            remedy='give the eval_results_table.json of the run, {"columns": [...], "data": [[...], ...]}',
        )
    if len(set(names)) < len(names):
        raise ScoreFileError(
            "two columns have the same name",
            where=file.place(part='key "columns"'),
            remedy="give the columns of the evaluation data different names",
        )
    _refuse_unread(columns, file)
    roles = resolve_roles(names, columns, [], file.place(part='key "columns"'))
    if not roles.id:
        raise ScoreFileError(
            "no column names the items",
            where=file.place(part='key "columns"'),
            remedy=f"name it: columns: {{inputs: NAME}} or {{id: NAME}}; the table's columns: {quoted_listing(names)}",
        )
    if columns.id is None and roles.id_is_text and roles.target not in {None, *roles.id}:
        roles = replace(roles, id=(*roles.id, roles.target or ""))
    return _Table(names, rows, roles)


def _refuse_unread(columns: Columns, file: ScoreFile) -> None:
    for part in ("score", "sample", "weight"):
        if getattr(columns, part) is not None:
            raise ScoreFileError(
                f"columns maps {part}, which an MLflow table does not take",
                where=file.place(),
                remedy="map id, inputs, target, group, stratum or prompt; scores end in /score",
            )


def _records(table: _Table, file: ScoreFile) -> Iterator[Record]:
    for number, cells in enumerate(table.rows, start=1):
        part = name_part(_PART, number)
        if not isinstance(cells, list) or len(cells) != len(table.names):
            raise ScoreFileError(
                f"the row does not have a value for each of the {len(table.names)} columns",
                where=file.place(part=part),
                remedy="log the table again; each row is a list as long as the list of columns",
            )
        row = dict(zip(table.names, cells, strict=True))
        yield _record(row, number, table.roles, file)


def _record(row: dict[str, object], number: int, roles: Roles, file: ScoreFile) -> Record:
    texts: dict[str, Any] = {
        name: as_text(row[column])
        for name in ("inputs", "target", "group", "stratum", "prompt")
        if (column := getattr(roles, name)) is not None
    }
    cells = [as_text(row[name]) if roles.id_is_text else row[name] for name in roles.id]
    if roles.id_is_text:
        # a question whose answer is not known is named by its text alone
        cells = [cells[0], *filter(None, cells[1:])]
    is_text = roles.id_is_text
    item = make_id(cells, is_text=is_text, file=file, line=number, part=_PART, remedy=MAP_ANOTHER).id
    return Record(id=item, scores=_scores(row, number, file), line=number, **texts)


def _metric(name: str) -> str | None:
    return name.removesuffix(_SCORE) if name.endswith(_SCORE) else name if name in _COSTS else None


def _scores(row: dict[str, object], number: int, file: ScoreFile) -> dict[str, float | ItemStatus]:
    scores: dict[str, float | ItemStatus] = {}
    for name, value in row.items():
        metric = _metric(name)
        if metric:
            place = file.place(part=f"{name_part(_PART, number)}, column {quote(name)}")
            scores[metric] = require_score(value, place)
    return scores
