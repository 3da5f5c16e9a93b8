"""Lines of bytes in blocks, in bounded memory, also those of a part of a file."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

CHUNK = 1 << 18
# A longer line is not a document but a mistake, and would have to stand in memory as a whole.
MAX_RECORD_BYTES = 1 << 28


class LongLineError(ValueError):
    """The line after those handed out is longer than ``MAX_RECORD_BYTES``."""


def line_blocks(read: Callable[[int], bytes]) -> Iterator[list[bytes]]:
    r"""The lines, each without its ``\n``, many at a time.

    Args:
        read: gives up to so many bytes, none at the end.

    Raises:
        LongLineError: where a line is too long to be held.
    """
    unfinished: list[bytes] = []
    held = 0
    while chunk := read(CHUNK):
        lines = chunk.split(b"\n")
        unfinished.append(lines.pop())
        if lines:
            lines[0] = b"".join([*unfinished[:-1], lines[0]])
            del unfinished[:-1]
            # others cannot be longer than a chunk
            _require_short(len(lines[0]))
            held = 0
            yield lines
        held += len(unfinished[-1])
        _require_short(held)
    if held:
        yield [b"".join(unfinished)]


def _require_short(size: int) -> None:
    if size > MAX_RECORD_BYTES:
        raise LongLineError


class LineRange:
    """The bytes of the lines that start in a range of a file.

    Attributes:
        bytes: how many were handed out.
    """

    def __init__(self, stream: BinaryIO, start: int, stop: int | None) -> None:
        self.bytes = 0
        self._stream = stream
        self._left = stop - start if stop is not None else None
        self._last = b"\n"
        if start:
            stream.seek(start - 1)
            self._skip_line()

    def read(self, size: int) -> bytes:
        """Up to so many bytes; none at the end of the last line."""
        data = self._stream.read(size if self._left is None else min(size, self._left)) if self._left != 0 else b""
        if self._left is not None:
            self._left -= len(data)
            if not data and self._last != b"\n":
                data = self._rest_of_line(size)
        self._last = data[-1:]
        self.bytes += len(data)
        return data

    def _rest_of_line(self, size: int) -> bytes:
        data = self._stream.read(size)
        return data[: data.find(b"\n") + 1] or data

    def _skip_line(self) -> None:
        """Go to the start of the next line; it belongs to the range unless it starts behind it."""
        skipped = -1
        while data := self._stream.read(CHUNK):
            found = data.find(b"\n")
            if found >= 0:
                skipped += found + 1
                self._stream.seek(found + 1 - len(data), 1)
                break
            skipped += len(data)
        if self._left is not None:
            self._left = max(0, self._left - skipped)


def count_lines(stream: BinaryIO, size: int) -> int:
    """How many lines end in the first so many bytes."""
    lines = 0
    while size > 0 and (data := stream.read(min(size, CHUNK))):
        lines += data.count(b"\n")
        size -= len(data)
    return lines
