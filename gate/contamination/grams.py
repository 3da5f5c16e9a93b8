"""The distinct n-grams of many texts, numbered in arrays: millions of them fit where tuples in a dict would not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import Indices
from gate.contamination.ragged import Ragged, ragged
from gate.contamination.table import Grams, Vocabulary, Words


@dataclass(frozen=True, slots=True, eq=False)
class NumberedGrams:
    """The n-grams of some texts.

    Attributes:
        grams: the distinct ones of all texts.
        numbers: for each text its distinct n-grams by number, in the order of its words.
    """

    grams: Grams
    numbers: Ragged

    def without(self, left_out: NDArray[np.bool_]) -> "NumberedGrams":
        """Those n-grams left out, told by number, and the others numbered anew."""
        if not left_out.any():
            return self
        kept = ~left_out[self.numbers.values]
        renumbered = np.cumsum(~left_out) - 1
        values = renumbered[self.numbers.values[kept]]
        numbers = ragged(self.numbers.rows()[kept], values, len(self.numbers))
        return NumberedGrams(Grams(self.grams.vocabulary, self.grams.numbers[~left_out]), numbers)


class WordRuns:
    """Texts as numbers of words, and their n-grams of any size."""

    def __init__(self, texts: Sequence[Words]) -> None:
        known: dict[bytes, int] = {}
        words = [known.setdefault(word, len(known)) for text in texts for word in text]
        self._words = np.array(words, dtype=np.int64)
        self._texts = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
        self._count = len(texts)
        self._vocabulary = Vocabulary(tuple(known))

    def grams(self, size: int) -> NumberedGrams:
        """All runs of that many words within a text."""
        starts = np.flatnonzero(self._texts[: max(0, self._texts.size - size + 1)] == self._texts[size - 1 :])
        codes = self._codes(size)[starts]
        first, numbers = np.unique(codes, return_index=True, return_inverse=True)[1:]
        texts = self._texts[starts]
        # a text's repeats go, of each the first occurrence stays
        once = np.sort(np.unique(texts * max(1, first.size) + numbers, return_index=True)[1])
        grams = self._words[starts[first][:, None] + np.arange(size)].astype(np.int32)
        return NumberedGrams(Grams(self._vocabulary, grams), ragged(texts[once], numbers[once], self._count))

    def _codes(self, size: int) -> Indices:
        """int64 (max(0, w - size + 1),): equal for equal runs of words, and for them alone.

        A run is two overlapping runs of about half its size, each of which has its code; products stay far below 2^63.
        """
        if size == 1:
            return self._words
        half = (size + 1) // 2
        codes = self._codes(half)
        count = max(0, self._words.size - size + 1)
        pairs = codes[:count] * (int(codes.max(initial=0)) + 1) + codes[size - half : size - half + count]
        numbers: Indices = np.unique(pairs, return_inverse=True)[1]
        return numbers
