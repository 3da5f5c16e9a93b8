"""Every reader of bytes from outside, fed with damaged samples: a result or a GateError, in time.

This is the short run, with the same inputs each time. `make fuzz` goes on for as long as it is told, and what it found
stands in ``kept``.
"""

import zlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import all_targets

TARGETS = all_targets()
ROOM = Path(__file__).parent / "kept"
KEPT = sorted(path.relative_to(ROOM) for path in ROOM.rglob("*") if path.is_file())
SHORT = 40


@pytest.mark.parametrize("name", TARGETS)
def test_a_sample_that_is_damaged_in_any_way_is_read_or_refused(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    target.lay_out(tmp_path)
    files = sorted(target.seeds)
    for number in range(SHORT):
        chance = Random(zlib.crc32(f"{name} {number}".encode()))  # noqa: S311  # the same each time is what is wanted
        file = chance.choice(files)
        target.refusal(tmp_path, file, mutated(target.seeds[file], chance, list(target.seeds.values())))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=15, derandomize=True, deadline=None, database=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_at_all_are_read_or_refused(name: str, data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = TARGETS[name]
    folder = tmp_path_factory.getbasetemp() / name
    if not folder.exists():
        folder.mkdir()
        target.lay_out(folder)
    target.refusal(folder, target.main or next(iter(target.seeds)), data)


@pytest.mark.parametrize("name", TARGETS)
def test_the_samples_are_read_where_nothing_is_damaged(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    target.lay_out(tmp_path)
    assert None in [target.refusal(tmp_path, file, data) for file, data in target.seeds.items()]


@pytest.mark.parametrize("path", KEPT, ids=str)
def test_what_once_broke_a_reader_no_longer_does(path: Path, tmp_path: Path) -> None:
    target = TARGETS[path.parts[0]]
    target.lay_out(tmp_path)
    target.refusal(tmp_path, path.name, (ROOM / path).read_bytes())
