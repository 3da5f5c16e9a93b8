"""The eval's side: words, modes, n-grams under numbers, template and allowed texts."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.blocks import SEPARATORS, encode, encode_lower, make_block
from gate.contamination.modes import Mode, mode_of, prepare
from gate.contamination.probes import Item, build_index, grams_of, split

TEXTS = st.text(st.sampled_from("aAbΣσςİ.'’_é\u0301ﬁｱ日 \n\x1c\x85\u3000\ud800"), max_size=30)


def test_the_separators_are_those_of_str_split() -> None:
    assert set(SEPARATORS) == {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert len(SEPARATORS) == 29


@pytest.mark.parametrize("separator", SEPARATORS, ids=lambda separator: f"U+{ord(separator):04X}")
def test_every_separator_cuts_words_and_ends_a_greek_word(separator: str) -> None:
    # a capital sigma is lowered by what follows it; if a separator did not end the word, pieces would lower differently
    assert split(f"ΟΔΟΣ{separator}ΣΑΣ", Mode.REFERENCE) == ("οδος".encode(), "σας".encode())


def test_words_keep_their_punctuation_unless_normalised() -> None:
    text = "What is it?  That's\tNaïve."
    assert split(text, Mode.REFERENCE) == (b"what", b"is", b"it?", b"that's", "naïve.".encode())
    assert split(text, Mode.NORMALISED) == (b"what", b"is", b"it", b"thats", b"naive")
    assert split("日 本A", Mode.CHARACTERS) == ("日".encode(), "本".encode(), b"a")


@given(TEXTS, TEXTS)
def test_normalised_text_and_characters_are_prepared_character_by_character(one: str, other: str) -> None:
    for mode in (Mode.NORMALISED, Mode.CHARACTERS):
        apart = [prepare(char, mode) for char in one + other]
        joint = " ".join if mode is Mode.CHARACTERS else "".join
        assert prepare(one + other, mode).split() == joint(apart).split()


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("日本語の質問", Mode.CHARACTERS),
        ("日本 or Japan", Mode.REFERENCE),
        ("", Mode.REFERENCE),
        ("ไทย", Mode.CHARACTERS),
    ],
)
def test_text_of_a_script_without_spaces_is_told_by_its_letters(text: str, mode: Mode) -> None:
    assert mode_of(text, Mode.REFERENCE) is mode


@given(st.text() | TEXTS)
def test_lowering_in_utf8_is_lowering(text: str) -> None:
    assert encode_lower(text) == encode(text.lower())


def test_lowering_in_utf8_is_lowering_for_every_character_alone() -> None:
    for code in range(sys.maxunicode + 1):
        assert encode_lower(f"A{chr(code)}B") == encode(f"A{chr(code)}B".lower())


@given(st.lists(TEXTS, max_size=5))
def test_a_block_has_the_words_of_its_documents_and_knows_whose_they_are(texts: list[str]) -> None:
    block = make_block([encode(text) for text in texts])
    words = [(place, word) for place, text in enumerate(texts) for word in text.split()]
    assert block.documents.tolist() == [place for place, _ in words]
    assert [word.decode("utf-8", "surrogatepass") for word in block.words(0, len(words))] == [word for _, word in words]


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=5), st.integers(1, 13))
def test_ngrams_are_numbered_once_each_in_the_order_of_each_text(texts: list[list[str]], size: int) -> None:
    search = build_index([Item("", " ".join(words)) for words in texts], [size]).lanes[0].searches[0]
    numbered = [[search.table.grams[number] for number in numbers] for numbers in search.numbers]
    assert numbered == [list(dict.fromkeys(grams_of([word.encode() for word in words], size))) for words in texts]
    assert len(set(search.table.grams)) == len(search.table)
    assert search.holders.tolist() == [
        sum(number in own for own in search.numbers) for number in range(len(search.table))
    ]


@pytest.mark.parametrize(
    ("holders", "total", "is_template"),
    [(19, 19, False), (20, 20, True), (11, 20, True), (10, 20, False), (11, 21, True), (10, 21, False)],
)
def test_template_is_what_stands_in_over_half_of_20_questions_or_more(
    holders: int, total: int, is_template: bool
) -> None:
    # answers do not count, and lose what is template
    items = [Item("", f"own{number}" + (" shared" if number < holders else ""), "shared") for number in range(total)]
    search = build_index(items, [1]).lanes[0].searches[0]
    assert search.template_grams == is_template
    assert ((b"shared",) in search.table.grams) is not is_template


def test_ngrams_of_allowed_texts_that_no_item_has_are_not_counted() -> None:
    search = build_index([Item("", "a b c")], [2], allowed=["B c d"]).lanes[0].searches[0]
    assert list(search.table.grams) == [(b"a", b"b")]
    assert (search.allowed_grams, search.template_grams) == (1, 0)


def test_the_digest_tells_indexes_apart() -> None:
    items = [Item("1", "a b", "c")]
    digests = {
        build_index(items, [3]).digest,
        build_index(items, [3, 5]).digest,
        build_index(items, [3], Mode.NORMALISED).digest,
        build_index(items, [3], allowed=["a"]).digest,
        build_index([Item("1", "a b", None)], [3]).digest,
        build_index([Item("1", "a", " bc")], [3]).digest,
    }
    assert len(digests) == 6
    assert build_index(items, [3]).digest in digests
