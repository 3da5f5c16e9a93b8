"""Every sample and every real file, cut short and with bits flipped: a run or an error with its place, nothing else."""

import os
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Wanted

SAMPLES = Path(__file__).parent / "samples"
REAL = Path(os.environ["GATE_REAL_FILES"]) if "GATE_REAL_FILES" in os.environ else None
OWN = [path for path in sorted(SAMPLES.rglob("*")) if path.is_file()]
OTHERS = [] if REAL is None else [path for path in sorted(REAL.rglob("*")) if path.is_file()]
EVERYTHING = Wanted(variant="all", unfinished=True)
LARGE = 200_000
FIXED_MEMORY = 8_000_000  # what reading takes whatever the file's size: buffers, tables, modules met for the first time


def damaged(content: bytes, chance: np.random.Generator) -> bytes:
    """The content cut short, with a few bits flipped, with a piece lost or with one doubled."""
    at, other = sorted(int(place) for place in chance.integers(0, len(content), 2))
    flipped = bytearray(content)
    for place in chance.integers(0, len(content), int(chance.integers(1, 4))):
        flipped[int(place)] ^= 1 << int(chance.integers(8))
    kinds = [content[:at], bytes(flipped), content[:at] + content[other:], content[:other] + content[at:]]
    return kinds[int(chance.integers(len(kinds)))]


def refusal_of(path: Path) -> ScoreFileError | None:
    try:
        read_run(path, EVERYTHING)
    except ScoreFileError as fault:
        return fault
    return None


def assert_holds(path: Path, folder: Path) -> None:
    content = path.read_bytes()
    target = folder / path.name
    # neighbours that a reader looks for stay away: what is damaged is read alone
    for seed in range(12 if len(content) > LARGE else 40):
        target.write_bytes(damaged(content, np.random.default_rng(seed)))
        refusal = refusal_of(target)
        assert refusal is None or (refusal.where is not None and refusal.remedy), (path, seed)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.relative_to(SAMPLES).as_posix())
def test_a_damaged_sample_gives_a_run_or_an_error_with_its_place(path: Path, tmp_path: Path) -> None:
    assert_holds(path, tmp_path)


@pytest.mark.real_files
@pytest.mark.skipif(REAL is None, reason="GATE_REAL_FILES does not name a folder of files")
def test_every_damaged_real_file_gives_a_run_or_an_error_with_its_place(tmp_path: Path) -> None:
    assert OTHERS
    for path in OTHERS:
        assert_holds(path, tmp_path)


@pytest.mark.real_files
@pytest.mark.skipif(REAL is None, reason="GATE_REAL_FILES does not name a folder of files")
def test_reading_takes_no_more_than_ten_times_the_file_in_memory() -> None:
    for path in OTHERS:
        with suppress(ScoreFileError):
            read_run(path, EVERYTHING)
        tracemalloc.start()
        with suppress(ScoreFileError):
            read_run(path, EVERYTHING)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 10 * path.stat().st_size + FIXED_MEMORY, path
