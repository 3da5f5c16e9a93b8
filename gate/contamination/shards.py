"""The corpus in pieces of work that can be read anywhere and in any order: planned here, read by ``ShardReader``."""

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from gate.contamination.documents import Document, Fields, Range
from gate.contamination.opening import FileVersion, absolute, file_version, is_compressed, require_unchanged
from gate.contamination.readers import READERS, Reading
from gate.contamination.readers.parquet import plan_row_groups
from gate.contamination.sources import SourceFile, Sources
from gate.errors import CorpusError, Place

__all__ = ["PARTS", "SHARD_BYTES", "Document", "Fields", "Shard", "ShardReader", "plan_shards"]

SHARD_BYTES = 64 << 20
# What the numbers of documents count in each kind of file; others are one document.
PARTS = {".jsonl": "line", ".json": "record", ".csv": "row", ".parquet": "row"}


class Shard(NamedTuple):
    """A file of the corpus or a part of it.

    Attributes:
        file: the number of its file in reading order, from 0.
        path: its path on this machine, absolute, or its URL.
        name: how the user would name the file.
        kind: one of ``KINDS``.
        start: where it starts: a byte of a plain .jsonl, a row group of .parquet; otherwise 0.
        stop: the first one behind it; None for the end of the file.
        size: bytes of the whole file as it lies there.
        version: what tells this version of the file from others: time of change, or etag.
    """

    file: int
    path: str
    name: str
    kind: str
    start: int
    stop: int | None
    size: int
    version: str

    @property
    def key(self) -> str:
        """A name of this piece of work, SHA-256 in hexadecimal: the same wherever the file is seen by the same name."""
        told = (self.name, self.kind, self.size, self.version, self.start, self.stop)
        return hashlib.sha256(repr(told).encode()).hexdigest()


def plan_shards(sources: Sources, *, shard_bytes: int = SHARD_BYTES) -> tuple[Shard, ...]:
    """Cut a corpus into pieces of work, in reading order.

    A plain .jsonl is cut into ranges of bytes, a .parquet into runs of row groups; other files stay whole.

    Args:
        sources: the files.
        shard_bytes: about how many bytes a piece has, 1 or more.

    Raises:
        CorpusError: where a file is gone, or a .parquet cannot be read.
    """
    return tuple(shard for number, file in enumerate(sources.files) for shard in _cut(number, file, shard_bytes))


def _cut(number: int, file: SourceFile, shard_bytes: int) -> Iterator[Shard]:
    size, mark = file_version(file.path)
    for start, stop in _ranges(file, size, shard_bytes):
        yield Shard(number, absolute(file.path), file.name, file.kind, start, stop, size, mark)


def _ranges(file: SourceFile, size: int, shard_bytes: int) -> list[Range]:
    if file.kind == ".parquet":
        return plan_row_groups(file.path, Place(file.name), shard_bytes)
    if file.kind != ".jsonl" or size <= shard_bytes or is_compressed(file.path, Place(file.name)):
        return [Range(0, None)]
    starts = range(0, size, shard_bytes)
    return [Range(start, start + shard_bytes if start + shard_bytes < size else None) for start in starts]


class ShardReader:
    """Reads a shard; iterate over it once."""

    def __init__(self, shard: Shard, fields: Fields) -> None:
        self._shard = shard
        self._reading = Reading(shard.path, shard.name, shard.size, shard.start, shard.stop, shard.file, fields)

    def __iter__(self) -> Iterator[Document]:
        """The documents in order.

        Raises:
            CorpusError: where the file or a record in it cannot be read, or the file is not the one planned for.
        """
        shard, where = self._shard, Place(self._shard.name)
        version = FileVersion(shard.size, shard.version)
        require_unchanged(shard.path, version, where)
        try:
            yield from READERS[shard.kind](self._reading)
        except CorpusError:
            # what a writer has half done is no fault of the writer's
            require_unchanged(shard.path, version, where)
            raise
        require_unchanged(shard.path, version, where)

    @property
    def bytes(self) -> int:
        """Bytes read so far, after decompression."""
        return self._reading.bytes_read

    @property
    def replaced(self) -> int:
        """Places so far that were not UTF-8 and were replaced."""
        return self._reading.replaced

    @property
    def records(self) -> int:
        """Records read so far: lines of a .jsonl, empty ones included, else documents."""
        return self._reading.records
