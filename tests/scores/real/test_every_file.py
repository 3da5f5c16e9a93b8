"""Every file of the folder, in one table: the format it is read as and its figures, or the refusal it meets with."""

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest

from gate.descriptions import describe_path
from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import EVERYTHING, Columns, Run, Wanted
from gate.scores.summary import describe
from tests.real_files import FILES, REAL_FILES, ROOT
from tests.scores.real import truths
from tests.scores.real.truths import Figure, Figures

pytestmark = REAL_FILES


@dataclass(frozen=True, slots=True)
class Read:
    """A file that is read, with its figures by variant; ``twin`` is the file to count them from where not itself."""

    path: str
    format: str
    figures: Callable[[str], list[Figures]]
    wanted: Wanted = EVERYTHING
    twin: str | None = None

    def known(self) -> list[Figures]:
        return self.figures(self.twin or self.path)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is refused: with these words, and these of the remedy."""

    path: str
    what: str
    remedy: str
    wanted: Wanted = EVERYTHING


FIXED_MEMORY = 8_000_000  # what reading takes whatever the file's size: buffers, tables, modules met for the first time
HELM = "helm/mmlu_philosophy_gpt2"
INSPECT = "inspect_ai/2025"
MADE = "inspect_ai/made_0.3.285"
SWE = "swe-bench/claude-haiku-4-5-20251001.validation"
UNFINISHED = Wanted(unfinished=True)
FINITE = Wanted(metrics=("includes", "multi.*"))
LOG = Columns(id=("instance_id",), score="success")
SEVERAL = "the file holds {} variants"
CHOOSE = "--select NAME"
TABLE: list[Read | Refused] = [
    Refused("arena/arena_hard_battles_57a9881.jsonl", SEVERAL.format(3), CHOOSE),
    Read("arena/arena_hard_battles_57a9881.jsonl", "arena", truths.arena),
    Read("azure-rag/baseline/eval_results.jsonl", "rag_chat_evaluator", truths.azure_rag),
    Refused("azure-rag/baseline/summary.json", "one figure per metric", "give the file with one row per item"),
    Read("azure-rag/prompt_nomarkdownmention/eval_results.jsonl", "rag_chat_evaluator", truths.azure_rag),
    Refused("azure-rag/prompt_nomarkdownmention/summary.json", "one figure per metric", "one row per item"),
    Read("csv-rag/detailed_level_three.csv", "csv", truths.csv_rag),
    Read("csv-rag/detailed_one.csv", "csv", truths.csv_rag),
    Read("deepeval/0975bb2b_temp_test_run_data.json", "deepeval", truths.deepeval),
    Read("deepeval/4a87983d_temp_test_run_data.json", "deepeval", truths.deepeval),
    Read("deepeval/cfbc9c32_latest_test_run.json", "deepeval", truths.deepeval),
    Read("deepeval/cfbc9c32_temp_test_run_data.json", "deepeval", truths.deepeval),
    Read("evalplus/v0.2_all-timeout_eval_results.json", "evalplus", truths.evalplus),
    Refused(f"{HELM}/per_instance_stats.json", SEVERAL.format(2), CHOOSE),
    Read(f"{HELM}/per_instance_stats.json", "helm", truths.helm),
    Refused(f"{HELM}/run_spec.json", "one of HELM's other files", "give the per_instance_stats.json"),
    Refused(f"{HELM}/scenario_state.json", "one of HELM's other files", "give the per_instance_stats.json"),
    Refused(f"{HELM}/stats.json", "one of HELM's other files", "give the per_instance_stats.json"),
    Read("human-eval/davinci-002_3x163_results.jsonl", "human_eval", truths.human_eval),
    Read("human-eval/davinci-002_3x164_results.jsonl", "human_eval", truths.human_eval),
    Refused(
        f"{INSPECT}-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval",
        "no sample has a score",
        "inspect score FILE",
    ),
    Read(
        f"{INSPECT}-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval",
        "inspect",
        truths.inspect,
    ),
    Refused(f"{INSPECT}-05-12T20-28-13-04-00_no-samples.json", 'its status is "cancelled"', "inspect eval-retry FILE"),
    Refused(f"{INSPECT}-05-12T20-28-13-04-00_no-samples.json", "the log holds no samples", "", UNFINISHED),
    Refused(f"{INSPECT}-05-12T20-28-13-04-00_popularity.json", 'its status is "cancelled"', "--allow-unfinished"),
    Read(f"{INSPECT}-05-12T20-28-13-04-00_popularity.json", "inspect", truths.inspect, UNFINISHED),
    Read("inspect_ai/arc_qwen.json", "inspect", truths.inspect),
    Read("inspect_ai/arc_sonnet.json", "inspect", truths.inspect),
    Read("inspect_ai/log_formats.eval", "inspect", truths.inspect),
    Read("inspect_ai/log_formats.json", "inspect", truths.inspect),
    Read("inspect_ai/log_streaming.eval", "inspect", truths.inspect),
    Refused("inspect_ai/log_tool_call_error.json", "no sample has a score", "inspect score FILE"),
    Refused(f"{MADE}/all_samples_errored.eval", "each of 12 samples ended with an error", "inspect eval-retry FILE"),
    Refused(f"{MADE}/demo_nan.json", '"inf" of "weird" is not a finite number', "--metric NAME"),
    Read(f"{MADE}/demo_nan.json", "inspect", truths.inspect_counted, FINITE),
    Refused(f"{MADE}/demo_zstd.eval", '"inf" of "weird" is not a finite number', "--metric NAME"),
    # the same task, in the container that the standard library cannot unpack
    Read(f"{MADE}/demo_zstd.eval", "inspect", truths.inspect_counted, FINITE, twin=f"{MADE}/demo_nan.json"),
    Read(f"{MADE}/noid.json", "inspect", truths.inspect_counted),
    Refused("lighteval/lfs_pointer.parquet", "Git LFS pointer", "git lfs pull"),
    Read("lm-eval-0.4.0/llama-2-70b-chat_truthfulqa_gen.head400.jsonl", "lm_eval", truths.lm_eval),
    Refused(
        "lm-eval-0.4.0/llama-2-7b-chat_truthfulqa.results.json", "the summary that lm-eval writes", "--log_samples"
    ),
    Read("lm-eval-0.4.0/llama-2-7b-chat_truthfulqa_gen.head400.jsonl", "lm_eval", truths.lm_eval),
    Refused(
        "lm-eval-0.4.0/mixtral_wmt-ro-en.head.jsonl", '"bleu" can only be computed over all', "scores each document"
    ),
    Read("lm-eval-0.4.0/vicuna-33b_mmlu_abstract_algebra.jsonl", "lm_eval", truths.lm_eval),
    Refused(
        "lm-eval-0.4.9/results_2026-01-21T03-44-18.458309.json", "the summary that lm-eval writes", "--log_samples"
    ),
    Read(
        "lm-eval-0.4.9/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl", "lm_eval", truths.lm_eval_counted
    ),
    Read("mt-bench/gpt-4_single.jsonl", "mt_bench", truths.mt_bench),
    Refused("mt-bench/granite-7b-lab_gpt-4_single.jsonl", SEVERAL.format(2), CHOOSE),
    Read("mt-bench/granite-7b-lab_gpt-4_single.jsonl", "mt_bench", truths.mt_bench_turns),
    Refused("promptfoo/classification_results.csv", SEVERAL.format(15), CHOOSE),
    Read("promptfoo/classification_results.csv", "promptfoo_csv", truths.promptfoo_csv),
    Refused("promptfoo/classification_results_earlier-63f9d96.csv", SEVERAL.format(15), CHOOSE),
    Read("promptfoo/classification_results_earlier-63f9d96.csv", "promptfoo_csv", truths.promptfoo_csv),
    Refused("promptfoo/retrieval_results.json", SEVERAL.format(3), CHOOSE),
    Read("promptfoo/retrieval_results.json", "promptfoo", truths.promptfoo),
    Refused("promptfoo/text_to_sql_results_2034210.csv", SEVERAL.format(10), CHOOSE),
    Read("promptfoo/text_to_sql_results_2034210.csv", "promptfoo_csv", truths.promptfoo_csv),
    Refused("promptfoo/text_to_sql_results_326eef3.csv", SEVERAL.format(8), CHOOSE),
    Read("promptfoo/text_to_sql_results_326eef3.csv", "promptfoo_csv", truths.promptfoo_csv),
    Refused("promptfoo/text_to_sql_results_73c424d.csv", SEVERAL.format(10), CHOOSE),
    Read("promptfoo/text_to_sql_results_73c424d.csv", "promptfoo_csv", truths.promptfoo_csv),
    Read("pytest/junit.xml", "junit", truths.junit),
    Read("pytest/report.json", "pytest_json", truths.pytest_json),
    Read("ragas/aggregate_metric_score.csv", "csv", truths.ragas),
    Read(f"{SWE}-baseline-eval.json", "swe_bench", truths.swe_bench),
    Read(f"{SWE}-polydev-eval.json", "swe_bench", truths.swe_bench),
    Refused("swe-bench/hybrid-ensemble-final-report.json", '"results" differs from those before', "an array of rows"),
    Refused("swe-bench/metrics_baseline.jsonl", '"astropy__astropy-7166" (lines 1, 3)', "columns: {sample: NAME}"),
    Read("swe-bench/metrics_baseline.jsonl", "jsonl", truths.swe_bench_log, Wanted(replace(LOG, sample="timestamp"))),
]
READ = [row for row in TABLE if isinstance(row, Read)]
REFUSED = [row for row in TABLE if isinstance(row, Refused)]


def path_of(row: Read | Refused) -> str:
    return row.path


def variants_of(row: Read) -> list[str]:
    """The names of a file's variants in the order in which it names them."""
    return list(dict.fromkeys(read_run(ROOT / row.path, replace(row.wanted, variant="all")).strata or ()))


