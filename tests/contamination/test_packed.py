"""A tally as bytes: nothing is lost, equal ones are equal bytes, and no bytes are taken for what they are not."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.contamination import Item
from gate.contamination.kernel import Kernel
from gate.contamination.packed import PackedError, pack, unpack
from gate.contamination.probes import EvalIndex, build_index
from gate.contamination.tally import Best, DocumentKey, Tally, empty_tally

ITEMS = [Item("a", "one two three four", "five six"), Item("b", "日本語の質問は何ですか"), Item("c", "", None)]


@pytest.fixture(scope="module")
def index() -> EvalIndex:
    return build_index(ITEMS, (2, 1))


@pytest.fixture(scope="module")
def tally(index: EvalIndex) -> Tally:
    kernel = Kernel(index)
    for number, text in enumerate(
        ["zero one two three", "five six one", "日本語の質問は何ですか", "one two three four"], 1
    ):
        kernel.read(DocumentKey(3, 40, number, f"id {number}\ud800" if number % 2 else None), text)
    tally = kernel.take()
    tally.bytes, tally.replaced, tally.records = 10**12, {3: 2}, {(3, 40): 4}
    return tally


def _same(one: Tally, other: Tally) -> bool:
    counts = [
        mine.documents.tolist() == theirs.documents.tolist() and mine.best == theirs.best
        for ours, yours in zip(one.searches, other.searches, strict=True)
        for mine, theirs in zip(ours, yours, strict=True)
    ]
    plain = [
        (each.verbatim, each.words, each.documents, each.bytes, each.replaced, each.records) for each in (one, other)
    ]
    return all(counts) and plain[0] == plain[1]


def test_nothing_is_lost(index: EvalIndex, tally: Tally) -> None:
    assert tally.verbatim
    assert all(search.best for lane in tally.searches for search in lane)
    assert _same(unpack(pack(tally), index), tally)
    assert _same(unpack(pack(empty_tally(index)), index), empty_tally(index))


def test_the_order_in_which_things_were_found_leaves_no_trace(index: EvalIndex, tally: Tally) -> None:
    turned = unpack(pack(tally), index)
    turned.verbatim = dict(reversed(turned.verbatim.items()))
    for lane in turned.searches:
        for search in lane:
            search.best = dict(reversed(search.best.items()))
    assert pack(turned) == pack(tally)


def test_the_file_gets_the_number_that_it_has_now(index: EvalIndex, tally: Tally) -> None:
    moved = unpack(pack(tally), index, file=8)
    assert (moved.replaced, moved.records) == ({8: 2}, {(8, 40): 4})
    documents = {key._replace(file=8) for key in tally.verbatim.values()}
    assert set(moved.verbatim.values()) == documents
    assert {best.document.file for lane in moved.searches for search in lane for best in search.best.values()} == {8}


def test_it_cannot_be_taken_for_the_tally_of_another_index(tally: Tally) -> None:
    for other in (build_index(ITEMS, (2,)), build_index(ITEMS[:1], (2, 1)), build_index(ITEMS[2:], (1, 2))):
        with pytest.raises(PackedError):
            unpack(pack(tally), other)


@pytest.mark.parametrize(
    "best",
    [
        {99: Best(DocumentKey(0, 0, 1), (0,))},
        {0: Best(DocumentKey(0, 0, 1), (99,))},
        {0: Best(DocumentKey(0, 0, 1), ())},
    ],
    ids=["no such probe", "no such n-gram", "no n-gram"],
)
def test_figures_beyond_the_index_are_refused(index: EvalIndex, best: dict[int, Best]) -> None:
    forged = empty_tally(index)
    forged.searches[0][0].best = best
    with pytest.raises(PackedError, match="it does not fit the index"):
        unpack(pack(forged), index)


@given(cut=st.integers(0, 10_000))
def test_no_beginning_of_it_is_a_tally(index: EvalIndex, tally: Tally, cut: int) -> None:
    data = pack(tally)
    with pytest.raises(PackedError):
        unpack(data[: cut % len(data)], index)


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_changed_bit_is_another_tally_or_none_but_no_fault_of_ours(
    index: EvalIndex, tally: Tally, place: int, bit: int
) -> None:
    data = bytearray(pack(tally))
    data[place % len(data)] ^= 1 << bit
    with suppress(PackedError):
        assert pack(unpack(bytes(data), index)) != pack(tally)
