"""The scan on one core: the eval indexed, the corpus streamed past it, each item's overlap told."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from gate.contamination.corpus import CorpusReader, Document
from gate.contamination.index import EvalIndex, IndexedItem, build_index
from gate.contamination.kernel import Kernel
from gate.contamination.ngrams import SIZES, ngrams_of
from gate.contamination.report import Item, ItemOverlap, Scan, ScanProgress
from gate.contamination.sources import find_sources
from gate.errors import CorpusError, UsageError
from gate.wording import count

PIECE_SIZE = 1 << 17
PROGRESS_SECONDS = 0.5


def scan(
    items: Sequence[Item],
    corpus: str | Path | Sequence[str | Path],
    *,
    ngram: int = 3,
    base: Path = Path(),
    progress: Callable[[ScanProgress], None] | None = None,
) -> Scan:
    """Find out how much of each item stands in the corpus.

    The overlap is the share of an item's distinct word n-grams, by ``text.lower().split()``, that occur anywhere in
    the corpus: exact, whatever the corpus's size. The corpus is read once; memory grows with the items, not with it.

    Args:
        items: the eval's items; an id may stand twice.
        corpus: files, folders or glob patterns, see ``find_sources``.
        ngram: words an n-gram, 1 to 13.
        base: the folder that relative paths start from.
        progress: called every half second and once at the end.

    Raises:
        UsageError: where ``ngram`` is out of its range.
        CorpusError: where the corpus cannot be read or holds no word.
    """
    if ngram not in SIZES:
        raise UsageError(
            f"n-grams of {ngram} words cannot be counted", remedy=f"choose from {SIZES.start} to {SIZES.stop - 1} words"
        )
    index = build_index(items, ngram)
    sources = find_sources(corpus, base)
    # pieces several times longer than the longest item, so that the overlap of two windows stays a small part of them
    reader = CorpusReader(
        sources.files, piece_size=max(PIECE_SIZE, 4 * max((len(item.text) for item in items), default=0))
    )
    kernel = Kernel(index)
    meter = _Meter(reader, len(sources.files), progress)
    for document in reader:
        kernel.read(Document(document.name, meter.through(document.pieces)))
    meter.tell()
    if not kernel.words:
        raise CorpusError(
            "the corpus holds no text, so nothing can be said about the items",
            remedy=f"check what is in it: {count(len(sources.files), 'file')} with "
            f"{count(reader.documents, 'document')} read",
        )
    return Scan(
        items=tuple(_item_overlap(position, item, kernel, index) for position, item in enumerate(index.items)),
        ngram=ngram,
        documents=reader.documents,
        files=reader.files_done,
        left_out=len(sources.left_out),
        links_out=len(sources.links_out),
        words=kernel.words,
        notes=sources.notes + reader.notes,
        template_ngrams=index.template_ngrams,
    )


class _Meter:
    """Tells the caller how far the reader is, at most every ``PROGRESS_SECONDS``."""

    def __init__(self, reader: CorpusReader, files: int, progress: Callable[[ScanProgress], None] | None) -> None:
        self._reader = reader
        self._files = files
        self._progress = progress
        self._told = time.monotonic()

    def through(self, pieces: Iterable[str]) -> Iterator[str]:
        for piece in pieces:
            yield piece
            if time.monotonic() - self._told >= PROGRESS_SECONDS:
                self.tell()

    def tell(self) -> None:
        if self._progress is not None:
            reader = self._reader
            self._progress(ScanProgress(reader.files_done, self._files, reader.documents, reader.bytes_read))
        self._told = time.monotonic()


def _item_overlap(position: int, item: IndexedItem, kernel: Kernel, index: EvalIndex) -> ItemOverlap:
    best = kernel.best.by_item.get(position)
    verbatim = kernel.verbatim.get(position)
    name = verbatim or (best.name if best else None)
    total = len(item.numbers)
    in_best = best.numbers if best else frozenset[int]()
    return ItemOverlap(
        id=item.id,
        n_grams=total,
        overlap=len(kernel.found.intersection(item.numbers)) / total if total else 0.0,
        best_document_overlap=len(in_best) / total if total else 0.0,
        document=name.name if name else None,
        document_id=name.id if name else None,
        verbatim=verbatim is not None,
        words=item.words,
        found=(True,) * len(item.words) if verbatim else _covered(item.words, index, in_best),
    )


def _covered(words: Sequence[str], index: EvalIndex, numbers: frozenset[int]) -> tuple[bool, ...]:
    """For each word, whether it is part of one of the n-grams with these numbers."""
    size = index.table.size
    covered = [False] * len(words)
    for start, ngram in enumerate(ngrams_of(words, size)):
        if index.table.number(ngram) in numbers:
            covered[start : start + size] = [True] * size
    return tuple(covered)
