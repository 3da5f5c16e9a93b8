"""What counts as a word: as written, without punctuation and accents, or character by character."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum

UNICODE_VERSION = unicodedata.unidata_version


class Mode(StrEnum):
    """How a text is cut into words."""

    REFERENCE = "reference"
    NORMALISED = "normalised"
    CHARACTERS = "characters"


# Scripts that are written without spaces between words.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_APOSTROPHES = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}]")
_PUNCTUATION = re.compile(r"[^\w\s]+|_+")
# A word of these scripts has some two characters.
CHARACTERS_A_WORD = 2


def prepare(text: str, mode: Mode) -> str:
    """The text in lower case with its words, in this mode, between spaces.

    ``reference`` is ``text.lower()``, cut where ``str.split`` cuts. ``normalised`` also folds accents and drops
    punctuation, an apostrophe without leaving a space. ``characters`` makes a word of every character but white space.

    In the last two each character is prepared by itself, the Greek final sigma like any other, so that a text may be
    cut anywhere; ``reference`` may be cut at white space only.
    """
    return _PREPARE[mode](text)


def mode_of(text: str, asked: Mode) -> Mode:
    """The mode for an item: ``characters`` where most of its letters are of a script without spaces, else as asked."""
    letters = sum(map(str.isalpha, text))
    return Mode.CHARACTERS if 2 * len(_SPACELESS.findall(text)) > letters else asked


def _normalised(text: str) -> str:
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in apart if not unicodedata.combining(char))
    return _PUNCTUATION.sub(" ", _APOSTROPHES.sub("", _lower(text)))


def _characters(text: str) -> str:
    return " ".join("".join(_lower(text).split()))


def _lower(text: str) -> str:
    """In lower case, whatever stands around a character."""
    return text.lower().replace("ς", "σ")


_PREPARE: Mapping[Mode, Callable[[str], str]] = {
    Mode.REFERENCE: str.lower,
    Mode.NORMALISED: _normalised,
    Mode.CHARACTERS: _characters,
}
