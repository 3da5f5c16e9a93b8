"""Battles to strengths: the gate's against evalica's and choix's, each measurement a process of its own.

This module imports no more than it needs to start them: on Linux a process counts as its own peak what its parent held.
"""

import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
BATTLES, MODELS, PROMPTS, JUDGES = 1_000_000, 100, 10_000, 3
_TIED = 0.15
RESAMPLES = 1_000
# A thousand of evalica's take minutes.
FEWER_RESAMPLES = {"evalica-bootstrap": 10}
ROUNDS = 3
FITS = {
    "gate-arrays": "gate, from arrays of numbers",
    "evalica-lists": "evalica, from lists of names",
    "evalica-indexed": "evalica's Rust core, from lists of numbers",
    "choix-matrix": "choix, the wins counted as the gate does",
}
BOOTSTRAPS = {
    "gate-bootstrap": "gate, battles resampled",
    "gate-bootstrap-prompts": "gate, prompts resampled",
    "evalica-bootstrap": "evalica, battles resampled \\*",
}
BOARDS = {
    "gate-file": "gate, from the file",
    "evalica-lists": "evalica, given the parsed lists",
    "evalica-file": "`json.loads` a line, then evalica",
}
SECTION = """\
## Battles to a leaderboard

{battles} battles of {models} models on {prompts} prompts by {judges} judges, 15 % of them ties. Medians of {rounds}
processes each, all in turn, one thread of the matrix library each; of strengths, within a process, the median of three
calls after one that warms it up.

Strengths: the gate checks the battles, counts the wins and fits; `evalica.bradley_terry` and
`choix.ilsr_pairwise_dense` with their own defaults, the latter from a win matrix, which choix leaves to its user.
"Differs" is the largest difference from the gate's log-strengths. arena-rank asks for one version of numpy and of jax
each, and cannot be installed beside the others.

| strengths | ms | times gate | differs |
|---|---|---|---|
{fits}

{resamples} bootstrap fits:

| bootstrap | s | times gate |
|---|---|---|
{bootstraps}

\\* timed with {fewer} resamples and scaled linearly.

From a JSON Lines file of {megabytes:.0f} MB: the gate hashes it, reads it, refuses doubled keys, fits, and finds
intervals by prompts, the ranking and the agreement of each judge, and the position bias; evalica fits alone. Peak
memory is the process's highest resident size less that of the same process without the work.

| leaderboard | s | times gate | peak MB |
|---|---|---|---|
{boards}
"""


class Measurement(NamedTuple):
    """Seconds, the log-strengths that were found, and the megabytes that the work added to the process's peak."""

    seconds: float
    strengths: Sequence[float]
    megabytes: float


Measure = Callable[[str], Measurement]


def write_battles(path: Path, battles: int) -> None:
    """Battles of models whose log-strengths are standard normal."""
    draw = random.Random(0)  # noqa: S311  # data, not secrets
    strengths = [draw.gauss(0, 1) for _ in range(MODELS)]
    with path.open("w", encoding="utf-8") as file:
        for _ in range(battles):
            first, second = draw.sample(range(MODELS), 2)
            wins = draw.random() * (1 + math.exp(strengths[second] - strengths[first])) < 1
            winner = "tie" if draw.random() < _TIED else "model_a" if wins else "model_b"
            row = {
                "question_id": f"q{draw.randrange(PROMPTS)}",
                "model_a": f"model-{first:03d}",
                "model_b": f"model-{second:03d}",
                "winner": winner,
                "judge": f"judge-{draw.randrange(JUDGES)}",
            }
            file.write(json.dumps(row) + "\n")


def measure(method: str, path: Path) -> Measurement:
    """One process that works and one that does not; the seconds are those of RESAMPLES resamples."""
    resamples = FEWER_RESAMPLES.get(method, RESAMPLES)
    work, idle = (_run(method, path, resamples, mode) for mode in ("work", "idle"))
    seconds = work["seconds"] * RESAMPLES / resamples
    return Measurement(seconds, work["strengths"], max(0.0, work["peak"] - idle["peak"]))


def _run(method: str, path: Path, resamples: int, mode: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.arena_case", method, str(path), str(resamples), mode]
    # threads of the matrix library gain nothing at this size, and fight where the machine has other work
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    print(f"{method} {mode} {result['seconds']:.3f} s {result['peak']:.0f} MB", file=sys.stderr, flush=True)
    return result


def medians(methods: Iterable[str], measured: Measure) -> dict[str, Measurement]:
    """All methods in turn, ROUNDS times."""
    times: dict[str, list[Measurement]] = {method: [] for method in methods}
    for _ in range(ROUNDS):
        for method, measurements in times.items():
            measurements.append(measured(method))
    return {
        method: Measurement(
            statistics.median(each.seconds for each in measurements),
            measurements[0].strengths,
            statistics.median(each.megabytes for each in measurements),
        )
        for method, measurements in times.items()
    }


def fit_rows(measured: Measure) -> list[str]:
    """How long each takes to the strengths, and how far they are from the gate's."""
    found = medians(FITS, measured)
    gate = found["gate-arrays"]
    return [
        f"| {name} | {1000 * each.seconds:.1f} | {_times(each, gate)} | {_differs(each, gate)} |"
        for name, each in ((name, found[method]) for method, name in FITS.items())
    ]


def bootstrap_rows(measured: Measure) -> list[str]:
    """How long RESAMPLES resamples take."""
    found = medians(BOOTSTRAPS, measured)
    gate = found["gate-bootstrap"]
    return [
        f"| {name} | {found[method].seconds:.1f} | {_times(found[method], gate)} |"
        for method, name in BOOTSTRAPS.items()
    ]


def board_rows(measured: Measure) -> list[str]:
    """How long each takes from the file; the memory of lists that are given is not evalica's."""
    found = medians(BOARDS, measured)
    gate = found["gate-file"]
    return [
        f"| {name} | {each.seconds:.1f} | {_times(each, gate)} | {f'{each.megabytes:.0f}' if from_file else '–'} |"
        for name, each, from_file in ((name, found[method], method.endswith("file")) for method, name in BOARDS.items())
    ]


def _times(one: Measurement, gate: Measurement) -> str:
    return f"{one.seconds / gate.seconds:.1f}"


def _differs(one: Measurement, gate: Measurement) -> str:
    largest = max(abs(a - b) for a, b in zip(one.strengths, gate.strengths, strict=True))
    return "–" if one is gate else f"{largest:.0e}"


def section() -> str:
    """The section of the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "battles.jsonl")
        write_battles(path, BATTLES)

        def measured(method: str) -> Measurement:
            return measure(method, path)

        return SECTION.format(
            battles=f"{BATTLES:,}".replace(",", " "),
            models=MODELS,
            prompts=f"{PROMPTS:,}".replace(",", " "),
            judges=JUDGES,
            rounds=ROUNDS,
            resamples=f"{RESAMPLES:,}".replace(",", " "),
            fewer=FEWER_RESAMPLES["evalica-bootstrap"],
            megabytes=path.stat().st_size / 1e6,
            fits="\n".join(fit_rows(measured)),
            bootstraps="\n".join(bootstrap_rows(measured)),
            boards="\n".join(board_rows(measured)),
        )
