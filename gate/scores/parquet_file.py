"""Parquet files through pyarrow, an extra: their columns by name, and their rows as records, batch by batch."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.records import Numbered

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

_BATCH_ROWS = 1024


def column_tree(file: ScoreFile) -> Mapping[str, object]:
    """Each column's name with an object of the same kind for the fields in it, "" where it has none.

    Raises:
        ScoreFileError: where pyarrow is not installed or the file is broken.
    """
    with _opened(file) as opened:
        return {field.name: _fields(field.type) for field in opened.schema_arrow}


def iter_rows(file: ScoreFile, columns: Sequence[str] | None = None) -> Iterator[Numbered]:
    """The rows as records of plain Python values, counted from 1, with only the columns asked for.

    A column may be named with the field in it that is wanted: ``doc.query``. Errors as in ``column_tree``.
    """
    number = 0
    with _opened(file) as opened:
        for batch in opened.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield Numbered(number, {name: _plain(value) for name, value in row.items()})


def _plain(value: object) -> object:
    """A value as JSON could have held it: dates become text, decimals numbers."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {name: _plain(element) for name, element in value.items()}
    return float(value) if isinstance(value, Decimal) else str(value)


def _fields(kind: "pa.DataType") -> object:
    if not hasattr(kind, "fields") or not kind.num_fields:
        return ""
    return {field.name: _fields(field.type) for field in kind.fields}


@contextmanager
def _opened(file: ScoreFile) -> Iterator["parquet.ParquetFile"]:
    try:
        # imported here: an extra, and heavy
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as fault:
        raise ScoreFileError(
            "this is a Parquet file, which needs pyarrow",
            where=file.place(),
            remedy="install it with `pip install 'gate[parquet]'`; the container image has none: there, export the "
            "table as CSV or JSON Lines first",
        ) from fault
    try:
        with parquet.ParquetFile(file.path) as opened:
            yield opened
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise ScoreFileError(
            f"the Parquet file is broken or cut short ({' '.join(str(fault).split())[:200]})",
            where=file.place(),
            remedy="write or copy the file again",
        ) from fault
