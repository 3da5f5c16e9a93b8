"""The corpus in pieces of work: any cuts give the same documents."""

import gzip
import json
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.contamination import lines as lines_module
from gate.contamination.shards import PARTS, Fields, Shard, ShardReader, plan_shards
from gate.contamination.sources import find_sources
from gate.errors import CorpusError

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def _plan(path: Path, shard_bytes: int = 64 << 20) -> tuple[Shard, ...]:
    return plan_shards(find_sources(path.name, path.parent), shard_bytes=shard_bytes)


def _documents(shards: tuple[Shard, ...], fields: Fields | None = None) -> tuple[list[tuple[int, str | None]], int]:
    """Each document with its number in the file, whatever the order of reading, and the bytes of all."""
    readers = [(shard, ShardReader(shard, fields or Fields())) for shard in shards]
    texts = {shard.start: [(d.key.number, d.text) for d in reader] for shard, reader in reversed(readers)}
    found, before = [], 0
    for shard, reader in readers:
        found += [(before + number, text) for number, text in texts[shard.start]]
        before += reader.records
    return found, sum(reader.bytes for _, reader in readers)


LINES = st.sampled_from(['"one"', '"ä€😀"', '{"text": "日本語"}', "", "  ", '"\\u00e9"', '"' + "long " * 9 + '"'])
ENDS = st.sampled_from(["\n", "\r\n"])


@given(st.lists(st.tuples(LINES, ENDS), max_size=12), st.booleans(), st.integers(1, 70), st.integers(1, 30))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_size_of_shard_gives_the_same_documents_line_numbers_and_bytes(
    tmp_path: Path, lines: list[tuple[str, str]], closed: bool, shard_bytes: int, chunk: int
) -> None:
    text = "".join(line + end for line, end in lines)
    if not closed:
        text = text.removesuffix("\n").removesuffix("\r")
    path = tmp_path / "a.jsonl"
    path.write_bytes(text.encode())
    naive = [(number, json.loads(line)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    expected = [(number, value if isinstance(value, str) else value["text"]) for number, value in naive]
    with patch.object(lines_module, "CHUNK", chunk):
        assert _documents(_plan(path, shard_bytes)) == (expected, len(text.encode()))
        assert _documents(_plan(path)) == (expected, len(text.encode()))


def test_a_line_belongs_to_the_shard_that_it_starts_in(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('"é"\n"b"\n"c"'.encode())
    shards = _plan(path, 5)  # the first border lies right behind a newline, the second before the last line
    assert [(shard.start, shard.stop) for shard in shards] == [(0, 5), (5, 10), (10, None)]
    assert [[d.text for d in ShardReader(shard, Fields())] for shard in shards] == [["é"], ["b", "c"], []]
    inside = _plan(path, 2)  # and one lies within the two bytes of a character
    assert [[d.text for d in ShardReader(shard, Fields())] for shard in inside][:2] == [["é"], []]


@pytest.mark.parametrize("fault", ["{", "[1]", '{"title": "x"}'])
def test_a_fault_in_a_later_shard_is_told_with_its_line_in_the_file(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(['"one"', "", '"two"', '"three"', fault, '"four"']))
    for shard_bytes in range(1, 40):
        with pytest.raises(CorpusError) as caught:
            _documents(_plan(path, shard_bytes))
        assert str(caught.value.where) == "a.jsonl, line 5"


def test_a_line_too_long_in_a_later_shard_is_told_with_its_line_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('"a"\n"b"\n"c"\n"' + "d" * 50 + '"\n')
    monkeypatch.setattr(lines_module, "MAX_RECORD_BYTES", 20)
    monkeypatch.setattr(lines_module, "CHUNK", 7)
    with pytest.raises(CorpusError, match="in one piece") as caught:
        _documents(_plan(path, 8)[1:2])
    assert str(caught.value.where) == "a.jsonl, line 4"


@pytest.mark.parametrize("name", ["a.txt", "a.json", "a.csv", "a.jsonl.gz", "a.jsonl"])
def test_what_cannot_be_entered_in_the_middle_stays_whole(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b'"text"\n') if "jsonl" in name else b'"text"\n"text"\n')
    assert [(shard.start, shard.stop) for shard in _plan(path, 1)] == [(0, None)]


def test_an_empty_file_is_a_shard_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    assert _documents(_plan(path, 1)) == ([], 0)


def test_shards_stand_in_reading_order_with_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.txt", "a.jsonl"):
        (tmp_path / name).write_text('"one"\n"two"\n')
    monkeypatch.chdir(tmp_path)
    shards = plan_shards(find_sources(["b.txt", "a.jsonl"]), shard_bytes=6)
    assert [(shard.file, shard.name, shard.start) for shard in shards] == [
        (0, "b.txt", 0),
        (1, "a.jsonl", 0),
        (1, "a.jsonl", 6),
    ]
    assert {shard.path for shard in shards} == {str(tmp_path / "b.txt"), str(tmp_path / "a.jsonl")}


def test_the_key_names_the_file_its_version_and_the_range(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('"one"\n"two"\n')
    keys = {shard.key for shard in (*_plan(path), *_plan(path, 6))}
    assert len(keys) == 3
    assert {shard.key for shard in (*_plan(path), *_plan(path, 6))} == keys
    os.utime(path, (1, 1))
    assert keys.isdisjoint(shard.key for shard in (*_plan(path), *_plan(path, 6)))


def test_the_key_does_not_tell_where_the_corpus_lies_or_which_number_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('"one"\n')
    (shard,) = _plan(path)
    assert shard._replace(path="/elsewhere/a.jsonl", file=7).key == shard.key


@given(st.integers(0, 30), st.integers(1, 7), st.integers(1, 2000))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_runs_of_row_groups_give_the_same_rows_and_bytes(
    tmp_path: Path, rows: int, group: int, shard_bytes: int
) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"text": pa.array([f"text {row}" for row in range(rows)], pa.string())})
    parquet.write_table(table, path, row_group_size=group)
    found, size = _documents(_plan(path, shard_bytes))
    assert found == [(row + 1, f"text {row}") for row in range(rows)]
    assert size == _documents(_plan(path))[1]


def test_a_number_counts_lines_rows_or_records() -> None:
    assert PARTS == {".jsonl": "line", ".json": "record", ".csv": "row", ".parquet": "row"}
