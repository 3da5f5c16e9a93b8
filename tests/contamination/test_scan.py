"""The whole scan: the published example, evidence, what is left out, what is told."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gate.contamination import Allowed, FoundDocument, Item, ItemOverlap, Match, Mode, Scan, plan_scan, scan, tell
from gate.contamination.assembly import DocumentNames, rarities
from gate.contamination.overlap import Span
from gate.contamination.report import LeftOut
from gate.contamination.shards import Shard
from gate.contamination.tally import DocumentKey, empty_tally
from gate.errors import CorpusError, UsageError

pytestmark = pytest.mark.usefixtures("kernel")

EXAMPLE = [
    Item("E1", "What is the capital of France"),
    Item("E2", "How many legs does a spider have"),
    Item("E3", "Who wrote the play Romeo and Juliet"),
    Item("E4", "What is the boiling point of water"),
]
EXAMPLE_CORPUS = [
    "The Eiffel Tower was finished in 1889",
    "what is the capital of france",
    "Spiders are not insects",
    "Water covers most of the earth",
]


def _corpus(tmp_path: Path, documents: Sequence[object]) -> str:
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(document)}\n" for document in documents))
    return "corpus.jsonl"


def _scan(tmp_path: Path, items: Sequence[Item], documents: Sequence[object], **how: object) -> Scan:
    return scan(items, _corpus(tmp_path, documents), base=tmp_path, **how)  # type: ignore[arg-type]


def _one(tmp_path: Path, text: str, documents: Sequence[object], **how: object) -> ItemOverlap:
    (found,) = _scan(tmp_path, [Item("q", text)], documents, **how).items
    return found


def test_the_published_example(tmp_path: Path) -> None:
    found = _scan(tmp_path, EXAMPLE, EXAMPLE_CORPUS)
    assert [(item.id, item.overlap, item.is_flagged(0.8), item.is_confirmed(0.8)) for item in found.items] == [
        ("E1", 1.00, True, True),
        ("E2", 0.00, False, False),
        ("E3", 0.00, False, False),
        ("E4", 0.20, False, False),
    ]
    corpus = found.corpus
    assert (found.sizes, corpus.files, corpus.documents, corpus.words) == ((3,), 1, 4, 23)
    assert (found.notes, found.left_out, found.complete) == ((), (LeftOut(3, 0, 0),), True)


def test_the_published_example_as_four_files(tmp_path: Path) -> None:
    for number, text in enumerate(EXAMPLE_CORPUS):
        (tmp_path / f"{number}.txt").write_text(text)
    found = scan(EXAMPLE, tmp_path)
    assert [item.overlap for item in found.items] == [1.00, 0.00, 0.00, 0.20]
    assert found.items[0].question.document == FoundDocument((tmp_path / "1.txt").as_posix())
    assert (found.corpus.files, found.corpus.documents) == (4, 4)


def test_the_evidence_for_a_leaked_item(tmp_path: Path) -> None:
    documents = ["what is the time", {"id": "d7", "text": "Q: What is the\ncapital of France (Paris)"}]
    question = _one(tmp_path, "What is the capital of France", documents).question
    (size,) = question.sizes
    document = FoundDocument("corpus.jsonl", "line", 2, "d7")
    assert (size.n_grams, size.overlap, size.best_document_overlap, size.idf_overlap) == (4, 1.0, 1.0, 1.0)
    assert (size.document, size.spans, size.longest_span) == (document, (Span(0, 6),), 6)
    assert (question.verbatim, question.document) == (document, document)
    assert question.words == ("what", "is", "the", "capital", "of", "france")


def test_the_evidence_for_an_item_found_in_parts(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d e f g h", ["x b c d e x", "f g h", "nothing"])
    assert (found.overlap, found.best_document_overlap) == (3 / 6, 2 / 6)
    assert found.question.document == FoundDocument("corpus.jsonl", "line", 1)
    assert (found.question.verbatim, found.question.longest_span) == (None, 4)
    assert found.question.matched == tuple(Match(word, word in "bcde") for word in "abcdefgh")


def test_an_item_of_which_nothing_was_found_keeps_no_words(tmp_path: Path) -> None:
    question = _one(tmp_path, "a b c d", ["nothing"]).question
    assert (question.words, question.matched, question.document, question.n_words) == ((), (), None, 4)


def test_the_longest_span_joins_ngrams_that_follow_each_other(tmp_path: Path) -> None:
    assert _one(tmp_path, "a b c d e f g", ["a b c x d e f"]).question.longest_span == 6


def test_a_leak_spread_over_documents_is_suspect(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d e f", ["a b c d", "c d e f"])
    assert (found.overlap, found.best_document_overlap) == (1.0, 0.5)
    assert found.is_suspect(0.8)
    assert found.is_confirmed(0.8, "pooled")


def test_a_document_that_holds_the_text_goes_before_one_that_holds_its_ngrams(tmp_path: Path) -> None:
    question = _one(tmp_path, "a b c d", ["b c d x a b c", "a b c d"]).question
    assert question.sizes[0].document == FoundDocument("corpus.jsonl", "line", 1)
    assert question.document == question.verbatim == FoundDocument("corpus.jsonl", "line", 2)


def test_a_rare_ngram_weighs_more_than_a_common_one(tmp_path: Path) -> None:
    found = _one(tmp_path, "the common phrase and rare words", ["the common phrase"] * 9 + ["and rare words"])
    weights = {count: math.log(1 + (10 - count + 0.5) / (count + 0.5)) for count in (0, 1, 9)}
    total = weights[9] + 2 * weights[0] + weights[1]
    assert found.overlap == 0.5
    assert found.question.sizes[0].idf_overlap == pytest.approx((weights[9] + weights[1]) / total, abs=5e-7)


def test_what_every_document_holds_still_weighs_something() -> None:
    (weight,) = rarities(np.array([5]), 5)
    assert weight > 0


@pytest.mark.parametrize(
    ("text", "verbatim"),
    [("the answer", True), ("answer", True), ("answer the", False), ("swer", False), ("", False), (" \n ", False)],
)
def test_an_item_too_short_for_an_ngram_is_searched_for_whole_and_never_clean(
    tmp_path: Path, text: str, verbatim: bool
) -> None:
    found = _one(tmp_path, text, ["This is The  ANSWER to it"])
    assert (found.testable, found.overlap, found.best_document_overlap) == (False, 0.0, 0.0)
    assert found.is_flagged(0.8) is verbatim
    assert found.is_confirmed(0.8) is verbatim
    assert found.question.document == (FoundDocument("corpus.jsonl", "line", 1) if verbatim else None)
    assert found.question.longest_span == (len(text.split()) if verbatim else 0)


def test_template_ngrams_are_left_out_and_counted(tmp_path: Path) -> None:
    items = [Item(str(number), f"which of these is n{number}") for number in range(20)]
    found = _scan(tmp_path, items, ["which of these is right"])
    assert found.left_out == (LeftOut(3, 2, 0),)
    assert [(item.question.sizes[0].n_grams, item.overlap) for item in found.items] == [(1, 0.0)] * 20


def test_an_item_that_is_all_template_is_not_testable_but_found_verbatim(tmp_path: Path) -> None:
    items = [Item(str(number), "which of these is right") for number in range(20)]
    found = _scan(tmp_path, items, ["tell me which of these is right now"])
    assert all(not item.testable and item.is_flagged(0.8) for item in found.items)
    assert found.items[0].question.longest_span == 5


def test_a_verbatim_item_is_shown_whole_although_template_is_left_out(tmp_path: Path) -> None:
    items = [Item(str(number), f"which of these is n{number}") for number in range(20)]
    found = _scan(tmp_path, items, ["which of these is n7"]).items[7]
    assert found.is_flagged(1.0)
    assert all(match.found for match in found.question.matched)


def test_ngrams_of_an_allowed_text_are_left_out_and_counted(tmp_path: Path) -> None:
    allowed = (Allowed("Which of the following is true?", "a template"),)
    items = [Item("q", "Which of the following is true? Bees fly")]
    found = _scan(tmp_path, items, ["which of the following is true? None."], allowed=allowed)
    assert (found.allowed, found.left_out) == (allowed, (LeftOut(3, 0, 4),))
    assert (found.items[0].question.sizes[0].n_grams, found.items[0].overlap) == (2, 0.0)


def test_an_item_that_stands_in_an_allowed_text_is_no_leak_and_not_called_clean(tmp_path: Path) -> None:
    allowed = (Allowed("Which of the following is true?", "a template"),)
    found = _one(tmp_path, "which of the following", ["which of the following is true?"], allowed=allowed)
    assert not found.testable
    assert not found.is_flagged(0.8)


def test_question_and_answer_have_figures_of_their_own_and_the_question_alone_decides(tmp_path: Path) -> None:
    items = [Item("q", "why is the sky so blue", "because of Rayleigh scattering")]
    (found,) = _scan(tmp_path, items, ["it is because of rayleigh scattering"]).items
    assert found.answer is not None
    assert (found.answer.sizes[0].overlap, found.answer.verbatim) == (1.0, FoundDocument("corpus.jsonl", "line", 1))
    assert (found.overlap, found.is_flagged(0.1)) == (0.0, False)


def test_several_sizes_have_figures_of_their_own_and_the_first_decides(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d e f", ["a b c d x", "c d e f"], sizes=(5, 3))
    assert [(size.size, size.n_grams, size.overlap) for size in found.question.sizes] == [(5, 2, 0.0), (3, 4, 1.0)]
    assert not found.is_flagged(0.8)


def test_a_scan_can_be_told_by_another_of_its_sizes(tmp_path: Path) -> None:
    both = _scan(tmp_path, EXAMPLE, EXAMPLE_CORPUS, sizes=(3, 5))
    alone, told = _scan(tmp_path, EXAMPLE, EXAMPLE_CORPUS, sizes=(5,)), both.by_sizes((5,))
    assert (told.sizes, told.left_out) == (alone.sizes, alone.left_out)
    assert [item.question.sizes for item in told.items] == [item.question.sizes for item in alone.items]


def test_an_item_without_spaces_is_read_by_characters_and_says_so(tmp_path: Path) -> None:
    found = _one(tmp_path, "法国的首都是哪里呢", ["请问：法国的首都是哪里呢？", "what"])
    assert (found.question.mode, found.question.n_words, found.overlap) == (Mode.CHARACTERS, 9, 1.0)
    assert found.question.matched == (Match("法国的首都是哪里呢", True),)


def test_the_normalised_mode_sees_through_punctuation_and_accents(tmp_path: Path) -> None:
    documents = ["the cafe's menu, is (mostly) french"]
    assert _one(tmp_path, "The café’s menu is mostly French", documents).overlap == 0.0
    assert _one(tmp_path, "The café’s menu is mostly French", documents, mode=Mode.NORMALISED).overlap == 1.0


def test_items_keep_their_order_and_may_share_an_id_or_a_text(tmp_path: Path) -> None:
    items = [Item("b", "a b c"), Item("a", "x y z"), Item("b", "a b c")]
    found = _scan(tmp_path, items, ["a b c"])
    assert [(item.id, item.overlap) for item in found.items] == [("b", 1.0), ("a", 0.0), ("b", 1.0)]


def test_no_items_are_a_scan_without_items(tmp_path: Path) -> None:
    assert _scan(tmp_path, [], ["text"]).items == ()


@pytest.mark.parametrize("documents", [[], ["", "  "], [{"text": ""}]])
def test_a_corpus_without_a_word_is_an_error_never_clean(tmp_path: Path, documents: list[object]) -> None:
    with pytest.raises(CorpusError, match="no text") as caught:
        _scan(tmp_path, EXAMPLE, documents)
    told = "1 document" if len(documents) == 1 else f"{len(documents)} documents"
    assert caught.value.remedy == f"check what is in it: 1 file with {told} read"


@pytest.mark.parametrize("ngram", [-1, 0, 14])
def test_an_ngram_out_of_range_is_an_error(tmp_path: Path, ngram: int) -> None:
    with pytest.raises(UsageError, match="n-grams of") as caught:
        _scan(tmp_path, EXAMPLE, EXAMPLE_CORPUS, sizes=(3, ngram))
    assert "1 to 13" in caught.value.remedy


def test_a_missing_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such file or folder"):
        scan(EXAMPLE, "nothing-here", base=tmp_path)


def test_notes_tell_what_was_skipped_and_what_was_replaced(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c/a.txt").write_bytes(b"some \xff text")
    (tmp_path / "c/b.pdf").write_bytes(b"%PDF")
    found = scan(EXAMPLE, "c", base=tmp_path)
    assert found.notes == (
        "not read in c: 1 file with other endings (.pdf 1)",
        "not UTF-8, replaced: 1 place in c/a.txt (1)",
    )


def test_what_was_not_read_is_counted_once_however_often_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    for name in ("a.txt", "b.pdf", "d.pdf"):
        (tmp_path / "c" / name).write_text("some text")
    (tmp_path / "c/out.txt").symlink_to(tmp_path / "elsewhere.txt")
    (tmp_path / "elsewhere.txt").write_text("more text")
    corpus = scan(EXAMPLE, ["c", "c/*"], base=tmp_path).corpus
    assert (corpus.files, corpus.left_out, corpus.links_out) == (1, 2, 1)


def test_figures_do_not_depend_on_the_order_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("what is the capital city")
    (tmp_path / "b.txt").write_text("what is the capital of france today")
    first = scan(EXAMPLE, ["a.txt", "b.txt"], base=tmp_path)
    second = scan(EXAMPLE, ["b.txt", "a.txt"], base=tmp_path)
    assert [item.overlap for item in first.items] == [item.overlap for item in second.items]
    assert first.items[0] == second.items[0]


def test_the_digest_of_a_corpus_tells_files_that_were_added_or_grew(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('"some text"\n')
    alone = scan(EXAMPLE, "a.jsonl", base=tmp_path).corpus.digest
    (tmp_path / "b.jsonl").write_text('"more text"\n')
    assert scan(EXAMPLE, ["a.jsonl", "b.jsonl"], base=tmp_path).corpus.digest != alone
    (tmp_path / "a.jsonl").write_text('"some text"\n"more text"\n')
    assert scan(EXAMPLE, "a.jsonl", base=tmp_path).corpus.digest != alone


SHARDS = [Shard(0, "a", "a.jsonl", ".jsonl", start, None, 300, "1") for start in (0, 100, 200)]


def test_lines_are_counted_through_the_shards_of_a_file() -> None:
    names = DocumentNames(SHARDS, {(0, 100): 5, (0, 0): 7, (0, 200): 1})
    found = [names.find(DocumentKey(0, start, 2, "own")) for start in (0, 100, 200)]
    assert found == [FoundDocument("a.jsonl", "line", number, "own") for number in (2, 9, 14)]


def test_a_line_after_a_shard_that_was_not_read_has_no_number() -> None:
    names = DocumentNames(SHARDS, {(0, 0): 7, (0, 200): 1})
    assert names.find(DocumentKey(0, 100, 2)) == FoundDocument("a.jsonl", "line", 9)
    assert names.find(DocumentKey(0, 200, 2)) == FoundDocument("a.jsonl", "line", None)


def test_a_scan_of_some_shards_says_that_it_is_not_complete(tmp_path: Path) -> None:
    plan = plan_scan(EXAMPLE, _corpus(tmp_path, EXAMPLE_CORPUS), base=tmp_path)
    found = tell(plan, plan.index(), empty_tally(plan.index()))
    assert not found.complete
    assert found.notes == ("not read yet, all or in part: corpus.jsonl",)
