"""The best document of each probe, against counting every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gate.contamination.best_documents
import gate.contamination.pairs
from gate.contamination.best_documents import BestDocuments
from gate.contamination.blocks import Indices
from gate.contamination.pairs import Pairs
from gate.contamination.phrases import commonest_first
from gate.contamination.probes import Item, Search, build_index
from gate.contamination.tally import Best, DocumentKey

WORDS = 10
NUMBERS = st.sets(st.integers(0, WORDS - 1))


def search_of(probes: list[set[int]]) -> Search:
    """Single words, w0 to w9, so that a probe is a set of numbers."""
    items = [Item("", " ".join(f"w{number}" for number in sorted(own))) for own in probes]
    return build_index(items, [1]).lanes[0].searches[0]


def best_of(probes: list[set[int]], documents: list[set[int]], block: int = 100) -> dict[int, tuple[int, set[int]]]:
    search = search_of(probes)
    words = [int(gram[0].removeprefix(b"w")) for gram in search.table.grams]
    found: dict[int, Best] = {}
    best = BestDocuments(search, commonest_first(search.numbers, search.holders), found)
    bits = len(words).bit_length()
    for start in range(0, len(documents), block):
        part = documents[start : start + block]
        keys = [DocumentKey(0, 0, start + place) for place in range(len(part))]
        cells = [place << bits | words.index(word) for place, own in enumerate(part) for word in own if word in words]
        best.update(keys, Pairs(np.array(sorted(cells), dtype=np.int64), bits))
    return {probe: (entry.document.number, {words[n] for n in entry.numbers}) for probe, entry in found.items()}


def test_the_document_with_most_of_the_ngrams_wins() -> None:
    assert best_of([{1, 2, 3}], [{1}, {2, 3}, {3}]) == {0: (1, {2, 3})}


@pytest.mark.parametrize("block", [1, 100])
def test_among_equals_the_first_document_wins(block: int) -> None:
    assert best_of([{1, 2, 3}], [{1, 2}, {2, 3}], block) == {0: (0, {1, 2})}


def test_a_probe_that_no_document_touches_has_none() -> None:
    assert best_of([{1}, {2}], [{2, 5}, set()]) == {1: (0, {2})}


def test_an_ngram_goes_on_being_looked_up_for_those_it_is_rare_for() -> None:
    assert best_of([{1, 2, 3}, {1}], [{2}, {2, 3}, {1}], 1) == {0: (1, {2, 3}), 1: (2, {1})}


@given(
    st.lists(NUMBERS, max_size=8),
    st.lists(NUMBERS, max_size=12),
    st.integers(1, 5),
    st.sampled_from([1, 1 << 16]),
)
def test_looking_up_rare_ngrams_only_finds_what_counting_every_pair_finds(
    probes: list[set[int]], documents: list[set[int]], block: int, lookups: int
) -> None:
    expected = {}
    for probe, own in enumerate(probes):
        held = [own & document for document in documents]
        most = max(held, key=len, default=set())
        if most:
            expected[probe] = (held.index(most), most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate.contamination.best_documents, "_LOOKUPS", lookups)
        assert best_of(probes, documents, block) == expected


def test_a_full_filter_of_pairs_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_slot(cells: Indices) -> Indices:
        return np.zeros_like(cells)

    monkeypatch.setattr(gate.contamination.pairs, "_slot", first_slot)
    assert best_of([{1, 2, 3}, {4}, {5, 6}], [{1}, {2, 3}, {3, 5}]) == {0: (1, {2, 3}), 2: (2, {5})}
