"""What is measured: overlaps with unrelated text, and how many planted leaks each rule finds."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from gate.contamination import Item, ItemOverlap, Scan, scan
from studies.contamination import leaks, texts

SEED = 2026
SIZES = (3, 5, 8)
BARS = (0.8, 0.5)
MEGABYTES = (1, 10, 100)
LEAKS = 200

Rule = Callable[[ItemOverlap, float], bool]


def is_found_by_rarity(item: ItemOverlap, bar: float) -> bool:
    """As the gate's own rules, with the overlap by rarity instead."""
    question = item.question
    return question.verbatim is not None or (item.testable and question.sizes[0].idf_overlap >= bar)


# All three also take the whole text, word for word in one document, as found.
RULES: Mapping[str, Rule] = {
    "pooled": ItemOverlap.is_flagged,
    "by rarity": is_found_by_rarity,
    "best document": ItemOverlap.is_confirmed,
}


class Plan(NamedTuple):
    """What to measure.

    Attributes:
        items: questions that stand in none of the texts.
        corpora: each the beginning of the next, by their size in MB.
        leaks: how many of the items to plant into the largest.
    """

    items: Sequence[Item]
    corpora: Mapping[int, Sequence[str]]
    leaks: int = LEAKS


class Unrelated(NamedTuple):
    """Items against a corpus that holds none of them, all shares of all items.

    Attributes:
        size: words an n-gram.
        megabytes: of text.
        not_testable: share with too few words.
        overlap: mean overlap of the testable ones.
        best: mean overlap of the testable ones with their best document.
        flagged: share that is flagged at .8.
        confirmed: share that is confirmed at .8.
        whole: share whose whole text stands in a document.
    """

    size: int
    megabytes: int
    not_testable: Fraction
    overlap: float
    best: float
    flagged: Fraction
    confirmed: Fraction
    whole: Fraction


class Planted(NamedTuple):
    """One rule at one bar, where some of the items were planted.

    Attributes:
        unrelated: share of all items that it finds in the largest corpus while none is planted.
        siblings: share of the others that it finds once some are planted word for word.
        verbatim: share of those planted word for word.
        edited: share of those planted with changed words.
    """

    unrelated: Fraction
    siblings: Fraction
    verbatim: Fraction
    edited: Fraction


class Length(NamedTuple):
    """Items of some lengths, by n-grams of the first size.

    Attributes:
        words: the fewest and the most, None where there is no most.
        planted: how many of them were planted.
        edited: share found of those planted with changed words, by rule and bar.
    """

    words: tuple[int, int | None]
    planted: int
    edited: Mapping[tuple[str, float], Fraction]


class Mistaken(NamedTuple):
    """An item that is confirmed though it was not planted.

    Attributes:
        id: the item.
        words: how many it has.
        whole: a document holds it word for word.
    """

    id: str
    words: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Results:
    """The whole study.

    Attributes:
        items: how many questions.
        leaks: how many of them were planted.
        documents: of the largest corpus.
        unrelated: by size of n-gram and of corpus.
        planted: by size of n-gram, bar and rule.
        lengths: the shortest first.
        mistaken: what is confirmed at .8 in the largest corpus while none is planted, by size of n-gram.
    """

    items: int
    leaks: int
    documents: int
    unrelated: tuple[Unrelated, ...]
    planted: Mapping[tuple[int, float, str], Planted]
    lengths: tuple[Length, ...]
    mistaken: Mapping[int, tuple[Mistaken, ...]]


LENGTHS: tuple[tuple[int, int | None], ...] = ((1, 7), (8, 11), (12, 23), (24, None))


class _Scans(NamedTuple):
    """The largest corpus without leaks and with them, and the places of the items that were planted."""

    clean: Scan
    verbatim: Scan
    edited: Scan
    chosen: Sequence[int]

    def by(self, n: int) -> "_Scans":
        """The same by n-grams of one size."""
        sizes = [n]
        return _Scans(
            self.clean.by_sizes(sizes), self.verbatim.by_sizes(sizes), self.edited.by_sizes(sizes), self.chosen
        )


