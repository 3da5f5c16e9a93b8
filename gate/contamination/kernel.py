"""The corpus streamed once past the eval's n-grams: found anywhere, found in one document, found word for word."""

from collections.abc import Iterable, Sequence

import numpy as np

from gate.contamination.best_documents import BestDocuments
from gate.contamination.blocks import Indices, encode
from gate.contamination.cutting import Cut, Cutter
from gate.contamination.kernels import chosen_cutter
from gate.contamination.modes import Mode, prepare
from gate.contamination.pairs import Pairs
from gate.contamination.phrases import WholeTexts, commonest_first
from gate.contamination.probes import EvalIndex, Lane
from gate.contamination.segments import Segment, Segmenter, regroup, segmenter
from gate.contamination.tally import DocumentKey, Tally, empty_tally

# So many characters of text are worked on at once: few enough for the fast memory, many enough to pay for the calls.
BLOCK_SIZE = 1 << 20
# A document of more characters is read in pieces.
LONGEST_WHOLE = 1 << 20


class Kernel:
    """Holds documents against the eval; give them in the order of the corpus, and ``flush`` after the last.

    Attributes:
        tally: what has been found, of all documents once they are flushed.
    """

    def __init__(self, index: EvalIndex) -> None:
        self.tally: Tally = empty_tally(index)
        self._index = index
        self._lanes = [_LaneKernel(number, lane, self.tally) for number, lane in enumerate(index.lanes)]
        self._keys: list[DocumentKey] = []
        self._texts: list[str] = []
        self._size = 0
        # a piece is to be longer than what is repeated of the one before
        longest = max((len(text) for item in index.items for text in (item.question, item.answer or "")), default=0)
        self._piece_size = 4 * longest

    def read(self, key: DocumentKey, text: str) -> None:
        """Take in one document."""
        if len(text) > LONGEST_WHOLE:
            self.read_long(key, [text])
            return
        self.tally.documents += 1
        self._keys.append(key)
        self._texts.append(text)
        self._size += len(text) + 1
        if self._size >= BLOCK_SIZE:
            self.flush()

    def read_long(self, key: DocumentKey, pieces: Iterable[str]) -> None:
        """Take in one document that comes in pieces, cut anywhere, so that it need not stand in memory as a whole."""
        self.flush()
        self.tally.documents += 1
        for lane in self._lanes:
            lane.begin(key)
        for piece in regroup(pieces, max(BLOCK_SIZE, self._piece_size)):
            for lane in self._lanes:
                lane.push(piece)
        for lane in self._lanes:
            lane.end()

    def flush(self) -> None:
        """Work on what was taken in."""
        if self._texts:
            for lane in self._lanes:
                lane.read(self._keys, self._texts)
        self._keys, self._texts, self._size = [], [], 0

    def take(self) -> Tally:
        """What has been found since the last time; what is read from here on is held against the eval anew."""
        self.flush()
        tally, self.tally = self.tally, empty_tally(self._index)
        for lane in self._lanes:
            lane.restart(self.tally)
        return tally


class _LaneKernel:
    """One lane's part of the work."""

    def __init__(self, number: int, lane: Lane, tally: Tally) -> None:
        self._cutter: Cutter = chosen_cutter()
        self._cutter.prepare(search.table for search in lane.searches)
        self._number = number
        self._lane = lane
        self._tally = tally
        ordered = [commonest_first(search.numbers, search.holders) for search in lane.searches]
        self._whole_texts = WholeTexts(lane, ordered[0])
        self._best = [
            BestDocuments(search, grams, own.best)
            for search, grams, own in zip(lane.searches, ordered, tally.searches[number], strict=True)
        ]
        self._overlap = max(*lane.sizes, lane.longest_probe) - 1
        self._longest_word = lane.longest_word
        self._segmenter = self._new_segmenter()
        self._key = DocumentKey(0, 0, 0)
        self._held: list[Indices] = []

    def restart(self, tally: Tally) -> None:
        """Go on with another tally, as if nothing had been found."""
        self._tally = tally
        self._whole_texts.restart()
        for best, own in zip(self._best, tally.searches[self._number], strict=True):
            best.restart(own.best)

    def read(self, keys: Sequence[DocumentKey], texts: Sequence[str]) -> None:
        """Documents that are whole."""
        mode = self._lane.mode
        if mode is Mode.REFERENCE:
            cut = self._cutter.cut_lower(texts)
        else:
            cut = self._cutter.cut([encode(prepare(text, mode)) for text in texts])
        self._count(cut.words)
        for place, pairs in enumerate(self._search(cut, keys)):
            self._take(place, keys, pairs)

    def begin(self, key: DocumentKey) -> None:
        """A document that comes in pieces begins."""
        self._segmenter, self._key = self._new_segmenter(), key
        self._held = [np.empty(0, dtype=np.int64) for _ in self._lane.searches]

    def push(self, piece: str) -> None:
        """The next piece."""
        for segment in self._segmenter.push(piece):
            self._read_segment(segment)

    def end(self) -> None:
        """The document has ended: only now is it known how much of each probe it holds."""
        for segment in self._segmenter.end():
            self._read_segment(segment)
        for place, grams in enumerate(self._held):
            self._take(place, [self._key], Pairs(grams, self._lane.searches[place].table.bits))

    def _read_segment(self, segment: Segment) -> None:
        cut = self._cutter.cut([encode(segment.text)])
        self._count(cut.words - segment.carried)
        found = self._search(cut, [self._key])
        self._held = [np.union1d(held, pairs.grams) for held, pairs in zip(self._held, found, strict=True)]

    def _search(self, cut: Cut, keys: Sequence[DocumentKey]) -> list[Pairs]:
        """The n-grams of every size, and on the way the whole texts."""
        found = [cut.pairs(search.table) for search in self._lane.searches]
        for probe, document in self._whole_texts.take_found(cut, found[0]):
            self._tally.verbatim[self._number, probe] = keys[document]
        return found

    def _take(self, place: int, keys: Sequence[DocumentKey], pairs: Pairs) -> None:
        np.add.at(self._tally.searches[self._number][place].documents, pairs.grams, 1)
        self._best[place].update(keys, pairs)

    def _count(self, words: int) -> None:
        """Words are counted in the first lane, which is that of the mode asked for where any item has it."""
        if self._number == 0:
            self._tally.words += words

    def _new_segmenter(self) -> Segmenter:
        return segmenter(self._lane.mode, overlap=self._overlap, longest_word=self._longest_word)
