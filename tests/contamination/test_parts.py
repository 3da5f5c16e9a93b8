"""A scan in parts: together they are the whole, and what is missing is named."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gate.contamination import Item, plan_scan, tell
from gate.contamination.engines import ShardStore, run_shards
from gate.contamination.packed import pack
from gate.contamination.parts import keep_plan, merge_stores, part
from gate.contamination.scan import ScanPlan
from gate.contamination.scan_file import render_scan
from gate.contamination.shards import Shard
from gate.errors import CorpusError, UsageError

ITEMS = [Item("a", "one two three four"), Item("b", "five six seven \ud800", "eight")]


@pytest.fixture
def plan(tmp_path: Path) -> ScanPlan:
    (tmp_path / "corpus").mkdir()
    for number, text in enumerate(["one two three", "nothing", "five six seven", "three four", "one two three four"]):
        (tmp_path / "corpus" / f"{number}.txt").write_text(text)
    return plan_scan(ITEMS, "corpus", base=tmp_path)


def _scan_into(folder: Path, plan: ScanPlan, shards: Sequence[Shard]) -> Path:
    index = plan.index()
    store = ShardStore(folder, index, plan.fields)
    keep_plan(store, plan)
    run_shards(index, shards, plan.fields, store=store)
    return folder


def _parts(tmp_path: Path, plan: ScanPlan, count: int) -> list[Path]:
    return [
        _scan_into(tmp_path / f"part{number}", plan, part(plan.shards, number, count)) for number in range(1, count + 1)
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_parts_are_all_of_the_work_each_piece_once(plan: ScanPlan, count: int) -> None:
    parts = [part(plan.shards, number, count) for number in range(1, count + 1)]
    assert sorted(shard for each in parts for shard in each) == sorted(plan.shards)


@pytest.mark.parametrize(("number", "count"), [(0, 3), (4, 3), (-1, 3), (1, 0)])
def test_a_part_that_there_is_not_is_refused(plan: ScanPlan, number: int, count: int) -> None:
    with pytest.raises(UsageError, match=f"there is no part {number} of {count}"):
        part(plan.shards, number, count)


def test_the_parts_together_are_the_whole_scan_even_where_the_corpus_is_not(tmp_path: Path, plan: ScanPlan) -> None:
    index = plan.index()
    whole = render_scan(tell(plan, index, run_shards(index, plan.shards, plan.fields)))
    folders = _parts(tmp_path, plan, 3)
    for shard in plan.shards:
        Path(shard.path).unlink()
    for order in (folders, folders[::-1]):
        merged = merge_stores(order)
        assert (merged.missing, merged.notes) == ((), ())
        assert render_scan(tell(merged.plan, merged.index, merged.tally)) == whole


def test_what_two_stores_hold_counts_once(tmp_path: Path, plan: ScanPlan) -> None:
    whole = _scan_into(tmp_path / "whole", plan, plan.shards)
    merged = merge_stores([whole, *_parts(tmp_path, plan, 2)])
    assert pack(merged.tally) == pack(run_shards(merged.index, plan.shards, plan.fields))


def test_what_is_missing_is_named(tmp_path: Path, plan: ScanPlan) -> None:
    first, _, third = _parts(tmp_path, plan, 3)
    merged = merge_stores([first, third])
    assert [shard.name for shard in merged.missing] == ["corpus/1.txt", "corpus/4.txt"]
    scan = tell(merged.plan, merged.index, merged.tally)
    assert not scan.complete
    assert "not read yet, all or in part: corpus/1.txt, corpus/4.txt" in scan.notes


def test_a_piece_whose_file_is_not_sound_is_missing_and_told(tmp_path: Path, plan: ScanPlan) -> None:
    folder = _scan_into(tmp_path / "whole", plan, plan.shards)
    ShardStore(folder, plan.index(), plan.fields).path(plan.shards[1]).write_bytes(b"")
    merged = merge_stores([folder])
    assert merged.missing == (plan.shards[1],)
    assert "corpus/1.txt (broken or cut short)" in merged.notes[0]


def test_a_store_may_hold_other_scans_too(tmp_path: Path, plan: ScanPlan) -> None:
    one, other = _parts(tmp_path, plan, 2)
    _scan_into(one, replace(plan, items=plan.items[:1]), plan.shards)
    assert merge_stores([one, other]).missing == ()
    with pytest.raises(UsageError, match="the stores have 2 scans in common"):
        merge_stores([one])


def test_stores_of_different_scans_are_refused(tmp_path: Path, plan: ScanPlan) -> None:
    one = _scan_into(tmp_path / "one", plan, plan.shards)
    other = _scan_into(tmp_path / "other", replace(plan, items=plan.items[:1]), plan.shards)
    with pytest.raises(UsageError, match="the stores hold parts of different scans"):
        merge_stores([one, other])


def test_no_store_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no store to merge"):
        merge_stores([])


def test_a_folder_that_is_no_store_is_refused(tmp_path: Path, plan: ScanPlan) -> None:
    one = _scan_into(tmp_path / "one", plan, plan.shards)
    with pytest.raises(CorpusError, match="there is no part of a scan here") as fault:
        merge_stores([one, tmp_path / "nowhere"])
    assert fault.value.where is not None
    assert fault.value.where.path.endswith("nowhere")


def test_parts_of_a_corpus_that_changed_are_refused(tmp_path: Path, plan: ScanPlan) -> None:
    one = _scan_into(tmp_path / "one", plan, part(plan.shards, 1, 2))
    (tmp_path / "corpus" / "3.txt").write_text("something else")
    later = plan_scan(ITEMS, "corpus", base=tmp_path)
    other = _scan_into(tmp_path / "other", later, part(later.shards, 2, 2))
    with pytest.raises(CorpusError, match=r"it differs in corpus/3\.txt"):
        merge_stores([one, other])


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"scan_plan": 1, "plan": {"items": 3}}', "[" * 100_000])
def test_a_plan_that_is_none_is_refused(tmp_path: Path, plan: ScanPlan, content: str) -> None:
    folder = _scan_into(tmp_path / "one", plan, plan.shards)
    next(folder.glob("*/plan.json")).write_text(content)
    with pytest.raises(CorpusError, match="this is not the plan of a scan"):
        merge_stores([folder])


@pytest.mark.parametrize("sizes", [[], [0], [14], [2**40]])
def test_a_plan_of_sizes_that_cannot_be_asked_for_is_refused(tmp_path: Path, plan: ScanPlan, sizes: list[int]) -> None:
    folder = _scan_into(tmp_path / "one", plan, plan.shards)
    path = next(folder.glob("*/plan.json"))
    content = json.loads(path.read_text())
    content["plan"]["sizes"] = sizes
    path.write_text(json.dumps(content))
    with pytest.raises(CorpusError, match="this is not the plan of a scan"):
        merge_stores([folder])


def test_a_plan_of_another_version_is_refused(tmp_path: Path, plan: ScanPlan) -> None:
    folder = _scan_into(tmp_path / "one", plan, plan.shards)
    path = next(folder.glob("*/plan.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"scan_plan": 2}))
    with pytest.raises(CorpusError, match="this is not a plan of version 1"):
        merge_stores([folder])


def test_a_plan_whose_items_were_changed_is_refused(tmp_path: Path, plan: ScanPlan) -> None:
    folder = _scan_into(tmp_path / "one", plan, plan.shards)
    path = next(folder.glob("*/plan.json"))
    path.write_text(path.read_text().replace("one two three four", "one two three five"))
    with pytest.raises(CorpusError, match="its plan was changed"):
        merge_stores([folder])