def measure(plan: Plan, folder: Path) -> Results:
    """Scan all corpora, with leaks and without, writing them into ``folder``."""
    by_size = {size: _scan(plan.items, corpus, folder) for size, corpus in plan.corpora.items()}
    largest = max(plan.corpora)
    scans = _plant(plan, by_size[largest], folder)
    return Results(
        items=len(plan.items),
        leaks=plan.leaks,
        documents=len(plan.corpora[largest]),
        unrelated=tuple(_unrelated(by_size[size], size, n) for n in SIZES for size in plan.corpora),
        planted={
            (n, bar, rule): _planted(scans.by(n), RULES[rule], bar) for n in SIZES for bar in BARS for rule in RULES
        },
        lengths=tuple(_length(scans, words) for words in LENGTHS),
        mistaken={n: _mistaken(scans.by(n).clean) for n in SIZES},
    )


def share(found: Collection[bool]) -> Fraction:
    """How many of them are true; 0 of none."""
    return Fraction(sum(found), len(found)) if found else Fraction(0)


def _scan(items: Sequence[Item], corpus: Sequence[str], folder: Path) -> Scan:
    path = folder / "corpus.jsonl"
    texts.write_corpus(path, corpus)
    return scan(items, path, sizes=SIZES)


def _plant(plan: Plan, clean: Scan, folder: Path) -> _Scans:
    rng = random.Random(SEED)  # noqa: S311  # no secret
    corpus = plan.corpora[max(plan.corpora)]
    chosen = rng.sample(range(len(plan.items)), plan.leaks)
    questions = [plan.items[place].question for place in chosen]
    vocabulary = sorted({word for item in plan.items for word in item.question.split()})
    edited = [leaks.edit(question, vocabulary, rng) for question in questions]
    verbatim, changed = (_scan(plan.items, leaks.plant(corpus, some, rng), folder) for some in (questions, edited))
    return _Scans(clean, verbatim, changed, chosen)


def _unrelated(every: Scan, megabytes: int, n: int) -> Unrelated:
    items = every.by_sizes([n]).items
    testable = [item for item in items if item.testable]
    return Unrelated(
        size=n,
        megabytes=megabytes,
        not_testable=share([not item.testable for item in items]),
        overlap=fmean(item.overlap for item in testable),
        best=fmean(item.best_document_overlap for item in testable),
        flagged=share([item.is_flagged(BARS[0]) for item in items]),
        confirmed=share([item.is_confirmed(BARS[0]) for item in items]),
        whole=share([item.question.verbatim is not None for item in items]),
    )


def _planted(scans: _Scans, rule: Rule, bar: float) -> Planted:
    others = set(range(len(scans.clean.items))) - set(scans.chosen)
    return Planted(
        unrelated=share([rule(item, bar) for item in scans.clean.items]),
        siblings=share([rule(scans.verbatim.items[place], bar) for place in others]),
        verbatim=share([rule(scans.verbatim.items[place], bar) for place in scans.chosen]),
        edited=share([rule(scans.edited.items[place], bar) for place in scans.chosen]),
    )


def _length(scans: _Scans, words: tuple[int, int | None]) -> Length:
    first, last = words
    items = [scans.edited.items[place] for place in scans.chosen]
    own = [item for item in items if first <= item.question.n_words and (last is None or item.question.n_words <= last)]
    found = {(name, bar): share([rule(item, bar) for item in own]) for name, rule in RULES.items() for bar in BARS}
    return Length(words, len(own), found)


def _mistaken(clean: Scan) -> tuple[Mistaken, ...]:
    return tuple(
        Mistaken(item.id, item.question.n_words, item.question.verbatim is not None)
        for item in clean.items
        if item.is_confirmed(BARS[0])
    )
