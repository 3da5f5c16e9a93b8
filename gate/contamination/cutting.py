"""Documents cut into words and held against tables: what a kernel does, and the one of numpy that runs everywhere."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from gate.contamination.blocks import encode_lower, make_block
from gate.contamination.hashing import hash_words
from gate.contamination.pairs import Pairs
from gate.contamination.ragged import distinct
from gate.contamination.table import GramTable


class Cut(Protocol):
    """The words of some documents in a row; good until the next documents are cut.

    Attributes:
        words: how many.
    """

    words: int

    def pairs(self, table: GramTable) -> Pairs:
        """Which of the documents hold which n-grams of a table."""

    def text(self, document: int) -> bytes:
        """The words of one document with a space between them."""


class Cutter(Protocol):
    """Cuts documents."""

    def prepare(self, tables: Iterable[GramTable]) -> None:
        """Make ready for these tables, so that the first documents do not take longer than others."""

    def cut(self, texts: Sequence[bytes]) -> Cut:
        """Documents in lower case, each from ``encode``."""

    def cut_lower(self, texts: Sequence[str]) -> Cut:
        """Documents as they are written; they are lower-cased, too."""


class NumpyCutter:
    """The kernel of numpy."""

    def prepare(self, tables: Iterable[GramTable]) -> None:
        """As in ``Cutter``."""
        for table in tables:
            table.prepare()

    def cut(self, texts: Sequence[bytes]) -> Cut:
        """As in ``Cutter``."""
        return _NumpyCut(texts)

    def cut_lower(self, texts: Sequence[str]) -> Cut:
        """As in ``Cutter``."""
        return self.cut([encode_lower(text) for text in texts])


class _NumpyCut:
    def __init__(self, texts: Sequence[bytes]) -> None:
        self._block = make_block(texts)
        self._hashes = hash_words(self._block)
        self.words = self._block.starts.size

    def pairs(self, table: GramTable) -> Pairs:
        hits = table.find(self._block, self._hashes)
        cells = self._block.documents[hits.words] << table.bits | hits.grams
        return Pairs(distinct(cells), table.bits)

    def text(self, document: int) -> bytes:
        return self._block.text(document)
