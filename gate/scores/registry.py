"""The formats and their readers. A new format is one module in ``readers`` and one line here."""

from collections.abc import Mapping

from gate.scores.reader import Reader
from gate.scores.readers import arena, csv, human_eval, json, jsonl, lm_eval, mt_bench, parquet

READERS: Mapping[str, Reader] = {
    "arena": arena,
    "human_eval": human_eval,
    "lm_eval": lm_eval,
    "mt_bench": mt_bench,
    "csv": csv,
    "json": json,
    "jsonl": jsonl,
    "parquet": parquet,
}
FORMATS = tuple(READERS)
