"""Hashes of words and of runs of words, reckoned for a whole block at once; what they claim is always verified."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import EIGHT, Block

Hashes = NDArray[np.uint64]

# Odd 64-bit constants with well mixed bits: the fraction of the golden ratio, and two primes that xxHash uses, too.
_FACTORS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_SHIFT = np.uint64(32)


def hash_words(block: Block) -> Hashes:
    """uint64 (w,): a hash of each word, by its bytes and its length."""
    lengths = block.lengths
    hashes = block.eights(block.starts, lengths)
    hashes ^= lengths.astype(np.uint64) * _FACTORS[1]
    hashes *= _FACTORS[0]
    longer, offset = np.flatnonzero(lengths > EIGHT), EIGHT
    while longer.size:
        rest = lengths[longer] - offset
        mixed = hashes[longer]
        mixed ^= mixed >> _SHIFT
        hashes[longer] = (mixed ^ block.eights(block.starts[longer] + offset, rest)) * _FACTORS[0]
        longer, offset = longer[rest > EIGHT], offset + EIGHT
    hashes ^= hashes >> _SHIFT
    return hashes


def hash_runs(words: Hashes, size: int) -> Hashes:
    """uint64 (max(0, w - size + 1),): a hash of each run of ``size`` words, from the words' hashes."""
    count = max(0, words.size - size + 1)
    return hash_grams(words[offset : offset + count] for offset in range(size))


def hash_grams(columns: Iterable[Hashes]) -> Hashes:
    """uint64 (g,): a hash of each n-gram, from the hashes of its words: all first ones, all second ones, ..."""
    first, *others = columns
    hashes = first.copy()
    for column in others:
        hashes *= _FACTORS[2]
        hashes += column
    hashes *= _FACTORS[0]
    hashes ^= hashes >> _SHIFT
    return hashes
