"""Every sample and every real file, cut short and with bits flipped: a run or an error with its place, nothing else."""

from pathlib import Path

import numpy as np
import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Wanted
from tests.real_files import FILES, REAL_FILES, ROOT

SAMPLES = Path(__file__).parent / "samples"
OWN = [
    pytest.param(path, id=path.relative_to(SAMPLES).as_posix()) for path in sorted(SAMPLES.rglob("*")) if path.is_file()
]
OTHERS = [pytest.param(ROOT / name, id=name, marks=REAL_FILES) for name in FILES]
EVERYTHING = Wanted(variant="all", unfinished=True)
LARGE = 200_000


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


@pytest.mark.parametrize("path", [*OWN, *OTHERS])
def test_a_damaged_file_gives_a_run_or_an_error_with_its_place(path: Path, tmp_path: Path) -> None:
    assert_holds(path, tmp_path)
