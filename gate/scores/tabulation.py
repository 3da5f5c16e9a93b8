"""Records -> columns: the samples and the metrics of a format that is read record by record."""

from collections.abc import Mapping, Sequence

import numpy as np

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.model import GUESSED, Columns, ItemStatus, MetricScores, Record
from gate.scores.quoting import did_you_mean, quote, quoted_listing
from gate.scores.samples import Samples, Texts

_SLACK = 1_000_000
_LEAST_FILL = 20


def records_to_samples(records: Sequence[Record], *, repeats: bool, remedy: str) -> Samples:
    """The columns of these records."""
    return Samples(
        ids=[record.id for record in records],
        lines=[record.line for record in records],
        repeats=repeats,
        remedy=remedy,
        inputs=_held([record.inputs for record in records]),
        targets=_held([record.target for record in records]),
        prompts=_held([record.prompt for record in records]),
        groups=_held([record.group for record in records]),
        contents=_held([record.content for record in records]),
    )


def _held(values: Texts) -> Texts | None:
    """The values, or None where no record has one."""
    return None if all(value is None for value in values) else values


def records_to_metrics(records: Sequence[Record], file: ScoreFile) -> dict[str, MetricScores]:
    """Their metrics in order of first appearance; where a record lacks one, it is unscored.

    Raises:
        ScoreFileError: where the records' metrics differ so much that they cannot be columns.
    """
    names = dict.fromkeys(name for record in records for name in record.scores)
    for name in names:
        require_text(name, file)
    refuse_sparse(len(names), len(records), sum(len(record.scores) for record in records), file)
    metrics = {name: _unscored(len(records)) for name in names}
    for row, record in enumerate(records):
        for name, score in record.scores.items():
            column = metrics[name]
            if isinstance(score, ItemStatus):
                column.status[row] = score
            else:
                column.values[row] = score
                column.status[row] = ItemStatus.SCORED
    return metrics


def _unscored(n_samples: int) -> MetricScores:
    return MetricScores(np.full(n_samples, np.nan), np.full(n_samples, ItemStatus.UNSCORED, dtype=np.uint8))


def refuse_sparse(n_columns: int, n_rows: int, n_cells: int, file: ScoreFile) -> None:
    """Raise ScoreFileError where a table of these cells would be nearly all holes and could fill the memory."""
    if n_columns * n_rows > _LEAST_FILL * n_cells + _SLACK:
        raise ScoreFileError(
            f"the records differ too much to be one table: {n_columns} different keys in {n_rows} records",
            where=file.place(),
            remedy="write the same keys in every record",
        )


def require_text(name: str, file: ScoreFile) -> None:
    """Raise ScoreFileError where a name that reports will print cannot be written as UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError as fault:
        raise ScoreFileError(
            f"the key {quote(name)} holds half a surrogate pair, which is no text",
            where=file.place(),
            remedy="rename the key",
        ) from fault


def select_metrics(
    metrics: Mapping[str, MetricScores], asked: Sequence[str] | None, file: ScoreFile
) -> Mapping[str, MetricScores]:
    """The metrics asked for, in that order, or all; ScoreFileError at a name that is not among them."""
    if not asked:
        return metrics
    for name in asked:
        if name not in metrics:
            raise ScoreFileError(
                f"there is no metric {quote(name)}{did_you_mean(name, metrics)}",
                where=file.place(),
                remedy=f"name one of the file's metrics: {quoted_listing(metrics)}",
            )
    return {name: metrics[name] for name in asked}


def refuse_columns(columns: Columns, format_name: str, file: ScoreFile) -> None:
    """Raise ScoreFileError where columns are mapped for a format whose fields are known."""
    if columns != GUESSED:
        raise ScoreFileError(
            f"columns are mapped, but the file was read as {format_name}, whose fields are known",
            where=file.place(),
            remedy="leave the mapping out, or name a plain format, e.g. format: jsonl",
        )
