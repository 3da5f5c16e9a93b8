"""What the tally of a corpus says of each item: shares, runs of words, and the documents by their names."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.modes import Mode
from gate.contamination.overlap import (
    FoundDocument,
    ItemOverlap,
    SizeOverlap,
    TextOverlap,
    digest_of,
    runs_of,
)
from gate.contamination.probes import EvalIndex, Item, Lane, Part, Search, grams_of, split
from gate.contamination.report import LeftOut
from gate.contamination.shards import PARTS, Shard
from gate.contamination.table import Words
from gate.contamination.tally import Best, Counts, DocumentKey, SearchTally, Tally

_IDF_DIGITS = 6


class DocumentNames:
    """Documents by name: in a file that was read in shards, lines are counted through."""

    def __init__(self, shards: Sequence[Shard], records: Mapping[tuple[int, int], int]) -> None:
        """Count.

        Args:
            shards: of the whole corpus, read or not.
            records: as in Tally.
        """
        self._shards = {shard.file: shard for shard in shards}
        self._before: dict[tuple[int, int], int | None] = {}
        counted: dict[int, int | None] = {}
        for file, start in sorted((shard.file, shard.start) for shard in shards):
            before = self._before[file, start] = counted.get(file, 0)
            own = records.get((file, start))
            counted[file] = None if before is None or own is None else before + own

    def find(self, key: DocumentKey) -> FoundDocument:
        """The document with this key."""
        shard = self._shards[key.file]
        if key.number == 0:
            return FoundDocument(shard.name, id=key.id)
        before = self._before[key.file, key.start]
        return FoundDocument(shard.name, PARTS[shard.kind], None if before is None else before + key.number, key.id)


class _Weighed(NamedTuple):
    """One search's result, ready to be told of each probe.

    Attributes:
        size: words an n-gram, as asked for.
        search: the n-grams.
        found: how often, and where most.
        weights: float (g,), of each n-gram.
    """

    size: int
    search: Search
    found: SearchTally
    weights: Sequence[float]


def item_overlaps(index: EvalIndex, tally: Tally, names: DocumentNames) -> tuple[ItemOverlap, ...]:
    """Every item's figures, in the order of the items."""
    texts: dict[tuple[int, Part], TextOverlap] = {}
    allowed = {mode: [split(text, mode) for text in index.allowed] for mode in Mode}
    for number, lane in enumerate(index.lanes):
        weighed = [
            _Weighed(size, search, found, rarities(found.documents, tally.documents))
            for size, search, found in zip(index.sizes, lane.searches, tally.searches[number], strict=True)
        ]
        for place, probe in enumerate(lane.probes):
            key = tally.verbatim.get((number, place))
            if key is not None and any(_holds(text, probe.words) for text in allowed[lane.mode]):
                key = None
            verbatim = None if key is None else names.find(key)
            texts[probe.item, probe.part] = _text_overlap(lane, place, weighed, verbatim, names)
    return tuple(_item_overlap(item, place, texts) for place, item in enumerate(index.items))


def left_out(index: EvalIndex) -> tuple[LeftOut, ...]:
    """What the index leaves out, one for each size."""
    by_size = zip(*(lane.searches for lane in index.lanes), strict=True) if index.lanes else [() for _ in index.sizes]
    return tuple(
        LeftOut(size, sum(search.template_grams for search in own), sum(search.allowed_grams for search in own))
        for size, own in zip(index.sizes, by_size, strict=True)
    )


def rarities(holders: Counts, documents: int) -> list[float]:
    """The weight of each n-gram: ``log(1 + (D - df + 0.5) / (df + 0.5))`` where ``df`` of ``D`` documents hold it.

    The inverse document frequency of Robertson and Sparck Jones ("Relevance weighting of search terms", 1976) in the
    form of Lucene's BM25, which is above zero even for what every document holds: with one document alone, a text that
    stands in it whole still has an overlap of 1.
    """
    weights: NDArray[np.float64] = (documents - holders + 0.5) / (holders + 0.5)
    # by the library of the language, whose last digits do not depend on the vector unit at hand
    return [math.log1p(weight) for weight in weights.tolist()]


def _item_overlap(item: Item, place: int, texts: Mapping[tuple[int, Part], TextOverlap]) -> ItemOverlap:
    return ItemOverlap(item.id, digest_of(item.question), texts[place, "question"], texts.get((place, "answer")))


def _text_overlap(
    lane: Lane, place: int, weighed: Sequence[_Weighed], verbatim: FoundDocument | None, names: DocumentNames
) -> TextOverlap:
    words = lane.probes[place].words
    sizes = tuple(_size_overlap(one, place, words, names) for one in weighed)
    touched = verbatim is not None or any(size.document for size in sizes)
    shown = tuple(word.decode("utf-8", "replace") for word in words) if touched else ()
    return TextOverlap(lane.mode, len(words), shown, verbatim, sizes)


def _size_overlap(weighed: _Weighed, place: int, words: Words, names: DocumentNames) -> SizeOverlap:
    numbers = weighed.search.numbers[place]
    found = [number for number in numbers if weighed.found.documents[number]]
    best = weighed.found.best.get(place)
    total = len(numbers)
    spans = () if best is None else runs_of(_covered(words, weighed.search, best))
    return SizeOverlap(
        size=weighed.size,
        n_grams=total,
        overlap=len(found) / total if total else 0.0,
        best_document_overlap=len(best.numbers) / total if best else 0.0,
        idf_overlap=_share(weighed.weights, found, numbers),
        longest_span=max((span.stop - span.first for span in spans), default=0),
        document=None if best is None else names.find(best.document),
        spans=spans,
    )


def _share(weights: Sequence[float], found: Sequence[int], numbers: Sequence[int]) -> float:
    if not found:
        return 0.0
    part, whole = (math.fsum(weights[number] for number in some) for some in (found, numbers))
    return round(part / whole, _IDF_DIGITS)


def _covered(words: Words, search: Search, best: Best) -> list[bool]:
    """For each word, whether it is part of one of the document's n-grams."""
    size = search.table.size
    grams = {search.table.grams[number] for number in best.numbers}
    covered = [False] * len(words)
    for start, gram in enumerate(grams_of(words, size)):
        if gram in grams:
            covered[start : start + size] = [True] * size
    return covered


def _holds(text: Words, words: Words) -> bool:
    """Whether the words stand in the text one after the other."""
    return any(gram == words for gram in grams_of(text, len(words)))
