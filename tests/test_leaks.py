"""Leaked questions on files: what is searched for, what is excluded, and what that does to the checks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gate.config import load_config
from gate.contamination import Item, scan, write_scan
from gate.contamination.engines import Progress
from gate.contamination.shards import Shard
from gate.errors import CorpusError
from gate.evidence import LeakEvidence
from gate.files import sha256_of
from gate.pipeline import run_gate
from gate.results import CheckResult, Report, Status, Word

JudgeSuites = Callable[..., Report]
Find = Callable[..., CheckResult]
WriteCsv = Callable[..., str]
BAR = {"threshold": {"bar": 0.5}}


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., str]:
    """A corpus of texts, one document each."""

    def write(*texts: str) -> str:
        folder = tmp_path / "corpus"
        folder.mkdir()
        for number_of, text in enumerate(texts):
            (folder / f"{number_of:03d}.txt").write_text(text, encoding="utf-8")
        return str(folder)

    return write


def test_leaked_items_are_judged_with_and_without(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], corpus: Callable[..., str], questions: list[str]
) -> None:
    candidate = questioned([1, 1] + [1, 1, 0] * 6)
    checks = {"threshold": {"bar": 0.5, "guard": "off"}, "contamination": {"corpus": corpus(*questions[:2])}}
    report = judge({"candidate": candidate, "checks": checks})
    assert find(report, "contamination").sentence == "2 of 20 items leaked: q00, q01"
    threshold = find(report, "threshold")
    assert threshold.status is Status.FAIL
    assert threshold.figures["n"] == 18
    assert "this is without the leaked items; with them: low 0.500 clears the bar 0.50" in threshold.notes


def test_a_long_question_is_searched_for_from_end_to_end(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], corpus: Callable[..., str]
) -> None:
    long = [" ".join(f"word{row}x{place}" for place in range(2000)) for row in range(20)]
    words = long[0].split()
    middle_is_not_there = " ".join([*words[:200], *words[-200:]])
    checks = {"threshold": {"bar": 0.5}, "contamination": {"corpus": corpus(long[1], middle_is_not_there)}}
    report = judge({"candidate": questioned([1] * 20, long), "checks": checks})
    assert find(report, "contamination").sentence == "1 of 20 items leaked: q01"


def test_where_no_corpus_is_searched_only_the_ends_of_a_long_question_are_kept(
    judge: JudgeSuites, questioned: Callable[..., str]
) -> None:
    report = judge({"candidate": questioned([1] * 20, ["begins " + "x" * 9000 + " ends"] * 20), "checks": BAR})
    texts = report.suites[0].texts
    assert {(text[:6], text[-4:], len(text) < 2000) for text in texts.values()} == {("begins", "ends", True)}


@pytest.mark.parametrize("on_leak", ["warn", "fail"])
def test_leaked_items_stay_where_they_are_not_to_be_excluded(
    judge: JudgeSuites,
    find: Find,
    questioned: Callable[..., str],
    corpus: Callable[..., str],
    questions: list[str],
    on_leak: str,
) -> None:
    contamination = {"corpus": corpus(*questions[:2]), "on_leak": on_leak}
    checks = {"threshold": {"bar": 0.5, "guard": "off"}, "contamination": contamination}
    report = judge({"candidate": questioned([1, 1] + [1, 1, 0] * 6), "checks": checks})
    assert find(report, "threshold").status is Status.PASS
    assert find(report, "contamination").status.value == on_leak


def test_a_clean_eval_passes(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], corpus: Callable[..., str]
) -> None:
    checks = {"contamination": {"corpus": corpus("nothing of the kind")}}
    report = judge({"candidate": questioned([1] * 20), "checks": checks})
    assert find(report, "contamination").status is Status.PASS
    assert report.verdict.word is Word.PASS


def test_a_corpus_without_questions_to_look_for_fails(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str]
) -> None:
    report = judge({"candidate": write_csv("b.csv", [1]), "checks": {"contamination": {"corpus": corpus("text")}}})
    assert (find(report, "contamination").status, report.verdict.word) == (Status.FAIL, Word.BLOCK)


def test_an_item_without_a_question_is_not_testable_and_never_clean(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], corpus: Callable[..., str], questions: list[str]
) -> None:
    candidate = questioned([1] * 20, asked=[*questions[:18], "", ""])
    result = find(
        judge({"candidate": candidate, "checks": {"contamination": {"corpus": corpus("x y z")}}}), "contamination"
    )
    assert isinstance(result.evidence, LeakEvidence)
    assert result.evidence.not_testable == ("q18", "q19")
    assert result.sentence == "no leak confirmed among 20 items"


def test_questions_may_stand_in_a_file_of_their_own(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    items = write_csv("items.csv", {"id": [f"i{row:04d}" for row in range(20)], "question": questions})
    checks = {"threshold": {"bar": 0.4}, "contamination": {"corpus": corpus(questions[0]), "items": items}}
    report = judge({"candidate": write_csv("b.csv", [1] * 20), "checks": checks})
    assert find(report, "contamination").sentence == "1 of 20 items leaked: i0000"
    assert find(report, "threshold").notes[-1].startswith("without the leaked items")


def test_leaks_that_have_no_score_cannot_be_excluded_and_that_is_told(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    items = write_csv("items.csv", {"id": [f"other{row:02d}" for row in range(20)], "question": questions})
    checks = {"contamination": {"corpus": corpus(questions[0]), "items": items}}
    result = find(judge({"candidate": write_csv("b.csv", [1] * 20), "checks": checks}), "contamination")
    assert result.status is Status.WARN
    assert result.notes[-1] == "not excluded, since no score has this id: other00"


def test_a_suite_may_search_a_corpus_and_nothing_else(
    judge: JudgeSuites, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    items = write_csv("items.csv", {"id": range(20), "question": questions})
    report = judge({"checks": {"contamination": {"corpus": corpus("nothing of the kind"), "items": items}}})
    assert [(result.check, result.status) for result in report.suites[0].results] == [("contamination", Status.PASS)]
    assert report.suites[0].candidate is None


def test_the_expected_answers_of_the_score_files_are_searched_for_and_decide_nothing(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    answers = [f"the answer of row {row}" for row in range(20)]
    columns = {"id": range(20), "question": questions, "score": [1] * 20}
    checks = {"threshold": {"bar": 0.5}, "contamination": {"corpus": corpus(questions[0], answers[0], answers[1])}}
    with_answers = write_csv("with.csv", {**columns, "target": answers})
    told = find(judge({"candidate": with_answers, "checks": checks}), "contamination")
    alone = find(judge({"candidate": write_csv("without.csv", columns), "checks": checks}), "contamination")
    assert isinstance(told.evidence, LeakEvidence)
    assert isinstance(alone.evidence, LeakEvidence)
    (leak,) = told.evidence.leaks
    assert leak.answer is not None
    assert leak.answer.verbatim
    assert alone.evidence.leaks == (replace(leak, answer=None),)
    assert told.sentence == alone.sentence == "1 of 20 items leaked: 0"


def test_a_blank_answer_is_none(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    columns = {"id": range(20), "question": questions, "score": [1] * 20, "target": [" "] * 20}
    checks = {"threshold": {"bar": 0.5}, "contamination": {"corpus": corpus(questions[0])}}
    found = find(judge({"candidate": write_csv("blank.csv", columns), "checks": checks}), "contamination").evidence
    assert isinstance(found, LeakEvidence)
    assert [leak.answer for leak in found.leaks] == [None]


def test_several_processes_come_to_the_same_report(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(example / "gate.yml")
    alone = run_gate(config)
    seen: list[int] = []

    def two(shards: Sequence[Shard]) -> int:
        seen.append(len(shards))
        return 2

    monkeypatch.setattr("gate.contamination.engines.fitting_workers", two)
    assert run_gate(config) == alone
    assert len(seen) == 1
    assert seen[0] > 1


def test_the_search_tells_its_progress(example: Path) -> None:
    told: list[Progress] = []
    run_gate(load_config(example / "gate.yml"), progress=told.append)
    assert told[-1].documents == 4


@pytest.fixture
def scanned(tmp_path: Path, questions: list[str], corpus: Callable[..., str]) -> Callable[..., str]:
    """The file of a scan of these questions against a corpus of the first of them."""

    def write(asked: list[str]) -> str:
        found = scan([Item(f"i{row}", text) for row, text in enumerate(asked)], corpus(questions[0]))
        write_scan(tmp_path / "scan.json", found)
        return str(tmp_path / "scan.json")

    return write


def test_a_scan_stands_for_the_corpus(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], scanned: Callable[..., str], questions: list[str]
) -> None:
    path = scanned(questions)
    report = judge({"candidate": questioned([1] * 20), "checks": {"contamination": {"scan": path}, **BAR}})
    result = find(report, "contamination")
    assert (result.status, result.sentence) == (Status.WARN, "1 of 20 items leaked: q00")
    assert isinstance(result.evidence, LeakEvidence)
    assert result.evidence.scan == path
    assert find(report, "threshold").notes[-1].startswith("without the leaked items")
    assert report.provenance.digests[path] == sha256_of(Path(path))


def test_an_item_that_a_scan_does_not_cover_fails_and_is_never_clean(
    judge: JudgeSuites, find: Find, questioned: Callable[..., str], scanned: Callable[..., str], questions: list[str]
) -> None:
    path = scanned([*questions[:19], "worded otherwise"])
    report = judge({"candidate": questioned([1] * 20), "checks": {"contamination": {"scan": path}, **BAR}})
    result = find(report, "contamination")
    assert (result.status, result.reason) == (Status.FAIL, "scan-stale")
    assert result.sentence == "the scan does not cover 1 item: q19"
    assert report.verdict.word is Word.BLOCK


def test_a_scan_without_questions_to_hold_it_against_fails(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, scanned: Callable[..., str], questions: list[str]
) -> None:
    checks = {"contamination": {"scan": scanned(questions)}, **BAR}
    result = find(judge({"candidate": write_csv("b.csv", [1]), "checks": checks}), "contamination")
    assert (result.status, result.reason) == (Status.FAIL, "no-questions")


def test_a_scan_that_is_not_there_is_an_error(judge: JudgeSuites, questioned: Callable[..., str]) -> None:
    with pytest.raises(CorpusError):
        judge({"candidate": questioned([1] * 20), "checks": {"contamination": {"scan": "nowhere.json"}, **BAR}})


def test_the_expected_answers_of_a_file_of_questions_are_searched_for_too(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, corpus: Callable[..., str], questions: list[str]
) -> None:
    answers = [f"the answer number {row}" for row in range(20)]
    items = write_csv("items.csv", {"id": range(20), "question": questions, "target": answers})
    text = f"{questions[0]} {answers[0]}"
    result = find(judge({"checks": {"contamination": {"corpus": corpus(text), "items": items}}}), "contamination")
    assert isinstance(result.evidence, LeakEvidence)
    assert [leak.answer is not None and leak.answer.verbatim for leak in result.evidence.leaks] == [True]
