"""The best document of each item, against counting every pair."""

from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.best_documents import BestDocuments
from gate.contamination.corpus import DocumentName

NUMBERS = st.sets(st.integers(0, 9))


def _best(items: list[set[int]], documents: list[set[int]]) -> dict[int, tuple[str, set[int]]]:
    holders = [sum(number in item for item in items) for number in range(10)]
    best = BestDocuments([sorted(item) for item in items], holders)
    for position, hits in enumerate(documents):
        best.update(DocumentName(str(position)), hits)
    return {item: (entry.name.name, set(entry.numbers)) for item, entry in best.by_item.items()}


def test_the_document_with_most_of_the_ngrams_wins() -> None:
    assert _best([{1, 2, 3}], [{1}, {2, 3}, {3}]) == {0: ("1", {2, 3})}


def test_among_equals_the_first_document_wins() -> None:
    assert _best([{1, 2, 3}], [{1, 2}, {2, 3}]) == {0: ("0", {1, 2})}


def test_an_item_that_no_document_touches_has_none() -> None:
    assert _best([{1}, {2}], [{2, 5}, set()]) == {1: ("0", {2})}


@given(st.lists(NUMBERS, max_size=8), st.lists(NUMBERS, max_size=12))
def test_looking_up_rare_ngrams_only_finds_what_counting_every_pair_finds(
    items: list[set[int]], documents: list[set[int]]
) -> None:
    expected = {}
    for position, item in enumerate(items):
        held = [item & hits for hits in documents]
        best = max(held, key=len, default=set())
        if best:
            expected[position] = (str(held.index(best)), best)
    assert _best(items, documents) == expected
