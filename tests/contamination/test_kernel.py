"""The streaming kernels, each held to the naive reference."""

import copy
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gate.contamination.best_documents
import gate.contamination.compiled
import gate.contamination.cutting
import gate.contamination.hashing
import gate.contamination.kernel
import gate.contamination.table
from gate.contamination.blocks import SEPARATORS, Block
from gate.contamination.hashing import Hashes
from gate.contamination.kernel import Kernel
from gate.contamination.modes import Mode
from gate.contamination.probes import EvalIndex, Item, build_index
from gate.contamination.tally import DocumentKey, Tally, empty_tally
from tests.contamination.reference import SPLITTERS, expected, told

pytestmark = pytest.mark.usefixtures("kernel")

# few words, so that n-grams repeat; letters that lower in odd ways; words about the borders of eight bytes, alike at
# their start, their end or but for one byte; zero bytes and what could be taken for a mark between documents
ODD_WORDS = st.sampled_from(
    [
        *(
            "a",
            "b",
            "A",
            "the",
            "ΣΣ",
            "aΣ",
            "İ",
            "é",
            "e\N{COMBINING ACUTE ACCENT}",
            "\ud800",
            "\udfff",
            "\x00",
            "\x00\x00",
        ),
        *("\x1b", "\ufffe", "\U0010ffff", "", "don't", "dont", "x,y", "...", "_", "日本", "日"),
        *("1234567", "12345678", "123456789", "12345678a", "1234567812345678", "1234567812345678x"),
        *("a" * 23, "a" * 24, "a" * 25, "a" * 12 + "b" + "a" * 12, "ａ" * 9),
    ]
)
WORDS = st.sampled_from(["a", "b"]) | st.sampled_from(["a", "b", "the"]) | ODD_WORDS
GAPS = st.text(st.sampled_from(SEPARATORS), min_size=1, max_size=2)


@st.composite
def texts(draw: st.DrawFn, max_words: int = 24) -> str:
    words = draw(st.lists(WORDS, max_size=max_words))
    return draw(st.sampled_from(["", " ", "\u3000"])) + "".join(word + draw(GAPS) for word in words)


@st.composite
def items(draw: st.DrawFn, max_words: int = 16) -> Item:
    # an item that needs characters has a lane of its own: it has its own tests
    question, answer = draw(texts(max_words)), draw(st.none() | texts(max_words=3))
    return Item("any", question.replace("日", "t"), answer)


# many quickly
PLAIN_ITEMS = st.lists(st.sampled_from(["a", "b", "the", "aΣ"]), max_size=5).map(
    lambda words: Item("", " ".join(words))
)


@dataclass(frozen=True)
class Cut:
    """A document, whole or in pieces, and whether the kernel is asked to work on what it has afterwards."""

    text: str
    pieces: tuple[str, ...] | None = None
    flush: bool = False


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    text = draw(texts() | st.text(max_size=30))
    places = draw(st.none() | st.lists(st.integers(0, len(text)), max_size=8).map(sorted))
    pieces = places and tuple(text[start:end] for start, end in pairwise([0, *places, len(text)]))
    return Cut(text, pieces or None, draw(st.booleans()))


def read(index: EvalIndex, documents: Sequence[Cut]) -> Tally:
    kernel = Kernel(index)
    for place, document in enumerate(documents):
        if document.pieces is None:
            kernel.read(DocumentKey(0, 0, place), document.text)
        else:
            kernel.read_long(DocumentKey(0, 0, place), document.pieces)
        if document.flush:
            kernel.flush()
    kernel.flush()
    return kernel.tally


def words_in(documents: Sequence[Cut], mode: Mode = Mode.REFERENCE) -> int:
    return sum(len(SPLITTERS[mode](document.text)) for document in documents)


