"""The compiled kernel: what ``compiled.c`` does, called on arrays; where it was not built, numpy does the same."""

import ctypes
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import EIGHT, Indices, encode_lower, one_spaced
from gate.contamination.cutting import Cut, NumpyCutter
from gate.contamination.lowering import lower_case
from gate.contamination.pairs import Pairs
from gate.contamination.ragged import distinct
from gate.contamination.table import GramTable, Lookup, upper

SOURCE = Path(__file__).with_suffix(".c")
# Not named for a version of Python: it is no module, and any version can call it.
LIBRARY = Path(__file__).with_name("_compiled.so")
# All bits of a hash count; tests leave few, for hashes to collide.
KEPT = (1 << 64) - 1
# Places in a block are numbers of 32 bits.
MOST_BYTES = (1 << 32) - 1
# A line of 64 bytes is looked through before it is known how many words begin and end in it.
_LINE = 64


class _Block(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("words", ctypes.c_int64),
        ("edges", ctypes.c_void_p),
        ("hashes", ctypes.c_void_p),
        ("documents", ctypes.c_int64),
        ("first", ctypes.c_void_p),
    ]


class _Vocabulary(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int64),
        ("words", ctypes.c_int64),
        ("starts", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
    ]


class _Table(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_int64),
        ("entries", ctypes.c_int64),
        ("hashes", ctypes.c_void_p),
        ("order", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("bucket_bits", ctypes.c_int64),
        ("buckets", ctypes.c_void_p),
        ("filter_bits", ctypes.c_int64),
        ("filter", ctypes.c_void_p),
    ]


@cache
def load(path: Path = LIBRARY) -> ctypes.CDLL | None:
    """The library, or None where it was not built, for another machine, or from another ``compiled.c`` than this."""
    try:
        source = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
        library = ctypes.CDLL(str(path))
        library.gate_source.restype = ctypes.c_char_p
        if library.gate_source() != source.encode():
            return None
    except (OSError, AttributeError):
        return None
    number, size, place = ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p
    library.gate_lower.argtypes = [place, size, place, size, place, size, place]
    library.gate_lower.restype = None
    library.gate_words.argtypes = [place, size, place, size, number, place, place, size, place]
    library.gate_words.restype = size
    library.gate_find.argtypes = [place, place, place, number, size, place]
    library.gate_find.restype = size
    return library


