"""What is flagged, confirmed and suspect, and the evidence of one item."""

import pytest

from gate.contamination.report import Confirm, ItemOverlap, Match, longest_run


def _overlap(pooled: float, best: float, *, verbatim: bool = False, n_grams: int = 10) -> ItemOverlap:
    return ItemOverlap("q1", n_grams, pooled, best, "a.txt", None, verbatim, ("what", "is", "it"), (True, False, True))


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
    assert _overlap(0.5, 0.5).matched == (Match("what", True), Match("is", False), Match("it", True))


def test_only_a_verbatim_item_has_a_verbatim_document() -> None:
    assert _overlap(1.0, 1.0).verbatim_document is None
    assert _overlap(1.0, 1.0, verbatim=True).verbatim_document == "a.txt"


@pytest.mark.parametrize(
    ("found", "expected"), [("", 0), ("...", 0), ("x", 1), ("xx.xxx.x", 3), ("xxxx..xx", 4), (".x.xx", 2)]
)
def test_the_longest_run_is_counted_in_words(found: str, expected: int) -> None:
    assert longest_run([mark == "x" for mark in found]) == expected
