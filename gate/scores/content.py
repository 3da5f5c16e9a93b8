"""A score file's bytes as text: opened, decompressed, refused where its first bytes say so, split into lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from gate.errors import Place, ScoreFileError
from gate.files import open_bytes, sha256_of
from gate.scores.model import Source
from gate.scores.refusals import refuse_bytes

_BOM = b"\xef\xbb\xbf"
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A file whose first bytes are those of text.

    Attributes:
        path: where it lies.
        shown: its name for messages and reports.
        digest: SHA-256 of its bytes on disk.
        size: bytes on disk.
        first: its first character that is not white space.
    """

    path: Path
    shown: str
    digest: str
    size: int
    first: str

    def place(self, line: int | None = None, part: str | None = None) -> Place:
        """A place in this file."""
        return Place(self.shown, line, part)

    def source(self, format_name: str) -> Source:
        """What a run tells of this file."""
        return Source(path=self.shown, digest=self.digest, size=self.size, format=format_name)

    def lines(self) -> Iterator[str]:
        r"""Its lines, split on ``\n`` alone and with it, decoded, without a byte order mark.

        Raises:
            ScoreFileError: at a line that is not UTF-8 or holds a NUL character.
        """
        with _opened(self.path, self.shown) as stream:
            for number, raw in enumerate(stream, start=1):
                yield self._decoded(raw.removeprefix(_BOM) if number == 1 else raw, number)

    def text(self) -> str:
        """Its whole text; errors as in ``lines``."""
        return "".join(self.lines())

    def _decoded(self, raw: bytes, number: int) -> str:
        try:
            text = raw.decode()
        except UnicodeDecodeError as fault:
            raise ScoreFileError(
                f"the line is not valid UTF-8 (byte {fault.start + 1} of it)",
                where=self.place(number),
                remedy="save the file as UTF-8",
            ) from fault
        if "\0" in text:
            raise ScoreFileError(
                "the line holds a NUL character",
                where=self.place(number),
                remedy="write the file again as plain text; a disk or a copy may have damaged it",
            )
        return text


def open_score_file(path: Path, shown: str) -> ScoreFile:
    """Look at the first bytes of a file, decompressed where it is gzip or zstd.

    Raises:
        ScoreFileError: where it cannot be opened, is empty, or is not text.
    """
    with _opened(path, shown) as stream:
        head = stream.read(_HEAD)
        refuse_bytes(head, Place(shown))
        digest = sha256_of(path)
        start = head.removeprefix(_BOM).lstrip()
        # a megabyte of leading white space is no reason to call the file empty
        while not start and (more := stream.read(_HEAD)):
            start = more.lstrip()
        if not start:
            refuse_bytes(b"", Place(shown))
        return ScoreFile(path, shown, digest, path.stat().st_size, start[:1].decode("ascii", "replace"))


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
