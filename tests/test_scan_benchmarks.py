"""The benchmarks of a scan's memory and workers, on small corpora."""

import json
from pathlib import Path

import pytest

from benchmarks import contamination_memory as memory
from benchmarks import contamination_workers as workers
from benchmarks.contamination_grown import grow
from gate.contamination import Item, scan


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten questions and 0.2 MB of text in every kind of file."""
    folder = tmp_path_factory.mktemp("base")
    memory.write_base(folder, 0.2, memory.KINDS, 10)
    return folder


@pytest.mark.parametrize("kind", memory.KINDS)
def test_a_grown_corpus_holds_the_same_documents_over_and_over(kind: str, base: Path, tmp_path: Path) -> None:
    grow(base / f"corpus.{kind}", tmp_path / f"grown.{kind}", 3)
    paths = (base / f"corpus.{kind}", tmp_path / f"grown.{kind}")
    once, grown = (scan([Item("q", "words of it")], path).corpus for path in paths)
    assert once.words > 10_000
    assert (grown.documents, grown.words) == (3 * once.documents, 3 * once.words)


@pytest.mark.parametrize("kind", memory.KINDS)
def test_the_benchmark_of_memory_tells_a_peak_and_leaves_no_corpus(
    kind: str, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "KERNEL", "numpy")  # the one that is there on every machine
    peak = memory.measurer(base)(kind, 2)
    assert 10 < peak.megabytes < 4000
    assert 0 < peak.seconds < 60
    assert not (base / f"grown.{kind}").exists()


def test_a_row_of_it_has_a_peak_for_each_size() -> None:
    assert memory.row("jsonl", lambda _, times: memory.Peak(100.4 + times, 1.0)) == "| .jsonl | 101 | 110 | 140 |"
    assert [memory.gigabytes(times) for times in memory.TIMES] == ["0.1 GB", "1 GB", "4 GB"]


def test_the_benchmark_of_workers_runs_the_command_and_reads_what_it_wrote(tmp_path: Path) -> None:
    workers.prepare(tmp_path, 0.2, times=2, questions=20)
    scanned = workers.measurer(tmp_path)(2)
    assert 0 < scanned.seconds < 60
    assert len(json.loads(scanned.told)["items"]) == 20


def test_its_rows_compare_with_one_worker() -> None:
    times = iter([12.0, 7.0, 10.0, 5.0, 11.0, 6.0])
    told = workers.rows(lambda _: workers.Scanned(next(times), b"the same"))
    assert told == "| 1 | 11.0 | 1.00 |\n| 2 | 6.0 | 1.83 |"


def test_workers_that_write_another_scan_are_noticed() -> None:
    with pytest.raises(workers.Disagreement, match="2 workers wrote another scan"):
        workers.rows(lambda number: workers.Scanned(1.0, bytes([number])))
