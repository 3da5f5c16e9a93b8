"""What is flagged, confirmed and suspect, and the evidence of one item."""

import pytest

from gate.contamination.modes import Mode
from gate.contamination.overlap import (
    Confirm,
    FoundDocument,
    ItemOverlap,
    Match,
    SizeOverlap,
    Span,
    TextOverlap,
    digest_of,
    runs_of,
)

DOCUMENT = FoundDocument("a.txt")


def _overlap(
    pooled: float, best: float, *, verbatim: bool = False, n_grams: int = 10, mode: Mode = Mode.REFERENCE
) -> ItemOverlap:
    size = SizeOverlap(3, n_grams, pooled, best, pooled, 1, DOCUMENT, (Span(0, 1), Span(2, 4)))
    text = TextOverlap(mode, 4, ("what", "is", "it", "then"), DOCUMENT if verbatim else None, (size,))
    return ItemOverlap("q1", "0", text)


@pytest.mark.parametrize(
    ("item", "confirm", "flagged", "confirmed"),
    [
        (_overlap(1.0, 1.0, verbatim=True), "best_document", True, True),
        (_overlap(0.8, 0.8), "best_document", True, True),
        (_overlap(0.9, 0.7), "best_document", True, False),
        (_overlap(0.9, 0.7), "pooled", True, True),
        (_overlap(0.79, 0.79), "best_document", False, False),
        (_overlap(0.79, 0.79), "pooled", False, False),
        (_overlap(0.0, 0.0, n_grams=0), "best_document", False, False),
        (_overlap(0.0, 0.0, n_grams=0), "pooled", False, False),
        (_overlap(0.0, 0.0, n_grams=0, verbatim=True), "best_document", True, True),
        (_overlap(0.0, 0.0, n_grams=0, verbatim=True), "pooled", True, True),
    ],
)
def test_flagged_confirmed_and_suspect(item: ItemOverlap, confirm: Confirm, flagged: bool, confirmed: bool) -> None:
    assert item.is_flagged(0.8) is flagged
    assert item.is_confirmed(0.8, confirm) is confirmed
    assert item.is_suspect(0.8, confirm) is (flagged and not confirmed)


def test_an_item_without_ngrams_is_not_flagged_by_a_bar_of_zero() -> None:
    assert not _overlap(0.0, 0.0, n_grams=0).is_flagged(0.0)


def test_four_of_five_ngrams_reach_a_bar_of_80_percent() -> None:
    assert _overlap(4 / 5, 4 / 5, n_grams=5).is_confirmed(0.80)


def test_matched_pairs_each_word_with_whether_it_was_found() -> None:
    assert _overlap(0.5, 0.5).question.matched == (
        Match("what", True),
        Match("is", False),
        Match("it", True),
        Match("then", True),
    )


def test_characters_that_follow_each_other_are_shown_as_one_word() -> None:
    shown = _overlap(0.5, 0.5, mode=Mode.CHARACTERS).question.matched
    assert shown == (Match("what", True), Match("is", False), Match("itthen", True))


def test_a_verbatim_item_is_found_from_end_to_end() -> None:
    question = _overlap(0.5, 0.5, verbatim=True).question
    assert question.longest_span == 4
    assert all(match.found for match in question.matched)


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (FoundDocument("a.txt"), "a.txt"),
        (FoundDocument("a.jsonl", "line", 3, "d7"), "a.jsonl:line 3"),
        (FoundDocument("a.parquet", "row", 1), "a.parquet:row 1"),
        (FoundDocument("a.jsonl", "line"), "a.jsonl"),
    ],
)
def test_a_document_is_named_by_its_file_and_its_place_there(document: FoundDocument, name: str) -> None:
    assert document.name == name


@pytest.mark.parametrize(
    ("found", "expected"),
    [("", []), ("...", []), ("x", [(0, 1)]), ("xx.xxx.x", [(0, 2), (3, 6), (7, 8)]), (".x.xx", [(1, 2), (3, 5)])],
)
def test_runs_of_found_words(found: str, expected: list[tuple[int, int]]) -> None:
    assert runs_of([mark == "x" for mark in found]) == tuple(Span(*span) for span in expected)


def test_a_digest_stands_lines_that_are_wrapped_anew_and_nothing_else() -> None:
    assert digest_of("What is\n  it?") == digest_of("What is it? ")
    assert len({digest_of(text) for text in ("What is it?", "what is it?", "What is it", "Whatis it?")}) == 4


def test_half_a_surrogate_pair_has_a_digest() -> None:
    assert digest_of("\ud800") != digest_of("\ud801")
