"""Parquet files through pyarrow, an extra: their columns by name, and their rows as records, batch by batch."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, BinaryIO

from gate.errors import ScoreFileError
from gate.files import BOMB_RATIO, most_unpacked
from gate.scores.content import MOST_LINES, ScoreFile
from gate.scores.records import Numbered

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

_BATCH_ROWS = 1024
# What a batch may hold in memory at the worst.
_ROOM = 1 << 27
# In these a row is a few bits that stand for a text stored once, which can be of megabytes.
_SHARING = frozenset({"RLE_DICTIONARY", "PLAIN_DICTIONARY", "DELTA_BYTE_ARRAY"})
# The head of a page, by Thrift's compact protocol: its kind, then its size unpacked, each a field of 32 bits.
_PAGE_HEAD = re.compile(rb"\x15[\x80-\xff]{0,4}[\x00-\x7f]\x15(?P<size>[\x80-\xff]{0,4}[\x00-\x7f])")
_LONGEST_HEAD = 12


def column_tree(file: ScoreFile) -> Mapping[str, object]:
    """Each column's name with an object of the same kind for the fields in it, "" where it has none.

    Raises:
        ScoreFileError: where pyarrow is not installed or the file is broken.
    """
    with _opened(file) as opened:
        return {field.name: _fields(field.type) for field in opened.schema_arrow}


def iter_rows(file: ScoreFile, columns: Sequence[str] | None = None) -> Iterator[Numbered]:
    """The rows as records of plain Python values, counted from 1, with only the columns asked for.

    A column may be named with the field in it that is wanted: ``doc.query``.

    Raises:
        ScoreFileError: as in ``column_tree``; also where the file stands for too many rows, or for more than a file of
            its size can honestly hold.
    """
    number, unpacked = 0, 0
    with _opened(file) as opened:
        for batch in opened.iter_batches(batch_size=_batch_rows(opened, file), columns=columns):
            unpacked += batch.nbytes
            _require_no_bomb(unpacked, file)
            for row in batch.to_pylist():
                number += 1
                yield Numbered(number, {name: _plain(value) for name, value in row.items()})


def _batch_rows(opened: "parquet.ParquetFile", file: ScoreFile) -> int:
    """How many rows fit into memory though each held all that its column shares out among them."""
    about = opened.metadata
    with file.path.open("rb") as raw:
        shared = [
            _shared_bytes(about.row_group(group).column(column), raw)
            for group in range(about.num_row_groups)
            for column in range(about.num_columns)
        ]
    return max(1, min(_BATCH_ROWS, _ROOM // max([1, *shared])))


def _shared_bytes(chunk: "parquet.ColumnChunkMetaData", raw: BinaryIO) -> int:
    """The size of what a column's rows share: of its dictionary; of all of it where that cannot be told."""
    if _SHARING.isdisjoint(chunk.encodings):
        return 0
    whole = int(chunk.total_uncompressed_size)
    if chunk.dictionary_page_offset is None or "DELTA_BYTE_ARRAY" in chunk.encodings:
        return whole
    raw.seek(chunk.dictionary_page_offset)
    head = _PAGE_HEAD.match(raw.read(_LONGEST_HEAD))
    return whole if head is None else _zigzag(head["size"])


def _zigzag(varint: bytes) -> int:
    """A number of Thrift's compact protocol: seven bits a byte, the lowest first; the last bit is its sign."""
    return sum((byte & 0x7F) << (7 * place) for place, byte in enumerate(varint)) >> 1


def _require_no_bomb(unpacked: int, file: ScoreFile) -> None:
    if unpacked > most_unpacked(file.version.size):
        raise ScoreFileError(
            f"the file expands beyond all measure: to over {BOMB_RATIO} times its size",
            where=file.place(),
            remedy="look at what it holds; if it is sound, export the table as CSV or JSON Lines",
        )


def _require_measure(opened: "parquet.ParquetFile", file: ScoreFile) -> None:
    about = opened.metadata
    if about.num_rows > MOST_LINES:
        raise ScoreFileError(
            f"the file has over {MOST_LINES} rows",
            where=file.place(),
            remedy="look at what it holds; if all of it is scores, split the run into several",
        )
    _require_no_bomb(sum(about.row_group(group).total_byte_size for group in range(about.num_row_groups)), file)


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
            _require_measure(opened, file)
            yield opened
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise ScoreFileError(
            f"the Parquet file is broken or cut short ({' '.join(str(fault).split())[:200]})",
            where=file.place(),
            remedy="write or copy the file again",
        ) from fault
