"""A score file's bytes as text: opened, decompressed, refused where its first bytes say so, split into lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from gate.errors import Place, ScoreFileError
from gate.files import open_bytes, sha256_of
from gate.scores.model import Source
from gate.scores.refusals import refuse_bytes

_BOM = b"\xef\xbb\xbf"
_HEAD = 1 << 16
_CHUNK = 1 << 20
LONGEST_LINE = 1 << 26
# Ten times the samples of the largest evaluations. A compressed file of a megabyte can stand for fifty times as many.
MOST_LINES = 10_000_000
# A whole JSON value stands in memory at once, at several times this.
LARGEST_DOCUMENT = 1 << 30
# Every empty list takes as much memory as a line of text, and packed they take none.
_MOST_VALUES = 5_000_000
_VALUE_STARTS = (b",", b"[", b"{")


class Kind(Enum):
    """What a file's first bytes say of it."""

    TEXT = b""
    ZIP = b"PK\x03\x04"
    PARQUET = b"PAR1"


class FileVersion(NamedTuple):
    """Which file lies at a path, and when and how long it was last written."""

    device: int
    inode: int
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A file whose first bytes are those of text, a zip archive or Parquet.

    Attributes:
        path: where it lies.
        shown: its name for messages and reports.
        digest: SHA-256 of its bytes on disk.
        first: its first character that is not white space; empty where it is no text.
        version: what changes when the file is written again.
        kind: what its first bytes say of it.
        parsed: what was parsed of it whole, so that detection and reading share the work.
    """

    path: Path
    shown: str
    digest: str
    first: str
    version: FileVersion
    kind: Kind = Kind.TEXT
    parsed: dict[str, object] = field(default_factory=dict, repr=False, compare=False)

    def place(self, line: int | None = None, part: str | None = None) -> Place:
        """A place in this file."""
        return Place(self.shown, line, part)

    def source(self, format_name: str) -> Source:
        """What a run tells of this file."""
        return Source(path=self.shown, digest=self.digest, size=self.version.size, format=format_name)

    def lines(self) -> Iterator[str]:
        r"""Its lines, split on ``\n`` alone and with it, decoded, without a byte order mark.

        Raises:
            ScoreFileError: at a line that is not UTF-8, holds a NUL character or is longer than LONGEST_LINE bytes, and
                after MOST_LINES of them.
        """
        return (self.decode(raw, number) for number, raw in enumerate(self.raw_lines(), start=1))

    def raw_lines(self) -> Iterator[bytes]:
        r"""Its lines as bytes, split on ``\n`` alone and with it, without a byte order mark; not yet known to be UTF-8.

        Raises:
            ScoreFileError: at a line that holds a NUL character or is longer than LONGEST_LINE bytes, and after
                MOST_LINES of them.
        """
        return self._lines(LONGEST_LINE)

    def text(self) -> str:
        """Its whole text, on however few lines; other errors as in ``lines``."""
        return "".join(self.decode(raw, number) for number, raw in enumerate(self._lines(None), start=1))

    def document(self) -> bytes:
        """Its bytes whole, without a byte order mark; ScoreFileError where there are over LARGEST_DOCUMENT of them."""
        raw = bytearray()
        with self.open() as stream:
            # chunk by chunk: a read of so many bytes would set as many aside before the first
            for chunk in iter(partial(stream.read, _CHUNK), b""):
                raw += chunk
                if len(raw) > LARGEST_DOCUMENT:
                    raise ScoreFileError(
                        f"the file is one JSON value of over {LARGEST_DOCUMENT >> 30} GB",
                        where=self.place(),
                        remedy="write one record a line (JSON Lines), which is read line by line",
                    )
        require_few_values(raw, self.version.size, self.place())
        return bytes(raw).removeprefix(_BOM)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes, decompressed; errors as in ``gate.files.open_bytes``."""
        with _opened(self.path, self.shown) as stream:
            yield stream

    def decode(self, raw: bytes, number: int) -> str:
        """The text of a line; ScoreFileError where it is not UTF-8."""
        try:
            return raw.decode()
        except UnicodeDecodeError as fault:
            raise ScoreFileError(
                f"the line is not valid UTF-8 (byte {fault.start + 1} of it)",
                where=self.place(number),
                remedy="save the file as UTF-8",
            ) from fault

    @contextmanager
    def being_read(self) -> Iterator[None]:
        """Read the file within this, however often.

        Raises:
            ScoreFileError: where it is no longer the one that was opened, whatever else is wrong with it: its digest
                would be a lie, and what a writer has half done is no fault of the writer's.
        """
        try:
            yield
        except ScoreFileError:
            self._require_unchanged()
            raise
        self._require_unchanged()

    def _require_unchanged(self) -> None:
        with _opened(self.path, self.shown):
            # the time alone does not tell: file systems keep it in steps of milliseconds, and anyone can set it
            unchanged = sha256_of(self.path) == self.digest and _version_of(self.path) == self.version
        if not unchanged:
            raise ScoreFileError(
                "the file changed while it was read",
                where=self.place(),
                remedy="wait until the step that writes it is done, then run again",
            )

    def _lines(self, longest: int | None) -> Iterator[bytes]:
        with _opened(self.path, self.shown) as stream:
            read = partial(stream.readline, -1 if longest is None else longest + 1)
            for number, raw in enumerate(iter(read, b""), start=1):
                if longest is not None and len(raw) > longest:
                    raise ScoreFileError(
                        f"the line is longer than {longest >> 20} MB",
                        where=self.place(number),
                        remedy="write one record a line; no item's texts and scores are as long as that",
                    )
                if number > MOST_LINES:
                    raise ScoreFileError(
                        f"the file has over {MOST_LINES} lines",
                        where=self.place(),
                        remedy="look at what it holds; if all of it is scores, split the run into several files",
                    )
                if len(raw) > _CHUNK:
                    require_few_values(raw, self.version.size, self.place(number))
                if b"\0" in raw:
                    raise ScoreFileError(
                        "the line holds a NUL character",
                        where=self.place(number),
                        remedy="write the file again as plain text; a disk or a copy may have damaged it",
                    )
                yield raw.removeprefix(_BOM) if number == 1 else raw


