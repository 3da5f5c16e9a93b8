"""Files at the bottom of the house: opening them (plain, gzip, zstd), and knowing them by digest."""

import gzip
import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gate.errors import GateError, Place, ScoreFileError

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 20
# A zstd frame of so many bytes can hold 128 MB, and what one read gives stands in memory at once.
_ZSTD_CHUNK = 1 << 12
# of fsspec's kind, in which one address may stand within another: simplecache::s3://...
_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*::)*[A-Za-z][A-Za-z0-9+.-]*://")
# Text that is worth reading shrinks to a tenth, a very repetitive one to a fiftieth.
_BOMB_BYTES = 100_000_000
BOMB_RATIO = 200


@contextmanager
def open_bytes(path: Path, *, error: type[GateError] = ScoreFileError) -> Iterator[BinaryIO]:
    """Open a regular file for buffered reading, decompressed where its first bytes say gzip or zstd.

    Args:
        path: the file.
        error: the class to raise, so that the message names the caller's kind of file.

    Raises:
        GateError: of class ``error``, where the file is missing, not a regular file, unreadable, or where
            its compressed stream is broken, ends early or expands beyond all measure (raised while it is read).
    """
    require_regular_file(path, error=error)
    with telling_faults(Place(str(path)), error), path.open("rb", buffering=_CHUNK) as raw:
        yield decompressed(raw, os.fstat(raw.fileno()).st_size)


def decompressed(raw: BinaryIO, size: int) -> BinaryIO:
    """The stream's content for buffered reading, decompressed where its first bytes say gzip or zstd.

    What is wrong with it is raised while it is read, as ``telling_faults`` understands it.

    Args:
        raw: a stream that can seek, at its start.
        size: bytes in it as it is stored; what grows out of all proportion to that is a bomb.
    """
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(GZIP_MAGIC):
        unpacked = cast("io.RawIOBase", gzip.GzipFile(fileobj=raw))
        return io.BufferedReader(_MeasuredStream(unpacked, size), _CHUNK)
    if magic == ZSTD_MAGIC:
        return io.BufferedReader(_MeasuredStream(_ZstdStream(raw), size), _CHUNK)
    return raw


@contextmanager
def telling_faults(where: Place, error: type[GateError]) -> Iterator[None]:
    """Turn what breaks while a file is opened and read into ``error`` at ``where``."""
    try:
        yield
    except _ExpansionError as fault:
        raise error(
            f"the compressed file expands beyond all measure: to over {BOMB_RATIO} times its size",
            where=where,
            remedy="look at what it holds; if it is sound, unpack it and give the unpacked file",
        ) from fault
    except OSError as fault:
        if isinstance(fault, gzip.BadGzipFile):
            raise _broken_stream(where, fault, error) from fault
        raise error(
            f"the file cannot be read: {fault.strerror or fault}",
            where=where,
            remedy="check that it exists on this machine and that this user may read it",
        ) from fault
    except (EOFError, zlib.error) as fault:
        raise _broken_stream(where, fault, error) from fault


def require_regular_file(path: Path, *, error: type[GateError] = ScoreFileError) -> None:
    """Raise ``error`` unless ``path`` names an existing regular file: a pipe or a device could hang the job."""
    where = Place(str(path))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as fault:
        raise error(
            "there is no such file", where=where, remedy="check the path and the step that writes it"
        ) from fault
    except (OSError, ValueError) as fault:
        # a path with a NUL in it has no errno, and Python words that differently in each version
        reason = getattr(fault, "strerror", None) or "no path can be written like this"
        raise error(
            f"the path cannot be read: {reason}", where=where, remedy="check the path and its rights"
        ) from fault
    if stat.S_ISDIR(mode):
        raise error("this is a directory, not a file", where=where, remedy="name one file in it")
    if not stat.S_ISREG(mode):
        raise error("this is not a regular file", where=where, remedy="name a regular file, not a pipe or a device")


def is_url(path: str) -> bool:
    """Whether this is a URL, as of an object store, not a path."""
    return _URL.match(path) is not None


def most_unpacked(size: int) -> int:
    """How many bytes a file of that size may hold when it is unpacked: more than that is a bomb."""
    return max(_BOMB_BYTES, BOMB_RATIO * size)


def sha256_of(path: Path) -> str:
    """The SHA-256 of the file's bytes as they lie on disk, in hexadecimal."""
    with path.open("rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest()


class _ExpansionError(Exception):
    """More comes out of a compressed file than anyone would have put into it."""


class _MeasuredStream(io.RawIOBase):
    """A decompressed stream that stops where it grows out of all proportion to the file on disk."""

    def __init__(self, unpacked: io.RawIOBase, size: int) -> None:
        self._unpacked = unpacked
        self._limit = most_unpacked(size)
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: "bytearray | memoryview") -> int:  # type: ignore[override]  # the stub asks for Buffer
        size = self._unpacked.readinto(target) or 0
        self._size += size
        if self._size > self._limit:
            raise _ExpansionError
        return size


class _ZstdStream(io.RawIOBase):
    """A zstd stream that, unlike zstandard's own reader, tells a truncated file from a finished one."""

    def __init__(self, raw: BinaryIO) -> None:
        # imported here: most score files are not compressed, and start-up time counts
        import zstandard  # noqa: PLC0415

        self._raw = raw
        self._zstandard = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: "bytearray | memoryview") -> int:  # type: ignore[override]  # the stub asks for Buffer
        while not self._ready:
            if not self._refill():
                return 0
        size = min(len(self._ready), len(target))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _refill(self) -> bool:
        """Decompress one more chunk; False at the end of the last frame."""
        chunk = self._frame.unused_data if self._frame.eof else b""
        chunk = chunk or self._raw.read(_ZSTD_CHUNK)
        if not chunk:
            if not self._frame.eof:
                raise EOFError("compressed file ended before the end-of-stream marker was reached")
            return False
        if self._frame.eof:
            self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        try:
            self._ready = memoryview(self._frame.decompress(chunk))
        except self._zstandard.ZstdError as fault:
            raise zlib.error(str(fault)) from fault
        return True


def _broken_stream(where: Place, fault: Exception, error: type[GateError]) -> GateError:
    return error(
        f"the compressed file is broken or cut short ({fault})",
        where=where,
        remedy="write or copy the file again; its end or a part of it is missing",
    )
