"""The contamination scan's memory as the corpus grows: it must not grow with it.

This module imports no more than it needs to start others: on Linux a process counts as its own peak what its parent
held.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
QUESTIONS = 10_000
BASE_MEGABYTES = 100
TIMES = (1, 10, 40)
KINDS = ("jsonl", "parquet")
KERNEL = "compiled"
SECTION = """\
## The memory of a scan

Peak memory of the whole process that scans one file for {questions} questions, as the corpus grows: `ru_maxrss`,
interpreter and libraries included, in MB. The text is the prose of the section above, {base} MB of it, repeated; sizes
are of text, in Parquet before compression. One process each; it reads the file alone, as each of several workers does.

| file | {sizes} |
|---|{rule}
{rows}
"""


class Peak(NamedTuple):
    """What one process tells: MB at most, and CPU seconds for the corpus."""

    megabytes: float
    seconds: float


Measure = Callable[[str, int], Peak]


def run(module: str, *arguments: str) -> bytes:
    """What a module of the benchmarks prints."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def write_base(folder: Path, megabytes: float, kinds: Sequence[str], questions: int) -> None:
    """The questions and the text that is repeated."""
    run("contamination_corpus", "questions", str(folder / "questions"), str(questions))
    run("contamination_corpus", "corpus", str(folder), str(megabytes), *kinds)


def measurer(folder: Path) -> Measure:
    """Grows the corpus in that folder, scans it, and removes it again."""

    def measure(kind: str, times: int) -> Peak:
        path = folder / f"grown.{kind}"
        try:
            run("contamination_grown", str(folder / f"corpus.{kind}"), str(path), str(times))
            told = json.loads(run("contamination_case", "file", KERNEL, str(folder / "questions"), str(path)))
        finally:
            path.unlink(missing_ok=True)
        print(kind, times, told, file=sys.stderr, flush=True)
        return Peak(told["peak"], told["seconds"])

    return measure


def row(kind: str, measured: Measure) -> str:
    """Peak memory at each size."""
    peaks = [measured(kind, times).megabytes for times in TIMES]
    return f"| .{kind} | {' | '.join(f'{peak:.0f}' for peak in peaks)} |"


def gigabytes(times: int, base: float = BASE_MEGABYTES) -> str:
    """The size of a corpus."""
    return f"{times * base / 1000:g} GB"


def build_folder() -> Path:
    """Where gigabytes may lie for a while: not in a /tmp that is memory."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    return folder


def section() -> str:
    """The section of the page."""
    with tempfile.TemporaryDirectory(dir=build_folder()) as name:
        folder = Path(name)
        write_base(folder, BASE_MEGABYTES, KINDS, QUESTIONS)
        measured = measurer(folder)
        return SECTION.format(
            questions=f"{QUESTIONS:,}".replace(",", " "),
            base=BASE_MEGABYTES,
            sizes=" | ".join(map(gigabytes, TIMES)),
            rule="---|" * len(TIMES),
            rows="\n".join(row(kind, measured) for kind in KINDS),
        )
