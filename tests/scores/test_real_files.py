"""Files that the tools themselves wrote, against figures computed from them by other means (truths.json)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Columns, Direction, Run, Scale, Wanted
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT

pytestmark = REAL_FILES


@pytest.fixture(scope="module")
def truths() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "truths.json").read_text())
    return found


def mean(run: Run, metric: str) -> float:
    told = describe(run).metrics[metric]
    assert told.missing == 0
    assert told.mean is not None
    return told.mean


@pytest.mark.parametrize("name", ["davinci-002_3x163_results.jsonl", "davinci-002_3x164_results.jsonl"])
def test_human_eval_results_have_the_known_pass_rate(truths: dict[str, Any], name: str) -> None:
    truth, run = truths[f"human-eval/{name}"], read_run(ROOT / "human-eval" / name)
    assert (run.source.format, run.n_items, run.n_samples) == ("human_eval", truth["items"], truth["rows"])
    assert set(np.bincount(run.item_of_sample)) == set(truth["samples_per_item"])
    assert mean(run, "passed") == pytest.approx(truth["mean_passed"], abs=1e-12)
    assert run.item_scores("passed").values.mean() == pytest.approx(truth["pass@1"], abs=1e-12)


@pytest.mark.parametrize(
    "name", ["llama-2-70b-chat_truthfulqa_gen.head400.jsonl", "llama-2-7b-chat_truthfulqa_gen.head400.jsonl"]
)
def test_lm_eval_0_4_0_samples_have_the_known_means(truths: dict[str, Any], name: str) -> None:
    truth, run = truths[f"lm-eval-0.4.0/{name}"], read_run(ROOT / "lm-eval-0.4.0" / name)
    assert (run.source.format, run.n_items, run.n_samples) == ("lm_eval", truth["items"], truth["rows"])
    assert {metric: mean(run, metric) for metric in run.metrics} == pytest.approx(truth["metrics"], abs=1e-12)
    negative = sum(int((column.values < 0).sum()) for column in run.metrics.values())
    assert negative == truth["neg_values"]


def test_two_models_on_one_lm_eval_task_have_the_same_contents(truths: dict[str, Any]) -> None:
    del truths
    small, large = (
        read_run(ROOT / "lm-eval-0.4.0" / f"llama-2-{size}-chat_truthfulqa_gen.head400.jsonl") for size in ("7b", "70b")
    )
    assert small.ids == large.ids
    assert small.content_digests == large.content_digests


def test_a_multiple_choice_task_has_the_known_accuracy(truths: dict[str, Any]) -> None:
    name = "lm-eval-0.4.0/vicuna-33b_mmlu_abstract_algebra.jsonl"
    run = read_run(ROOT / name)
    assert run.n_items == truths[name]["items"]
    assert mean(run, "acc") == pytest.approx(truths[name]["tool_says"], abs=1e-12)


def test_a_translation_task_without_a_score_per_document_is_refused(truths: dict[str, Any]) -> None:
    name = "lm-eval-0.4.0/mixtral_wmt-ro-en.head.jsonl"
    with pytest.raises(ScoreFileError) as caught:
        read_run(ROOT / name)
    assert all(f'"{metric}"' in caught.value.what for metric in truths[name]["list_metrics"])


def test_lm_eval_0_4_9_samples_are_read_line_by_line() -> None:
    path = next((ROOT / "lm-eval-0.4.9").glob("samples_*.jsonl"))
    run = read_run(path)
    assert (run.source.format, list(run.metrics), run.n_items) == ("lm_eval", ["exact_match"], 10)
    assert mean(run, "exact_match") == 0.0
    assert run.inputs is not None
    assert run.inputs[0].startswith("How many vertical asymptotes")


@pytest.mark.parametrize("pattern", ["lm-eval-0.4.0/*.results.json", "lm-eval-0.4.9/results_*.json"])
def test_lm_evals_summary_is_refused(pattern: str) -> None:
    with pytest.raises(ScoreFileError, match="the summary that lm-eval writes"):
        read_run(next(ROOT.glob(pattern)))


@pytest.mark.parametrize("name", ["detailed_level_three.csv", "detailed_one.csv"])
def test_a_rag_evaluation_in_csv_has_the_known_means(truths: dict[str, Any], name: str) -> None:
    truth, run = truths[f"csv-rag/{name}"], read_run(ROOT / "csv-rag" / name)
    assert (run.source.format, run.n_items) == ("csv", truth["items"])
    found = {metric.removeprefix("retrieval_"): mean(run, metric) for metric in run.metrics}
    assert found == pytest.approx({metric: truth[metric] for metric in found}, abs=1e-12)
    assert len(found) == 4


AZURE = ["azure-rag/baseline/eval_results.jsonl", "azure-rag/prompt_nomarkdownmention/eval_results.jsonl"]


@pytest.mark.parametrize("name", AZURE)
def test_read_as_a_plain_file_two_questions_stand_twice_and_are_listed_with_the_way_to_tell_them_apart(
    name: str,
) -> None:
    with pytest.raises(ScoreFileError) as caught:
        read_run(ROOT / name, format="jsonl")
    assert "2 ids stand more than once" in caught.value.what
    first, second = caught.value.excerpt.splitlines()
    assert first.endswith(' = "What is balance billing?"')
    assert second.endswith(' = "What services are not covered by Northwind Standard?"')
    assert f"{first.partition(' = ')[0]} (lines 8, 77)" in caught.value.what
    assert f"{second.partition(' = ')[0]} (lines 113, 158)" in caught.value.what
    assert "balance billing" not in str(caught.value)
    assert "columns: {id: [question, truth]}" in caught.value.remedy


@pytest.mark.parametrize("name", AZURE)
def test_question_and_truth_together_name_the_items(truths: dict[str, Any], name: str) -> None:
    plain = Wanted(Columns(id=("question", "truth")))
    for run in (read_run(ROOT / name), read_run(ROOT / name, plain, format="jsonl")):
        assert run.n_items == truths[name]["rows"]
        for metric in ("gpt_groundedness", "gpt_relevance", "answer_length", "latency"):
            assert mean(run, metric) == pytest.approx(truths[name][metric]["mean"], abs=1e-12)


@pytest.mark.parametrize("name", AZURE)
def test_the_rag_chat_evaluator_s_ratings_run_from_1_to_5_and_its_latency_is_better_when_lower(name: str) -> None:
    run = read_run(ROOT / name)
    assert run.source.format == "rag_chat_evaluator"
    assert {run.metrics[metric].scale for metric in ("gpt_groundedness", "gpt_relevance")} == {Scale(1.0, 5.0)}
    assert [metric for metric in run.metrics if run.metrics[metric].direction is Direction.LOWER] == ["latency"]


@pytest.mark.parametrize("folder", ["baseline", "prompt_nomarkdownmention"])
def test_the_summary_beside_the_rows_is_refused(folder: str) -> None:
    with pytest.raises(ScoreFileError, match="one figure per metric"):
        read_run(ROOT / "azure-rag" / folder / "summary.json")


def test_pass_and_fail_in_words_are_read(truths: dict[str, Any]) -> None:
    name = "ragas/aggregate_metric_score.csv"
    assert mean(read_run(ROOT / name), "correctness") == pytest.approx(truths[name]["pass_rate"], abs=1e-12)


def test_a_git_lfs_pointer_is_refused() -> None:
    with pytest.raises(ScoreFileError, match="Git LFS pointer"):
        read_run(ROOT / "lighteval" / "lfs_pointer.parquet")


def refusal(path: Path) -> ScoreFileError | None:
    try:
        read_run(path)
    except ScoreFileError as fault:
        return fault
    return None


def test_every_other_tools_file_is_read_or_refused_with_a_place_and_a_remedy() -> None:
    paths = [path for path in sorted(ROOT.rglob("*")) if path.is_file()]
    refusals = {path: fault for path in paths if (fault := refusal(path)) is not None}
    assert refusals
    for path, fault in refusals.items():
        assert str(fault.where).startswith(str(path))
        assert fault.remedy
