"""The corpus streamed once past the eval's n-grams: found anywhere, found in one document, found word for word."""

from gate.contamination.best_documents import BestDocuments
from gate.contamination.corpus import Document, DocumentName
from gate.contamination.index import EvalIndex
from gate.contamination.windows import Window, windows


class Kernel:
    """What has been found so far; ``read`` the documents in corpus order.

    Attributes:
        words: words read.
        found: numbers of the n-grams found in any document.
        best: the document that holds most of each item's n-grams.
        verbatim: item position -> the first document that holds its whole text.
    """

    def __init__(self, index: EvalIndex) -> None:
        self.words = 0
        self.found: set[int] = set()
        self.best = BestDocuments([item.numbers for item in index.items], index.table.holders)
        self.verbatim: dict[int, DocumentName] = {}
        self._index = index
        self._overlap = max(index.table.size, index.longest_text) - 1
        self._longest_word = index.longest_word

    def read(self, document: Document) -> None:
        """Hold one document against the eval."""
        hits: set[int] = set()
        for window in windows(document.pieces, overlap=self._overlap, longest_word=self._longest_word):
            hits |= self._read_window(window, document.name)
        self.found |= hits
        self.best.update(document.name, hits)

    def _read_window(self, window: Window, name: DocumentName) -> set[int]:
        self.words += window.fresh
        hits = self._index.table.found_in(window.words)
        for search in filter(None, self._index.searches):
            own = hits if search.table is self._index.table else search.table.found_in(window.words)
            for phrase in search.take_found(window.words, own):
                self.verbatim.update(dict.fromkeys(phrase.items, name))
        return hits
