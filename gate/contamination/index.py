"""The eval's side of a scan: its items' n-grams in one table, its whole texts ready to be searched for."""

from collections.abc import Sequence
from dataclasses import dataclass

from gate.contamination.ngrams import NgramTable, ngrams_of, template_ngrams, words_of
from gate.contamination.phrases import Phrase, PhraseSearch
from gate.contamination.report import Item


@dataclass(frozen=True, slots=True)
class IndexedItem:
    """An item's words, and the numbers of its distinct n-grams without template ones.

    An item without a number cannot be tested by n-grams.
    """

    id: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EvalIndex:
    """What a corpus is held against.

    Attributes:
        items: in the given order.
        table: every n-gram that counts for some item.
        searches: the whole-text searches; the first one's table is ``table``.
        template_ngrams: how many distinct n-grams were left out as template.
    """

    items: tuple[IndexedItem, ...]
    table: NgramTable
    searches: tuple[PhraseSearch, ...]
    template_ngrams: int

    @property
    def longest_text(self) -> int:
        """Words of the longest item."""
        return max((len(item.words) for item in self.items), default=0)

    @property
    def longest_word(self) -> int:
        """Characters of the longest word of any item."""
        return max((len(word) for item in self.items for word in item.words), default=0)


def build_index(items: Sequence[Item], ngram: int) -> EvalIndex:
    """Index the items for n-grams of ``ngram`` words."""
    texts = [tuple(words_of(item.text)) for item in items]
    # dict keys, not sets: their order is the same in every process
    ngrams = [dict.fromkeys(ngrams_of(words, ngram)) for words in texts]
    template = template_ngrams([entry.keys() for entry in ngrams])
    table = NgramTable(ngram)
    indexed = tuple(
        IndexedItem(item.id, words, table.add(entry for entry in own if entry not in template))
        for item, words, own in zip(items, texts, ngrams, strict=True)
    )
    return EvalIndex(indexed, table, _searches(indexed, table), len(template))


def _searches(items: Sequence[IndexedItem], table: NgramTable) -> tuple[PhraseSearch, ...]:
    """Whole-text searches: by the items' own n-grams; for items without any, by pairs of words or by single words."""
    same_text: dict[tuple[str, ...], list[int]] = {}
    for position, item in enumerate(items):
        if item.words:
            same_text.setdefault(item.words, []).append(position)
    pairs, singles = NgramTable(2), NgramTable(1)
    phrases: dict[NgramTable, list[Phrase]] = {table: [], pairs: [], singles: []}
    for words, positions in same_text.items():
        used, numbers = table, items[positions[0]].numbers
        if not numbers:
            used = pairs if len(words) > 1 else singles
            numbers = used.add(dict.fromkeys(ngrams_of(words, used.size)))
        phrases[used].append(Phrase(words, numbers, tuple(positions)))
    return tuple(PhraseSearch(used, own) for used, own in phrases.items())
