"""The formats and their readers. A new format is one module in ``readers`` and one line here."""

from collections.abc import Mapping

from gate.scores.reader import Reader
from gate.scores.readers import (
    alpaca_eval,
    arena,
    azure,
    braintrust,
    csv,
    evalplus,
    every_eval_ever,
    helm,
    human_eval,
    inspect,
    json,
    jsonl,
    junit,
    langsmith,
    lighteval,
    lm_eval,
    mlflow,
    mt_bench,
    mt_bench_pairwise,
    openai_evals,
    opencompass,
    parquet,
    pytest_json,
    swe_bench,
)

READERS: Mapping[str, Reader] = {
    "alpaca_eval": alpaca_eval,
    "arena": arena,
    "azure": azure,
    "braintrust": braintrust,
    "evalplus": evalplus,
    "every_eval_ever": every_eval_ever,
    "helm": helm,
    "human_eval": human_eval,
    "inspect": inspect,
    "junit": junit,
    "langsmith": langsmith,
    "lighteval": lighteval,
    "lm_eval": lm_eval,
    "mlflow": mlflow,
    "mt_bench": mt_bench,
    "mt_bench_pairwise": mt_bench_pairwise,
    "openai_evals": openai_evals,
    "opencompass": opencompass,
    "pytest_json": pytest_json,
    "swe_bench": swe_bench,
    "csv": csv,
    "json": json,
    "jsonl": jsonl,
    "parquet": parquet,
}
FORMATS = tuple(READERS)