@pytest.fixture(params=[1 << 19, 16], ids=["one block", "many blocks"])
def block_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Characters a block: all documents in one, or one document in several."""
    size = cast("int", request.param)
    monkeypatch.setattr(gate.contamination.kernel, "BLOCK_SIZE", size)
    monkeypatch.setattr(gate.contamination.kernel, "LONGEST_WHOLE", 2 * size)
    monkeypatch.setattr(gate.contamination.table, "_CLAIMS", size)
    monkeypatch.setattr(gate.contamination.best_documents, "_LOOKUPS", size // 4)
    return size


@pytest.mark.usefixtures("block_size")
class TestAgreement:
    """Every figure, on documents of every kind."""

    @given(st.lists(items(), max_size=6), st.lists(cuts(), max_size=5), st.integers(1, 13))
    def test_the_kernel_agrees_with_the_reference(self, evals: list[Item], documents: list[Cut], size: int) -> None:
        index = build_index(evals, [size])
        tally = read(index, documents)
        assert told(tally, index) == expected(evals, [document.text for document in documents], size=size)
        assert (tally.words, tally.documents) == (words_in(documents), len(documents))

    @given(st.lists(PLAIN_ITEMS, min_size=20, max_size=24), st.lists(cuts(), max_size=4), st.integers(1, 4))
    def test_the_kernel_agrees_with_the_reference_where_template_is_left_out(
        self, evals: list[Item], documents: list[Cut], size: int
    ) -> None:
        index = build_index(evals, [size])
        whole = [document.text for document in documents]
        assert told(read(index, documents), index) == expected(evals, whole, size=size)

    @given(
        st.lists(items(), max_size=5),
        st.lists(cuts(), max_size=4),
        st.lists(st.integers(1, 13), min_size=2, max_size=4),
    )
    def test_several_sizes_at_once_find_what_each_finds_alone(
        self, evals: list[Item], documents: list[Cut], sizes: list[int]
    ) -> None:
        index = build_index(evals, sizes)
        tally = read(index, documents)
        whole = [document.text for document in documents]
        for place, size in enumerate(sizes):
            assert told(tally, index, search=place) == expected(evals, whole, size=size)

    @pytest.mark.parametrize("mode", [Mode.NORMALISED, Mode.CHARACTERS])
    @given(st.lists(items(max_words=8), max_size=5), st.lists(cuts(), max_size=4), st.integers(1, 6))
    def test_every_mode_agrees_with_its_own_naive_form(
        self, mode: Mode, evals: list[Item], documents: list[Cut], size: int
    ) -> None:
        index = build_index(evals, [size], mode)
        tally = read(index, documents)
        own = index.lanes[0].sizes[0]
        whole = [document.text for document in documents]
        assert told(tally, index) == expected(evals, whole, size=own, split=SPLITTERS[mode])
        assert tally.words == words_in(documents, mode)

    @given(st.lists(texts(max_words=3), max_size=4), st.lists(cuts(), max_size=4), st.integers(1, 3))
    def test_an_item_without_spaces_is_held_against_characters_beside_the_others(
        self, others: list[str], documents: list[Cut], size: int
    ) -> None:
        spaced = [Item("", text) for text in others if "日" not in text] or [Item("", "a")]
        spaceless = [Item("", "日本日本"), Item("", "日。本")]
        index = build_index([*spaced, *spaceless], [size])
        tally = read(index, documents)
        whole = [document.text for document in documents]
        assert told(tally, index) == expected(spaced, whole, size=size)
        characters = expected(spaceless, whole, size=2 * size, split=SPLITTERS[Mode.CHARACTERS])
        assert told(tally, index, lane=1) == characters
        assert tally.words == words_in(documents)

    @given(st.data())
    def test_a_planted_item_is_found_verbatim_wherever_the_pieces_are_cut(self, data: st.DataObject) -> None:
        item = data.draw(texts(max_words=20).filter(lambda text: bool(text.split())))
        document = f"{data.draw(texts())} {item} {data.draw(texts())}"
        length = data.draw(st.integers(1, 9))
        pieces = tuple(document[start : start + length] for start in range(0, len(document), length))
        index = build_index([Item("", item)], [data.draw(st.integers(1, 13))])
        assert read(index, [Cut(document, pieces)]).verbatim == {(0, 0): DocumentKey(0, 0, 0)}


@given(st.lists(items(), max_size=4), st.lists(cuts(), max_size=4), st.integers(1, 4), st.sampled_from([0, 1, 2]))
def test_hashes_that_collide_change_nothing(evals: list[Item], documents: list[Cut], size: int, bits: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        weaken(patch, bits)
        index = build_index(evals, [size])
        tally = read(index, documents)
    assert told(tally, index) == expected(evals, [document.text for document in documents], size=size)


def weaken(patch: pytest.MonkeyPatch, bits: int) -> None:
    """Leave so many bits of every hash."""
    kept = np.uint64(((1 << bits) - 1) << (64 - bits))
    patch.setattr(gate.contamination.compiled, "KEPT", int(kept))
    hashing, table, cutting = gate.contamination.hashing, gate.contamination.table, gate.contamination.cutting
    strong_words, strong_grams = hashing.hash_words, hashing.hash_grams

    def hash_words(block: Block) -> Hashes:
        return strong_words(block) & kept

    for module in (table, cutting):
        patch.setattr(module, "hash_words", hash_words)
    for module in (table, hashing):
        patch.setattr(module, "hash_grams", lambda columns: strong_grams(columns) & kept)


@given(
    st.lists(items(), max_size=4), st.lists(cuts(), max_size=8), st.integers(1, 4), st.randoms(use_true_random=False)
)
def test_tallies_merged_in_any_order_are_those_of_one_pass(
    evals: list[Item], documents: list[Cut], size: int, random: Random
) -> None:
    index = build_index(evals, [size])
    whole = read(index, documents)
    borders = sorted(random.choices(range(len(documents) + 1), k=3))
    parts = []
    kernel = Kernel(index)
    for start, end in pairwise([0, *borders, len(documents)]):
        for place in range(start, end):
            kernel.read(DocumentKey(0, 0, place), documents[place].text)
        parts.append(kernel.take())
    random.shuffle(parts)
    merged = empty_tally(index)
    for part in parts:
        merged.add(copy.deepcopy(part))
    assert told(merged, index) == told(whole, index)
    assert (merged.words, merged.documents) == (whole.words, whole.documents)


@given(st.lists(items(), max_size=4), st.lists(cuts(), max_size=4), st.lists(texts(max_words=6), max_size=2))
def test_ngrams_of_allowed_texts_do_not_count_and_whole_texts_do(
    evals: list[Item], documents: list[Cut], allowed: list[str]
) -> None:
    index = build_index(evals, [2], allowed=allowed)
    tally = read(index, documents)
    left_out = {pair for text in allowed for pair in pairwise(text.lower().split())}
    whole = [document.text for document in documents]
    for got, plain in zip(told(tally, index), expected(evals, whole, size=2), strict=True):
        assert got.documents == {gram: count for gram, count in plain.documents.items() if gram not in left_out}
        assert got.verbatim == plain.verbatim


def test_ngrams_do_not_cross_documents() -> None:
    index = build_index([Item("", "a b c")], [3])
    tally = read(index, [Cut("x a b"), Cut("c y")])
    assert tally.searches[0][0].documents.tolist() == [0]
    assert not tally.verbatim


@pytest.mark.parametrize("size", [1, 3, 13])
def test_an_empty_item_is_never_found(size: int) -> None:
    index = build_index([Item("", " ", "")], [size])
    tally = read(index, [Cut("a b"), Cut("")])
    assert (tally.verbatim, tally.searches[0][0].best) == ({}, {})


def test_without_items_words_are_counted() -> None:
    assert read(build_index([], [3]), [Cut("a b"), Cut("c", ("c",))]).words == 3


def test_a_common_answer_that_was_found_is_not_looked_up_again() -> None:
    kernel = Kernel(build_index([Item("", "q", "the"), Item("", "q", "zebra")], [3]))
    kernel.read(DocumentKey(0, 0, 1), "the the the")
    kernel.flush()
    kernel.read(DocumentKey(0, 0, 2), "the zebra")
    kernel.flush()
    assert kernel.tally.verbatim == {(0, 1): DocumentKey(0, 0, 1), (0, 3): DocumentKey(0, 0, 2)}
    kernel.take()
    kernel.read(DocumentKey(0, 0, 3), "the")
    kernel.flush()
    assert kernel.tally.verbatim == {(0, 1): DocumentKey(0, 0, 3)}


@pytest.mark.parametrize(
    ("read_", "own"),
    [
        ("\x00", "\x00\x00"),
        ("12345678", "12345678\x00"),
        ("a" * 9, "a" * 8 + "b"),
        ("a" * 16 + "b", "a" * 16 + "c"),
        ("a" * 24 + "b" + "a" * 8, "a" * 24 + "c" + "a" * 8),
    ],
)
def test_words_of_one_hash_are_told_apart(read_: str, own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch, 0)
    index = build_index([Item("", f"x {own} x"), Item("", f"x {read_} x")], [3])
    tally = read(index, [Cut(f"x {read_} x")])
    assert tally.searches[0][0].documents.tolist() == [0, 1]
    assert list(tally.verbatim) == [(0, 1)]


@pytest.mark.parametrize("shift", range(0, 40, 3))
@pytest.mark.parametrize("item", ["a b c", "a b c d e f g"])
@pytest.mark.parametrize("mode", Mode)
def test_nothing_at_the_border_of_two_pieces_is_lost(
    shift: int, item: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate.contamination.kernel, "BLOCK_SIZE", 40)
    index = build_index([Item("", item)], [3], mode)
    document = "x " * shift + item + " x" * 60
    tally = read(index, [Cut(document, (document,))])
    assert tally.searches[0][0].documents.min(initial=1) == 1
    assert (0, 0) in tally.verbatim


@pytest.mark.parametrize("size", [1, 3, 13])
def test_an_ngram_is_found_wherever_in_a_document_it_stands(size: int) -> None:
    # a kernel may go through many words at once: their borders are of no account
    item = " ".join(f"w{number}" for number in range(size))
    kernel = Kernel(build_index([Item("", item)], [size]))
    for shift in range(600):
        kernel.read(DocumentKey(0, 0, shift), f"{'x ' * shift}{item} x")
    kernel.flush()
    assert kernel.tally.searches[0][0].documents.tolist() == [600]


def test_a_word_that_never_ends_is_not_kept_in_memory() -> None:
    kernel = Kernel(build_index([Item("", "a b c")], [3]))
    tracemalloc.start()
    kernel.read_long(DocumentKey(0, 0, 0), ("x" * 100_000 for _ in range(300)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kernel.tally.words == 1
    assert peak < 15_000_000


def test_memory_does_not_add_up_over_a_long_document_of_one_repeated_hit() -> None:
    kernel = Kernel(build_index([Item("", "- " * 26)], [13]))
    tracemalloc.start()
    kernel.read(DocumentKey(0, 0, 0), "- " * 5_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (kernel.tally.words, kernel.tally.documents) == (5_000_000, 1)
    assert peak < 100_000_000
