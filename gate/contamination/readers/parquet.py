"""Parquet files through pyarrow, an extra: a document a row, only the columns read that hold its text."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate.contamination.columns import Columns, choose_columns
from gate.contamination.decoding import printable
from gate.contamination.documents import LONG, Document, Fields, Range, document
from gate.contamination.opening import open_stored_bytes
from gate.contamination.readers.reading import Reading
from gate.contamination.records import RecordReader, UnreadableRecordError
from gate.contamination.stores import BLOCK
from gate.contamination.tally import DocumentKey
from gate.errors import CorpusError, GateError, Place
from gate.files import is_url

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

# Bytes of rows that are held at once, and rows at most.
_BATCH_BYTES = 4 << 20
_BATCH_ROWS = 8192
_LOCAL_BUFFER = 1 << 20
_FOOTER_BUFFER = 1 << 16
_MOST_TOLD = 200


def plan_row_groups(path: str, where: Place, shard_bytes: int) -> list[Range]:
    """Runs of row groups, each of about so many bytes or of one group.

    Raises:
        CorpusError: where pyarrow is missing or the file is broken.
    """
    with _opened(path, where) as file:
        sizes = [file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups)]
    runs: list[Range] = []
    start = held = 0
    for number, size in enumerate(sizes):
        held += size
        if held >= shard_bytes or number == len(sizes) - 1:
            runs.append(Range(start, number + 1))
            start, held = number + 1, 0
    return runs or [Range(0, 0)]


def read_parquet(reading: Reading) -> Iterator[Document]:
    """The documents of the shard's rows; errors as ``ShardReader`` tells them."""
    with _opened(reading.path, reading.place()) as file:
        groups = range(reading.start, file.num_row_groups if reading.stop is None else reading.stop)
        columns = choose_columns(file.schema_arrow.names, reading.fields, reading.place())
        narrowed = _narrowed(file, columns, reading.fields)
        records = RecordReader(reading.fields)
        for group in groups:
            for number, batch in enumerate(_batches(file, group, narrowed)):
                if number == 0:
                    reading.bytes_read += _stored_bytes(file, group, narrowed)
                yield from _documents(reading, batch, records)


def _documents(reading: Reading, batch: "pa.RecordBatch", records: RecordReader) -> Iterator[Document]:
    names = batch.schema.names
    values = [_plain(reading, column) for column in batch.columns]
    for row in zip(*values, strict=True):
        reading.records += 1
        try:
            text, identity = records.read(dict(zip(names, row, strict=True)))
        except UnreadableRecordError as fault:
            raise fault.at(reading.place(part=f"row {_row(reading)}")) from fault
        key = DocumentKey(reading.file, reading.start, reading.records, identity)
        yield Document(key, text, None) if len(text) <= LONG else document(key, text)


def _batches(file: "parquet.ParquetFile", group: int, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
    found = file.metadata.row_group(group)
    rows = _BATCH_BYTES * found.num_rows // max(1, found.total_byte_size)
    # threads of pyarrow would take the cores of the other workers
    batches: Iterator[pa.RecordBatch] = file.iter_batches(
        batch_size=min(max(1, rows), _BATCH_ROWS), row_groups=[group], columns=columns, use_threads=False
    )
    return batches


def _plain(reading: Reading, column: "pa.Array") -> Sequence[object]:
    """The values of a column; text that is not UTF-8 is replaced and counted, as in every other kind of file."""
    import pyarrow as pa  # noqa: PLC0415

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)):
        return _nested(reading, column)
    try:
        if not pa.types.is_binary(kind):
            return column.to_pylist()  # type: ignore[no-any-return]  # pyarrow tells no types
    except UnicodeDecodeError:
        column = column.cast(pa.large_binary())
    return [None if value is None else reading.decode(value, at_start=False) for value in column.to_pylist()]


def _nested(reading: Reading, column: "pa.Array") -> Sequence[object]:
    try:
        return column.to_pylist()  # type: ignore[no-any-return]  # pyarrow tells no types
    except UnicodeDecodeError as fault:
        raise CorpusError(
            "a text within a nested column is not UTF-8",
            where=reading.place(part=f"row {_row(reading) + 1} or one below it"),
            remedy="write the file again with its text as UTF-8",
        ) from fault


def _row(reading: Reading) -> int:
    """The number in the file of the latest row read."""
    with _opened(reading.path, reading.place()) as file:
        before: int = sum(file.metadata.row_group(group).num_rows for group in range(reading.start))
    return reading.records + before


def _stored_bytes(file: "parquet.ParquetFile", group: int, columns: Sequence[str]) -> int:
    """Bytes of the columns read of a row group, decompressed: by the footer, so that they do not depend on the cuts.

    To be asked once the columns have been read from, which refuses what is damaged: asked first, pyarrow throws an
    exception of C++, which ends the process.
    """
    found = file.metadata.row_group(group)
    leaves = [number for number in range(len(file.schema)) if _is_in(file.schema.column(number).path, columns)]
    return sum(int(found.column(number).total_uncompressed_size) for number in leaves)


def _narrowed(file: "parquet.ParquetFile", columns: Columns, fields: Fields) -> list[str]:
    """What to read of the columns: of one with fields in it only those asked for, where their path leads to them."""
    asked = [*fields.text, *([] if fields.id is None else [fields.id])]
    leaves = [file.schema.column(number).path for number in range(len(file.schema))]
    narrowed: list[str] = []
    for name in columns.names:
        paths = [path for path in asked if _is_in(path, [name])]
        leading = name not in asked and paths and all(any(_is_in(leaf, [path]) for leaf in leaves) for path in paths)
        narrowed += paths if leading else [name]
    return narrowed


def _is_in(leaf: str, paths: Sequence[str]) -> bool:
    return any(leaf == path or leaf.startswith(f"{path}.") for path in paths)


@contextmanager
def _opened(path: str, where: Place) -> "Iterator[parquet.ParquetFile]":
    try:
        # imported here: an extra, and heavy
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as fault:
        raise CorpusError(
            "this is a Parquet file, which needs pyarrow",
            where=where,
            remedy="install it with `pip install 'gate[parquet]'`, or export the table as CSV or JSON Lines first",
        ) from fault
    with open_stored_bytes(path, where, at_once=_FOOTER_BUFFER) as stream:
        try:
            # without a buffer pyarrow would hold a row group's columns whole
            yield parquet.ParquetFile(stream, buffer_size=BLOCK if is_url(path) else _LOCAL_BUFFER, pre_buffer=False)
        except GateError:
            raise
        except (pa.ArrowException, OSError, ValueError) as fault:
            raise CorpusError(
                f"the Parquet file is broken or cut short ({printable(' '.join(str(fault).split())[:_MOST_TOLD])})",
                where=where,
                remedy="write or copy the file again",
            ) from fault
