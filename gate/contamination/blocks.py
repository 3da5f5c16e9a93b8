"""A block of documents as one array of bytes, with the places of its words: what the kernel works on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Indices = NDArray[np.int64]

# The separators of ``str.split``; of those beyond ASCII each becomes a space before the text is encoded.
SEPARATORS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_WIDE = re.compile(f"[{''.join(sep for sep in SEPARATORS if not sep.isascii())}]")
_ASCII = bytes(range(128))
# Of more distinct characters each is no longer replaced in a pass of its own.
_MOST_REPLACED = 24
# ``bytes.split`` knows fewer separators than ``str.split``.
_TO_SPACES = bytes(ord(" ") if sep.isascii() and sep.isspace() else ord(sep) for sep in map(chr, range(256)))
# Words are read so many bytes at a time, as one number; the last one may reach over the end.
EIGHT = 8
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(EIGHT + 1)], dtype=np.uint64)


def encode(text: str) -> bytes:
    """A lower-cased text as UTF-8 whose words are cut by ASCII separators alone; half surrogate pairs are kept."""
    if text.isascii():
        return text.encode()
    return _WIDE.sub(" ", text).encode("utf-8", "surrogatepass")


def encode_lower(text: str) -> bytes:
    """``encode(text.lower())``, in a fraction of the time for text that is not quite ASCII.

    Few characters beyond ASCII change when they are lowered, and one alone, the capital sigma, by what stands around
    it: the others are replaced in UTF-8, where none is found within another.
    """
    if text.isascii():
        return text.encode().lower()
    data = text.encode("utf-8", "surrogatepass")
    beyond = data.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    changing = {char: char.lower() for char in set(beyond) if char.isspace() or char.lower() != char}
    if "\N{GREEK CAPITAL LETTER SIGMA}" in changing or len(changing) > _MOST_REPLACED:
        return encode(text.lower())
    data = data.lower()
    for char, lower in changing.items():
        data = data.replace(char.encode(), b" " if char.isspace() else lower.encode())
    return data


@dataclass(frozen=True, slots=True)
class Block:
    """The words of some documents in a row.

    Attributes:
        data: uint8 (b + EIGHT,), the texts with a space between them.
        starts: int64 (w,), where each word starts in ``data``.
        lengths: int64 (w,), bytes of each word, >= 1.
        documents: int64 (w,), the number of the document that each word stands in, ascending.
    """

    data: Bytes
    starts: Indices
    lengths: Indices
    documents: Indices

    def eights(self, starts: Indices, lengths: Indices) -> NDArray[np.uint64]:
        """uint64, one a start: the bytes from there on, up to eight and no more than the length says, as one number."""
        count = self.data.size - EIGHT + 1
        # an array over every byte that copies none: its numbers overlap
        all_eights: NDArray[np.uint64] = np.ndarray((count,), dtype="<u8", buffer=self.data, strides=(1,))
        eights = all_eights[starts].astype(np.uint64, copy=False)
        eights &= _MASKS[np.minimum(lengths, EIGHT)]
        return eights

    def words(self, first: int, last: int) -> tuple[bytes, ...]:
        """The words from ``first`` up to ``last``, which is not one of them."""
        return tuple(_split(self._text(first, last)))

    def text(self, document: int) -> bytes:
        """The words of one document with a space between them."""
        first, last = np.searchsorted(self.documents, [document, document + 1]).tolist()
        return one_spaced(self._text(first, last))

    def _text(self, first: int, last: int) -> bytes:
        if first == last:
            return b""
        text: bytes = self.data[self.starts[first] : self.starts[last - 1] + self.lengths[last - 1]].tobytes()
        return text


def make_block(texts: Sequence[bytes]) -> Block:
    """The block of these documents, each from ``encode``.

    The documents of words are told by place, not by a mark between them, which could stand in a text, too.
    """
    joined = b" ".join(texts)
    data = np.frombuffer(joined + b" " * EIGHT, dtype=np.uint8)
    space = _is_space(data[: len(joined) + 1])
    before = np.empty_like(space)
    before[0] = True
    before[1:] = space[:-1]
    edges = np.flatnonzero(space != before)
    starts, ends = edges[0::2], edges[1::2]
    sizes = np.fromiter((len(text) + 1 for text in texts), dtype=np.int64, count=len(texts))
    counts = np.diff(np.searchsorted(starts, np.concatenate([[0], np.cumsum(sizes)])))
    return Block(data, starts, ends - starts, np.repeat(np.arange(len(texts)), counts))


def one_spaced(text: bytes) -> bytes:
    """A text from ``encode`` with one space between its words and none around them."""
    return b" ".join(_split(text))


def _split(text: bytes) -> list[bytes]:
    return text.translate(_TO_SPACES).split()


def _is_space(data: Bytes) -> NDArray[np.bool_]:
    """Where the ASCII separators of ``str.split`` are: 9 to 13 and 28 to 32."""
    # below the first of a range the difference wraps around, to over 200
    space: NDArray[np.bool_] = (data - np.uint8(28)) <= 32 - 28
    space |= (data - np.uint8(9)) <= 13 - 9
    return space
