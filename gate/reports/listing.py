"""Lines of the text report, and lists in it that are cut after so many entries."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gate.results import Status, Word
from gate.wording import count

MOST_ITEMS = 5
MOST_VERBOSE_ITEMS = 20
TEXT_LIMIT = 500
COLUMN_LIMIT = 32


class Line(NamedTuple):
    """One line and what its colour is taken from, if any."""

    text: str
    tone: Status | Word | None = None


def first(entries: Sequence[str], most: int, noun: str = "") -> Iterator[str]:
    """The first of a list, and how many more there are."""
    yield from entries[:most]
    yield from more(len(entries) - most, noun)


def more(hidden: int, noun: str = "") -> Iterator[str]:
    """How many of a list are not shown, where any; with a noun where no heading says of what."""
    if hidden > 0:
        yield f"{count(hidden, noun) if noun else hidden} more"


def indented(texts: Iterable[str]) -> Iterator[Line]:
    """The texts as lines under a heading."""
    return (Line(f"  {text}") for text in texts)
