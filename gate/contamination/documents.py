"""What readers hand out: documents, each with its place in the corpus, and which fields of a record are its text."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gate.contamination.tally import DocumentKey

# Characters from which on a document comes in pieces, and characters of a piece.
LONG = 1 << 20
PIECE = 1 << 17


class Fields(NamedTuple):
    """Which fields of a record to read.

    Attributes:
        text: names or dotted paths (``messages.content``; a list on the way stands for all that is in it) to read
            instead of the usual fields, in this order.
        id: name or dotted path of the record's own id; None for ``id``, where there is one.
    """

    text: tuple[str, ...] = ()
    id: str | None = None


class Range(NamedTuple):
    """A part of a file, in what its kind is cut by, bytes or row groups: ``stop`` is behind it, None for the end."""

    start: int
    stop: int | None


class Document(NamedTuple):
    """One document: either its text, or its pieces where it is longer than ``LONG``.

    Attributes:
        key: its place in the corpus.
        text: the text, or None where it comes in pieces.
        pieces: the text, cut anywhere; to be read once, before the next document is asked for.
    """

    key: DocumentKey
    text: str | None
    pieces: Iterable[str] | None


def document(key: DocumentKey, text: str) -> Document:
    """The document of a text that is in memory."""
    return Document(key, text, None) if len(text) <= LONG else Document(key, None, _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(0, len(text), PIECE))
