"""The whole scan: the published example, evidence, notes, memory, progress."""

import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from gate.contamination import Item, ItemOverlap, Match, ScanProgress, scan
from gate.contamination import engine as engine_module
from gate.errors import CorpusError, UsageError

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


def _one(tmp_path: Path, text: str, documents: Sequence[object], ngram: int = 3) -> ItemOverlap:
    (found,) = scan([Item("q", text)], _corpus(tmp_path, documents), ngram=ngram, base=tmp_path).items
    return found


def test_the_published_example(tmp_path: Path) -> None:
    found = scan(EXAMPLE, _corpus(tmp_path, EXAMPLE_CORPUS), base=tmp_path)
    assert [(item.id, item.overlap, item.is_flagged(0.8), item.is_confirmed(0.8)) for item in found.items] == [
        ("E1", 1.00, True, True),
        ("E2", 0.00, False, False),
        ("E3", 0.00, False, False),
        ("E4", 0.20, False, False),
    ]
    assert (found.ngram, found.files, found.documents, found.words, found.template_ngrams) == (3, 1, 4, 23, 0)
    assert found.notes == ()


def test_the_published_example_as_four_files(tmp_path: Path) -> None:
    for number, text in enumerate(EXAMPLE_CORPUS):
        (tmp_path / f"{number}.txt").write_text(text)
    found = scan(EXAMPLE, tmp_path)
    assert [item.overlap for item in found.items] == [1.00, 0.00, 0.00, 0.20]
    assert found.items[0].document == (tmp_path / "1.txt").as_posix()
    assert (found.files, found.documents) == (4, 4)


def test_the_evidence_for_a_leaked_item(tmp_path: Path) -> None:
    documents = ["what is the time", {"id": "d7", "text": "Q: What is the\ncapital of France (Paris)"}]
    assert _one(tmp_path, "What is the capital of France", documents) == ItemOverlap(
        id="q",
        n_grams=4,
        overlap=1.0,
        best_document_overlap=1.0,
        document="corpus.jsonl:line 2",
        document_id="d7",
        verbatim=True,
        words=("what", "is", "the", "capital", "of", "france"),
        found=(True,) * 6,
    )


