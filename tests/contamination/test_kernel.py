"""The streaming kernel held to a naive reference: the whole corpus in one set, every document compared."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.corpus import Document, DocumentName
from gate.contamination.index import build_index
from gate.contamination.kernel import Kernel
from gate.contamination.report import Item

SEPARATORS = [chr(code) for code in range(0x110000) if chr(code).isspace()]
# few words, so that n-grams repeat and collide; letters that lower in odd ways
WORDS = st.sampled_from(["a", "b", "A", "ΣΣ", "aΣ", "İ", "é", "e\N{COMBINING ACUTE ACCENT}", "the", "\ud800"])


@st.composite
def texts(draw: st.DrawFn, max_words: int = 24) -> str:
    words = draw(st.lists(WORDS, max_size=max_words))
    gaps = st.text(st.sampled_from(SEPARATORS), min_size=1, max_size=2)
    return draw(st.sampled_from(["", " "])) + "".join(word + draw(gaps) for word in words)


@dataclass(frozen=True)
class Expected:
    found: set[tuple[str, ...]]
    best: tuple[int, set[tuple[str, ...]]] | None
    verbatim: int | None


def _grams(text: str, n: int) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + n]) for start in range(len(words) - n + 1)}


def _contains(document: str, item: str) -> bool:
    words, own = document.lower().split(), item.lower().split()
    return bool(own) and any(words[start : start + len(own)] == own for start in range(len(words)))


def _reference(items: list[str], documents: list[str], n: int) -> list[Expected]:
    corpus = set().union(*(_grams(document, n) for document in documents))
    holders = Counter(gram for item in items for gram in _grams(item, n))
    template = {gram for gram, count in holders.items() if len(items) >= 20 and count > len(items) / 2}
    expected = []
    for item in items:
        own = _grams(item, n) - template
        held = [own & _grams(document, n) for document in documents]
        best = max(held, key=len, default=set())
        verbatim = [position for position, document in enumerate(documents) if _contains(document, item)]
        expected.append(
            Expected(own & corpus, (held.index(best), best) if best else None, verbatim[0] if verbatim else None)
        )
    return expected


def _kernel(items: list[str], documents: list[list[str]], n: int) -> tuple[Kernel, list[Expected]]:
    index = build_index([Item(str(position), text) for position, text in enumerate(items)], n)
    kernel = Kernel(index)
    for position, pieces in enumerate(documents):
        kernel.read(Document(DocumentName(str(position)), pieces))
    # numbers back to n-grams, by way of the items' own words
    grams = {index.table.number(gram): gram for text in items for gram in _grams(text, n)}
    got = []
    for position, item in enumerate(index.items):
        best = kernel.best.by_item.get(position)
        verbatim = kernel.verbatim.get(position)
        got.append(
            Expected(
                {grams[number] for number in kernel.found.intersection(item.numbers)},
                (int(best.name.name), {grams[number] for number in best.numbers}) if best else None,
                int(verbatim.name) if verbatim else None,
            )
        )
    return kernel, got


@st.composite
def cut_documents(draw: st.DrawFn) -> list[list[str]]:
    documents = []
    for text in draw(st.lists(texts(), max_size=5)):
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
        documents.append([text[start:end] for start, end in pairwise([0, *cuts, len(text)])])
    return documents


@given(st.lists(texts(max_words=16), max_size=6), cut_documents(), st.integers(1, 13))
def test_the_kernel_agrees_with_the_reference(items: list[str], documents: list[list[str]], n: int) -> None:
    whole = ["".join(pieces) for pieces in documents]
    kernel, got = _kernel(items, documents, n)
    assert got == _reference(items, whole, n)
    assert kernel.words == sum(len(text.lower().split()) for text in whole)


@given(st.lists(texts(max_words=5), min_size=20, max_size=24), cut_documents(), st.integers(1, 4))
def test_the_kernel_agrees_with_the_reference_where_template_is_left_out(
    items: list[str], documents: list[list[str]], n: int
) -> None:
    _, got = _kernel(items, documents, n)
    assert got == _reference(items, ["".join(pieces) for pieces in documents], n)


@given(st.data())
def test_a_planted_item_is_found_verbatim_wherever_the_pieces_are_cut(data: st.DataObject) -> None:
    item = data.draw(texts(max_words=20).filter(lambda text: bool(text.split())))
    before, after = data.draw(texts()), data.draw(texts())
    document = f"{before} {item} {after}"
    size = data.draw(st.integers(1, 9))
    pieces = [document[start : start + size] for start in range(0, len(document), size)]
    kernel, _ = _kernel([item], [pieces], data.draw(st.integers(1, 13)))
    assert kernel.verbatim == {0: DocumentName("0")}


@given(st.lists(texts(), min_size=1, max_size=4), st.lists(texts(), max_size=5), st.integers(1, 4), st.randoms())
def test_what_is_found_does_not_depend_on_the_order_of_the_documents(
    items: list[str], documents: list[str], n: int, random: Random
) -> None:
    shuffled = random.sample(documents, len(documents))
    _, first = _kernel(items, [[document] for document in documents], n)
    _, second = _kernel(items, [[document] for document in shuffled], n)
    for one, other in zip(first, second, strict=True):
        assert one.found == other.found
        assert len(one.best[1] if one.best else ()) == len(other.best[1] if other.best else ())
        assert (one.verbatim is None) == (other.verbatim is None)


def test_ngrams_do_not_cross_documents() -> None:
    _, (got,) = _kernel(["a b c"], [["x a b"], ["c y"]], 3)
    assert got == Expected(set(), None, None)


def test_ngrams_cross_pieces() -> None:
    _, (got,) = _kernel(["hello big world"], [["x hel", "lo b", "ig", " wor", "ld"]], 3)
    assert got.verbatim == 0


@pytest.mark.parametrize("n", [1, 3, 13])
def test_an_empty_item_is_never_found(n: int) -> None:
    _, (got,) = _kernel([" "], [["a b"], [""]], n)
    assert got == Expected(set(), None, None)


def test_an_item_much_longer_than_the_pieces_is_found_verbatim() -> None:
    item = " ".join(f"w{number % 97}" for number in range(500))
    document = f"start {item} end"
    pieces = [document[start : start + 11] for start in range(0, len(document), 11)]
    kernel, _ = _kernel([item], [pieces], 3)
    assert kernel.verbatim == {0: DocumentName("0")}
