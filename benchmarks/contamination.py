"""The contamination scan: its kernel and the whole of it, against Python's sets and the field's tools.

This module imports no more than it needs to start them: on Linux a process counts as its own peak what its parent held.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
# Questions, and processes whose median is told.
ROUNDS = {10_000: 3, 100_000: 1}
FEW, MANY = ROUNDS
# datatrove takes minutes to find the words of so many; its time for the corpus hardly depends on them.
FEWER_QUESTIONS = {"datatrove": 1_000}
# MB of text each method is given in memory: for about a second.
KERNELS = ("compiled", "numpy")
MEGABYTES = {"compiled": 120, "numpy": 60, "reverse": 20, "naive": 10, "overlapy": 10, "datatrove": 1}
IN_MEMORY = (("prose", FEW), ("prose", MANY), ("sources", FEW))
ALL_KINDS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")
FILE_MEGABYTES = 100
SECTION = """\
## The contamination scan

How fast a corpus is searched for the 3-grams of an eval's questions, in MB of UTF-8 text per CPU second, on one core.
The corpus is text of Python's standard library, drawn in documents of 3 000 characters, with replacement: its prose
(documentation, docstrings and comments) or its sources, whose words are longer; every third has curly quotes, so that
it is not ASCII. Questions are 12 to 30 words of that prose as often as it has them, in no order; every hundredth is a
piece of it. Medians of {rounds} processes each, all in turn; at {many} questions one process each.

Text in memory, the questions' table made before. The gate has two kernels: the compiled one, with which it installs
where there is a C compiler, and numpy's, which runs everywhere else; × is how many times as fast the compiled one is.
Both also count documents, keep the best one of each question and look for whole questions; the others tell which
3-grams stand anywhere, datatrove's filter the first of each document. "Reverse" is the best Python:
`set.intersection(zip(words, words[1:], words[2:]))` on the set of the questions' 3-grams, document by document;
"naive" is a set of the whole corpus's. Sets and overlapy are held to the 3-grams that the gate finds; datatrove has
words of its own, spaCy's. Each is given what takes it about a second, the compiled kernel a third of one:
{given}.

| text | questions | compiled | numpy | × | reverse | × | naive | × | overlapy | × | datatrove \\* | × |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
{memory}

\\* asked {fewer} questions.

The whole scan of a file with {megabytes} MB of prose in one process: `gate.contamination.scan`, in its parts. "Once" is
what does not grow with the corpus: its plan, the questions' tables, the report. Peak memory is the process's highest
resident size, interpreter and libraries included. Reverse reads the lines with `json.loads`.

| file | questions | compiled | once, s | peak MB | numpy | × | reverse | × |
|---|---|---|---|---|---|---|---|---|
{files}

dolma is left out: it asks for numpy below 2 and for one version of s3fs, and cannot be installed beside the gate. Of
datatrove the filter runs without its indexer, which imports lighteval and with it torch; the index is written in its
format by its own functions.
"""


class Measurement(NamedTuple):
    """What one process tells.

    Attributes:
        seconds: CPU time for the corpus.
        peak: MB, of the whole process.
        once: CPU seconds beside the corpus, where a file was scanned.
        agrees: whether the gate finds the same; None where that was not asked.
    """

    seconds: float
    peak: float
    once: float = 0.0
    agrees: bool | None = None


class Disagreement(Exception):  # noqa: N818  # no fault of the program
    """Two methods found different n-grams, so that their times say nothing."""


Measure = Callable[[str, str, int, str], Measurement]


def measurer(folder: Path) -> Measure:
    """Starts processes on the questions in that folder."""

    def measure(kind: str, method: str, questions: int, corpus: str) -> Measurement:
        path = folder / f"questions-{questions}"
        if not path.exists():
            _run("benchmarks.contamination_corpus", "questions", str(path), str(questions))
        measured = Measurement(**json.loads(_run("benchmarks.contamination_case", kind, method, str(path), corpus)))
        print(kind, method, questions, corpus, measured, file=sys.stderr, flush=True)
        return measured

    return measure


def _run(module: str, *arguments: str) -> bytes:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def memory_row(text: str, questions: int, measured: Measure) -> str:
    """Every method in turn; overlapy's automaton and datatrove's words are made for the few questions alone."""
    methods = [method for method in MEGABYTES if questions == FEW or method in {*KERNELS, "reverse", "naive"}]
    found: dict[str, list[Measurement]] = {method: [] for method in methods}
    for _ in range(ROUNDS[questions]):
        for method, measurements in found.items():
            asked = FEWER_QUESTIONS.get(method, questions)
            measurements.append(measured(text, method, asked, str(MEGABYTES[method])))
    different = [method for method in methods if any(each.agrees is False for each in found[method])]
    if different:
        raise Disagreement(f"{', '.join(different)} found other n-grams than the gate in {text}")
    rates = {method: MEGABYTES[method] / _seconds(found[method]) for method in methods}
    cells = [text, _spaced(questions), f"{rates['compiled']:.0f}"]
    for method in list(MEGABYTES)[1:]:
        cells += _compared(rates["compiled"], rates.get(method))
    return f"| {' | '.join(cells)} |"


def file_row(kind: str, questions: int, path: Path, measured: Measure) -> str:
    """The gate by either kernel, and on plain lines the best Python."""
    methods = [*KERNELS, "reverse"] if kind == "jsonl" else [*KERNELS]
    found: dict[str, list[Measurement]] = {method: [] for method in methods}
    for _ in range(ROUNDS[questions]):
        for method, measurements in found.items():
            measurements.append(measured("file", method, questions, str(path)))
    rates = {method: FILE_MEGABYTES / _seconds(found[method]) for method in methods}
    once, peak = (
        statistics.median(figures) for figures in zip(*((e.once, e.peak) for e in found["compiled"]), strict=True)
    )
    cells = [f".{kind}", _spaced(questions), f"{rates['compiled']:.0f}", f"{once:.1f}", f"{peak:.0f}"]
    for method in ("numpy", "reverse"):
        cells += _compared(rates["compiled"], rates.get(method))
    return f"| {' | '.join(cells)} |"


def _seconds(measurements: Sequence[Measurement]) -> float:
    return statistics.median(each.seconds for each in measurements)


def _compared(gate: float, other: float | None) -> list[str]:
    return ["–", "–"] if other is None else [f"{other:.3g}", f"{gate / other:.1f}"]


def _spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def write_corpus(folder: Path, megabytes: int, kinds: Sequence[str]) -> dict[str, Path]:
    """The same documents in these kinds of files."""
    folder.mkdir()
    _run("benchmarks.contamination_corpus", "corpus", str(folder), str(megabytes), *kinds)
    return {kind: folder / f"corpus.{kind}" for kind in kinds}


def section() -> str:
    """The section of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured = measurer(folder)
        files = write_corpus(folder / "all", FILE_MEGABYTES, ALL_KINDS)
        return SECTION.format(
            rounds=ROUNDS[FEW],
            many=_spaced(MANY),
            fewer=_spaced(FEWER_QUESTIONS["datatrove"]),
            megabytes=FILE_MEGABYTES,
            given=", ".join(f"{method} {megabytes} MB" for method, megabytes in MEGABYTES.items()),
            memory="\n".join(memory_row(text, questions, measured) for text, questions in IN_MEMORY),
            files="\n".join(file_row(kind, many, path, measured) for many in ROUNDS for kind, path in files.items()),
        )
