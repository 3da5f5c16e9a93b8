"""Whole texts searched for word for word."""

from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.ngrams import NgramTable, ngrams_of
from gate.contamination.phrases import Phrase, PhraseSearch

WORDS = st.lists(st.sampled_from(["a", "b", "ab"]), max_size=10)


def _search(size: int, *texts: str) -> PhraseSearch:
    table = NgramTable(size)
    phrases = []
    for position, text in enumerate(texts):
        words = tuple(text.split())
        phrases.append(Phrase(words, table.add(dict.fromkeys(ngrams_of(words, size))), (position,)))
    return PhraseSearch(table, phrases)


def _take(search: PhraseSearch, text: str) -> list[str]:
    words = text.split()
    return sorted(" ".join(phrase.words) for phrase in search.take_found(words, search.table.found_in(words)))


def test_a_phrase_is_found_where_its_words_stand_in_a_row() -> None:
    assert _take(_search(2, "b c d"), "a b c d e") == ["b c d"]


def test_all_ngrams_without_the_row_are_not_enough() -> None:
    assert _take(_search(2, "a b c"), "b c a b") == []


def test_a_row_within_longer_words_is_not_a_match() -> None:
    assert _take(_search(1, "b c"), "ab cd b xc b") == []


def test_a_found_phrase_is_not_looked_for_again() -> None:
    search = _search(1, "a", "b")
    assert _take(search, "a") == ["a"]
    assert _take(search, "a b") == ["b"]


def test_a_search_is_over_when_every_phrase_is_found() -> None:
    search = _search(2, "a b", "a b c")
    assert search
    _take(search, "a b c")
    assert not search


@given(st.lists(WORDS.filter(lambda words: len(words) > 1), min_size=1, max_size=5, unique_by=tuple), WORDS)
def test_the_search_agrees_with_comparing_every_run_of_words(texts: list[list[str]], read: list[str]) -> None:
    expected = {
        tuple(text) for text in texts if any(read[start : start + len(text)] == text for start in range(len(read)))
    }
    search = _search(2, *(" ".join(text) for text in texts))
    found = search.take_found(read, search.table.found_in(read))
    assert {phrase.words for phrase in found} == expected
