"""Pages of documentation as plain text, and corpora of given sizes made of them."""

import html
import json
import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

MEGABYTE = 1_000_000
_UNSEEN = re.compile(r"<(script|style|head|nav)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
# These end a word, other tags do not.
_BLOCKS = re.compile(
    r"</?(?:blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b[^>]*>", re.IGNORECASE
)
_TAGS = re.compile(r"<[^>]*>")


class Page(NamedTuple):
    """A file: its name, whose ending says what it is, and its bytes."""

    name: str
    content: bytes


def read_texts(pages: Iterable[Page]) -> list[str]:
    """The pages' texts in order, each once; those without a word are left out."""
    return [text for text in dict.fromkeys(map(read_text, pages)) if text]


def read_text(page: Page) -> str:
    """The words of a page, line by line: of .html what is shown, of anything else all."""
    text = page.content.decode("utf-8", "replace")
    if page.name.endswith(".html"):
        text = html.unescape(_TAGS.sub("", _BLOCKS.sub("\n", _UNSEEN.sub(" ", text))))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def grow(texts: Sequence[str], sizes: Sequence[int], rng: random.Random) -> list[list[str]]:
    """Corpora of given sizes, each the beginning of the next: the texts in random order.

    Args:
        texts: more than the largest size.
        sizes: bytes of UTF-8, ascending; a corpus ends with the text that reaches its size.
        rng: decides the order.

    Raises:
        ValueError: where there is not so much text.
    """
    order = list(texts)
    rng.shuffle(order)
    corpora: list[list[str]] = []
    total = 0
    for place, text in enumerate(order, start=1):
        total += len(text.encode())
        while len(corpora) < len(sizes) and total >= sizes[len(corpora)]:
            corpora.append(order[:place])
    if len(corpora) < len(sizes):
        raise ValueError(f"the corpus has {total / MEGABYTE:.1f} MB of text, and {sizes[-1] / MEGABYTE:g} are needed")
    return corpora


def write_corpus(path: Path, texts: Iterable[str]) -> None:
    """Write the texts as one .jsonl file, a record each."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
