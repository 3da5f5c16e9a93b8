"""A long document in segments that overlap, so that it is read in bounded memory and nothing at a border is lost."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

from gate.contamination.modes import Mode, prepare


class Segment(NamedTuple):
    """Some of a document's text, prepared; its first ``carried`` words repeat the end of the segment before."""

    text: str
    carried: int


class Segmenter(Protocol):
    """Cuts one document that comes in pieces."""

    def push(self, piece: str) -> Iterator[Segment]:
        """What the next piece completes."""

    def end(self) -> Iterator[Segment]:
        """What is left."""


def segmenter(mode: Mode, *, overlap: int, longest_word: int) -> Segmenter:
    """The segmenter of a mode.

    Args:
        mode: what counts as a word.
        overlap: words that a segment repeats of the one before, from 0: a run of up to ``overlap + 1`` words lies whole
            in at least one segment.
        longest_word: bytes of the longest word that matters.
    """
    match mode:
        case Mode.CHARACTERS:
            return _Characters(overlap)
        case Mode.NORMALISED:
            return _Words(partial(prepare, mode=mode), str, overlap=overlap, longest_word=longest_word)
        case Mode.REFERENCE:
            # how a Greek capital sigma is lowered depends on whether the word ends there: words are lowered whole
            return _Words(str, partial(prepare, mode=mode), overlap=overlap, longest_word=longest_word)


def regroup(pieces: Iterable[str], size: int) -> Iterator[str]:
    """The same text in pieces of at least half and at most that many characters; the last may be shorter."""
    held: list[str] = []
    length = 0
    for piece in pieces:
        for start in range(0, len(piece), size // 2):
            held.append(piece[start : start + size // 2])
            length += len(held[-1])
            if 2 * length >= size:
                yield "".join(held)
                held, length = [], 0
    if held:
        yield "".join(held)


class _Words:
    """Words are put together across pieces; of one that runs over many enough is kept to be none that matters.

    Where pieces can be prepared, that comes first: white space does not show where ``normalised`` ends a word.
    """

    def __init__(
        self,
        prepare_piece: Callable[[str], str],
        prepare_words: Callable[[str], str],
        *,
        overlap: int,
        longest_word: int,
    ) -> None:
        self._prepare_piece = prepare_piece
        self._prepare_words = prepare_words
        self._overlap = overlap
        self._longest = longest_word
        self._carried: list[str] = []
        self._unfinished = ""

    def push(self, piece: str) -> Iterator[Segment]:
        text = self._unfinished[: self._longest + 1] + self._prepare_piece(piece)
        if not text or text[-1].isspace():
            whole, self._unfinished = text, ""
        else:
            *before, self._unfinished = text.rsplit(maxsplit=1)
            whole = before[0] if before else ""
        if whole and not whole.isspace():
            yield self._segment(whole)

    def end(self) -> Iterator[Segment]:
        if self._unfinished:
            yield self._segment(self._unfinished)

    def _segment(self, whole: str) -> Segment:
        text = self._prepare_words(whole)
        segment = Segment(" ".join([*self._carried, text]), len(self._carried))
        if self._overlap:
            self._carried = [*self._carried, *text.rsplit(maxsplit=self._overlap)[-self._overlap :]][-self._overlap :]
        return segment


class _Characters:
    """Every character but white space is a word: in what is prepared every other character is a space."""

    def __init__(self, overlap: int) -> None:
        self._overlap = overlap
        self._carried = ""

    def push(self, piece: str) -> Iterator[Segment]:
        text = prepare(piece, Mode.CHARACTERS)
        if text:
            whole = f"{self._carried} {text}" if self._carried else text
            yield Segment(whole, (len(self._carried) + 1) // 2)
            self._carried = whole[-(2 * self._overlap - 1) :] if self._overlap else ""

    def end(self) -> Iterator[Segment]:
        return iter(())
