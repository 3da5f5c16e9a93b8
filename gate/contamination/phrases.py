"""Whole texts searched for word for word: rare n-grams say where to look, the text itself decides."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import Indices
from gate.contamination.cutting import Cut
from gate.contamination.grams import WordRuns
from gate.contamination.pairs import Pairs
from gate.contamination.probes import Lane
from gate.contamination.ragged import Ragged, ragged
from gate.contamination.table import GramTable, Words

# A text that is too short for the n-grams that are searched for is looked for by the longest of these that it has.
_SHORT_SIZES = (8, 4, 2, 1)


class Taken(NamedTuple):
    """A phrase that was found, by its number, and the number of its document among those that were cut."""

    document: int
    phrase: int


class Verbatim(NamedTuple):
    """A probe whose whole text was found, by its number, and the number of its document among those that were cut."""

    probe: int
    document: int


class PhraseSearch:
    """Word sequences that are still to be found, each looked for where the rarest of its n-grams stands."""

    def __init__(self, phrases: Sequence[Words], commonest_first: Ragged, grams: int) -> None:
        """Start with all of them.

        Args:
            phrases: of at least one word each.
            commonest_first: for each the distinct n-grams that stand where it stands, at least one, the rarest last.
            grams: how many there are in the table.
        """
        self._phrases = phrases
        self._numbers = commonest_first
        anchors = commonest_first.values[commonest_first.ends[1:] - 1]
        order = np.argsort(anchors, kind="stable")
        self._by_anchor = ragged(anchors[order], order, grams)
        self.restart()

    def restart(self) -> None:
        """Search for all of them again."""
        self._is_open = np.ones(len(self._phrases), dtype=np.bool_)
        # how many open phrases each n-gram is the anchor of
        self._open_at = self._by_anchor.lengths

    @property
    def is_wanted(self) -> NDArray[np.bool_]:
        """Whether an n-gram is one of a phrase that is still to be found."""
        wanted = np.zeros(self._open_at.size, dtype=np.bool_)
        wanted[self._numbers.values[self._numbers.places(np.flatnonzero(self._is_open))]] = True
        return wanted

    def take_found(self, cut: Cut, pairs: Pairs) -> Iterator[Taken]:
        """The phrases that stand there, each in the first of the documents; they are not searched for again."""
        at_anchor = pairs.those(self._open_at[pairs.grams] > 0)
        if not at_anchor.documents.size:
            return
        phrases = self._by_anchor.values[self._by_anchor.places(at_anchor.grams)]
        documents = np.repeat(at_anchor.documents, self._by_anchor.sizes(at_anchor.grams))
        is_open = self._is_open[phrases]
        phrases, documents = phrases[is_open], documents[is_open]
        all_there = pairs.held(documents, phrases, self._numbers).counts == self._numbers.sizes(phrases)
        phrases, documents = phrases[all_there], documents[all_there]
        text = _Text(cut)
        for phrase, document in zip(phrases.tolist(), documents.tolist(), strict=True):
            if self._is_open[phrase] and text.holds(document, self._phrases[phrase]):
                self._is_open[phrase] = False
                self._open_at[self._numbers.values[self._numbers.ends[phrase + 1] - 1]] -= 1
                yield Taken(document, phrase)


class _Text:
    """The text of one document after the other."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut
        self._document = -1
        self._text = b""

    def holds(self, document: int, words: Words) -> bool:
        """Whether the words stand in the document in a row; ask document by document."""
        if document != self._document:
            self._document, self._text = document, b" %b " % self._cut.text(document)
        # words hold no spaces, so a phrase between spaces stands in the text exactly where its words stand in a row
        return b" %b " % b" ".join(words) in self._text


class ShortSearch:
    """Texts that have no n-gram of the size that is searched for: looked for by shorter ones, down to single words.

    Such n-grams stand everywhere, so that those of what has been found leave the table.
    """

    def __init__(self, size: int, phrases: Sequence[Words]) -> None:
        grams = WordRuns(phrases).grams(size)
        self._table = GramTable(grams.grams)
        holders = np.bincount(grams.numbers.values, minlength=len(self._table))
        self._search = PhraseSearch(phrases, commonest_first(grams.numbers, holders), len(self._table))

    def restart(self) -> None:
        """Search for all of them again."""
        self._search.restart()
        self._table.retain_all()

    def take_found(self, cut: Cut) -> Iterator[Taken]:
        """As in ``PhraseSearch``."""
        found = [*self._search.take_found(cut, cut.pairs(self._table))]
        if found:
            self._table.retain(self._search.is_wanted)
        yield from found


class WholeTexts:
    """The whole text of every probe of a lane that has a word; equal texts are searched for once."""

    def __init__(self, lane: Lane, commonest_first: Ragged) -> None:
        """Start with all of them.

        Args:
            lane: the probes.
            commonest_first: the n-grams of its first search, of each probe the rarest last.
        """
        self._same_text: dict[Words, list[int]] = {}
        for number, probe in enumerate(lane.probes):
            if probe.words:
                self._same_text.setdefault(probe.words, []).append(number)
        firsts = np.array([probes[0] for probes in self._same_text.values()], dtype=np.int64)
        has_grams = commonest_first.lengths[firsts] > 0
        texts = [*self._same_text]
        long = firsts[has_grams]
        self._long = [lane.probes[number].words for number in long.tolist()]
        self._by_grams = PhraseSearch(self._long, commonest_first.take(long), len(lane.searches[0].table))
        short: dict[int, list[Words]] = {}
        for place in np.flatnonzero(~has_grams).tolist():
            size = next(size for size in _SHORT_SIZES if size <= len(texts[place]))
            short.setdefault(size, []).append(texts[place])
        self._short = [(phrases, ShortSearch(size, phrases)) for size, phrases in short.items()]

    def restart(self) -> None:
        """Search for all of them again."""
        self._by_grams.restart()
        for _, search in self._short:
            search.restart()

    def take_found(self, cut: Cut, pairs: Pairs) -> Iterator[Verbatim]:
        """The probes whose text stands there, each with the first of its documents; once only.

        Args:
            cut: the documents.
            pairs: which of them hold which n-grams of the lane's first search.
        """
        for document, phrase in self._by_grams.take_found(cut, pairs):
            yield from (Verbatim(probe, document) for probe in self._same_text[self._long[phrase]])
        for phrases, search in self._short:
            for document, phrase in search.take_found(cut):
                yield from (Verbatim(probe, document) for probe in self._same_text[phrases[phrase]])


def commonest_first(numbers: Ragged, holders: Indices) -> Ragged:
    """The same rows, each by how many hold its n-grams.

    Args:
        numbers: n-grams by number.
        holders: int64 (g,), how many hold each.
    """
    rows = numbers.rows()
    order = np.lexsort((-holders[numbers.values], rows))
    return Ragged(numbers.values[order], numbers.ends)