def found_in(run: Run) -> Figures:
    metrics = {
        name: Figure(told.scored, told.mean, told.missing_by_status) for name, told in describe(run).metrics.items()
    }
    return Figures(run.n_items, run.n_samples, metrics, run.ids, run.facts)


def assert_are_the_known(found: Figures, known: Figures) -> None:
    assert (found.items, found.samples) == (known.items, known.samples)
    assert known.facts.items() <= found.facts.items()
    assert set(found.metrics) == set(known.metrics)
    for metric, figure in known.metrics.items():
        told = found.metrics[metric]
        assert (told.scored, told.missing) == (figure.scored, figure.missing), metric
        assert told.mean == pytest.approx(figure.mean, abs=1e-12), metric
    if known.ids is not None:
        assert sorted(found.ids or ()) == sorted(known.ids)


def test_the_table_has_every_file_of_the_folder_and_no_other() -> None:
    assert sorted({row.path for row in TABLE}) == FILES


@pytest.mark.parametrize("row", READ, ids=path_of)
def test_a_file_is_read_with_the_known_counts_means_missing_scores_ids_and_facts(row: Read) -> None:
    known = row.known()
    variants = variants_of(row) if len(known) > 1 else [row.wanted.variant]
    for variant, figures in zip(variants, known, strict=True):
        run = read_run(ROOT / row.path, replace(row.wanted, variant=variant))
        assert run.source.format == row.format
        assert_are_the_known(found_in(run), figures)


