"""Words and word n-grams in the reference mode, ``text.lower().split()``, and the n-grams that are only template."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

SIZES = range(1, 14)
TEMPLATE_MIN_ITEMS = 20

Ngram = tuple[str, ...]


def words_of(text: str) -> list[str]:
    """The text's words: lower case, cut at the whitespace that ``str.split`` knows; punctuation stays."""
    return text.lower().split()


def ngrams_of(words: Sequence[str], size: int) -> Iterator[Ngram]:
    """Every run of ``size`` consecutive words, in order, repeats included; none where there are fewer words."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def template_ngrams(items: Sequence[Collection[Ngram]]) -> frozenset[Ngram]:
    """The n-grams that stand in more than half of the items; none where there are fewer than 20 items.

    Args:
        items: each item's distinct n-grams.
    """
    if len(items) < TEMPLATE_MIN_ITEMS:
        return frozenset()
    holders = Counter(chain.from_iterable(items))
    return frozenset(ngram for ngram, count in holders.items() if 2 * count > len(items))


class NgramTable:
    """Distinct n-grams of one size, each under a number counted from 0.

    Attributes:
        size: words an n-gram.
        holders: for each number, how many texts were added that hold the n-gram.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.holders: list[int] = []
        self._numbers: dict[Ngram, int] = {}

    def add(self, ngrams: Iterable[Ngram]) -> tuple[int, ...]:
        """Enter a text's distinct n-grams; returns their numbers in the given order."""
        numbers = tuple(self._numbers.setdefault(ngram, len(self._numbers)) for ngram in ngrams)
        self.holders += [0] * (len(self._numbers) - len(self.holders))
        for number in numbers:
            self.holders[number] += 1
        return numbers

    def number(self, ngram: Ngram) -> int | None:
        """The n-gram's number, or None where it is not in the table."""
        return self._numbers.get(ngram)

    def found_in(self, words: Sequence[str]) -> set[int]:
        """The numbers of the table's n-grams that stand in ``words``."""
        # the corpus goes through this line word by word: map, zip and set keep the loop out of the interpreter
        found: set[int | None] = set(map(self._numbers.get, ngrams_of(words, self.size)))
        found.discard(None)
        return found  # type: ignore[return-value]  # None has just been taken out
