"""Pairs of result files that evaluation tools really wrote, held to figures that were computed without the gate."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gate.errors import AlignmentError, ScoreFileError
from gate.evidence import CoverageEvidence
from gate.results import CheckResult, Report, Status, Word
from tests.real_files import REAL_FILES, ROOT, truth_of

JudgeSuites = Callable[..., Report]
Find = Callable[..., CheckResult]

pytestmark = REAL_FILES


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of truths.json by its name there, and what its suite must say beside the two files."""

    what: str
    suite: Mapping[str, Any] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        return next(entry for entry in truth_of("pairs") if entry["what"] == self.what)

    @property
    def truth(self) -> dict[str, Any]:
        truth: dict[str, Any] = self.told()["truth"]
        return truth

    def path(self, side: str) -> str:
        return str(ROOT / self.told()[side])


HUMAN_EVAL = Pair("human-eval 3x163 -> 3x164")
TRUTHFULQA = Pair("truthfulqa_gen rougeL_acc 7b -> 70b (head400)", {"metrics": "rougeL_acc"})
CSV_RAG = Pair("simple csv one -> level_three e2e_correct", {"metrics": "e2e_correct"})
SWE_BENCH = Pair("swe-bench validation baseline -> polydev")
ARC = Pair("inspect arc_easy qwen(3) -> sonnet(5) by id")
RETRIEVAL = Pair(
    "promptfoo v2 one file: retrieve_base -> level_three score",
    {"metrics": "score", "baseline_select": "*retrieve_base", "candidate_select": "*retrieve_level_three"},
)
AZURE = Pair(
    "azure baseline -> prompt_nomarkdownmention gpt_groundedness",
    {"metrics": "gpt_groundedness"},
)
POPULARITY = Pair("inspect popularity unscored -> scored")
TEXT_TO_SQL = Pair("promptfoo csv text_to_sql 2034210 -> 73c424d (query x column)", {"select": "all"})
EXACT = [HUMAN_EVAL, TRUTHFULQA, CSV_RAG, SWE_BENCH, ARC]
ALL = [*EXACT, RETRIEVAL, AZURE, POPULARITY, TEXT_TO_SQL]


def name_of(pair: Pair) -> str:
    return pair.what


@pytest.fixture(scope="module")
def judged(judge: JudgeSuites) -> Callable[..., Report]:
    """The report on a pair, with further options of its suite."""

    def judge_pair(pair: Pair, **suite: Any) -> Report:
        files = {"baseline": pair.path("baseline"), "candidate": pair.path("candidate")}
        return judge({**files, **pair.suite, **suite})

    return judge_pair


def test_every_pair_that_is_known_is_tested() -> None:
    assert sorted(pair.what for pair in ALL) == sorted(entry["what"] for entry in truth_of("pairs"))


@pytest.mark.parametrize("pair", [*EXACT, RETRIEVAL], ids=name_of)
def test_as_many_items_pair_as_really_do(judged: Callable[..., Report], find: Find, pair: Pair) -> None:
    evidence = find(judged(pair), "coverage").evidence
    assert isinstance(evidence, CoverageEvidence)
    found = (evidence.common, len(evidence.lost), len(evidence.new))
    assert found == (pair.truth["common"], pair.truth["only_a"], pair.truth["only_b"])
    assert evidence.changed == ()


@pytest.mark.parametrize("pair", EXACT, ids=name_of)
def test_the_paired_difference_is_the_true_one(judged: Callable[..., Report], find: Find, pair: Pair) -> None:
    truth, figures = pair.truth, find(judged(pair), "regression").figures
    assert figures["n"] == truth["paired_numeric"]
    assert figures["delta"] == pytest.approx(truth["mean_diff_b_minus_a"], abs=1e-12)
    counts = (figures["wins"], figures["losses"], figures["ties"])
    assert counts == (truth["wins_b"], truth["losses_b"], truth["ties"])


def test_an_error_of_the_baseline_is_no_zero_that_the_candidate_wins_against(
    judged: Callable[..., Report], find: Find
) -> None:
    rows = json.loads(Path(RETRIEVAL.path("baseline")).read_text(encoding="utf-8"))["results"]["results"]
    errors = [row["vars"] for row in rows if "gradingResult" not in row and row["provider"]["id"].endswith("base")]
    (other,) = [row for row in rows if row["vars"] in errors and row["provider"]["id"].endswith("level_three")]
    truth, figures = RETRIEVAL.truth, find(judged(RETRIEVAL), "regression").figures
    n = truth["paired_numeric"] - 1
    assert figures["n"] == n
    known = (truth["mean_diff_b_minus_a"] * (n + 1) - other["score"]) / n
    assert figures["delta"] == pytest.approx(known, abs=1e-12)
    counts = (figures["wins"], figures["losses"], figures["ties"])
    assert counts == (truth["wins_b"] - (other["score"] > 0), truth["losses_b"], truth["ties"] - (other["score"] == 0))


