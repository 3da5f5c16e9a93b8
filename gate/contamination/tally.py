"""What has been found so far, of one shard or of several together: the order in which it is put together is all one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.probes import EvalIndex

Counts = NDArray[np.int64]


class DocumentKey(NamedTuple):
    """A document's place in the corpus, by which ties are settled: earlier ones go first.

    Attributes:
        file: the number of its file.
        start: where its shard starts in that file.
        number: its number within the shard, from 1; 0 where the file is one document.
        id: the record's own id, where it has one.
    """

    file: int
    start: int
    number: int
    id: str | None = None

    @property
    def order(self) -> tuple[int, int, int]:
        """What sorts documents as they stand in the corpus."""
        return self[:3]


class Best(NamedTuple):
    """The document that holds most n-grams of a probe, and their numbers, ascending."""

    document: DocumentKey
    numbers: tuple[int, ...]

    @property
    def rank(self) -> tuple[int, tuple[int, int, int]]:
        """The lower the better: more n-grams first, then the earlier document."""
        return (-len(self.numbers), self.document.order)


@dataclass(slots=True)
class SearchTally:
    """What has been found of one search.

    Attributes:
        documents: int64 (g,), in how many documents each n-gram was found.
        best: probe -> its best document; no entry where none holds an n-gram.
    """

    documents: Counts
    best: dict[int, Best] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """What has been found.

    Attributes:
        searches: lane by lane, size by size.
        verbatim: (lane, probe) -> the first document that holds its whole text.
        words: words read, in the mode that was asked for.
        documents: documents read, empty ones included.
        bytes: bytes of the corpus read, after decompression.
        replaced: file -> places that were not UTF-8.
        records: (file, start of the shard) -> records in it, by which line numbers go on in the next.
    """

    searches: list[list[SearchTally]]
    verbatim: dict[tuple[int, int], DocumentKey] = field(default_factory=dict)
    words: int = 0
    documents: int = 0
    bytes: int = 0
    replaced: dict[int, int] = field(default_factory=dict)
    records: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Take in what was found elsewhere in the corpus."""
        for ours, theirs in zip(self.searches, other.searches, strict=True):
            for own, more in zip(ours, theirs, strict=True):
                own.documents += more.documents
                _keep(own.best, more.best.items())
        for probe, document in other.verbatim.items():
            if probe not in self.verbatim or document.order < self.verbatim[probe].order:
                self.verbatim[probe] = document
        self.words += other.words
        self.documents += other.documents
        self.bytes += other.bytes
        _sum(self.replaced, other.replaced)
        self.records |= other.records


def empty_tally(index: EvalIndex) -> Tally:
    """Nothing found yet."""
    return Tally(
        [[SearchTally(np.zeros(len(search.table), dtype=np.int64)) for search in lane.searches] for lane in index.lanes]
    )


def _keep(best: dict[int, Best], found: Iterable[tuple[int, Best]]) -> None:
    for probe, candidate in found:
        if probe not in best or candidate.rank < best[probe].rank:
            best[probe] = candidate


def _sum(counts: dict[int, int], more: Mapping[int, int]) -> None:
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count
