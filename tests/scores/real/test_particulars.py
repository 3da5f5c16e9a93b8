"""What the table of every file does not say: how contents, repeats and notes of real files are read."""

import numpy as np
import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Direction, ItemStatus, Scale, Wanted
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES
ALL = Wanted(variant="all")
HELM = "helm/mmlu_philosophy_gpt2/per_instance_stats.json"


@pytest.mark.parametrize("n_tasks", [163, 164])
def test_each_human_eval_task_has_its_samples_and_the_mean_over_tasks_is_pass_at_1(n_tasks: int) -> None:
    name = f"human-eval/davinci-002_3x{n_tasks}_results.jsonl"
    truth, run = truth_of(name), read_run(ROOT / name)
    assert set(np.bincount(run.item_of_sample)) == set(truth["samples_per_item"])
    assert run.item_scores("passed").values.mean() == pytest.approx(truth["pass@1"], abs=1e-12)


def test_two_models_on_one_lm_eval_task_have_the_same_contents() -> None:
    small, large = (
        read_run(ROOT / "lm-eval-0.4.0" / f"llama-2-{size}-chat_truthfulqa_gen.head400.jsonl") for size in ("7b", "70b")
    )
    assert small.ids == large.ids
    assert small.content_digests == large.content_digests


def test_an_lm_eval_question_is_the_data_sets_own_without_the_prompt_around_it() -> None:
    run = read_run(next((ROOT / "lm-eval-0.4.9").glob("samples_*.jsonl")))
    assert run.inputs is not None
    assert run.inputs[0].startswith("How many vertical asymptotes")


def test_helms_statistics_over_nothing_are_unscored() -> None:
    truth, run = truth_of(HELM), read_run(ROOT / HELM, ALL)
    unscored = sum(int((column.status == ItemStatus.UNSCORED).sum()) for column in run.metrics.values())
    assert (len(run.metrics), unscored) == (truth["n_stat_names"], truth["count0_stats"])


def test_the_texts_and_the_task_of_a_helm_run_are_those_of_the_files_beside() -> None:
    run = read_run(ROOT / HELM, Wanted(variant="test"))
    assert run.facts == {"task": "mmlu:subject=philosophy,method=multiple_choice_joint", "model": "openai/gpt2"}
    assert run.inputs is not None
    assert all(question.endswith(("?", ".", ":")) or "___" in question for question in run.inputs)
    assert run.prompt_digests is not None
    assert len(set(run.prompt_digests)) == run.n_items


def test_both_containers_of_one_inspect_log_pair_in_full() -> None:
    whole, packed = (read_run(ROOT / "inspect_ai" / f"log_formats.{kind}") for kind in ("json", "eval"))
    assert whole.ids == packed.ids
    assert whole.content_digests == packed.content_digests


def test_failed_judgments_of_all_turns_are_left_out_of_the_mean() -> None:
    name = "mt-bench/granite-7b-lab_gpt-4_single.jsonl"
    truth, told = truth_of(name), describe(read_run(ROOT / name, ALL)).metrics["score"]
    assert (told.scored + told.missing, told.missing_by_status) == (truth["rows"], {"error": truth["neg1"]})
    assert told.mean == pytest.approx(truth["mean_excl_neg1"], abs=1e-12)


def test_pytests_two_reports_hold_the_same_scores() -> None:
    junit, json_report = read_run(ROOT / "pytest" / "junit.xml"), read_run(ROOT / "pytest" / "report.json")
    assert junit.metrics["passed"].status.tolist() == json_report.metrics["passed"].status.tolist()
    assert describe(junit).metrics["score"] == describe(json_report).metrics["score"]


@pytest.mark.parametrize("which", ["baseline", "polydev"])
def test_a_swe_bench_report_notes_what_is_left_out_and_what_ended_in_an_error(which: str) -> None:
    name = f"swe-bench/claude-haiku-4-5-20251001.validation-{which}-eval.json"
    truth, run = truth_of(name), read_run(ROOT / name)
    assert run.notes[0].startswith(f"left out: {truth['incomplete']} instances of the data set")
    assert sum("ended in an error" in note for note in run.notes) == (truth["error"] > 0)


RAG = ["azure-rag/baseline/eval_results.jsonl", "azure-rag/prompt_nomarkdownmention/eval_results.jsonl"]


@pytest.mark.parametrize("name", RAG)
def test_read_as_a_plain_file_two_questions_stand_twice_and_are_listed_with_the_way_to_tell_them_apart(
    name: str,
) -> None:
    with pytest.raises(ScoreFileError) as caught:
        read_run(ROOT / name, format="jsonl")
    first, second = caught.value.excerpt.splitlines()
    assert first.endswith(' = "What is balance billing?"')
    assert f"{first.partition(' = ')[0]} (lines 8, 77)" in caught.value.what
    assert f"{second.partition(' = ')[0]} (lines 113, 158)" in caught.value.what
    assert "balance billing" not in str(caught.value)
    assert "columns: {id: [question, truth]}" in caught.value.remedy


@pytest.mark.parametrize("name", RAG)
def test_the_rag_chat_evaluator_s_ratings_run_from_1_to_5_and_its_latency_is_better_when_lower(name: str) -> None:
    run = read_run(ROOT / name)
    assert {run.metrics[metric].scale for metric in ("gpt_groundedness", "gpt_relevance")} == {Scale(1.0, 5.0)}
    assert [metric for metric in run.metrics if run.metrics[metric].direction is Direction.LOWER] == ["latency"]
