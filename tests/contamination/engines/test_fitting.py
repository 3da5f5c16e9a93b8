"""How many processes read a corpus where nobody says: one for a small one, else what the machine has."""

from pathlib import Path

import pytest

from gate.contamination.engines import fitting, fitting_workers
from gate.contamination.shards import Shard


def _shards(*sizes: int) -> list[Shard]:
    return [Shard(number, f"/{number}", str(number), ".jsonl", 0, None, size, "") for number, size in enumerate(sizes)]


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Twelve cores, and no quota unless a test writes one."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(12)), raising=False)
    monkeypatch.setattr(fitting, "_QUOTA", tmp_path / "cpu.max")
    return tmp_path / "cpu.max"


def test_a_small_corpus_is_read_in_this_process() -> None:
    assert fitting_workers(_shards(60 << 20, 60 << 20)) == 1
    assert fitting_workers([]) == 1


def test_a_large_corpus_gets_the_cores_there_are_and_no_more_than_eight() -> None:
    assert fitting_workers(_shards(*[64 << 20] * 5)) == 5
    assert fitting_workers(_shards(*[64 << 20] * 50)) == 8


def test_a_file_in_many_pieces_counts_once() -> None:
    (whole,) = _shards(100 << 20)
    assert fitting_workers([whole._replace(stop=50 << 20), whole._replace(start=50 << 20)]) == 1


@pytest.mark.parametrize(("quota", "workers"), [("250000 100000", 2), ("20000 100000", 1), ("max 100000", 8), ("", 8)])
def test_the_quota_of_a_container_counts(machine: Path, quota: str, workers: int) -> None:
    machine.write_text(quota)
    assert fitting_workers(_shards(*[64 << 20] * 50)) == workers
