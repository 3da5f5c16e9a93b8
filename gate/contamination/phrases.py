"""Whole items searched for word for word: rare n-grams say where to look, the text itself decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gate.contamination.ngrams import NgramTable


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """One word sequence that is the whole text of one or more items.

    Attributes:
        words: at least one.
        numbers: its n-grams in the search's table; all of them stand where the phrase stands.
        items: positions of the items with this text.
    """

    words: tuple[str, ...]
    numbers: tuple[int, ...]
    items: tuple[int, ...]


class PhraseSearch:
    """Phrases that are still to be found, each filed under the rarest of its n-grams.

    Attributes:
        table: the n-grams that say where to look.
    """

    def __init__(self, table: NgramTable, phrases: Iterable[Phrase]) -> None:
        self.table = table
        self._open: dict[int, list[Phrase]] = {}
        for phrase in phrases:
            self._open.setdefault(self._anchor(phrase), []).append(phrase)

    def __bool__(self) -> bool:
        """Whether a phrase is still to be found."""
        return bool(self._open)

    def take_found(self, words: Sequence[str], hits: set[int]) -> list[Phrase]:
        """The open phrases that stand in ``words``; they are not searched for again.

        Args:
            words: consecutive words of one document.
            hits: the numbers of the table's n-grams that stand in ``words``.
        """
        candidates = [
            phrase
            for anchor in self._open.keys() & hits
            for phrase in self._open[anchor]
            if hits.issuperset(phrase.numbers)
        ]
        if not candidates:
            return []
        # words hold no spaces, so a phrase between spaces stands in the text exactly where its words stand in a row
        text = f" {' '.join(words)} "
        found = [phrase for phrase in candidates if f" {' '.join(phrase.words)} " in text]
        for phrase in found:
            self._close(phrase)
        return found

    def _anchor(self, phrase: Phrase) -> int:
        return min(phrase.numbers, key=self.table.holders.__getitem__)

    def _close(self, phrase: Phrase) -> None:
        anchor = self._anchor(phrase)
        self._open[anchor].remove(phrase)
        if not self._open[anchor]:
            del self._open[anchor]