def require_few_values(raw: bytes | bytearray, size: int, where: Place) -> None:
    """Raise ScoreFileError where a small file stands for millions of values, each of which takes memory.

    Args:
        raw: a JSON text, unpacked.
        size: bytes of the file that it comes from. Of one that is not compressed no part has more values.
        where: the place of the text.
    """
    most = max(_MOST_VALUES, 2 * size)
    if len(raw) > most and sum(map(raw.count, _VALUE_STARTS)) > most:
        raise ScoreFileError(
            f"the compressed file expands beyond all measure: to over {most} values in one JSON text",
            where=where,
            remedy="look at what it holds; if it is sound, unpack it and give the unpacked file",
        )


def open_score_file(path: Path, shown: str) -> ScoreFile:
    """Look at the first bytes of a file, decompressed where it is gzip or zstd.

    Raises:
        ScoreFileError: where it cannot be opened, is empty, or is neither text nor a container that readers know.
    """
    with _opened(path, shown) as stream:
        head = stream.read(_HEAD)
        version, digest = _version_of(path), sha256_of(path)
        kind = next((kind for kind in Kind if kind is not Kind.TEXT and head.startswith(kind.value)), Kind.TEXT)
        if kind is not Kind.TEXT:
            return ScoreFile(path, shown, digest, "", version, kind)
        refuse_bytes(head, Place(shown))
        start = head.removeprefix(_BOM).lstrip()
        # a megabyte of leading white space is no reason to call the file empty
        while not start and (more := stream.read(_HEAD)):
            start = more.lstrip()
        if not start:
            refuse_bytes(b"", Place(shown))
        return ScoreFile(path, shown, digest, start[:1].decode("ascii", "replace"), version)


def _version_of(path: Path) -> FileVersion:
    found = path.stat()
    return FileVersion(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


@contextmanager
def _opened(path: Path, shown: str) -> Iterator[BinaryIO]:
    """``open_bytes``, whose errors name the path as the user knows it."""
    try:
        with open_bytes(path) as stream:
            yield stream
    except ScoreFileError as fault:
        if fault.where is None or fault.where.path == shown:
            raise
        raise ScoreFileError(fault.what, where=fault.where._replace(path=shown), remedy=fault.remedy) from fault
