"""What goes into a scan and what comes out: items, their overlaps with the evidence, the scan as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

Confirm = Literal["best_document", "pooled"]


@dataclass(frozen=True, slots=True)
class Item:
    """One eval item: its id, and the text to be looked for (the question, not a few-shot prompt around it)."""

    id: str
    text: str


class Match(NamedTuple):
    """One word of an item, lower case, and whether it was found."""

    word: str
    found: bool


@dataclass(frozen=True, slots=True)
class ItemOverlap:
    """How much of one item stands in the corpus.

    Attributes:
        id: the item.
        n_grams: its distinct n-grams, template ones left out.
        overlap: share of them that occur anywhere in the corpus, 0 to 1; 0.0 where there are none.
        best_document_overlap: share of them that occur in ``document``, 0 to 1.
        document: the document that holds the whole text, else the one that holds most of the n-grams; the first in
            corpus order among equals; None where nothing was found. A path, with ``:line N`` or ``:record N``.
        document_id: that record's own id, where it has one.
        verbatim: ``document`` holds the item's whole text, word for word.
        words: the item's words in order, lower case.
        found: for each word, whether it is part of an n-gram found in ``document``; all of them if ``verbatim``.
    """

    id: str
    n_grams: int
    overlap: float
    best_document_overlap: float
    document: str | None
    document_id: str | None
    verbatim: bool
    words: tuple[str, ...]
    found: tuple[bool, ...]

    @property
    def testable(self) -> bool:
        """Whether n-grams can say anything about the item; an item that is not testable is never clean."""
        return self.n_grams > 0

    @property
    def verbatim_document(self) -> str | None:
        """The first document that holds the whole text, or None."""
        return self.document if self.verbatim else None

    @property
    def longest_span(self) -> int:
        """The longest run of found words, in words."""
        return longest_run(self.found)

    @property
    def matched(self) -> tuple[Match, ...]:
        """The item's words, each with whether it was found."""
        return tuple(map(Match, self.words, self.found))

    def is_flagged(self, bar: float) -> bool:
        """Whether the overlap reaches ``bar`` (above 0, up to 1), or the whole text was found."""
        return self.verbatim or (self.testable and self.overlap >= bar)

    def is_confirmed(self, bar: float, confirm: Confirm = "best_document") -> bool:
        """Whether the item is flagged and one document alone says so; with ``pooled``, whether it is flagged."""
        if confirm == "pooled":
            return self.is_flagged(bar)
        return self.verbatim or (self.testable and self.best_document_overlap >= bar)

    def is_suspect(self, bar: float, confirm: Confirm = "best_document") -> bool:
        """Whether the item is flagged but not confirmed."""
        return self.is_flagged(bar) and not self.is_confirmed(bar, confirm)


@dataclass(frozen=True, slots=True)
class Scan:
    """One pass over a corpus.

    Attributes:
        items: in the order in which they were given.
        ngram: words an n-gram.
        documents: documents read, empty ones included.
        files: files read.
        left_out: files of the corpus that were not read because of their ending.
        links_out: links that were not followed because they lead out of the corpus.
        words: words read.
        notes: sentences about what was skipped or replaced.
        template_ngrams: distinct n-grams left out because they stand in more than half of the items.
    """

    items: tuple[ItemOverlap, ...]
    ngram: int
    documents: int
    files: int
    left_out: int
    links_out: int
    words: int
    notes: tuple[str, ...]
    template_ngrams: int


class ScanProgress(NamedTuple):
    """How far a scan is; bytes are counted after decompression."""

    files_done: int
    files: int
    documents: int
    bytes_read: int


def longest_run(found: Sequence[bool]) -> int:
    """The length of the longest run of True."""
    return max((len(list(run)) for is_found, run in groupby(found) if is_found), default=0)
