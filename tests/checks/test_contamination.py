"""Contamination: what is confirmed decides, what is suspect is listed, what is not testable is never clean."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from gate.checks.contamination import NO_QUESTIONS, NOT_ASKED, ContaminationOptions, check, leaked_ids, refuse_scan
from gate.contamination import Allowed, Item, Scan, scan
from gate.evidence import LeakEvidence
from gate.results import CheckResult, Status

MakeScan = Callable[..., Scan]

FOUND = "where does the river end its long way to the sea"
WHERE = (("the", True), ("capital", True), ("of", True), ("france", True))
QUESTIONS = {
    "E1": "what is the capital of france",
    "E2": "how many legs does a spider have",
    "E3": "who wrote the play romeo and juliet",
    "E4": "what is the boiling point of water",
}


@pytest.fixture
def scan_of(tmp_path: Path) -> MakeScan:
    """A scan of questions by id against documents, one a line."""

    def build(questions: dict[str, str], documents: Sequence[str], *, ngram: int = 3) -> Scan:
        corpus = tmp_path / "corpus.jsonl"
        corpus.write_text("".join(f'{{"text": "{document}"}}\n' for document in documents), encoding="utf-8")
        return scan([Item(*question) for question in questions.items()], [str(corpus)], sizes=(ngram,))

    return build


def judged(found: Scan, *, compared: Collection[str] | None = None, **options: object) -> CheckResult:
    return check(found, ContaminationOptions.model_validate({"corpus": "corpus", **options}), compared=compared)


def evidence_of(result: CheckResult) -> LeakEvidence:
    assert isinstance(result.evidence, LeakEvidence)
    return result.evidence


def many(leaked: int, items: int) -> dict[str, str]:
    """Questions of which the first ones stand in the corpus of FOUND."""
    clean = {f"q{row:02d}": f"clean{row} question{row} number{row} here{row}" for row in range(leaked, items)}
    return {**{f"q{row:02d}": " ".join(FOUND.split()[row : row + 4]) for row in range(leaked)}, **clean}


def test_the_four_questions_of_the_worked_example(scan_of: MakeScan) -> None:
    documents = ["Quiz: what is the capital of france , ask the children", "water the beans", "cook them", "on stage"]
    result = judged(scan_of(QUESTIONS, documents), on_leak="warn")
    evidence = evidence_of(result)
    assert evidence.overlaps == {"E1": 1.0, "E2": 0.0, "E3": 0.0, "E4": 0.2}
    assert [leak.id for leak in evidence.leaks] == ["E1"]
    assert evidence.documents == 4
    assert (result.status, result.sentence) == (Status.WARN, "1 of 4 items leaked: E1")
    assert "the highest overlap of an item that is not flagged is 0.200" in result.notes
    assert result.detail == "1 confirmed, 0 suspect, 0 not testable, n = 4, 4 documents"
    assert result.remedy == "look at the evidence; drop leaked items from the eval or from the training data"


def test_all_that_the_scan_found_of_a_leak_is_evidence(tmp_path: Path) -> None:
    first = '{"id": "first", "text": "of the capital of spain"}'
    second = '{"id": "second", "text": "the capital of france is what"}'
    (tmp_path / "a.jsonl").write_text(f"{first}\n{second}\n")
    questions = [Item("z", "who knows what rivers do"), Item("E1", "so what is the capital of france", "the capital")]
    found = scan(questions, tmp_path, sizes=(3, 4))
    result = judged(found, bar=0.25, on_leak="fail")
    evidence = evidence_of(result)
    # of the five 3-grams "the capital of" and "capital of france" are found, of the four 4-grams the one of all four
    assert evidence.overlaps == {"E1": 0.4, "z": 0.0}
    assert list(evidence.overlaps) == ["E1", "z"]
    assert (evidence.ngram, evidence.bar, evidence.documents, evidence.corpus, evidence.scan) == (
        3, 0.25, 2, "corpus", None,
    )  # fmt: skip
    (leak,) = evidence.leaks
    decisive = found.items[1].question.sizes[0]
    assert (leak.id, leak.overlap, leak.best_document_overlap, leak.longest_span) == ("E1", 0.4, 0.4, 4)
    assert (leak.verbatim, leak.confirmed, leak.mode, leak.document_id) == (False, True, "reference", "second")
    assert leak.document.endswith("a.jsonl:line 2")
    assert leak.idf_overlap == decisive.idf_overlap
    assert leak.matched == (("so", False), ("what", False), ("is", False), *WHERE)
    assert [(size.ngram, size.n_grams, size.overlap, size.best_document_overlap) for size in leak.sizes] == [
        (3, 5, 0.4, 0.4),
        (4, 4, 0.25, 0.25),
    ]
    assert [size.longest_span for size in leak.sizes] == [4, 4]
    assert [size.idf_overlap for size in leak.sizes] == [size.idf_overlap for size in found.items[1].question.sizes]
    assert {size.document for size in leak.sizes} == {leak.document}
    assert leak.answer is not None
    # two words have no 3-gram, and stand there word for word
    assert (leak.answer.testable, leak.answer.verbatim) == (False, True)
    assert [(size.ngram, size.n_grams, size.document) for size in leak.answer.sizes] == [(3, 0, ""), (4, 0, "")]
    assert result.figures == {
        "items": 2, "flagged": 1, "leaked": 1, "compared": 2, "leaked_compared": 1, "suspect": 0, "not_testable": 0,
        "documents": 2, "words": 11,
    }  # fmt: skip


def test_the_corpus_that_was_searched_is_named_in_the_evidence(scan_of: MakeScan) -> None:
    found = scan_of(QUESTIONS, ["nothing of the kind"])
    assert evidence_of(judged(found, corpus=["a.txt", "b"])).corpus == "a.txt, b"
    by_file = check(found, ContaminationOptions(scan="scan.json"))
    assert evidence_of(by_file).corpus == found.corpus.given[0]
    assert evidence_of(by_file).scan == "scan.json"


def test_links_that_lead_out_of_the_corpus_are_counted_with_what_was_not_read(scan_of: MakeScan) -> None:
    found = scan_of(QUESTIONS, ["nothing of the kind"])
    linked = replace(found, corpus=replace(found.corpus, left_out=1, links_out=2))
    assert judged(linked).detail.endswith(", n = 4, 1 document, 3 files not read")
    assert judged(linked).status is Status.PASS


def test_an_item_of_another_corpus_file_that_stands_alone_has_no_document(scan_of: MakeScan) -> None:
    found = scan_of(QUESTIONS, ["nothing of the kind"])
    assert evidence_of(judged(found)).leaks == ()
    assert judged(found).notes[-1] == "the highest overlap of an item that is not flagged is 0.000"


def test_where_every_item_is_flagged_no_other_s_overlap_is_told(scan_of: MakeScan) -> None:
    result = judged(scan_of({"E1": QUESTIONS["E1"]}, [QUESTIONS["E1"]]), on_leak="warn")
    assert not [note for note in result.notes if "highest overlap" in note]


def test_no_leak_passes(scan_of: MakeScan) -> None:
    result = judged(scan_of(QUESTIONS, ["nothing of the kind"]))
    assert (result.status, result.reason) == (Status.PASS, "no-leak")
    assert result.sentence == "no leak confirmed among 4 items"
    assert result.remedy == ""


def test_excluded_leaks_warn_up_to_the_share_and_fail_over_it(scan_of: MakeScan) -> None:
    at_the_share = judged(scan_of(many(1, 10), [FOUND]))
    assert (at_the_share.status, at_the_share.reason) == (Status.WARN, "leaked")
    over = judged(scan_of(many(2, 10), [FOUND]))
    assert (over.status, over.reason) == (Status.FAIL, "too-many-leaked")
    assert over.sentence == "2 of 10 items leaked: q00, q01; 20 % is over 10 %"
    assert over.remedy == at_the_share.remedy
    assert over.remedy.startswith("look at the evidence; ")
    assert judged(scan_of(many(2, 10), [FOUND]), max_leaked_share=0.2).status is Status.WARN


def test_new_items_cannot_dilute_the_share_of_leaks(scan_of: MakeScan) -> None:
    found = scan_of(many(2, 20), [FOUND])
    assert judged(found).status is Status.WARN
    result = judged(found, compared={f"q{row:02d}" for row in range(10)})
    assert (result.status, result.reason) == (Status.FAIL, "too-many-leaked")
    assert result.sentence == "2 of 10 items leaked: q00, q01; 20 % is over 10 %"
    assert (result.figures["items"], result.figures["compared"], result.figures["leaked_compared"]) == (20, 10, 2)


def test_leaks_among_new_items_are_told_apart(scan_of: MakeScan) -> None:
    result = judged(scan_of(many(2, 20), [FOUND]), compared={f"q{row:02d}" for row in range(1, 20)})
    assert result.sentence == "1 of 19 items leaked: q01"
    assert result.notes[-1] == "leaked too, but not compared with the baseline: q00"
    assert (result.figures["leaked"], result.figures["leaked_compared"]) == (2, 1)


@pytest.mark.parametrize(("on_leak", "status"), [("exclude", Status.WARN), ("fail", Status.FAIL)])
def test_leaks_among_new_items_alone_are_no_share_of_the_compared_ones(
    scan_of: MakeScan, on_leak: str, status: Status
) -> None:
    compared = {f"q{row:02d}" for row in range(2, 10)}
    result = judged(scan_of(many(2, 10), [FOUND]), compared=compared, on_leak=on_leak, max_leaked_share=0)
    assert (result.status, result.reason) == (status, "leaked")
    assert result.sentence == "2 items leaked, none of them compared with the baseline: q00, q01"


def test_questions_of_which_none_is_compared_are_judged_by_themselves(scan_of: MakeScan) -> None:
    result = judged(scan_of(many(2, 10), [FOUND]), compared={"elsewhere"})
    assert result.sentence == "2 of 10 items leaked: q00, q01; 20 % is over 10 %"


@pytest.mark.parametrize(("others", "status"), [(0, Status.PASS), (1, Status.PASS), (2, Status.WARN)])
def test_a_corpus_of_which_more_was_left_out_than_read_warns(tmp_path: Path, others: int, status: Status) -> None:
    (tmp_path / "a.txt").write_text("nothing of the kind")
    for number in range(others):
        (tmp_path / f"{number}.pdf").touch()
    result = judged(scan([Item("E1", QUESTIONS["E1"])], tmp_path))
    assert result.status is status
    assert result.detail.endswith(["1 document", "1 file not read", "2 files not read"][others])
    if status is Status.WARN:
        assert result.reason == "corpus-partly-unread"
        assert result.sentence == (
            "no leak confirmed among 1 item, but 2 files of the corpus could not be read by their ending and only 1 was"
        )
        assert result.remedy == (
            "convert the other files to text, or name those that are text: the notes tell the endings"
        )


def test_files_that_were_read_are_counted_beside_those_that_were_not(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_text("nothing of the kind" if name.endswith("txt") else "")
    result = judged(scan([Item("E1", QUESTIONS["E1"])], tmp_path))
    assert result.sentence == (
        "no leak confirmed among 1 item, but 3 files of the corpus could not be read by their ending and only 2 were"
    )


def test_a_leak_in_a_corpus_partly_unread_stays_the_finding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(QUESTIONS["E1"])
    (tmp_path / "b.pdf").touch()
    (tmp_path / "c.pdf").touch()
    result = judged(scan([Item("E1", QUESTIONS["E1"])], tmp_path), on_leak="warn")
    assert (result.status, result.reason) == (Status.WARN, "leaked")


@pytest.mark.parametrize(("on_leak", "status"), [("fail", Status.FAIL), ("warn", Status.WARN)])
def test_a_policy_may_fail_on_any_leak_or_only_tell(scan_of: MakeScan, on_leak: str, status: Status) -> None:
    result = judged(scan_of(many(3, 10), [FOUND]), on_leak=on_leak)
    assert (result.status, result.reason) == (status, "leaked")
    assert result.sentence == "3 of 10 items leaked: q00, q01, q02"
    assert result.remedy == "look at the evidence; drop leaked items from the eval or from the training data"


def test_a_policy_that_only_tells_fails_at_no_share(scan_of: MakeScan) -> None:
    assert judged(scan_of(many(10, 10), [FOUND]), on_leak="warn", max_leaked_share=0).status is Status.WARN


def test_a_flagged_item_that_no_document_confirms_is_suspect_and_decides_nothing(scan_of: MakeScan) -> None:
    found = scan_of({"q": "one two three four five six"}, ["one two three four", "three four five six"])
    result = judged(found, on_leak="fail")
    assert (result.status, result.reason) == (Status.PASS, "no-leak")
    assert (result.figures["flagged"], result.figures["suspect"], result.figures["leaked"]) == (1, 1, 0)
    assert [(leak.id, leak.confirmed) for leak in evidence_of(result).leaks] == [("q", False)]
    assert result.notes[0] == (
        "1 suspect: 0.80 is reached only over many documents together, as common phrases do in a large corpus"
    )


def test_leaks_and_suspects_are_counted_apart(scan_of: MakeScan) -> None:
    questions = {"a": "one two three four five six", "b": "alpha beta gamma delta", "c": "short one"}
    result = judged(scan_of(questions, ["one two three four", "three four five six", "alpha beta gamma delta"]))
    assert result.detail == "1 confirmed, 1 suspect, 1 not testable, n = 3, 3 documents"
    expected = {"items": 3, "flagged": 2, "leaked": 1, "suspect": 1, "not_testable": 1, "documents": 3}
    assert {name: result.figures[name] for name in expected} == expected


def test_a_suspect_is_a_leak_where_the_whole_corpus_confirms(scan_of: MakeScan) -> None:
    found = scan_of({"q": "one two three four five six"}, ["one two three four", "three four five six"])
    result = judged(found, on_leak="fail", confirm="pooled")
    assert result.status is Status.FAIL
    assert [leak.confirmed for leak in evidence_of(result).leaks] == [True]
    assert not [note for note in result.notes if "suspect" in note]
    assert (result.figures["leaked"], result.figures["suspect"]) == (1, 0)
    assert leaked_ids(found, ContaminationOptions(corpus="c", confirm="pooled")) == ("q",)


def test_the_bar_can_be_set(scan_of: MakeScan) -> None:
    found = scan_of({"q": "one two three four five six"}, ["one two three four"])
    assert judged(found, bar=0.5, on_leak="fail").status is Status.FAIL
    assert judged(found, bar=0.51, on_leak="fail").status is Status.PASS


def test_items_too_short_for_an_n_gram_are_told_and_never_called_clean(scan_of: MakeScan) -> None:
    result = judged(scan_of({"short": "two words", "long": "here are four words"}, ["something else entirely"]))
    assert evidence_of(result).not_testable == ("short",)
    assert "short" not in evidence_of(result).overlaps
    assert "1 item with no 3-gram: only the whole text was searched for" in result.notes


def test_a_short_item_that_stands_in_a_document_word_for_word_is_a_leak(scan_of: MakeScan) -> None:
    result = judged(
        scan_of({"short": "xyzzy plugh", "long": "here are four words"}, ["say xyzzy plugh twice"]), on_leak="fail"
    )
    assert result.status is Status.FAIL
    assert evidence_of(result).leaks[0].verbatim


def test_nothing_testable_warns(scan_of: MakeScan) -> None:
    result = judged(scan_of({"a": "two words", "b": "one"}, ["something else entirely"]))
    assert (result.status, result.reason) == (Status.WARN, "not-testable")
    assert result.sentence == "none of the 2 items has 3 words: nothing was tested"
    assert result.remedy == (
        "set a smaller `ngram`, or name the column that holds the question: `columns: {inputs: ...}`"
    )
    assert "2 items with no 3-gram: only the whole text was searched for" in result.notes


def test_a_leak_among_items_of_which_none_is_testable_stays_the_finding(scan_of: MakeScan) -> None:
    result = judged(scan_of({"a": "two words"}, ["here are two words indeed"]), on_leak="warn")
    assert (result.reason, result.sentence) == ("leaked", "1 of 1 item leaked: a")


def test_the_evidence_has_confirmed_leaks_first_then_the_highest_overlap(scan_of: MakeScan) -> None:
    questions = {
        "suspect": "one two three four five six",
        "b": "alpha beta gamma delta",
        "a": "alpha beta gamma delta",
        "most": "uno dos tres cuatro cinco seis siete other",
    }
    documents = [
        "one two three four",
        "three four five six",
        "alpha beta gamma delta",
        "uno dos tres cuatro cinco seis siete",
    ]
    leaks = evidence_of(judged(scan_of(questions, documents), on_leak="warn")).leaks
    assert [leak.id for leak in leaks] == ["a", "b", "most", "suspect"]
    assert leaks[2].longest_span == 7
    assert leaks[2].document.endswith("corpus.jsonl:line 4")


def test_template_n_grams_that_are_left_out_are_told(scan_of: MakeScan) -> None:
    questions = {f"q{row}": f"which of the following is item{row} thing{row} stuff{row}" for row in range(20)}
    result = judged(scan_of(questions, ["which of the following is true"]))
    assert result.status is Status.PASS
    # which of the, of the following, the following is
    assert "3 n-grams of a template that most items share left out" in result.notes


def test_allowed_texts_are_told_with_their_reasons(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("which of the following is true")
    item = Item("q", "Which of the following is true? Bees fly")
    found = scan([item], tmp_path, allowed=[Allowed("Which of the following is true", "a template")])
    assert "3 n-grams of 1 allowed text left out: a template" in judged(found).notes


def test_items_that_are_searched_for_by_characters_are_told(scan_of: MakeScan) -> None:
    result = judged(
        scan_of(
            {"zh": "法国的首都是哪里呢", "en": QUESTIONS["E1"], "es": QUESTIONS["E2"]}, ["请问：法国的首都是哪里呢？"]
        ),
        on_leak="warn",
    )
    assert "1 item of a script without spaces: searched for by characters" in result.notes
    (leak,) = evidence_of(result).leaks
    assert (leak.id, leak.mode, leak.longest_span, leak.matched) == (
        "zh",
        "characters",
        9,
        (("法国的首都是哪里呢", True),),
    )


def test_the_evidence_of_a_leak_is_told_by_every_size_and_of_the_answer(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("what is the capital of france it is paris of course")
    (leak,) = evidence_of(
        judged(scan([Item("E1", QUESTIONS["E1"], "it is paris")], tmp_path, sizes=(3, 5)), on_leak="warn")
    ).leaks
    assert [(size.ngram, size.n_grams, size.overlap) for size in leak.sizes] == [(3, 4, 1.0), (5, 2, 1.0)]
    assert leak.answer is not None
    assert (leak.answer.verbatim, leak.answer.sizes[0].overlap, leak.answer.sizes[1].n_grams) == (True, 1.0, 0)


@pytest.mark.parametrize(
    ("complete", "unknown", "options", "reason", "sentence"),
    [
        (False, (), {}, "scan-partial",
         "the scan did not read the whole corpus, so no item of it is known to be clean"),
        (True, (), {"ngram": 5}, "scan-of-another-kind", "the scan was made by n-grams of 3 words, not of 5"),
        (True, (), {"ngram": (3, 8)}, "scan-of-another-kind", "the scan was made by n-grams of 3 words, not of 8"),
        (True, (), {"mode": "normalised"}, "scan-of-another-kind",
         "the scan was made in the mode reference, not normalised"),
        (True, (), {"allow": [{"text": "a b c", "reason": "r"}]}, "scan-of-another-kind",
         "the scan knows nothing of 1 text of the allow-list"),
        (True, (), {"allow": [{"text": text, "reason": "r"} for text in ("a b c", "d e f")]}, "scan-of-another-kind",
         "the scan knows nothing of 2 texts of the allow-list"),
        (True, ("q1", "q2"), {}, "scan-stale", "the scan does not cover 2 items: q1, q2"),
        (True, ("q1",), {}, "scan-stale", "the scan does not cover 1 item: q1"),
    ],
)  # fmt: skip
def test_a_scan_that_does_not_answer_the_question_fails_and_says_how_to_renew_it(
    complete: bool,
    unknown: tuple[str, ...],
    options: dict[str, object],
    reason: str,
    sentence: str,
    scan_of: MakeScan,
) -> None:
    found = replace(scan_of(QUESTIONS, ["nothing of the kind"]), complete=complete)
    result = refuse_scan(found, unknown, ContaminationOptions.model_validate({"scan": "scan.json", **options}))
    assert result is not None
    assert (result.status, result.reason, result.sentence) == (Status.FAIL, reason, sentence)
    given = options.get("ngram", 3)
    flags = "".join(f" --ngram {size}" for size in (given if isinstance(given, tuple) else (given,)))
    assert result.remedy == (
        "renew it where the corpus lives: `gate scan --items FILE --corpus PATH"
        f"{flags} --mode {options.get('mode', 'reference')} --out scan.json`"
    )


def test_every_size_of_a_scan_that_lacks_the_one_asked_for_is_told(scan_of: MakeScan) -> None:
    found = replace(scan_of(QUESTIONS, ["nothing of the kind"]), sizes=(3, 5))
    result = refuse_scan(found, (), ContaminationOptions(scan="scan.json", ngram=(5, 8, 9)))
    assert result is not None
    assert result.sentence == "the scan was made by n-grams of 3, 5 words, not of 8"


def test_a_scan_that_answers_the_question_is_not_refused(scan_of: MakeScan) -> None:
    allowed = (Allowed("a b c", "one"), Allowed("d e f", "two"))
    found = replace(scan_of(QUESTIONS, ["nothing of the kind"]), allowed=allowed)
    options = {"scan": "scan.json", "allow": [{"text": "d e f", "reason": "another"}]}
    assert refuse_scan(found, (), ContaminationOptions.model_validate(options)) is None


def test_not_being_asked_is_a_grey_line() -> None:
    assert (NOT_ASKED.status, NOT_ASKED.sentence) == (Status.NOT_RUN, "no corpus to search")


def test_being_asked_without_questions_fails_and_says_what_to_name() -> None:
    assert NO_QUESTIONS.status is Status.FAIL
    assert "columns: {inputs: ...}" in NO_QUESTIONS.remedy


def test_a_corpus_may_be_one_path_or_several() -> None:
    assert ContaminationOptions(corpus="a.txt").corpora == ("a.txt",)
    assert ContaminationOptions(corpus=("a.txt", "b")).corpora == ("a.txt", "b")


@pytest.mark.parametrize(
    "options",
    [
        {"corpus": ""},
        {"ngram": 0},
        {"ngram": 14},
        {"ngram": ()},
        {"ngram": (3, 14)},
        {"mode": "characters"},
        {"allow": [{"text": "a b c"}]},
        {"allow": [{"text": "", "reason": "none"}]},
        {"scan": "scan.json"},
        {"bar": 0},
        {"on_leak": "drop"},
        {"confirm": "any"},
        {"max_leaked_share": 2},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ContaminationOptions.model_validate({"corpus": "corpus", **options})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "there is nothing to search: give it a `corpus`, or the `scan` of one"),
        ({"bar": 0.5}, "there is nothing to search: give it a `corpus`, or the `scan` of one"),
        ({"corpus": "a", "scan": "b"}, "a corpus and a scan of one are two ways to search: give one of them"),
        (
            {"scan": "b", "text_field": "t"},
            "text_field and id_field say how to read a corpus: give them to `gate scan`",
        ),
        ({"scan": "b", "id_field": "i"}, "text_field and id_field say how to read a corpus: give them to `gate scan`"),
    ],
)
def test_one_way_to_search_must_be_named(options: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError) as error:
        ContaminationOptions.model_validate(options)
    assert [one["msg"] for one in error.value.errors()] == [f"Value error, {told}"]


@pytest.mark.parametrize("options", [{"corpus": None}, {"scan": None}, {"scan": "b"}, {"corpus": "a", "id_field": "i"}])
def test_one_way_to_search_is_enough_and_may_be_left_empty(options: dict[str, object]) -> None:
    assert ContaminationOptions.model_validate(options).bar == 0.8
