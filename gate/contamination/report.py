"""What comes out of a scan: every item's figures, and what they are figures of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gate.contamination.modes import Mode
from gate.contamination.overlap import ItemOverlap, TextOverlap

# Within a version keys are only added to the file.
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Allowed:
    """A text whose n-grams are no evidence, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many distinct n-grams of one size were left out.

    Attributes:
        size: words an n-gram.
        template: those that stand in more than half of the questions.
        allowed: others, that stand in an allowed text.
    """

    size: int
    template: int
    allowed: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was read.

    Attributes:
        given: files, folders and patterns as they were named.
        digest: of the names and sizes of the files read, SHA-256 in hexadecimal: where those of two corpora differ,
            something was added, taken out, changed or named anew.
        files: files read.
        left_out: files that were not read because of their ending.
        links_out: links that were not followed because they lead out of the corpus.
        documents: documents read, empty ones included.
        words: words read.
        bytes: bytes read, after decompression.
    """

    given: tuple[str, ...]
    digest: str
    files: int
    left_out: int
    links_out: int
    documents: int
    words: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Scan:
    """One pass over a corpus.

    Attributes:
        schema_version: of its file.
        complete: the whole corpus was read, not some shards of it.
        versions: of the gate, and of Unicode, by which texts are lowered.
        sizes: words an n-gram; the first decides.
        mode: what counts as a word, where an item does not ask for another.
        text_fields: where the text of a record was looked for; empty: in the usual places.
        id_field: where its id was; None: in the usual places.
        allowed: the texts whose n-grams were left out.
        left_out: what was left out, one for each size.
        corpus: what was read.
        notes: sentences about what was skipped or replaced.
        items: in the order in which they were given.
    """

    schema_version: int
    complete: bool
    versions: Mapping[str, str]
    sizes: tuple[int, ...]
    mode: Mode
    text_fields: tuple[str, ...]
    id_field: str | None
    allowed: tuple[Allowed, ...]
    left_out: tuple[LeftOut, ...]
    corpus: Corpus
    notes: tuple[str, ...]
    items: tuple[ItemOverlap, ...]

    def without_words(self) -> "Scan":
        """The same without the items' words, for a place where the eval's text must not be."""
        return replace(
            self,
            items=tuple(
                replace(
                    item,
                    question=replace(item.question, words=()),
                    answer=None if item.answer is None else replace(item.answer, words=()),
                )
                for item in self.items
            ),
        )

    def by_sizes(self, sizes: Sequence[int]) -> "Scan":
        """The same by some of its sizes, the first of which decides."""
        places = [self.sizes.index(size) for size in sizes]
        return replace(
            self,
            sizes=tuple(sizes),
            left_out=tuple(self.left_out[place] for place in places),
            items=tuple(
                replace(
                    item,
                    question=_by_places(item.question, places),
                    answer=None if item.answer is None else _by_places(item.answer, places),
                )
                for item in self.items
            ),
        )


def _by_places(text: TextOverlap, places: Sequence[int]) -> TextOverlap:
    return replace(text, sizes=tuple(text.sizes[place] for place in places))