def test_questions_that_only_their_answers_tell_apart_pair_by_both(judged: Callable[..., Report], find: Find) -> None:
    baseline, candidate = (_by_question_and_answer(AZURE.path(side)) for side in ("baseline", "candidate"))
    assert baseline.keys() == candidate.keys()
    differences = [candidate[row] - score for row, score in baseline.items()]
    figures = find(judged(AZURE), "regression").figures
    assert figures["n"] == len(differences)
    assert figures["delta"] == pytest.approx(sum(differences) / len(differences), abs=1e-12)
    assert figures["wins"] == sum(difference > 0 for difference in differences)
    assert figures["losses"] == sum(difference < 0 for difference in differences)
    # the truths name items by the question alone, which takes two of the 200 for others
    assert (figures["n"], AZURE.truth["common"]) == (200, 198)


def _by_question_and_answer(path: str) -> dict[tuple[str, str], float]:
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return {(row["question"], row["truth"]): row["gpt_groundedness"] for row in rows}


def test_files_that_have_no_item_in_common_are_not_compared(judged: Callable[..., Report]) -> None:
    assert TEXT_TO_SQL.truth["common"] == 0
    with pytest.raises(AlignmentError, match="no item id stands in both files"):
        judged(TEXT_TO_SQL)


def test_a_run_is_not_compared_with_one_that_was_never_scored(judged: Callable[..., Report]) -> None:
    assert POPULARITY.truth["common"] == 0
    with pytest.raises(ScoreFileError, match="no sample has a score"):
        judged(POPULARITY)


@pytest.mark.parametrize("pair", [HUMAN_EVAL, TRUTHFULQA, CSV_RAG], ids=name_of)
def test_nothing_real_is_called_a_regression(judged: Callable[..., Report], find: Find, pair: Pair) -> None:
    report = judged(pair)
    assert find(report, "regression").status is Status.PASS
    assert report.verdict.word is Word.PASS


@pytest.mark.parametrize("pair", EXACT, ids=name_of)
@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_a_real_run_against_itself_passes_with_nothing_yellow(
    judged: Callable[..., Report], pair: Pair, side: str
) -> None:
    report = judged(pair, baseline=pair.path(side), candidate=pair.path(side))
    assert {result.status for result in report.suites[0].results} == {Status.PASS, Status.NOT_RUN}


def test_the_new_human_eval_task_is_counted_with_its_mean(judged: Callable[..., Report], find: Find) -> None:
    coverage = find(judged(HUMAN_EVAL), "coverage")
    assert coverage.status is Status.PASS
    assert (coverage.figures["new"], coverage.figures["new_mean"]) == (1, 0.0)


def test_the_three_samples_of_a_human_eval_task_are_one_item(judged: Callable[..., Report]) -> None:
    run = judged(HUMAN_EVAL).suites[0].baseline
    assert run is not None
    assert (run.n_items, run.n_samples) == (163, 489)


def test_failing_samples_deleted_from_a_real_run_never_pass(judge: JudgeSuites, find: Find, tmp_path: Path) -> None:
    whole = HUMAN_EVAL.path("candidate")
    samples = [json.loads(line) for line in Path(whole).read_text(encoding="utf-8").splitlines()]
    solved = {sample["task_id"] for sample in samples if sample["passed"]}
    kept = [sample for sample in samples if sample["passed"] or sample["task_id"] not in solved]
    assert len(kept) < len(samples)
    dropped = tmp_path / "dropped.jsonl"
    dropped.write_text("".join(f"{json.dumps(sample)}\n" for sample in kept), encoding="utf-8")
    report = judge({"baseline": whole, "candidate": str(dropped)})
    coverage = find(report, "coverage")
    assert (coverage.status, report.verdict.word) == (Status.FAIL, Word.BLOCK)
    assert coverage.reason == "coverage-too-low"


def test_read_as_a_plain_file_two_questions_asked_twice_are_an_error_that_lists_both(judge: JudgeSuites) -> None:
    path = Path(AZURE.path("baseline"))
    with pytest.raises(ScoreFileError) as caught:
        judge({"candidate": str(path), "format": "jsonl", "checks": {"threshold": {"bar": 0.5}}})
    questions = [json.loads(line)["question"] for line in path.read_text(encoding="utf-8").splitlines()]
    doubled = sorted({question for question in questions if questions.count(question) > 1})
    assert len(doubled) == 2
    assert "2 ids stand more than once" in caught.value.what
    for question in doubled:
        lines = [str(number) for number, other in enumerate(questions, start=1) if other == question]
        assert f"(lines {', '.join(lines)})" in caught.value.what
        assert question[:30] in caught.value.excerpt
        assert question[:30] not in str(caught.value)
    assert caught.value.remedy
