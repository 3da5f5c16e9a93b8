"""The eval's side of a scan: its questions and answers as words and n-grams, in tables to hold a corpus against."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.contamination.blocks import Indices, encode
from gate.contamination.grams import NumberedGrams, WordRuns
from gate.contamination.modes import CHARACTERS_A_WORD, UNICODE_VERSION, Mode, mode_of, prepare
from gate.contamination.ragged import Ragged
from gate.contamination.table import GramTable, Words

Part = Literal["question", "answer"]
SIZES = range(1, 14)
TEMPLATE_MIN_ITEMS = 20


class Item(NamedTuple):
    """One eval item: its id, the question to be looked for (not a few-shot prompt around it), and the answer if any."""

    id: str
    question: str
    answer: str | None = None

    @classmethod
    def of(cls, own: str, question: str, answer: str | None) -> "Item":
        """As a file has it: a blank answer, with which some fill the column, is none."""
        return cls(own, question, answer if answer is not None and answer.strip() else None)


class Probe(NamedTuple):
    """One text to be looked for.

    Attributes:
        item: the item's position.
        part: which of its texts.
        words: in order, as UTF-8.
    """

    item: int
    part: Part
    words: Words


@dataclass(frozen=True, slots=True)
class Search:
    """The n-grams of one size.

    Attributes:
        table: those that count for some probe.
        numbers: for each probe its distinct n-grams by number, in the order of its words; empty where it is too short.
        holders: int64 (g,), how many probes hold each n-gram.
        template_grams: how many distinct n-grams were left out as template.
        allowed_grams: how many others were, because they stand in an allowed text.
    """

    table: GramTable
    numbers: Ragged
    holders: Indices
    template_grams: int
    allowed_grams: int


@dataclass(frozen=True, slots=True)
class Lane:
    """Probes that are looked for in one mode.

    Attributes:
        mode: what counts as a word.
        sizes: words an n-gram, one for each search; in the mode ``characters`` twice as many characters.
        probes: what is looked for.
        searches: one a size.
    """

    mode: Mode
    sizes: tuple[int, ...]
    probes: tuple[Probe, ...]
    searches: tuple[Search, ...]

    @property
    def longest_probe(self) -> int:
        """Words of the longest one."""
        return max((len(probe.words) for probe in self.probes), default=0)

    @property
    def longest_word(self) -> int:
        """Bytes of the longest word, of the allowed texts too."""
        return max(int(search.table.grams.vocabulary.block.lengths.max(initial=0)) for search in self.searches)


@dataclass(frozen=True, slots=True)
class EvalIndex:
    """What a corpus is held against.

    Attributes:
        items: in the given order.
        sizes: words an n-gram, the first being the one that decides.
        mode: as asked for.
        allowed: texts whose n-grams are left out.
        lanes: that of the mode asked for, and where some items need it the one of characters.
    """

    items: tuple[Item, ...]
    sizes: tuple[int, ...]
    mode: Mode
    allowed: tuple[str, ...]
    lanes: tuple[Lane, ...]

    @property
    def digest(self) -> str:
        """What results of other items, sizes, modes, allowed texts or tables of Unicode differ by: hexadecimal."""
        state = hashlib.blake2b(digest_size=16)
        for text in (UNICODE_VERSION, self.mode.value, *map(str, self.sizes), "allowed", *self.allowed, "items"):
            state.update(_framed(text))
        for item in self.items:
            for part in (item.id, item.question, item.answer):
                state.update(_framed(part))
        return state.hexdigest()


def build_index(
    items: Sequence[Item], sizes: Sequence[int], mode: Mode = Mode.REFERENCE, *, allowed: Sequence[str] = ()
) -> EvalIndex:
    """Index the items for n-grams of each of the sizes, 1 to 13 words, but for those of the allowed texts."""
    by_mode: dict[Mode, list[Probe]] = {mode: []}
    known: dict[bytes, bytes] = {}
    for position, item in enumerate(items):
        own = mode_of(item.question, mode)
        lane = by_mode.setdefault(own, [])
        parts: tuple[tuple[Part, str | None], ...] = (("question", item.question), ("answer", item.answer))
        for part, asked in parts:
            if asked is not None:
                # one object a word, however often it stands in the items
                words = tuple(known.setdefault(word, word) for word in split(asked, own))
                lane.append(Probe(position, part, words))
    # without an item the lane that was asked for stays: it counts the words
    lanes = {own: probes for own, probes in by_mode.items() if probes} or by_mode
    return EvalIndex(
        tuple(items),
        tuple(sizes),
        mode,
        tuple(allowed),
        tuple(_lane(own, sizes, probes, allowed) for own, probes in lanes.items()),
    )


def require_sizes(sizes: Sequence[int]) -> None:
    """Raise ValueError where what was written down asks for n-grams of a size that none can be asked for."""
    if not sizes or any(size not in SIZES for size in sizes):
        raise ValueError("sizes of n-grams out of range")


def split(text: str, mode: Mode) -> Words:
    """The text's words in a mode, as UTF-8."""
    return tuple(encode(word) for word in prepare(text, mode).split())


def grams_of(words: Sequence[bytes], size: int) -> Iterator[Words]:
    """Every run of ``size`` consecutive words, in order, repeats included; none where there are fewer words."""
    return zip(*(words[start:] for start in range(size)), strict=False)


def _lane(mode: Mode, sizes: Sequence[int], probes: Sequence[Probe], allowed: Sequence[str]) -> Lane:
    own = tuple(size * CHARACTERS_A_WORD if mode is Mode.CHARACTERS else size for size in sizes)
    runs = WordRuns([probe.words for probe in probes] + [split(text, mode) for text in allowed])
    is_question = np.array([probe.part == "question" for probe in probes], dtype=np.bool_)
    return Lane(mode, own, tuple(probes), tuple(_search(runs.grams(size), is_question) for size in own))


def _search(every: NumberedGrams, is_question: NDArray[np.bool_]) -> Search:
    """The search for the n-grams that count.

    Template is left out: what stands in more than half of 20 questions or more.

    Args:
        every: the n-grams of the probes, and after those of the allowed texts.
        is_question: bool (p,), of the probes.
    """
    probes, grams, rows = is_question.size, len(every.grams), every.numbers.rows()
    questions = int(is_question.sum())
    of_probe = rows < probes
    asked = np.bincount(every.numbers.values[of_probe][is_question[rows[of_probe]]], minlength=grams)
    is_template = (2 * asked > questions) & (questions >= TEMPLATE_MIN_ITEMS)
    is_allowed = np.zeros(grams, dtype=np.bool_)
    is_allowed[every.numbers.values[~of_probe]] = True
    counted = every.without(is_template | is_allowed)
    numbers = counted.numbers.take(np.arange(probes))
    is_held = np.bincount(every.numbers.values[of_probe], minlength=grams) > 0
    return Search(
        GramTable(counted.grams),
        numbers,
        np.bincount(numbers.values, minlength=len(counted.grams)),
        template_grams=int(is_template.sum()),
        allowed_grams=int((is_allowed & is_held & ~is_template).sum()),
    )


def _framed(text: str | None) -> bytes:
    if text is None:
        return b"-"
    plain = text.encode("utf-8", "surrogatepass")
    return b"%d:%b" % (len(plain), plain)