@pytest.mark.parametrize("row", READ, ids=path_of)
def test_gate_show_tells_the_format_and_the_counts_of_the_whole_file(row: Read) -> None:
    known = row.known()
    wanted = replace(row.wanted, variant="all" if len(known) > 1 else None)
    page = describe_path(str(ROOT / row.path), wanted, format_name=None, as_json=False)
    items, samples = sum(one.items for one in known), sum(one.samples for one in known)
    repeated = f" ({samples} samples)" if samples != items else ""
    assert page.startswith(f"{ROOT / row.path}\n  format   {row.format}\n  items    {items}{repeated}\n")
    for metric in known[0].metrics:
        assert f"\n  metric   {metric}: " in page


@pytest.mark.parametrize("row", REFUSED, ids=path_of)
def test_a_file_is_refused_with_its_place_and_a_remedy(row: Refused) -> None:
    with pytest.raises(ScoreFileError) as caught:
        read_run(ROOT / row.path, row.wanted)
    assert row.what in caught.value.what
    assert row.remedy in caught.value.remedy
    assert caught.value.remedy
    assert str(caught.value.where).startswith(str(ROOT / row.path))


@pytest.mark.parametrize("row", TABLE, ids=path_of)
def test_reading_takes_no_more_than_ten_times_the_file_in_memory(row: Read | Refused) -> None:
    path, whole = ROOT / row.path, replace(row.wanted, variant="all")
    refusal = suppress(ScoreFileError)
    with refusal:
        read_run(path, whole)
    tracemalloc.start()
    with refusal:
        read_run(path, whole)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 10 * path.stat().st_size + FIXED_MEMORY
