"""A tally as bytes: what workers send, what a store keeps. Equal tallies are equal bytes; foreign bytes are refused."""

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.probes import EvalIndex
from gate.contamination.tally import Best, DocumentKey, SearchTally, Tally, empty_tally

Numbers = NDArray[np.int64]
_LENGTH = struct.Struct("<q")


class PackedError(ValueError):
    """These bytes are not a tally of this index."""


def pack(tally: Tally) -> bytes:
    """The tally as a head in JSON and its figures as 64-bit integers, only those that are not zero."""
    writer = _Writer()
    for search in chain.from_iterable(tally.searches):
        _write_search(writer, search)
    probes = sorted(tally.verbatim)
    writer.add([lane for lane, _ in probes])
    writer.add([probe for _, probe in probes])
    writer.add_documents([tally.verbatim[probe] for probe in probes])
    for counts in (tally.replaced, tally.records):
        entries = sorted(counts.items())
        writer.add(np.array([key for key, _ in entries], dtype=np.int64).ravel())
        writer.add([count for _, count in entries])
    return writer.bytes([tally.words, tally.documents, tally.bytes])


def unpack(data: bytes, index: EvalIndex, *, file: int | None = None) -> Tally:
    """The tally that ``pack`` made bytes of.

    Args:
        data: from ``pack``.
        index: what the tally is of.
        file: the number that its one file has now; None where it keeps those it was packed with.

    Raises:
        PackedError: where the bytes are none of a tally of this index.
    """
    try:
        reader = _Reader(data, file)
        tally = empty_tally(index)
        for search, found in _searches(index, tally):
            _read_search(reader, search.numbers, found)
        tally.verbatim = _read_verbatim(reader, index)
        tally.replaced = dict(zip(reader.files().tolist(), reader.take().tolist(), strict=True))
        places = reader.take().reshape(-1, 2)
        tally.records = {
            (reader.renumbered(own), start): count
            for (own, start), count in zip(places.tolist(), reader.take().tolist(), strict=True)
        }
        tally.words, tally.documents, tally.bytes = reader.totals
        reader.require_end()
    except PackedError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, struct.error) as fault:
        raise PackedError("it does not fit the index: figures of another kind") from fault
    return tally


def _searches(index: EvalIndex, tally: Tally) -> Iterator[tuple[Any, SearchTally]]:
    for lane, own in zip(index.lanes, tally.searches, strict=True):
        yield from zip(lane.searches, own, strict=True)


def _write_search(writer: "_Writer", search: SearchTally) -> None:
    grams = np.flatnonzero(search.documents)
    writer.add(grams)
    writer.add(search.documents[grams])
    best = [search.best[probe] for probe in sorted(search.best)]
    writer.add(sorted(search.best))
    writer.add_documents([entry.document for entry in best])
    writer.add([len(entry.numbers) for entry in best])
    writer.add(list(chain.from_iterable(entry.numbers for entry in best)))


def _read_search(reader: "_Reader", numbers: Sequence[tuple[int, ...]], found: SearchTally) -> None:
    grams, counts = reader.take(), reader.take()
    _require(_in_range(grams, found.documents.size), "n-grams that the index does not have")
    found.documents[grams] = counts
    probes = reader.take()
    _require(_in_range(probes, len(numbers)), "probes that the index does not have")
    documents, sizes, held = reader.documents(), reader.take(), reader.take()
    _require(bool((sizes > 0).all()) and int(sizes.sum()) == held.size, "best documents without n-grams")
    _require(_in_range(held, found.documents.size), "n-grams that the index does not have")
    ends = np.cumsum(sizes).tolist()
    flat = held.tolist()
    for probe, document, start, end in zip(probes.tolist(), documents, [0, *ends], ends, strict=False):
        found.best[probe] = Best(document, tuple(flat[start:end]))
    _require(len(found.best) == len(documents) == sizes.size, "a best document for each probe")


def _read_verbatim(reader: "_Reader", index: EvalIndex) -> dict[tuple[int, int], DocumentKey]:
    lanes, probes = reader.take().tolist(), reader.take().tolist()
    documents = reader.documents()
    for lane, probe in zip(lanes, probes, strict=True):
        _require(0 <= probe < len(index.lanes[lane].probes) and lane >= 0, "probes that the index does not have")
    return dict(zip(zip(lanes, probes, strict=True), documents, strict=True))


def _in_range(values: Numbers, stop: int) -> bool:
    return not values.size or (int(values.min()) >= 0 and int(values.max()) < stop)


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise PackedError(f"it does not fit the index: {what}")


class _Head(NamedTuple):
    """What stands before the figures: sums, how long each array is, the documents' own ids."""

    totals: list[int]
    lengths: list[int]
    ids: list[str]


@dataclass(slots=True)
class _Writer:
    """Arrays one after the other."""

    arrays: list[Numbers] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)

    def add(self, values: Numbers | Sequence[int]) -> None:
        self.arrays.append(np.asarray(values, dtype="<i8"))

    def add_documents(self, documents: Sequence[DocumentKey]) -> None:
        for column in zip(*(key.order for key in documents), strict=True) if documents else ((), (), ()):
            self.add(column)
        self.add([-1 if key.id is None else self.ids.setdefault(key.id, len(self.ids)) for key in documents])

    def bytes(self, totals: list[int]) -> bytes:
        # escaped to ASCII, which keeps half surrogate pairs
        head = json.dumps(_Head(totals, [array.size for array in self.arrays], list(self.ids))).encode()
        return b"".join([_LENGTH.pack(len(head)), head, *(array.tobytes() for array in self.arrays)])


class _Reader:
    """Takes the arrays in the order in which they were added."""

    def __init__(self, data: bytes, file: int | None) -> None:
        start = _LENGTH.size
        (size,) = _LENGTH.unpack_from(data)
        _require(0 <= size <= len(data) - start, "a head")
        head = _Head(*json.loads(data[start : start + size]))
        self.totals = [int(total) for total in head.totals]
        self._ids = [str(own) for own in head.ids]
        values = np.frombuffer(data, dtype="<i8", offset=start + size).astype(np.int64)
        _require(min(head.lengths, default=0) >= 0 and sum(head.lengths) == values.size, "as many figures as it says")
        self._arrays = iter(np.split(values, np.cumsum(head.lengths)[:-1]))
        self._file = file

    def take(self) -> Numbers:
        array = next(self._arrays, None)
        if array is None:
            raise PackedError("there are too few figures")
        return array

    def require_end(self) -> None:
        _require(next(self._arrays, None) is None, "figures of nothing")

    def files(self) -> Numbers:
        own = self.take()
        return own if self._file is None else np.full_like(own, self._file)

    def renumbered(self, file: int) -> int:
        return file if self._file is None else self._file

    def documents(self) -> list[DocumentKey]:
        columns = [self.files().tolist(), self.take().tolist(), self.take().tolist()]
        ids = self.take()
        _require(_in_range(ids + 1, len(self._ids) + 1), "ids that it does not name")
        own = [None if place < 0 else self._ids[place] for place in ids.tolist()]
        return [DocumentKey(*entry) for entry in zip(*columns, own, strict=True)]
