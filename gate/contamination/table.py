"""The n-grams of the evals in a table that a whole block of the corpus is looked up in at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """N-grams by their hashes.

    Attributes:
        hashes: uint64 (h,), ascending.
        order: int32 (h,), the number of the n-gram of each.
        bucket_bits: of a hash so many upper bits tell its bucket, at least 1.
        buckets: int32 (2^bucket_bits + 1,), where each bucket starts in ``hashes``, and where the last one ends.
        filter_bits: so many upper bits of a hash tell its place in a filter, where the places of these hashes are set.
    """

    hashes: Hashes
    order: NDArray[np.int32]
    bucket_bits: int
    buckets: NDArray[np.int32]
    filter_bits: int


def upper(hashes: Hashes, bits: int) -> Indices:
    """So many upper bits of each hash, at least one, as a number."""
    return (hashes >> np.uint64(64 - bits)).view(np.int64)


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
        bits: that hold any n-gram's number.
        lookup: the n-grams that are found.
    """

    def __init__(self, grams: Grams) -> None:
        self.size = grams.numbers.shape[1]
        self.grams = grams
        self.bits = len(grams).bit_length()
        hashes = hash_grams(grams.vocabulary.hashes[column] for column in grams.numbers.T)
        order = np.argsort(hashes, kind="stable")
        self._every = self.lookup = _sorted(hashes[order], order.astype(np.int32))
        self._filter: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.grams)

    def retain(self, wanted: NDArray[np.bool_]) -> None:
        """Find these n-grams only from now on, told by number; the numbers stay."""
        kept = wanted[self.lookup.order]
        self.lookup = _sorted(self.lookup.hashes[kept], self.lookup.order[kept])
        self._filter = None

    def retain_all(self) -> None:
        """Find every n-gram again."""
        self.lookup = self._every
        self._filter = None

    def prepare(self) -> NDArray[np.bool_]:
        """Make ready for ``find``: bool, whether there may be an n-gram of a hash with those upper bits."""
        if self._filter is None:
            self._filter = np.zeros(1 << self.lookup.filter_bits, dtype=np.bool_)
            self._filter[upper(self.lookup.hashes, self.lookup.filter_bits)] = True
        return self._filter

    def find(self, block: Block, hashes: Hashes) -> Hits:
        """Every occurrence of the table's n-grams within a document of the block, verified byte by byte.

        Args:
            block: the documents.
            hashes: uint64 (w,), of its words.
        """
        filled = self.prepare()
        runs = hash_runs(hashes, self.size)
        likely = np.flatnonzero(np.take(filled, upper(runs, self.lookup.filter_bits), mode="clip"))
        likely = likely[block.documents[likely] == block.documents[likely + self.size - 1]]
        hits = [
            self._verified(block, claim.words[at : at + _CLAIMS], claim.grams[at : at + _CLAIMS])
            for claim in self._claims(likely, runs[likely])
            for at in range(0, claim.words.size, _CLAIMS)
        ]
        return Hits(*map(np.concatenate, zip(*hits, strict=True))) if hits else _NO_HITS

    def _claims(self, words: Indices, runs: Hashes) -> Iterator[Hits]:
        """What the hashes alone say; n-grams of one hash, which there hardly ever are, are all tried."""
        lookup = self.lookup
        bucket = upper(runs, lookup.bucket_bits)
        place, end = lookup.buckets[bucket], lookup.buckets[bucket + 1]
        while True:
            # hashes ascend within a bucket
            ahead = np.flatnonzero(place < end)
            words, runs, place, end = words[ahead], runs[ahead], place[ahead], end[ahead]
            if not words.size:
                return
            same = lookup.hashes[place] == runs
            yield Hits(words[same], lookup.order[place[same]].astype(np.int64))
            place = place + 1

    def _verified(self, block: Block, words: Indices, grams: Indices) -> Hits:
        """Those claims that are true."""
        own = self.grams.numbers[grams]
        for offset in range(self.size):
            true = self.grams.vocabulary.equal(block, words + offset, own[:, offset])
            if not true.all():
                words, grams, own = words[true], grams[true], own[true]
        return Hits(words, grams)


def _sorted(hashes: Hashes, order: NDArray[np.int32]) -> Lookup:
    """The lookup of n-grams by their hashes, which ascend."""
    bits = max(1, hashes.size.bit_length() + 1)
    buckets = np.zeros((1 << bits) + 1, dtype=np.int32)
    np.cumsum(np.bincount(upper(hashes, bits), minlength=1 << bits), out=buckets[1:])
    filter_bits = min(_MOST_BITS, max(_LEAST_BITS, (hashes.size * _PLACES_PER_GRAM).bit_length()))
    return Lookup(hashes, order, bits, buckets, filter_bits)


_NO_HITS = Hits(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
