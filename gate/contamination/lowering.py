"""What each character is in lower case, as a table that the compiled kernel is told."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import SEPARATORS

# Characters from here on are the same in lower case, and no separators.
_KNOWN = 0x20000
_SPACE = ord(" ")
# The lower case of this letter depends on what stands around it.
_CAPITAL_SIGMA = "\N{GREEK CAPITAL LETTER SIGMA}"
_CAPITAL_DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"


@cache
def lower_case() -> NDArray[np.uint32]:
    """uint32, of each character below 0x20000 what it is in lower case, as the library is told.

    A separator becomes a space. Zero stands for what only Python can say, because it takes another number of bytes or
    depends on what stands around it.
    """
    lowered = np.arange(_KNOWN, dtype=np.uint32)
    for number in _changing():
        char, lower = chr(number), chr(number).lower()
        same_size = len(lower) == 1 and len(lower.encode()) == len(char.encode())
        lowered[number] = ord(lower) if same_size and char != _CAPITAL_SIGMA else 0
    wide = [ord(separator) for separator in SEPARATORS if not separator.isascii()]
    lowered[wide] = _SPACE
    return lowered


def _changing() -> Iterable[int]:
    """The characters beyond ASCII, and below 0x20000, that are another one in lower case; perhaps more."""
    every = np.arange(_KNOWN, dtype="<u4")
    # the one that becomes two characters would move all that follow
    text = every.tobytes().decode("utf-32-le", "surrogatepass").replace(_CAPITAL_DOTTED_I, "_")
    lower = np.frombuffer(text.lower().encode("utf-32-le", "surrogatepass"), dtype="<u4")
    beyond = range(128, _KNOWN)
    return (np.flatnonzero(lower[128:] != every[128:]) + 128).tolist() if lower.size == every.size else beyond
