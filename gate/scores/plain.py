"""Plain tables: which columns hold what, and the run or the questions that follow from it."""

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gate.errors import ScoreFileError
from gate.scores.assembly import assemble
from gate.scores.cells import Column, Fault, holds_scores, parse_cell, to_scores
from gate.scores.ids import MAP_ANOTHER, Id, as_text, content_digest, digest, make_id, short_form
from gate.scores.model import Columns, MetricScores, Run, Wanted
from gate.scores.quoting import did_you_mean, quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.roles import ALWAYS_METRIC, Roles, can_be_metric, plain_name, require_columns, resolve_roles
from gate.scores.samples import Samples, Texts, no_items
from gate.scores.table import Table
from gate.scores.variants import choose_variant

LARGEST_WEIGHT = 1e9
_OF_BATTLES = frozenset({"model_a", "model_b", "winner"})
_ROWS_WITHOUT = {
    "group": "an item on its own is a group of its own",
    "stratum": "items of no category in particular may share one",
}


def read_table(table: Table, wanted: Wanted) -> Run:
    """The run in a plain table.

    Raises:
        ScoreFileError: where a column is missing, an id doubled or a cell no score, or a variant is asked for.
    """
    if wanted.variant is not None:
        choose_variant([], wanted.variant, table.file)
    columns = wanted.columns
    named = _asked(table, wanted.metrics)
    asked = named or ([columns.score] if columns.score is not None else None)
    roles = _roles(table, columns, asked or ())
    _require_metrics(table, roles, named)
    found = _metrics(table, roles, asked)
    # the raw cells of the metrics are most of the memory, and done with
    table = replace(table, columns={name: table.columns[name] for name in table.columns if name in roles.taken})
    ids = _ids(table, roles)
    groups = _groups(table, roles)
    inputs, targets = _texts(table, roles.inputs), _texts(table, roles.target)
    samples = Samples(
        ids=[item.id for item in ids],
        lines=table.lines,
        repeats=roles.sample is not None,
        remedy=_doubles_remedy(roles),
        keys=_texts(table, roles.sample),
        groups=groups,
        strata=_complete_texts(table, roles.stratum, "stratum"),
        weights=_weights(table, roles.weight),
        inputs=inputs,
        targets=targets if wanted.targets else None,
        content_digests=_content_digests(inputs, targets),
        content_fields=tuple(name for name, texts in (("inputs", inputs), ("target", targets)) if texts is not None),
        prompt_digests=_digests(_texts(table, roles.prompt)),
        id_texts=[item.text for item in ids],
        id_fields=() if roles.id_is_text or roles.id == (table.keys,) else roles.id,
    )
    return assemble(
        table.file, table.format, samples, found, notes=[*table.notes, *_notes(roles, grouped=groups is not None)]
    )


def read_table_items(table: Table, columns: Columns) -> tuple[Item, ...]:
    """The questions of a plain table, one for each id.

    Raises:
        ScoreFileError: where no column holds the questions, or an id stands for different ones.
    """
    roles = _roles(table, columns, ())
    if roles.inputs is None:
        raise ScoreFileError(
            "no column holds the questions",
            where=table.file.place(),
            remedy=f"name it: columns: {{inputs: NAME}}; the file's columns: {quoted_listing(table.columns)}",
        )
    items: dict[str, Item] = {}
    texts = _texts(table, roles.inputs) or ()
    targets = _texts(table, roles.target) or [None] * len(texts)
    for item_id, text, target, line in zip(_ids(table, roles), texts, targets, table.lines, strict=True):
        item = Item(item_id.id, text or "", line, target)
        known = items.setdefault(item.id, item)
        if known.text != item.text:
            raise ScoreFileError(
                f"the id {quote(item.id)} stands for another question on line {known.line}",
                where=table.file.place(line),
                remedy="give different questions different ids",
            )
    return tuple(items.values())


def _asked(table: Table, metrics: Sequence[str]) -> list[str]:
    """The names asked for; a pattern stands for the columns that it fits and that may be metrics."""
    asked: list[str] = []
    for name in metrics:
        fitting = [column for column in table.columns if can_be_metric(column) and fnmatch.fnmatchcase(column, name)]
        asked += [name] if name in table.columns or not fitting else fitting
    return list(dict.fromkeys(asked))


def _roles(table: Table, columns: Columns, scores: Sequence[str]) -> Roles:
    if columns.id is None and table.keys is not None:
        columns = replace(columns, id=(table.keys,))
    if not table.lines:
        raise no_items(table.file)
    roles = resolve_roles(list(table.columns), columns, scores, table.file.place())
    if not roles.id:
        if table.columns.keys() >= _OF_BATTLES:
            raise ScoreFileError(
                "these are battles of two models, not scores of items",
                where=table.file.place(),
                remedy="rank the models with `gate arena FILE`, or judge one of them: `kind: battles` in gate.yml",
            )
        raise ScoreFileError(
            "no column names the items",
            where=table.file.place(),
            remedy=f"name it: columns: {{id: NAME}}; the file's columns: {quoted_listing(table.columns)}",
        )
    return roles


def _ids(table: Table, roles: Roles) -> list[Id]:
    rows = zip(*(table.columns[name] for name in roles.id), strict=True)
    return [
        make_id(cells, is_text=roles.id_is_text, file=table.file, line=line, remedy=MAP_ANOTHER)
        for cells, line in zip(rows, table.lines, strict=True)
    ]


def _texts(table: Table, name: str | None) -> Texts | None:
    return None if name is None else [as_text(cell) for cell in table.columns[name]]


