"""How much of one item stands in a corpus: its figures, and the evidence for them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from gate.contamination.modes import Mode

Confirm = Literal["best_document", "pooled"]


class Match(NamedTuple):
    """One word of an item, lower case, and whether it was found."""

    word: str
    found: bool


class Span(NamedTuple):
    """A run of a text's words: from number ``first``, counted from 0, up to ``stop``, which is not one of them."""

    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document of the corpus, as evidence names it.

    Attributes:
        file: the file's name.
        unit: what the file is counted in: ``line``, ``record`` or ``row``; None where the file is one document.
        number: which of them it is, counted from 1; None where the file is one document, or where the lines before it
            have not been read yet.
        id: the record's own id, where it has one.
    """

    file: str
    unit: str | None = None
    number: int | None = None
    id: str | None = None

    @property
    def name(self) -> str:
        """A path, with ``:line N``, ``:record N`` or ``:row N`` where the file holds several documents."""
        return self.file if self.number is None else f"{self.file}:{self.unit} {self.number}"


@dataclass(frozen=True, slots=True)
class SizeOverlap:
    """How much of one text stands in the corpus, by n-grams of one size.

    Attributes:
        size: words an n-gram; of a text in the mode ``characters`` they have twice as many characters.
        n_grams: the text's distinct n-grams, without those of a template or of an allowed text.
        overlap: share of them that occur anywhere in the corpus, 0 to 1; 0.0 where there are none.
        best_document_overlap: share of them that occur in ``document``, 0 to 1.
        idf_overlap: as ``overlap``, each n-gram weighted by how rare it is in the corpus, 0 to 1, to six decimals.
        longest_span: the longest run of words that are part of an n-gram found in ``document``.
        document: the document that holds most of them, the first of the corpus among equals; None where none does.
        spans: all those runs, in order.
    """

    size: int
    n_grams: int
    overlap: float
    best_document_overlap: float
    idf_overlap: float
    longest_span: int
    document: FoundDocument | None
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TextOverlap:
    """How much of one text stands in the corpus.

    Attributes:
        mode: what counts as a word.
        n_words: how many it has.
        words: they, in order and as they were looked for; empty where nothing of the text was found, or where they
            were taken out.
        verbatim: the first document that holds the whole text, word for word; None where none does.
        sizes: one for each size of n-gram; the first decides.
    """

    mode: Mode
    n_words: int
    words: tuple[str, ...]
    verbatim: FoundDocument | None
    sizes: tuple[SizeOverlap, ...]

    @property
    def testable(self) -> bool:
        """Whether n-grams can say anything about the text; what is not testable is never clean."""
        return self.sizes[0].n_grams > 0

    @property
    def document(self) -> FoundDocument | None:
        """The document that speaks most for a leak: that with the whole text, else that with most n-grams."""
        return self.verbatim or self.sizes[0].document

    @property
    def spans(self) -> tuple[Span, ...]:
        """The words that stand in ``document``, as runs in order."""
        return (Span(0, self.n_words),) if self.verbatim else self.sizes[0].spans

    @property
    def longest_span(self) -> int:
        """The longest run of words that stand in ``document``."""
        return self.n_words if self.verbatim else self.sizes[0].longest_span

    @property
    def matched(self) -> tuple[Match, ...]:
        """The words, each with whether it stands in ``document``; characters that follow each other as one word."""
        found = [False] * len(self.words)
        for first, stop in self.spans:
            found[first:stop] = [True] * len(found[first:stop])
        pairs = tuple(map(Match, self.words, found))
        if self.mode is not Mode.CHARACTERS:
            return pairs
        runs = groupby(pairs, key=lambda pair: pair.found)
        return tuple(Match("".join(char for char, _ in run), is_found) for is_found, run in runs)


@dataclass(frozen=True, slots=True)
class ItemOverlap:
    """How much of one item stands in the corpus; the question alone decides.

    Attributes:
        id: the item.
        digest: of the question, see ``digest_of``.
        question: its figures.
        answer: those of the answer; None where there is none.
    """

    id: str
    digest: str
    question: TextOverlap
    answer: TextOverlap | None = None

    @property
    def testable(self) -> bool:
        """As of the question."""
        return self.question.testable

    @property
    def overlap(self) -> float:
        """The question's, by n-grams of the size that decides."""
        return self.question.sizes[0].overlap

    @property
    def best_document_overlap(self) -> float:
        """Likewise."""
        return self.question.sizes[0].best_document_overlap

    def is_flagged(self, bar: float) -> bool:
        """Whether the overlap reaches ``bar`` (above 0, up to 1), or the whole text was found."""
        return self.question.verbatim is not None or (self.testable and self.overlap >= bar)

    def is_confirmed(self, bar: float, confirm: Confirm = "best_document") -> bool:
        """Whether the item is flagged and one document alone says so; with ``pooled``, whether it is flagged."""
        if confirm == "pooled":
            return self.is_flagged(bar)
        return self.question.verbatim is not None or (self.testable and self.best_document_overlap >= bar)

    def is_suspect(self, bar: float, confirm: Confirm = "best_document") -> bool:
        """Whether the item is flagged but not confirmed."""
        return self.is_flagged(bar) and not self.is_confirmed(bar, confirm)


def digest_of(text: str) -> str:
    """The SHA-256 of a text, hexadecimal; lines may be wrapped anew without changing it."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def runs_of(found: Sequence[bool]) -> tuple[Span, ...]:
    """The runs of True, in order."""
    spans, start = [], 0
    for is_found, run in groupby(found):
        stop = start + len(list(run))
        if is_found:
            spans.append(Span(start, stop))
        start = stop
    return tuple(spans)
