"""What is kept of a finished shard is used again where it is sound and of the same scan, and nowhere else."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.contamination import Fields, find_sources, plan_scan, tell
from gate.contamination.engines import Progress, ShardStore, run_shards
from gate.contamination.packed import pack
from gate.contamination.probes import EvalIndex, build_index
from gate.contamination.scan import Question, ScanPlan
from gate.contamination.scan_file import render_scan
from gate.contamination.shards import plan_shards
from gate.errors import CorpusError, WriteError


@pytest.fixture
def index(plan: ScanPlan) -> EvalIndex:
    return plan.index()


@pytest.fixture
def store(tmp_path: Path, plan: ScanPlan, index: EvalIndex) -> ShardStore:
    """Holds all of the plan's shards."""
    store = ShardStore(tmp_path / "store", index, plan.fields)
    run_shards(index, plan.shards, plan.fields, store=store)
    return store


def _flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def test_what_is_kept_needs_no_corpus(plan: ScanPlan, index: EvalIndex, store: ShardStore) -> None:
    once = run_shards(index, plan.shards, plan.fields)
    for shard in plan.shards:
        Path(shard.path).unlink()
    told: list[Progress] = []
    assert pack(run_shards(index, plan.shards, plan.fields, store=store, progress=told.append)) == pack(once)
    assert told[-1] == Progress(6, 6, once.documents, once.bytes)
    assert store.notes == ()


def test_what_was_finished_before_an_error_is_kept(tmp_path: Path, plan: ScanPlan, index: EvalIndex) -> None:
    (tmp_path / "corpus" / "6.jsonl").write_text("not JSON\n")
    shards = plan_shards(find_sources("corpus", tmp_path))
    store = ShardStore(tmp_path / "store", index, plan.fields)
    with pytest.raises(CorpusError):
        run_shards(index, shards, plan.fields, store=store)
    assert [store.load(shard) is not None for shard in shards] == [True] * 6 + [False]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda data: data[:-1], "broken or cut short"),
        (_flip, "broken or cut short"),
        (lambda _: b"", "broken or cut short"),
        (lambda _: b"PK\x03\x04 something else entirely", "broken or cut short"),
    ],
    ids=["cut", "one bit", "empty", "foreign"],
)
def test_a_file_that_is_not_sound_is_told_and_its_shard_read_again(
    plan: ScanPlan, index: EvalIndex, store: ShardStore, spoil: Callable[[bytes], bytes], reason: str
) -> None:
    path = store.path(plan.shards[2])
    sound = path.read_bytes()
    path.write_bytes(spoil(sound))
    tally = run_shards(index, plan.shards, plan.fields, store=store)
    assert pack(tally) == pack(run_shards(index, plan.shards, plan.fields))
    assert store.notes == (
        f"not taken from the store, because its file there is not sound: 1 shard: corpus/2.jsonl ({reason})",
    )
    assert path.read_bytes() == sound


def test_the_file_of_another_shard_is_not_taken_for_this_one(plan: ScanPlan, store: ShardStore) -> None:
    one, other = plan.shards[:2]
    store.path(one).write_bytes(store.path(other).read_bytes())
    assert store.load(one) is None
    assert "corpus/0.jsonl (of another scan)" in store.notes[0]


def test_a_tally_of_another_eval_under_the_right_name_is_refused(plan: ScanPlan, store: ShardStore) -> None:
    (shard, *_), fewer = plan.shards, build_index(plan.items[:3], (3,))
    store.save(shard, pack(run_shards(fewer, [shard], plan.fields)))
    assert store.load(shard) is None
    assert "corpus/0.jsonl (it does not fit the index" in store.notes[0]


def test_what_cannot_be_opened_is_told(plan: ScanPlan, store: ShardStore) -> None:
    path = store.path(plan.shards[0])
    path.unlink()
    path.mkdir()
    assert store.load(plan.shards[0]) is None
    assert "corpus/0.jsonl (Is a directory)" in store.notes[0]


def test_only_so_many_unsound_files_are_named(plan: ScanPlan, store: ShardStore) -> None:
    for shard in plan.shards:
        store.path(shard).write_bytes(b"")
        store.load(shard)
    (note,) = store.notes
    assert "6 shards" in note
    assert note.endswith("corpus/4.jsonl (broken or cut short), ...")


def test_a_file_that_changed_is_read_again(tmp_path: Path, plan: ScanPlan, index: EvalIndex, store: ShardStore) -> None:
    path = Path(plan.shards[0].path)
    path.write_bytes(path.read_bytes().replace(b"w1", b"w2"))
    os.utime(path, ns=(1, 1))
    shards = plan_shards(find_sources("corpus", tmp_path))
    assert [store.load(shard) is not None for shard in shards] == [False, True, True, True, True, True]
    tally = run_shards(index, shards, plan.fields, store=store)
    assert pack(tally) == pack(run_shards(index, shards, plan.fields))


def _other_fields(plan: ScanPlan, folder: Path) -> ShardStore:
    return ShardStore(folder, plan.index(), Fields(text=("title",)))


def _other_size(plan: ScanPlan, folder: Path) -> ShardStore:
    return ShardStore(folder, build_index(plan.items, (4, 2)), plan.fields)


def _other_item(plan: ScanPlan, folder: Path) -> ShardStore:
    return ShardStore(folder, build_index(plan.items[1:], plan.sizes), plan.fields)


@pytest.mark.parametrize("other", [_other_fields, _other_size, _other_item])
def test_another_scan_takes_nothing_of_it(
    tmp_path: Path, plan: ScanPlan, store: ShardStore, other: Callable[[ScanPlan, Path], ShardStore]
) -> None:
    assert store.load(plan.shards[0]) is not None
    assert other(plan, tmp_path / "store").load(plan.shards[0]) is None


def test_another_version_of_gate_takes_nothing_of_it(
    tmp_path: Path, plan: ScanPlan, index: EvalIndex, store: ShardStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.load(plan.shards[0]) is not None
    monkeypatch.setattr("gate.contamination.engines.store.__version__", "0.0.0")
    assert ShardStore(tmp_path / "store", index, plan.fields).load(plan.shards[0]) is None


def test_a_file_that_has_another_number_now_is_told_by_its_new_one(
    tmp_path: Path, plan: ScanPlan, store: ShardStore
) -> None:
    (tmp_path / "corpus" / "-first.jsonl").write_text('{"text": "w1 w2"}\n')
    longer = plan_scan(plan.items, "corpus", Question(sizes=plan.sizes), base=tmp_path)
    index = longer.index()
    kept = tell(longer, index, run_shards(index, longer.shards, longer.fields, store=store))
    assert render_scan(kept) == render_scan(tell(longer, index, run_shards(index, longer.shards, longer.fields)))
    assert [store.load(shard) is not None for shard in longer.shards] == [True] * 7


def test_a_store_that_cannot_be_written_is_an_error(tmp_path: Path, plan: ScanPlan, index: EvalIndex) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError):
        run_shards(index, plan.shards, plan.fields, store=ShardStore(tmp_path / "file", index, plan.fields))


def test_a_shard_whose_name_holds_half_a_surrogate_pair_can_be_kept(
    plan: ScanPlan, index: EvalIndex, store: ShardStore
) -> None:
    odd = plan.shards[0]._replace(name="\ud800.jsonl")
    packed = pack(run_shards(index, plan.shards[:1], plan.fields))
    store.save(odd, packed)
    kept = store.load(odd)
    assert kept is not None
    assert pack(kept) == packed
