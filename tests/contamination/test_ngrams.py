"""Words, n-grams, template n-grams and the table of numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.ngrams import NgramTable, ngrams_of, template_ngrams, words_of

SEPARATORS = [chr(code) for code in range(0x110000) if chr(code).isspace()]


def test_str_split_knows_29_separators() -> None:
    assert len(SEPARATORS) == 29


@pytest.mark.parametrize("separator", SEPARATORS, ids=lambda separator: f"U+{ord(separator):04X}")
def test_every_separator_cuts_words_and_ends_a_greek_word(separator: str) -> None:
    # a capital sigma is lowered by what follows it; if a separator did not end the word, pieces would lower differently
    assert words_of(f"ΟΔΟΣ{separator}ΣΑΣ") == ["οδος", "σας"]


def test_words_keep_their_punctuation() -> None:
    assert words_of("What is it?  That's\tIT.") == ["what", "is", "it?", "that's", "it."]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, [("a",), ("b",), ("a",), ("b",)]),
        (3, [("a", "b", "a"), ("b", "a", "b")]),
        (4, [("a", "b", "a", "b")]),
        (5, []),
        (13, []),
    ],
)
def test_ngrams_are_all_runs_of_consecutive_words(size: int, expected: list[tuple[str, ...]]) -> None:
    assert list(ngrams_of(["a", "b", "a", "b"], size)) == expected


def _items_sharing(holders: int, total: int) -> list[set[tuple[str, ...]]]:
    return [{("own", str(number))} | ({("shared",)} if number < holders else set()) for number in range(total)]


@pytest.mark.parametrize(
    ("holders", "total", "is_template"),
    [(19, 19, False), (20, 20, True), (11, 20, True), (10, 20, False), (11, 21, True), (10, 21, False)],
)
def test_template_is_what_stands_in_over_half_of_20_items_or_more(holders: int, total: int, is_template: bool) -> None:
    expected = frozenset({("shared",)}) if is_template else frozenset()
    assert template_ngrams(_items_sharing(holders, total)) == expected


def test_the_table_numbers_ngrams_from_zero_in_order_and_counts_the_texts_that_hold_them() -> None:
    table = NgramTable(2)
    assert table.add([("a", "b"), ("b", "c")]) == (0, 1)
    assert table.add([("c", "d"), ("a", "b")]) == (2, 0)
    assert table.holders == [2, 1, 1]


def test_the_table_knows_no_number_for_an_ngram_that_was_not_added() -> None:
    table = NgramTable(1)
    table.add([("a",)])
    assert (table.number(("a",)), table.number(("b",))) == (0, None)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 5))
def test_the_table_finds_exactly_its_own_ngrams(entered: list[str], read: list[str], size: int) -> None:
    table = NgramTable(size)
    table.add(dict.fromkeys(ngrams_of(entered, size)))
    shared = set(ngrams_of(entered, size)) & set(ngrams_of(read, size))
    assert table.found_in(read) == {table.number(ngram) for ngram in shared}
