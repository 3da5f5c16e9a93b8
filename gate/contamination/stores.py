"""Files in object stores by their URL, through fsspec: an extra, as each store's own client is."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from gate.contamination.decoding import printable
from gate.errors import CorpusError, GateError, Place

if TYPE_CHECKING:
    from fsspec.spec import AbstractFileSystem

# What one request to a store fetches: with small ones, most of the time goes into waiting.
BLOCK = 8 << 20
_SECRETS = re.compile(r"//[^/@:]*:[^/@]*@")
_MOST_TOLD = 200
# What tells one version of a file from another, in the words of the stores, the surest first.
_VERSIONS = ("ETag", "etag", "md5", "md5Hash", "mtime", "LastModified", "last_modified", "created")


class StoredFile(NamedTuple):
    """A file in a store: its URL, its bytes as stored, and what tells this version of it from another."""

    url: str
    size: int
    version: str


class Listing(NamedTuple):
    """What an address stands for: itself as the store writes it, and its files."""

    address: str
    files: list[StoredFile]


def url_name(url: str) -> str:
    """The URL as it may be told: without a password or a signature in it."""
    if url.startswith("http"):
        url = url.partition("?")[0]
    return printable(_SECRETS.sub("//***@", url))


def has_magic(path: str) -> bool:
    """Whether this is a glob pattern."""
    return any(mark in path for mark in "*?[")


def list_files(url: str) -> Listing:
    """The file, the files of the folder with all folders in it, or what matches the pattern; in no order.

    Raises:
        CorpusError: where fsspec or the store's client is missing, or the store does not answer.
    """
    with _telling_faults(url):
        system, path = _open_store(url)
        if has_magic(path) and not system.exists(path):
            found = system.glob(path, detail=True)
        elif system.isdir(path):
            found = system.find(path, detail=True)
        else:
            found = {path: system.info(path)}
        files = [
            _stored(system.unstrip_protocol(name), info) for name, info in found.items() if info["type"] != "directory"
        ]
        return Listing(system.unstrip_protocol(path), files)


def look_up(url: str) -> StoredFile:
    """The file as it is now.

    Raises:
        CorpusError: as in ``list_files``.
    """
    with _telling_faults(url):
        system, path = _open_store(url)
        system.invalidate_cache()
        return _stored(url, system.info(path))


@contextmanager
def open_stored(url: str, *, at_once: int = BLOCK) -> Iterator[BinaryIO]:
    """Open the file for buffered reading in requests of that many bytes.

    Raises:
        CorpusError: as in ``list_files``, also while it is read.
    """
    with _telling_faults(url):
        system, path = _open_store(url)
        file = system.open(path, "rb", block_size=at_once, cache_type="none")
    try:
        yield io.BufferedReader(_Raw(file, url), at_once)
    finally:
        file.close()


class _Raw(io.RawIOBase):
    """A store's file as ``io.BufferedReader`` wants it: some have no ``readinto``, and none has our errors."""

    def __init__(self, file: BinaryIO, url: str) -> None:
        self._file = file
        self._url = url

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def readinto(self, target: "bytearray | memoryview") -> int:  # type: ignore[override]  # the stub asks for Buffer
        with _telling_faults(self._url):
            data = self._file.read(len(target))
        target[: len(data)] = data
        return len(data)


class _Address(NamedTuple):
    """A store, and a path in it."""

    system: "AbstractFileSystem"
    path: str


def _open_store(url: str) -> _Address:
    try:
        # imported here: an extra
        from fsspec.core import url_to_fs  # noqa: PLC0415
    except ImportError as fault:
        raise CorpusError(
            "this is a file in an object store, which needs fsspec",
            where=Place(url_name(url)),
            remedy="install it with `pip install 'gate[object-stores]'`",
        ) from fault
    system, path = url_to_fs(url)
    return _Address(system, cast("str", path))


def _stored(url: str, info: dict[str, Any]) -> StoredFile:
    version = next((str(info[key]) for key in _VERSIONS if info.get(key)), "")
    return StoredFile(url, int(info.get("size") or 0), version)


@contextmanager
def _telling_faults(url: str) -> Iterator[None]:
    """Each store's client has error classes of its own, so that all are caught here, and our own let through."""
    try:
        yield
    except GateError:
        raise
    except FileNotFoundError as fault:
        raise CorpusError(
            "there is no such file or folder in the store",
            where=Place(url_name(url)),
            remedy="check the address: its bucket, its path, and the store's endpoint",
        ) from fault
    except ImportError as fault:
        raise CorpusError(
            f"the client of this store is not installed ({fault})",
            where=Place(url_name(url)),
            remedy="install the package that it names beside gate",
        ) from fault
    except Exception as fault:
        told = printable(" ".join(str(fault).split())[:_MOST_TOLD]) or type(fault).__name__
        raise CorpusError(
            f"the store cannot be read ({told})",
            where=Place(url_name(url)),
            remedy="check the address, the store's endpoint and the credentials in this process's environment",
        ) from fault
