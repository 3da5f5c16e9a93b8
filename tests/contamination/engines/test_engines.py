"""Whoever reads which shard, in whatever order: the same bytes come out."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.contamination import Item, find_sources, plan_scan, tell
from gate.contamination.engines import Progress, run_shards
from gate.contamination.engines.base import Job, Scanner, scan_shard
from gate.contamination.packed import pack
from gate.contamination.scan import Question, ScanPlan
from gate.contamination.scan_file import render_scan
from gate.contamination.shards import Fields, plan_shards
from gate.contamination.tally import Tally, empty_tally
from gate.errors import CorpusError, UsageError

pytestmark = pytest.mark.usefixtures("kernel")

_words = st.lists(st.sampled_from(["a", "B", "c", "ß", "Σ", "日", "本", "\u2003", "-"]), max_size=9).map(" ".join)
_files = st.lists(st.lists(_words, min_size=1, max_size=6), min_size=1, max_size=3)


def _write(folder: Path, files: Sequence[Sequence[str]]) -> None:
    for number, documents in enumerate(files):
        lines = "".join(f"{json.dumps({'text': text}, ensure_ascii=False)}\n" for text in documents)
        (folder / f"{number}.jsonl").write_text(f"{lines}\n", encoding="utf-8")


def _rendered(plan: ScanPlan, tally: Tally) -> str:
    return render_scan(tell(plan, plan.index(), tally))


@settings(max_examples=60)
@given(files=_files, texts=st.lists(_words, min_size=1, max_size=5), size=st.integers(1, 200), seed=st.integers(0, 99))
def test_neither_the_size_of_shards_nor_their_order_changes_a_byte(
    files: list[list[str]], texts: list[str], size: int, seed: int
) -> None:
    items = [Item(str(number), text, text[:3]) for number, text in enumerate(texts)]
    with TemporaryDirectory() as folder:
        base = Path(folder)
        _write(base, files)
        whole = plan_scan(items, ".", Question(sizes=(2, 1)), base=base)
        cut = replace(whole, shards=plan_shards(find_sources(".", base), shard_bytes=size))
        shuffled = Random(seed).sample(cut.shards, len(cut.shards))  # noqa: S311  # data, not keys
        index = whole.index()
        once = run_shards(index, whole.shards, Fields())
        again = run_shards(index, shuffled, Fields())
        assert len(cut.shards) >= len(whole.shards)
        if once.words:
            assert _rendered(whole, once) == _rendered(cut, again)
        assert pack(again) == pack(run_shards(index, cut.shards, Fields()))


def test_several_processes_find_what_one_finds(plan: ScanPlan) -> None:
    index = plan.index()
    alone = pack(run_shards(index, plan.shards, plan.fields))
    assert pack(run_shards(index, plan.shards[::-1], plan.fields, workers=2)) == alone
    assert pack(run_shards(index, plan.shards, plan.fields, workers=9)) == alone


def test_a_scanner_finds_in_each_shard_what_a_new_one_would(plan: ScanPlan) -> None:
    index = plan.index()
    scanner = Scanner(Job(index, plan.fields))
    for shard in (*plan.shards, *plan.shards):
        assert pack(scanner.scan(shard)) == pack(scan_shard(index, shard, plan.fields))


def test_a_scanner_forgets_a_shard_that_could_not_be_read(tmp_path: Path, plan: ScanPlan) -> None:
    index = plan.index()
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(Path(plan.shards[0].path).read_bytes() + b"not JSON\n")
    (broken,) = plan_shards(find_sources("bad.jsonl", tmp_path))
    scanner = Scanner(Job(index, plan.fields))
    with pytest.raises(CorpusError):
        scanner.scan(broken)
    assert pack(scanner.scan(plan.shards[1])) == pack(scan_shard(index, plan.shards[1], plan.fields))


def test_no_shards_are_nothing_found(plan: ScanPlan) -> None:
    index = plan.index()
    assert pack(run_shards(index, [], plan.fields, workers=2)) == pack(empty_tally(index))


def test_progress_is_told_after_each_shard(plan: ScanPlan) -> None:
    told: list[Progress] = []
    tally = run_shards(plan.index(), plan.shards, plan.fields, progress=told.append)
    assert [progress.shards_done for progress in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1] == Progress(6, 6, tally.documents, tally.bytes)


def test_progress_is_told_within_a_shard(plan: ScanPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.contamination.engines.base.PROGRESS_SECONDS", 0)
    told: list[Progress] = []
    run_shards(plan.index(), plan.shards[:1], plan.fields, progress=told.append)
    assert [progress.shards_done for progress in told] == [0] * (len(told) - 1) + [1]
    assert sorted(progress.documents for progress in told) == [progress.documents for progress in told]
    assert len(told) > 12


def test_no_workers_are_refused(plan: ScanPlan) -> None:
    with pytest.raises(UsageError, match="0 workers cannot scan anything"):
        run_shards(plan.index(), plan.shards, plan.fields, workers=0)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_shard_that_cannot_be_read_is_told_by_its_place(tmp_path: Path, plan: ScanPlan, workers: int) -> None:
    (tmp_path / "corpus" / "6.jsonl").write_text('{"text": "fine"}\nnot JSON\n')
    shards = plan_shards(find_sources("corpus", tmp_path))
    with pytest.raises(CorpusError) as fault:
        run_shards(plan.index(), shards, plan.fields, workers=workers)
    assert str(fault.value.where).startswith("corpus/6.jsonl, line 2")
    assert fault.value.remedy
