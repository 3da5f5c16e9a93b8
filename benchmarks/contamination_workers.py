"""Two workers of the contamination scan against one: the whole command, by the clock on the wall."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.contamination_memory import ROOT, build_folder, run, write_base

QUESTIONS = 10_000
BASE_MEGABYTES = 100
TIMES = 40
ROUNDS = 3
WORKERS = (1, 2)
SECTION = """\
## The workers of a scan

`gate scan --workers N` on {gigabytes:g} GB of the prose above as .jsonl, for {questions} questions, on the wall's
clock: start, questions' tables, search and report, all that the user waits for. Medians of {rounds} runs each, in turn;
the files that they write are the same to the byte. The machine has {cores} cores.

| workers | s | times one |
|---|---|---|
{rows}
"""


class Scanned(NamedTuple):
    """One run: seconds, and the file that it wrote."""

    seconds: float
    told: bytes


class Disagreement(Exception):  # noqa: N818  # no fault of the program
    """More workers wrote another file, so that their time says nothing."""


Measure = Callable[[int], Scanned]


def measurer(folder: Path) -> Measure:
    """Runs the command on the corpus in that folder."""
    command = [sys.executable, "-m", "gate", "scan", "--items", "questions.txt", "--corpus", "grown.jsonl"]

    def measure(workers: int) -> Scanned:
        out = folder / "scan.json"
        begun = time.perf_counter()
        subprocess.run(
            [*command, "--out", out.name, "--workers", str(workers)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        seconds = time.perf_counter() - begun
        print("workers", workers, seconds, file=sys.stderr, flush=True)
        return Scanned(seconds, out.read_bytes())

    return measure


def rows(measured: Measure, rounds: int = ROUNDS) -> str:
    """Each number of workers, all in turn.

    Raises:
        Disagreement: where they did not write the same.
    """
    found: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    first: bytes | None = None
    for _ in range(rounds):
        for workers, seconds in found.items():
            scanned = measured(workers)
            first = scanned.told if first is None else first
            if scanned.told != first:
                raise Disagreement(f"{workers} workers wrote another scan than {WORKERS[0]}")
            seconds.append(scanned.seconds)
    medians = {workers: statistics.median(seconds) for workers, seconds in found.items()}
    alone = medians[WORKERS[0]]
    return "\n".join(f"| {workers} | {median:.1f} | {alone / median:.2f} |" for workers, median in medians.items())


def prepare(folder: Path, megabytes: float, times: int, questions: int) -> None:
    """Write the questions and the corpus."""
    write_base(folder, megabytes, ["jsonl"], questions)
    (folder / "questions").rename(folder / "questions.txt")
    run("contamination_grown", str(folder / "corpus.jsonl"), str(folder / "grown.jsonl"), str(times))


def section() -> str:
    """The section of the page."""
    with tempfile.TemporaryDirectory(dir=build_folder()) as name:
        folder = Path(name)
        prepare(folder, BASE_MEGABYTES, TIMES, QUESTIONS)
        return SECTION.format(
            gigabytes=BASE_MEGABYTES * TIMES / 1000,
            questions=f"{QUESTIONS:,}".replace(",", " "),
            rounds=ROUNDS,
            cores=os.cpu_count(),
            rows=rows(measurer(folder)),
        )
