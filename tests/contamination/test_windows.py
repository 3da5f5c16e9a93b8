"""Documents in pieces: the same words as at once, and bounded memory."""

import tracemalloc
from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.ngrams import words_of
from gate.contamination.windows import windows

# sigmas, a letter that grows when lowered, and separators of every kind
TEXTS = st.text(
    st.sampled_from("aAΣσİ.b'\N{SOFT HYPHEN}\N{COMBINING ACUTE ACCENT} \n\x1c\x85\u2003\u3000"), max_size=60
)


@st.composite
def pieces(draw: st.DrawFn) -> list[str]:
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


@given(pieces(), st.integers(0, 6))
def test_fresh_words_are_the_words_of_the_whole_text(cut: list[str], overlap: int) -> None:
    read = [
        word
        for window in windows(cut, overlap=overlap, longest_word=60)
        for word in window.words[len(window.words) - window.fresh :]
    ]
    assert read == words_of("".join(cut))


@given(pieces(), st.integers(0, 6))
def test_every_run_of_overlap_plus_one_words_lies_whole_in_a_window(cut: list[str], overlap: int) -> None:
    size = overlap + 1
    whole = words_of("".join(cut))
    seen = {
        tuple(window.words[start : start + size])
        for window in windows(cut, overlap=overlap, longest_word=60)
        for start in range(len(window.words) - size + 1)
    }
    assert seen == {tuple(whole[start : start + size]) for start in range(len(whole) - size + 1)}


def test_a_document_of_one_piece_is_one_window() -> None:
    assert [window.words for window in windows(["one two three"], overlap=2, longest_word=9)] == [
        ["one", "two", "three"]
    ]


def test_a_window_starts_with_the_last_words_of_the_window_before() -> None:
    read = list(windows(["a b c ", "d e ", "f"], overlap=2, longest_word=9))
    assert [(window.words, window.fresh) for window in read] == [
        (["a", "b", "c"], 3),
        (["b", "c", "d", "e"], 2),
        (["d", "e", "f"], 1),
    ]


def test_no_pieces_are_no_windows() -> None:
    assert list(windows([], overlap=2, longest_word=9)) == []


@given(pieces(), st.integers(0, 4))
def test_a_word_that_is_cut_short_never_looks_like_one_that_matters(cut: list[str], longest_word: int) -> None:
    read = [word for window in windows(cut, overlap=0, longest_word=longest_word) for word in window.words]
    whole = words_of("".join(cut))
    assert len(read) == len(whole)
    assert [word for word in read if len(word) <= longest_word] == [word for word in whole if len(word) <= longest_word]


def test_a_word_that_never_ends_is_not_kept_in_memory() -> None:
    tracemalloc.start()
    endless = ("x" * 100_000 for _ in range(200))
    lengths = [len(window.words) for window in windows(endless, overlap=2, longest_word=10)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert lengths == [1]
    assert peak < 2_000_000


def test_memory_does_not_add_up_over_windows() -> None:
    tracemalloc.start()
    fresh = accumulate(
        window.fresh for window in windows(("some words " * 1000 for _ in range(300)), overlap=5, longest_word=9)
    )
    total = max(fresh)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == 600_000
    assert peak < 2_000_000