def _content_digests(inputs: Texts | None, targets: Texts | None) -> Texts | None:
    if inputs is None and targets is None:
        return None
    nothing: Texts = [None] * len(inputs or targets or ())
    return list(map(content_digest, inputs or nothing, targets or nothing))


def _digests(texts: Texts | None) -> Texts | None:
    return None if texts is None else [None if text is None else digest(text) for text in texts]


def _metrics(table: Table, roles: Roles, asked: Sequence[str] | None) -> Mapping[str, MetricScores]:
    if asked is not None:
        require_columns(asked, list(table.columns), table.file.place())
        return {name: to_scores(_column(table, name), table.file) for name in asked}
    metrics: dict[str, MetricScores] = {}
    nested = []
    for column in _free_columns(table, roles):
        if _is_metric(column):
            metrics[column.name] = to_scores(column, table.file)
        elif Fault.NESTED in column.parsed:
            nested.append(column.name)
    if not metrics:
        raise _no_metric(table, nested)
    return metrics


def _require_metrics(table: Table, roles: Roles, named: Sequence[str]) -> None:
    """Raise ScoreFileError at the first metric asked for that is not there, with those that are."""
    missing = next((name for name in named if name not in table.columns), None)
    if missing is None:
        return
    known = [column.name for column in _free_columns(table, roles) if _is_metric(column)]
    raise ScoreFileError(
        f"there is no metric {quote(missing)}{did_you_mean(missing, known)}",
        where=table.file.place(),
        remedy=f"name one of the file's metrics: {quoted_listing(known)}",
    )


def _free_columns(table: Table, roles: Roles) -> Iterator[Column]:
    """The columns that play no other part and may be metrics, one by one: parsed, each is as large as the file's."""
    names = (name for name in table.columns if name not in roles.taken and can_be_metric(name))
    return (_column(table, name) for name in names)


def _is_metric(column: Column) -> bool:
    return plain_name(column.name) == ALWAYS_METRIC or holds_scores(column.parsed)


def _column(table: Table, name: str) -> Column:
    cells = table.columns[name]
    return Column(name, cells, [parse_cell(cell) for cell in cells], table.lines)


def _no_metric(table: Table, nested: Sequence[str]) -> ScoreFileError:
    if nested:
        return ScoreFileError(
            f"no column holds scores; objects or lists stand in {quoted_listing(nested)}",
            where=table.file.place(),
            remedy='write each score itself under its own key, e.g. "score": 0.5',
        )
    return ScoreFileError(
        "no column holds scores",
        where=table.file.place(),
        remedy=f"name it: columns: {{score: NAME}}; the file's columns: {quoted_listing(table.columns)}",
    )


def _groups(table: Table, roles: Roles) -> Texts | None:
    """Each row's group; none where a guessed column leaves rows without one."""
    if "group" in roles.guessed and None in (_texts(table, roles.group) or ()):
        return None
    return _complete_texts(table, roles.group, "group")


def _complete_texts(table: Table, name: str | None, part: str) -> Texts | None:
    """A column's texts, which are names and as such in their short form; ScoreFileError at the first row without."""
    texts = _texts(table, name)
    if texts is not None and None in texts:
        raise ScoreFileError(
            f"the row has no {part}",
            where=table.file.place(table.lines[texts.index(None)], f"column {quote(name)}"),
            remedy=f"give every row one: {_ROWS_WITHOUT[part]}",
        )
    return None if texts is None else [short_form(text or "") for text in texts]


def _weights(table: Table, name: str | None) -> Sequence[float] | None:
    """A column of weights; ScoreFileError at the first cell that is none."""
    if name is None:
        return None
    weights = []
    for cell, line in zip(table.columns[name], table.lines, strict=True):
        weight = parse_cell(cell)
        if not isinstance(weight, float) or not 0 < weight <= LARGEST_WEIGHT:
            raise ScoreFileError(
                f"{quote(cell)} is no weight",
                where=table.file.place(line, f"column {quote(name)}"),
                remedy="write a number above zero: how many times the item counts; leave items out that must not count",
            )
        weights.append(weight)
    return weights


def _doubles_remedy(roles: Roles) -> str:
    others = [name for name in (roles.inputs, roles.target) if name is not None and name not in roles.id]
    columns = ", ".join([*roles.id, *(others[-1:] or ["NAME"])])
    return (
        "remove the rows that are too many; or, if they are repeats of one item, name the column that numbers them:"
        f" columns: {{sample: NAME}}; or name more columns that tell the items apart: columns: {{id: [{columns}]}}"
    )


def _notes(roles: Roles, *, grouped: bool) -> list[str]:
    notes = []
    if roles.id_is_text:
        named = quoted_listing(roles.id)
        notes.append(f"an item's id is a short hash of its text in {named}")
    elif roles.guessed.get("id", "id").lower() != "id":
        notes.append(f"items are named by the column {quote(roles.guessed['id'])}")
    content = [quote(roles.guessed[part]) for part in ("inputs", "target") if part in roles.guessed]
    if content:
        notes.append(f"an item's content is what stands in {' and '.join(content)}")
    if "group" in roles.guessed:
        named = f"the column {quote(roles.guessed['group'])}"
        notes.append(
            f"items are grouped by {named}" if grouped else f"{named} does not group the items: some rows have none"
        )
    if "sample" in roles.guessed:
        notes.append(f"the column {quote(roles.guessed['sample'])} tells the repeats of an item apart")
    return notes
