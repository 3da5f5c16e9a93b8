"""What holds for the columns of every format: their names, their fill, the choice among them."""

import fnmatch
from collections.abc import Mapping, Sequence

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.model import GUESSED, Columns, MetricScores
from gate.scores.quoting import did_you_mean, quote, quoted_listing

# A run has a handful of metrics, HELM's a hundred; what judges each would take minutes for a million.
MOST_COLUMNS = 10_000
_SLACK = 1_000_000
_LEAST_FILL = 20


def refuse_sparse(n_columns: int, n_rows: int, n_cells: int, file: ScoreFile) -> None:
    """Raise ScoreFileError where a table of these cells would be nearly all holes and could fill the memory."""
    refuse_wide(n_columns, file)
    if n_columns * n_rows > _LEAST_FILL * n_cells + _SLACK:
        raise ScoreFileError(
            f"the records differ too much to be one table: {n_columns} different keys in {n_rows} records",
            where=file.place(),
            remedy="write the same keys in every record",
        )


def refuse_wide(n_columns: int, file: ScoreFile) -> None:
    """Raise ScoreFileError where there are more columns than any evaluation writes."""
    if n_columns > MOST_COLUMNS:
        raise ScoreFileError(
            f"there are over {MOST_COLUMNS} columns or keys",
            where=file.place(),
            remedy="write one row an item, with a column for each metric",
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
    metrics: Mapping[str, MetricScores], asked: Sequence[str], file: ScoreFile
) -> Mapping[str, MetricScores]:
    """The metrics asked for by name or pattern, in that order, or all; ScoreFileError at one that is not there."""
    if not asked:
        return metrics
    selected: dict[str, MetricScores] = {}
    for name in asked:
        fitting = [name] if name in metrics else fnmatch.filter(metrics, name)
        if not fitting:
            raise ScoreFileError(
                f"there is no metric {quote(name)}{did_you_mean(name, metrics)}",
                where=file.place(),
                remedy=f"name one of the file's metrics: {quoted_listing(metrics)}",
            )
        selected.update((found, metrics[found]) for found in fitting)
    return selected


def refuse_columns(columns: Columns, format_name: str, file: ScoreFile) -> None:
    """Raise ScoreFileError where columns are mapped for a format whose fields are known."""
    if columns != GUESSED:
        raise ScoreFileError(
            f"columns are mapped, but the file was read as {format_name}, whose fields are known",
            where=file.place(),
            remedy="leave the mapping out, or name a plain format, e.g. format: jsonl",
        )
