"""The scan as its definition reads, every document in memory and every pair compared: what the kernel is held to."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from gate.contamination.modes import Mode
from gate.contamination.probes import EvalIndex, Item
from gate.contamination.tally import Tally

Gram = tuple[str, ...]
Splitter = Callable[[str], list[str]]


@dataclass(frozen=True)
class Expected:
    """What is told of one text of an item, for n-grams of one size.

    Attributes:
        documents: in how many documents each of its distinct n-grams stands.
        best: the place of the first document with most of them, and which; None where no document has any.
        verbatim: the place of the first document that holds the whole text.
    """

    documents: Mapping[Gram, int]
    best: tuple[int, frozenset[Gram]] | None
    verbatim: int | None


def words_as_written(text: str) -> list[str]:
    return text.lower().split()


def words_normalised(text: str) -> list[str]:
    cleaned = []
    for char in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(char) or char in "'’":
            continue
        cleaned.append("σ" if char in "Σς" else char.lower() if char.isalnum() else " ")
    return "".join(cleaned).split()


def words_of_characters(text: str) -> list[str]:
    return [one for char in text if not char.isspace() for one in ("σ" if char in "Σς" else char.lower())]


SPLITTERS: Mapping[Mode, Splitter] = {
    Mode.REFERENCE: words_as_written,
    Mode.NORMALISED: words_normalised,
    Mode.CHARACTERS: words_of_characters,
}


def grams_in(words: Sequence[str], size: int) -> set[Gram]:
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}


def contains(words: Sequence[str], run: Sequence[str]) -> bool:
    return bool(run) and any(words[start : start + len(run)] == run for start in range(len(words)))


def expected(
    items: Sequence[Item], documents: Sequence[str], *, size: int, split: Splitter = words_as_written
) -> list[Expected]:
    """What the kernel is to find, for each item's question, and after it for its answer where there is one."""
    questions = [grams_in(split(item.question), size) for item in items]
    holders = Counter(chain.from_iterable(questions))
    template = {gram for gram, count in holders.items() if len(items) >= 20 and count > len(items) / 2}
    words = [split(document) for document in documents]
    grams = [grams_in(document, size) for document in words]
    found = []
    for text in (text for item in items for text in (item.question, item.answer) if text is not None):
        own = grams_in(split(text), size) - template
        held = [own & document for document in grams]
        best = max(held, key=len, default=set())
        verbatim = [place for place, document in enumerate(words) if contains(document, split(text))]
        found.append(
            Expected(
                {gram: sum(gram in document for document in held) for gram in own},
                (held.index(best), frozenset(best)) if best else None,
                verbatim[0] if verbatim else None,
            )
        )
    return found


def told(tally: Tally, index: EvalIndex, *, lane: int = 0, search: int = 0) -> list[Expected]:
    """What a kernel found, in the same terms; the number of a document's key is its place."""
    own, figures = index.lanes[lane].searches[search], tally.searches[lane][search]

    def gram(number: int) -> Gram:
        return tuple(word.decode("utf-8", "surrogatepass") for word in own.table.grams[number])

    found = []
    for probe in range(len(index.lanes[lane].probes)):
        best, verbatim = figures.best.get(probe), tally.verbatim.get((lane, probe))
        found.append(
            Expected(
                {gram(number): int(figures.documents[number]) for number in own.numbers[probe]},
                (best.document.number, frozenset(map(gram, best.numbers))) if best else None,
                verbatim.number if verbatim else None,
            )
        )
    return found
