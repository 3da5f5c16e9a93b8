"""Real benchmark questions, out of the result files that GATE_REAL_FILES names, by the gate's own readers."""

from collections.abc import Mapping
from pathlib import Path

from gate.contamination import Item
from gate.scores import read_items

BENCHMARKS: Mapping[str, str] = {
    "TruthfulQA": "lm-eval-0.4.0/llama-2-70b-chat_truthfulqa_gen.head400.jsonl",
    "MMLU abstract algebra": "lm-eval-0.4.0/vicuna-33b_mmlu_abstract_algebra.jsonl",
    "MMLU philosophy": "helm/mmlu_philosophy_gpt2/per_instance_stats.json",
}


def read_questions(folder: Path) -> tuple[Item, ...]:
    """The questions of all benchmarks, each id led by its benchmark.

    Raises:
        ScoreFileError: where a file is missing or cannot be read.
    """
    return tuple(
        Item(f"{benchmark} {item.id}", item.text)
        for benchmark, path in BENCHMARKS.items()
        for item in read_items(folder / path)
    )
