"""What every reader of a kind of file is given and keeps count in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from gate.contamination.decoding import TextDecoder, require_text
from gate.contamination.documents import Fields
from gate.contamination.lines import MAX_RECORD_BYTES
from gate.contamination.opening import open_unpacked
from gate.errors import CorpusError, Place

_HEAD = 8000


@dataclass(slots=True)
class Reading:
    """One shard while it is read.

    Attributes:
        path: the file's path or URL.
        name: how the user would name it.
        size: its bytes as it lies there.
        start: where the shard starts.
        stop: the first place behind it; None for the end of the file.
        file: the file's number.
        fields: which fields of records to read.
        bytes_read: bytes read so far, after decompression.
        replaced: places so far that were not UTF-8.
        records: records read so far.
    """

    path: str
    name: str
    size: int
    start: int
    stop: int | None
    file: int
    fields: Fields
    bytes_read: int = 0
    replaced: int = 0
    records: int = 0

    def place(self, line: int | None = None, part: str | None = None) -> Place:
        """A place in the file."""
        return Place(self.name, line=line, part=part)

    @contextmanager
    def open_text(self) -> Iterator[BinaryIO]:
        """Open the file, decompressed; refuse it where it is not text.

        Raises:
            CorpusError: where it cannot be read, also while it is read.
        """
        with open_unpacked(self.path, self.size, self.place()) as stream:
            if self.start == 0:
                require_text(stream.peek(_HEAD)[:_HEAD], self.name)  # type: ignore[attr-defined]  # it is buffered
            yield stream

    def decode(self, data: bytes, *, at_start: bool) -> str:
        """The text of a piece that ends with a whole character, its faults replaced and counted."""
        decoder = TextDecoder(self.name, at_start=at_start)
        text = decoder.decode(data, final=True)
        self.replaced += decoder.replaced
        return text

    def too_long(self, line: int | None = None) -> CorpusError:
        """The error for what would have to stand in memory as a whole and is too large for that."""
        return CorpusError(
            f"there are more than {MAX_RECORD_BYTES >> 20} MB in one piece",
            where=self.place(line),
            remedy="write the corpus as .jsonl with one document a line",
        )
