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
_IS_SPACE = np.zeros(256, dtype=np.bool_)
_IS_SPACE[[ord(sep) for sep in SEPARATORS if sep.isascii()]] = True
# Words are read so many bytes at a time, as one number; the last one may reach over the end.
EIGHT = 8
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(EIGHT + 1)], dtype=np.uint64)


def encode(text: str) -> bytes:
    """A lower-cased text as UTF-8 whose words are cut by ASCII separators alone; half surrogate pairs are kept."""
    if text.isascii():
        return text.encode()
    return _WIDE.sub(" ", text).encode("utf-8", "surrogatepass")


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
        return tuple(
            self.data[start : start + length].tobytes()
            for start, length in zip(self.starts[first:last].tolist(), self.lengths[first:last].tolist(), strict=True)
        )


def make_block(texts: Sequence[bytes]) -> Block:
    """The block of these documents, each from ``encode``.

    The documents of words are told by place, not by a mark between them, which could stand in a text, too.
    """
    joined = b" ".join(texts)
    data = np.frombuffer(joined + b" " * EIGHT, dtype=np.uint8)
    space = _IS_SPACE[data[: len(joined) + 1]]
    before = np.empty_like(space)
    before[0] = True
    before[1:] = space[:-1]
    edges = np.flatnonzero(space != before)
    starts, ends = edges[0::2], edges[1::2]
    sizes = np.fromiter((len(text) + 1 for text in texts), dtype=np.int64, count=len(texts))
    counts = np.diff(np.searchsorted(starts, np.concatenate([[0], np.cumsum(sizes)])))
    return Block(data, starts, ends - starts, np.repeat(np.arange(len(texts)), counts))
