"""The n-grams of the evals in a table that a whole block of the corpus is looked up in at once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import EIGHT, Block, Indices, make_block
from gate.contamination.hashing import Hashes, hash_grams, hash_runs, hash_words

Words = tuple[bytes, ...]
# The filter has so many places an n-gram: of the words that start none, one in as many gets through at most.
_PLACES_PER_GRAM = 16
_LEAST_BITS, _MOST_BITS = 12, 28
# So many claims are verified at once: a block of one repeated word has as many as words.
_CLAIMS = 1 << 15


class Hits(NamedTuple):
    """Where n-grams of the table stand in a block: of each, the number of its first word, and its own."""

    words: Indices
    grams: Indices


class Vocabulary:
    """Distinct words under numbers from 0 on, with what is compared when a word of a block is held against them."""

    def __init__(self, words: Sequence[bytes]) -> None:
        self.block = make_block(words)
        self.hashes = hash_words(self.block)
        self.eights = self.block.eights(self.block.starts, self.block.lengths)

    def word(self, number: int) -> bytes:
        """The word of that number."""
        return self.block.words(number, number + 1)[0]

    def equal(self, block: Block, words: Indices, own: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether these words of the block are those of the vocabulary, byte by byte; both of one length."""
        starts, lengths = block.starts[words], block.lengths[words]
        equal: NDArray[np.bool_] = block.eights(starts, lengths) == self.eights[own]
        equal &= lengths == self.block.lengths[own]
        open_, offset = np.flatnonzero(equal & (lengths > EIGHT)), EIGHT
        while open_.size:
            rest = lengths[open_] - offset
            theirs = block.eights(starts[open_] + offset, rest)
            ours = self.block.eights(self.block.starts[own[open_]] + offset, rest)
            equal[open_[theirs != ours]] = False
            open_, offset = open_[(theirs == ours) & (rest > EIGHT)], offset + EIGHT
        return equal


class Grams(Sequence[Words]):
    """N-grams as the numbers of their words.

    Attributes:
        vocabulary: the words.
        numbers: int32 (g, size).
    """

    def __init__(self, vocabulary: Vocabulary, numbers: NDArray[np.int32]) -> None:
        self.vocabulary = vocabulary
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, number: int) -> Words: ...
    @overload
    def __getitem__(self, number: slice) -> list[Words]: ...
    def __getitem__(self, number: int | slice) -> Words | list[Words]:
        if isinstance(number, slice):
            return [self[one] for one in range(len(self))[number]]
        return tuple(self.vocabulary.word(word) for word in self.numbers[number].tolist())


class GramTable:
    """Distinct n-grams of one size under numbers from 0 on, and their lookup.

    Attributes:
        size: words an n-gram.
        grams: each n-gram's words, by number.
    """

    def __init__(self, grams: Grams) -> None:
        self.size = grams.numbers.shape[1]
        self.grams = grams
        hashes = hash_grams(grams.vocabulary.hashes[column] for column in grams.numbers.T)
        order = np.argsort(hashes, kind="stable")
        self._every = hashes[order], order.astype(np.int32)
        self._sort(*self._every)

    def __len__(self) -> int:
        return len(self.grams)

    def retain(self, wanted: NDArray[np.bool_]) -> None:
        """Find these n-grams only from now on, told by number; the numbers stay."""
        kept = wanted[self._order]
        self._sort(self._hashes[kept], self._order[kept])

    def retain_all(self) -> None:
        """Find every n-gram again."""
        if self._order is not self._every[1]:
            self._sort(*self._every)

    def find(self, block: Block, hashes: Hashes) -> Hits:
        """Every occurrence of the table's n-grams within a document of the block, verified byte by byte.

        Args:
            block: the documents.
            hashes: uint64 (w,), of its words.
        """
        runs = hash_runs(hashes, self.size)
        likely = np.flatnonzero(np.take(self._filter, self._place(runs), mode="clip"))
        likely = likely[block.documents[likely] == block.documents[likely + self.size - 1]]
        hits = [
            self._verified(block, claim.words[at : at + _CLAIMS], claim.grams[at : at + _CLAIMS])
            for claim in self._claims(likely, runs[likely])
            for at in range(0, claim.words.size, _CLAIMS)
        ]
        return Hits(*map(np.concatenate, zip(*hits, strict=True))) if hits else _NO_HITS

    def _claims(self, words: Indices, runs: Hashes) -> Iterator[Hits]:
        """What the hashes alone say; n-grams of one hash, which there hardly ever are, are all tried."""
        bucket = (runs >> self._bucket_shift).view(np.int64)
        place, end = self._buckets[bucket], self._buckets[bucket + 1]
        while True:
            # hashes ascend within a bucket
            ahead = np.flatnonzero(place < end)
            words, runs, place, end = words[ahead], runs[ahead], place[ahead], end[ahead]
            if not words.size:
                return
            same = self._hashes[place] == runs
            yield Hits(words[same], self._order[place[same]].astype(np.int64))
            place = place + 1

    def _verified(self, block: Block, words: Indices, grams: Indices) -> Hits:
        """Those claims that are true."""
        own = self.grams.numbers[grams]
        for offset in range(self.size):
            true = self.grams.vocabulary.equal(block, words + offset, own[:, offset])
            if not true.all():
                words, grams, own = words[true], grams[true], own[true]
        return Hits(words, grams)

    def _sort(self, hashes: Hashes, order: NDArray[np.int32]) -> None:
        """Set up the lookup of n-grams by their hashes, which ascend."""
        self._hashes, self._order = hashes, order
        bits = max(1, hashes.size.bit_length() + 1)
        self._bucket_shift = np.uint64(64 - bits)
        sizes = np.bincount((hashes >> self._bucket_shift).view(np.int64), minlength=1 << bits)
        self._buckets = np.zeros((1 << bits) + 1, dtype=np.int32)
        np.cumsum(sizes, out=self._buckets[1:])
        filter_bits = min(_MOST_BITS, max(_LEAST_BITS, (hashes.size * _PLACES_PER_GRAM).bit_length()))
        self._filter_shift = np.uint64(64 - filter_bits)
        self._filter = np.zeros(1 << filter_bits, dtype=np.bool_)
        self._filter[self._place(hashes)] = True

    def _place(self, hashes: Hashes) -> Indices:
        return (hashes >> self._filter_shift).view(np.int64)


_NO_HITS = Hits(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
