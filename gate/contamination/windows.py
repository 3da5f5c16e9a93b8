"""A document's words in windows that overlap, so that it is read in bounded memory and nothing at a border is lost."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gate.contamination.ngrams import words_of


class Window(NamedTuple):
    """Consecutive words of one document; the first ``len(words) - fresh`` repeat the end of the window before."""

    words: list[str]
    fresh: int


class _Cut(NamedTuple):
    whole: str
    unfinished: str


def windows(pieces: Iterable[str], *, overlap: int, longest_word: int) -> Iterator[Window]:
    """The words of a document that comes in pieces, as if its whole text had been split at once.

    Words are put together across pieces. A run of up to ``overlap + 1`` words lies whole in at least one window.

    Args:
        pieces: the text, cut anywhere.
        overlap: words that a window repeats of the one before, from 0.
        longest_word: characters of the longest word that matters; of a longer word that runs over many pieces only
            its start is kept, too long to equal one that matters.
    """
    carried: list[str] = []
    held = ""
    for piece in pieces:
        # one piece is held back: most documents are a single piece, and they must not fall into two windows
        cut = _cut_last_word(held)
        if cut.whole:
            window = _window(carried, cut.whole)
            yield window
            carried = window.words[-overlap:] if overlap else []
        held = cut.unfinished[: longest_word + 1] + piece
    if held:
        yield _window(carried, held)


def _window(carried: list[str], text: str) -> Window:
    fresh = words_of(text)
    return Window(carried + fresh, len(fresh))


def _cut_last_word(text: str) -> _Cut:
    """Keep apart the last word, which may go on in the next piece.

    It is not lowered yet: how a Greek capital sigma is lowered depends on whether the word ends there.
    """
    if not text or text[-1].isspace():
        return _Cut(text, "")
    *whole, unfinished = text.rsplit(maxsplit=1)
    return _Cut(whole[0] if whole else "", unfinished)
