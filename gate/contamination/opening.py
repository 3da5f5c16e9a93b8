"""Opening a file of the corpus, on this machine or in a store, and making sure that it stays the same meanwhile."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from gate.contamination.stores import BLOCK, look_up, open_stored
from gate.errors import CorpusError, Place
from gate.files import GZIP_MAGIC, ZSTD_MAGIC, decompressed, is_url, require_regular_file, telling_faults

_BUFFER = 1 << 20


class FileVersion(NamedTuple):
    """Bytes of a file as it lies there, and what tells this version of it from others: time of change, or etag."""

    size: int
    mark: str


def file_version(path: str) -> FileVersion:
    """The version that lies there now.

    Raises:
        CorpusError: where it is missing or cannot be read.
    """
    if is_url(path):
        stored = look_up(path)
        return FileVersion(stored.size, stored.version)
    require_regular_file(Path(path), error=CorpusError)
    found = Path(path).stat()
    return FileVersion(found.st_size, str(found.st_mtime_ns))


@contextmanager
def open_stored_bytes(path: str, where: Place, *, at_once: int = BLOCK) -> Iterator[BinaryIO]:
    """Open the file for buffered reading, as it lies there.

    Raises:
        CorpusError: where it cannot be read, or breaks while it is read.
    """
    if is_url(path):
        with telling_faults(where, CorpusError), open_stored(path, at_once=at_once) as stream:
            yield stream
        return
    require_regular_file(Path(path), error=CorpusError)
    with telling_faults(where, CorpusError), Path(path).open("rb", buffering=_BUFFER) as stream:
        yield stream


@contextmanager
def open_unpacked(path: str, size: int, where: Place) -> Iterator[BinaryIO]:
    """Open the file for buffered reading, decompressed where it is gzip or zstd; errors as ``open_stored_bytes``."""
    with open_stored_bytes(path, where) as stream:
        yield decompressed(stream, size)


def is_compressed(path: str, where: Place) -> bool:
    """Whether the file is gzip or zstd by its first bytes."""
    with open_stored_bytes(path, where, at_once=len(ZSTD_MAGIC)) as stream:
        return stream.read(len(ZSTD_MAGIC)).startswith((GZIP_MAGIC, ZSTD_MAGIC))


def require_unchanged(path: str, version: FileVersion, where: Place) -> None:
    """Refuse a file that is not the one that was planned for.

    Raises:
        CorpusError: where its size, its time of change or its etag is another.
    """
    if file_version(path) != version:
        raise CorpusError(
            "the file has changed since the scan began, so that no one version of it was read",
            where=where,
            remedy="scan again when nothing writes to it any more",
        )


def absolute(path: str) -> str:
    """The path for a process that may run in another folder."""
    return path if is_url(path) else os.path.abspath(path)  # noqa: PTH100  # Path.absolute keeps ".."
