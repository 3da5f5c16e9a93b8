"""Reading a large file of samples: the gate's whole reading against orjson's parsing alone of the same lines.

This module imports no more than it needs to start them: on Linux a process counts as its own peak what its parent held.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MEGABYTES = (100, 1_000)
ROUNDS = 3
_TEXT = 'a long prompt of many examples, some “quoted”, with "escapes"\nand lines, as few-shot prompts have them; '
_CHARACTERS = 89_000
SECTION = """\
## A large file of samples

JSON Lines as lm-eval logs them, {size} a line (a few-shot prompt and a long answer). The gate reads the whole file: it
hashes it, parses every line, refuses doubled keys, digests contents and prompts. `orjson.loads` parses the same lines,
already in memory, and nothing else. Medians of {rounds} processes each, in turn. Peak memory is the process's highest
resident size less that of the same process without the reading.

| file | gate MB/s | orjson MB/s | share of orjson | gate peak MB |
|---|---|---|---|---|
{rows}
"""


class Measurement(NamedTuple):
    """Seconds for the whole file, and the megabytes that reading it added to the process's peak."""

    seconds: float
    megabytes: float


def write_samples(path: Path, megabytes: int) -> None:
    """Samples as lm-eval logs them, until the file has that size."""
    text = (_TEXT * (_CHARACTERS // len(_TEXT) + 1))[:_CHARACTERS]
    written, number = 0, 0
    with path.open("wb") as file:
        while written < megabytes * 1_000_000:
            row = {
                "doc_id": number,
                "doc": {"question": f"question {number}?", "answer": "a"},
                "target": "a",
                "arguments": {"gen_args_0": {"arg_0": f"{number} {text}", "arg_1": {"until": ["\n"]}}},
                "resps": [[text]],
                "filtered_resps": [text[:50]],
                "filter": "none",
                "metrics": ["exact_match"],
                **dict.fromkeys(["doc_hash", "prompt_hash", "target_hash"], "0" * 64),
                "exact_match": float(number % 2),
            }
            written += file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            number += 1


def measure(method: str, path: Path) -> Measurement:
    """One process that reads and one that does not."""
    read, idle = (_run(method, path, mode) for mode in ("read", "idle"))
    return Measurement(read["seconds"], max(0.0, read["peak"] - idle["peak"]))


def _run(method: str, path: Path, mode: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.reading_case", method, str(path), mode]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def row(megabytes: int, path: Path, measured: Callable[[str, Path], Measurement] = measure) -> str:
    """Both methods in turn on a file of that size."""
    times: dict[str, list[Measurement]] = {"gate": [], "orjson": []}
    for _ in range(ROUNDS):
        for method, measurements in times.items():
            measurements.append(measured(method, path))
    seconds = {method: statistics.median(each.seconds for each in times[method]) for method in times}
    peak = statistics.median(each.megabytes for each in times["gate"])
    gate, orjson = (megabytes / seconds[method] for method in ("gate", "orjson"))
    return f"| {megabytes / 1_000:g} GB | {gate:.0f} | {orjson:.0f} | {gate / orjson:.2f} | {peak:.0f} |"


def section() -> str:
    """The section of the page."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in MEGABYTES:
            path = Path(folder, "samples.jsonl")
            write_samples(path, megabytes)
            rows.append(row(megabytes, path))
    return SECTION.format(rounds=ROUNDS, size="180 KB", rows="\n".join(rows))
