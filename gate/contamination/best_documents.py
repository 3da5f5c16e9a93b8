"""For each item the one document that holds most of its n-grams, without counting every item against every document."""

from collections.abc import Sequence
from typing import NamedTuple

from gate.contamination.corpus import DocumentName


class BestDocument(NamedTuple):
    """The document that holds most of an item's n-grams, and the numbers of those."""

    name: DocumentName
    numbers: frozenset[int]


class BestDocuments:
    """The best documents so far; ties go to the document that was read first.

    An item whose best document holds b of its n-grams is looked up under all but its b commonest n-grams only: a
    document with more than b of them must hold one of the others (prefix filtering: Chaudhuri, Ganti and Kaushik,
    "A primitive operator for similarity joins in data cleaning", ICDE 2006). So the n-grams that many items
    share soon cost nothing.

    Attributes:
        by_item: item position -> its best document; no entry where no n-gram was found.
    """

    def __init__(self, items: Sequence[Sequence[int]], holders: Sequence[int]) -> None:
        """Start without a document.

        Args:
            items: each item's distinct n-grams by number.
            holders: for each n-gram, how many items hold it.
        """
        self.by_item: dict[int, BestDocument] = {}
        self._counts = [0] * len(items)
        self._commonest_first = [sorted(numbers, key=lambda number: -holders[number]) for numbers in items]
        self._lookup: list[set[int]] = [set() for _ in holders]
        for item, numbers in enumerate(items):
            for number in numbers:
                self._lookup[number].add(item)

    def update(self, name: DocumentName, hits: set[int]) -> None:
        """Take in the next document, which holds the n-grams ``hits``."""
        for item in set().union(*(self._lookup[number] for number in hits)):
            held = hits.intersection(self._commonest_first[item])
            best = self._counts[item]
            if len(held) > best:
                for number in self._commonest_first[item][best : len(held)]:
                    self._lookup[number].discard(item)
                self._counts[item] = len(held)
                self.by_item[item] = BestDocument(name, frozenset(held))