class CompiledCutter:
    """The compiled kernel; what it cuts is good until it cuts again."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._room = _Room()
        self._tables: dict[GramTable, _TableView] = {}

    def prepare(self, tables: Iterable[GramTable]) -> None:
        """As in ``Cutter``."""
        lower_case()
        for table in tables:
            self._view(table)

    def cut(self, texts: Sequence[bytes]) -> Cut:
        """As in ``Cutter``."""
        data, ends = _joined(texts)
        return self._cut(data, ends) if data.size <= MOST_BYTES else NumpyCutter().cut(texts)

    def cut_lower(self, texts: Sequence[str]) -> Cut:
        """As in ``Cutter``; what the library cannot lower-case is left to Python, document by document."""
        data, ends = _joined([text.encode("utf-8", "surrogatepass") for text in texts])
        if data.size > MOST_BYTES:
            return NumpyCutter().cut_lower(texts)
        lowered, odd = lower_case(), np.empty(len(texts), dtype=np.bool_)
        self._library.gate_lower(
            _place(data), data.size - EIGHT, _place(ends), len(texts), _place(lowered), lowered.size, _place(odd)
        )
        if odd.any():
            return self.cut([*_mended(texts, data, ends, odd)])
        return self._cut(data, ends)

    def _cut(self, data: NDArray[np.uint8], ends: Indices) -> Cut:
        size = data.size - EIGHT
        room, first = self._room.of(size), np.empty(ends.size + 1, dtype=np.int64)
        words: int = self._library.gate_words(
            _place(data),
            size,
            _place(ends),
            ends.size,
            KEPT,
            _place(room.edges),
            _place(room.hashes),
            room.hashes.size,
            _place(first),
        )
        if words < 0:
            raise AssertionError("a block has more words than half its bytes")
        return _CompiledCut(self, data, ends, words, first)

    def find(self, block: _Block, table: GramTable) -> Pairs:
        """As in ``Cut.pairs``."""
        view = self._view(table)
        cells = self._room.cells
        count: int = self._library.gate_find(
            ctypes.byref(block),
            ctypes.byref(view.table),
            ctypes.byref(view.vocabulary),
            KEPT,
            table.bits,
            _place(cells),
        )
        return Pairs(distinct(cells[:count]), table.bits)

    def _view(self, table: GramTable) -> "_TableView":
        view = self._tables.get(table)
        if view is None or view.lookup is not table.lookup:
            view = self._tables[table] = _TableView(table)
        return view

    def block(self, data: NDArray[np.uint8], words: int, first: Indices) -> _Block:
        """The words that were cut at last."""
        room = self._room
        return _Block(
            _place(data),
            data.size - EIGHT,
            words,
            _place(room.edges),
            _place(room.hashes),
            first.size - 1,
            _place(first),
        )


class _CompiledCut:
    def __init__(
        self, cutter: CompiledCutter, data: NDArray[np.uint8], ends: Indices, words: int, first: Indices
    ) -> None:
        self.words = words
        self._cutter = cutter
        self._data = data
        self._ends = ends
        self._first = first
        self._block = cutter.block(data, words, first)

    def pairs(self, table: GramTable) -> Pairs:
        return self._cutter.find(self._block, table)

    def text(self, document: int) -> bytes:
        start = self._ends[document - 1] if document else 0
        return one_spaced(self._data[start : self._ends[document]].tobytes())


class _Room:
    """Memory for the words of a block, kept for the next one."""

    def __init__(self) -> None:
        self.edges = np.empty(0, dtype=np.uint32)
        self.hashes = np.empty(0, dtype=np.uint64)
        self.cells = np.empty(0, dtype=np.int64)

    def of(self, size: int) -> "_Room":
        """Room for the words of so many bytes, of which each second one starts one at most."""
        words = size // 2 + _LINE
        if self.hashes.size < words:
            self.edges = np.empty(2 * words, dtype=np.uint32)
            self.hashes = np.empty(words, dtype=np.uint64)
            self.cells = np.empty(words, dtype=np.int64)
        return self


class _TableView:
    """A table as the library sees it; holds what it points to."""

    def __init__(self, table: GramTable) -> None:
        self.lookup: Lookup = table.lookup
        numbers = table.grams.numbers.take(self.lookup.order, axis=0)
        filter_ = _filter_of(self.lookup)
        block = table.grams.vocabulary.block
        starts, lengths = np.ascontiguousarray(block.starts), np.ascontiguousarray(block.lengths)
        self._held = (numbers, filter_, block, starts, lengths)
        self.table = _Table(
            table.size,
            self.lookup.hashes.size,
            _place(self.lookup.hashes),
            _place(self.lookup.order),
            _place(numbers),
            self.lookup.bucket_bits,
            _place(self.lookup.buckets),
            self.lookup.filter_bits,
            _place(filter_),
        )
        self.vocabulary = _Vocabulary(
            _place(block.data), block.data.size - EIGHT, starts.size, _place(starts), _place(lengths)
        )


def _filter_of(lookup: Lookup) -> NDArray[np.uint8]:
    """A bit for each place in the filter."""
    places = upper(lookup.hashes, lookup.filter_bits)
    filled = np.zeros(1 << (lookup.filter_bits - 3), dtype=np.uint8)
    np.bitwise_or.at(filled, places >> 3, (1 << (places & 7)).astype(np.uint8))
    return filled


class _Joined(NamedTuple):
    """Texts with a space between them and ``EIGHT`` at the end, to be written to, and where each ends."""

    data: NDArray[np.uint8]
    ends: Indices


def _joined(texts: Sequence[bytes]) -> _Joined:
    data = bytearray(b" ").join([*texts, b" " * (EIGHT - 1)])
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return _Joined(np.frombuffer(data, dtype=np.uint8), np.cumsum(sizes + 1) - 1)


def _mended(texts: Sequence[str], data: NDArray[np.uint8], ends: Indices, odd: NDArray[np.bool_]) -> Iterator[bytes]:
    start = 0
    for text, end, is_odd in zip(texts, ends.tolist(), odd.tolist(), strict=True):
        yield encode_lower(text) if is_odd else data[start:end].tobytes()
        start = end + 1


def _place(array: NDArray[Any]) -> int:
    return array.ctypes.data
