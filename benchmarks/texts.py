"""English text of any length, alike on every machine with the same Python: from its library's documentation strings.

Words follow each other as they do there; now and then the text goes on at another place where the same word stands, so
that hardly any long run of words is there twice.
"""

import ast
import sysconfig
import warnings
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

_JUMPS = 0.2
_DOCUMENT_WORDS = (50, 2_000)
_ITEM_WORDS = (8, 60)
_LEAST_TEXT = 200


class Chain:
    """A stream of words.

    Args:
        words: what it is drawn from.
        seed: of the same seed comes the same stream.
    """

    def __init__(self, words: list[str], seed: int) -> None:
        self._words = words
        self._random = Random(seed)  # noqa: S311  # text to measure with
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(words[:-1]):
            self._places[word].append(place)

    def text(self, count: int) -> str:
        """So many words."""
        draw, words = self._random.random, self._words
        place = int(draw() * (len(words) - 1))
        taken = []
        for _ in range(count):
            taken.append(words[place])
            if draw() < _JUMPS or place + 1 >= len(words):
                others = self._places[words[place]] or [0]
                place = others[int(draw() * len(others))]
            place = (place + 1) % len(words)
        return " ".join(taken)

    def length(self, low: int, high: int) -> int:
        """A length between the two, short ones more often."""
        return int(low * (high / low) ** self._random.random())


def documents(megabytes: int) -> Iterator[str]:
    """A corpus of about that size."""
    chain, left = Chain(_library_words()[0], seed=1), megabytes * 1_000_000
    while left > 0:
        text = chain.text(chain.length(*_DOCUMENT_WORDS))
        left -= len(text.encode())
        yield text


def items(count: int) -> list[tuple[str, str]]:
    """Questions with answers, from other modules' documentation than the corpus."""
    chain = Chain(_library_words()[1], seed=2)
    return [(chain.text(chain.length(*_ITEM_WORDS)), chain.text(chain.length(1, 5))) for _ in range(count)]


@lru_cache
def _library_words() -> tuple[list[str], list[str]]:
    """The words of the library's documentation strings: of two modules in three, and of the others."""
    words: tuple[list[str], list[str]] = ([], [])
    for number, path in enumerate(sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))):
        if "site-packages" not in path.parts:
            words[number % 3 == 2].extend(_documentation(path))  # noqa: PLR2004  # one in three
    return words


def _documentation(path: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        # the library's tests hold sources that are wrong on purpose
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) >= _LEAST_TEXT:
            yield from node.value.split()