def test_the_evidence_for_an_item_found_in_parts(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d e f g h", ["x b c d e x", "f g h", "nothing"])
    assert (found.overlap, found.best_document_overlap) == (3 / 6, 2 / 6)
    assert (found.document, found.verbatim, found.longest_span) == ("corpus.jsonl:line 1", False, 4)
    assert found.matched == tuple(Match(word, word in "bcde") for word in "abcdefgh")


def test_the_longest_span_joins_ngrams_that_follow_each_other(tmp_path: Path) -> None:
    assert _one(tmp_path, "a b c d e f g", ["a b c x d e f"]).longest_span == 6


def test_a_leak_spread_over_documents_is_suspect(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d e f", ["a b c d", "c d e f"])
    assert (found.overlap, found.best_document_overlap) == (1.0, 0.5)
    assert found.is_suspect(0.8)
    assert found.is_confirmed(0.8, "pooled")


def test_a_document_that_holds_the_text_goes_before_one_that_holds_its_ngrams(tmp_path: Path) -> None:
    found = _one(tmp_path, "a b c d", ["b c d x a b c", "a b c d"])
    assert (found.document, found.verbatim_document) == ("corpus.jsonl:line 2", "corpus.jsonl:line 2")


@pytest.mark.parametrize(
    ("text", "verbatim"),
    [("the answer", True), ("answer", True), ("answer the", False), ("swer", False), ("", False), (" \n ", False)],
)
def test_an_item_too_short_for_an_ngram_is_searched_for_whole_and_never_clean(
    tmp_path: Path, text: str, verbatim: bool
) -> None:
    found = _one(tmp_path, text, ["This is The  ANSWER to it"])
    assert (found.testable, found.overlap, found.best_document_overlap) == (False, 0.0, 0.0)
    assert found.verbatim is verbatim
    assert found.is_flagged(0.8) is verbatim
    assert found.is_confirmed(0.8) is verbatim
    assert found.document == ("corpus.jsonl:line 1" if verbatim else None)
    assert found.longest_span == (len(text.split()) if verbatim else 0)


def test_template_ngrams_are_left_out_and_counted(tmp_path: Path) -> None:
    items = [Item(str(number), f"which of these is n{number}") for number in range(20)]
    found = scan(items, _corpus(tmp_path, ["which of these is right"]), base=tmp_path)
    assert found.template_ngrams == 2
    assert [(item.n_grams, item.overlap) for item in found.items] == [(1, 0.0)] * 20


def test_an_item_that_is_all_template_is_not_testable_but_found_verbatim(tmp_path: Path) -> None:
    items = [Item(str(number), "which of these is right") for number in range(20)]
    found = scan(items, _corpus(tmp_path, ["tell me which of these is right now"]), base=tmp_path)
    assert all(not item.testable and item.verbatim and item.is_flagged(0.8) for item in found.items)
    assert found.items[0].longest_span == 5


def test_a_verbatim_item_is_shown_whole_although_template_is_left_out(tmp_path: Path) -> None:
    items = [Item(str(number), f"which of these is n{number}") for number in range(20)]
    found = scan(items, _corpus(tmp_path, ["which of these is n7"]), base=tmp_path).items[7]
    assert found.is_flagged(1.0)
    assert found.found == (True,) * 5


def test_items_keep_their_order_and_may_share_an_id_or_a_text(tmp_path: Path) -> None:
    items = [Item("b", "a b c"), Item("a", "x y z"), Item("b", "a b c")]
    found = scan(items, _corpus(tmp_path, ["a b c"]), base=tmp_path)
    assert [(item.id, item.verbatim) for item in found.items] == [("b", True), ("a", False), ("b", True)]


def test_no_items_are_a_scan_without_items(tmp_path: Path) -> None:
    assert scan([], _corpus(tmp_path, ["text"]), base=tmp_path).items == ()


@pytest.mark.parametrize("documents", [[], ["", "  "], [{"text": ""}]])
def test_a_corpus_without_a_word_is_an_error_never_clean(tmp_path: Path, documents: list[object]) -> None:
    with pytest.raises(CorpusError, match="no text") as caught:
        scan(EXAMPLE, _corpus(tmp_path, documents), base=tmp_path)
    told = "1 document" if len(documents) == 1 else f"{len(documents)} documents"
    assert caught.value.remedy == f"check what is in it: 1 file with {told} read"


@pytest.mark.parametrize("ngram", [-1, 0, 14])
def test_an_ngram_out_of_range_is_an_error(tmp_path: Path, ngram: int) -> None:
    with pytest.raises(UsageError, match="n-grams of") as caught:
        scan(EXAMPLE, _corpus(tmp_path, EXAMPLE_CORPUS), ngram=ngram, base=tmp_path)
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
    found = scan(EXAMPLE, ["c", "c/*"], base=tmp_path)
    assert (found.files, found.left_out, found.links_out) == (1, 2, 1)


def test_figures_do_not_depend_on_the_order_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("what is the capital city")
    (tmp_path / "b.txt").write_text("what is the capital of france today")
    first = scan(EXAMPLE, ["a.txt", "b.txt"], base=tmp_path)
    second = scan(EXAMPLE, ["b.txt", "a.txt"], base=tmp_path)
    assert [item.overlap for item in first.items] == [item.overlap for item in second.items]
    assert first.items[0] == second.items[0]


@pytest.mark.parametrize("ending", [".txt", ".jsonl"])
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, ending: str) -> None:
    block = " ".join(f"{'x' * 80}{number}" for number in range(100))
    line = block if ending == ".txt" else json.dumps(block)
    with (tmp_path / f"big{ending}").open("w") as file:
        for _ in range(3700):
            file.write(f"{line}\n")
        file.write("what is the capital of france" if ending == ".txt" else '"what is the capital of france"')
    assert (tmp_path / f"big{ending}").stat().st_size > 30_000_000
    tracemalloc.start()
    found = scan(EXAMPLE, f"big{ending}", base=tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.items[0].verbatim
    assert peak < 4_000_000


def test_progress_is_told_within_a_document_and_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(engine_module, "PIECE_SIZE", 1000)
    (tmp_path / "a.txt").write_text("some words " * 1000)
    told: list[ScanProgress] = []
    scan(EXAMPLE, "a.txt", base=tmp_path, progress=told.append)
    assert told[0] == ScanProgress(files_done=0, files=1, documents=1, bytes_read=1000)
    assert told[-1] == ScanProgress(files_done=1, files=1, documents=1, bytes_read=11_000)
    assert [step.bytes_read for step in told] == sorted(step.bytes_read for step in told)


def test_progress_of_a_short_scan_is_told_once(tmp_path: Path) -> None:
    told: list[ScanProgress] = []
    scan(EXAMPLE, _corpus(tmp_path, EXAMPLE_CORPUS), base=tmp_path, progress=told.append)
    assert len(told) == 1


@pytest.mark.parametrize("fault", [KeyboardInterrupt, BrokenPipeError])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.jsonl"])
def test_an_interruption_passes_through_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException], name: str
) -> None:
    monkeypatch.setattr(engine_module, "PROGRESS_SECONDS", 0.0)
    (tmp_path / name).write_text('"some words"\n' * 20)

    def interrupt(_: ScanProgress) -> None:
        raise fault

    with pytest.raises(fault):
        scan(EXAMPLE, name, base=tmp_path, progress=interrupt)
