"""Parquet: columns, kinds of text, faults."""

import sys
from pathlib import Path
from typing import Any

import pytest

from gate.contamination.documents import LONG, Fields
from gate.contamination.shards import Shard, ShardReader, plan_shards
from gate.contamination.sources import find_sources
from gate.errors import CorpusError

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def _shards(tmp_path: Path, table: Any, **options: Any) -> tuple[Shard, ...]:
    parquet.write_table(table, tmp_path / "a.parquet", **options)
    return plan_shards(find_sources("a.parquet", tmp_path))


def _documents(shards: tuple[Shard, ...], fields: Fields | None = None) -> list[tuple[str | None, str | None]]:
    return [(d.key.id, d.text) for shard in shards for d in ShardReader(shard, fields or Fields())]


@pytest.mark.parametrize(
    ("columns", "fields", "expected"),
    [
        ({"text": ["a"], "id": [7]}, Fields(), [("7", "a")]),
        ({"content": ["c"], "question": ["q"]}, Fields(), [(None, "c")]),
        ({"answer": ["a", "b"], "question": ["q", None]}, Fields(), [(None, "q\na"), (None, "b")]),
        ({"text": ["a"], "body": ["b"], "key": ["k"]}, Fields(("body",), "key"), [("k", "b")]),
        ({"a.b": ["flat"], "a": [{"b": "deep"}]}, Fields(("a.b",)), [(None, "flat")]),
        ({"a": [{"b": "deep", "c": 1}], "m": [{"id": 3}]}, Fields(("a.b",), "m.id"), [("3", "deep")]),
        ({"turns": [[{"said": "x"}, {"said": "y"}]]}, Fields(("turns.said",)), [(None, "x\ny")]),
        ({"lines": [["x", "y"]]}, Fields(("lines",)), [(None, "x\ny")]),
    ],
)
def test_columns_are_chosen_like_the_fields_of_a_record(
    tmp_path: Path, columns: dict[str, list[object]], fields: Fields, expected: list[tuple[str | None, str]]
) -> None:
    assert _documents(_shards(tmp_path, pa.table(columns)), fields) == expected


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "dictionary"])
def test_text_is_read_from_columns_of_every_kind_that_holds_it(tmp_path: Path, kind: str) -> None:
    made = pa.array(["é", "b", "é"])
    column = made.dictionary_encode() if kind == "dictionary" else made.cast(getattr(pa, kind)())
    assert [text for _, text in _documents(_shards(tmp_path, pa.table({"text": column})))] == ["é", "b", "é"]


def test_text_that_is_not_utf_8_is_replaced_and_counted(tmp_path: Path) -> None:
    wrong = pa.array([b"na\xefve", b"fine"], pa.binary()).view(pa.string())
    (shard,) = _shards(tmp_path, pa.table({"text": wrong}))
    reader = ShardReader(shard, Fields())
    assert [document.text for document in reader] == ["na�ve", "fine"]
    assert reader.replaced == 1


def test_only_the_columns_needed_are_read(tmp_path: Path) -> None:
    small = {"text": ["a"] * 100, "id": list(range(100))}
    (shard,) = _shards(tmp_path, pa.table({**small, "image": [bytes([n]) * 10_000 for n in range(100)]}))
    reader = ShardReader(shard, Fields())
    list(reader)
    assert 0 < reader.bytes < 10_000


def test_of_a_column_with_fields_in_it_only_those_needed_are_read(tmp_path: Path) -> None:
    (shard,) = _shards(tmp_path, pa.table({"a": [{"b": "x", "c": bytes([n]) * 10_000} for n in range(100)]}))
    reader = ShardReader(shard, Fields(("a.b",)))
    assert [document.text for document in reader] == ["x"] * 100
    assert reader.bytes < 10_000


def test_a_long_row_comes_in_pieces(tmp_path: Path) -> None:
    (shard,) = _shards(tmp_path, pa.table({"text": ["x" * (LONG + 1)]}))
    assert ["".join(document.pieces or ()) for document in ShardReader(shard, Fields())] == ["x" * (LONG + 1)]


@pytest.mark.parametrize("fields", [Fields(), Fields(("body",)), Fields(("title",), "key")])
def test_a_file_without_the_column_is_an_error_that_lists_those_there(tmp_path: Path, fields: Fields) -> None:
    shards = _shards(tmp_path, pa.table({"title": ["x"], "bad\nname": ["y"]}))
    with pytest.raises(CorpusError, match="no column is named") as caught:
        _documents(shards, fields)
    assert "'title', 'bad\\nname'" in caught.value.what
    assert str(caught.value.where) == "a.parquet"


def test_a_row_without_text_is_an_error_with_its_number_in_the_file(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"text": ["a", "b", "c", None]}), tmp_path / "a.parquet", row_group_size=2)
    shards = plan_shards(find_sources("a.parquet", tmp_path), shard_bytes=1)
    with pytest.raises(CorpusError, match="no text") as caught:
        _documents(shards[1:])
    assert str(caught.value.where) == "a.parquet, row 4"


@pytest.mark.parametrize("data", [b"", b"PAR1", b"no parquet at all, only text"])
def test_what_is_not_parquet_is_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(CorpusError, match="broken or cut short") as caught:
        plan_shards(find_sources("a.parquet", tmp_path))
    assert str(caught.value.where) == "a.parquet"


def test_a_file_whose_middle_is_broken_is_an_error(tmp_path: Path) -> None:
    table = pa.table({"text": [f"some text {number}" for number in range(2000)]})
    parquet.write_table(table, tmp_path / "a.parquet", compression="zstd", use_dictionary=False)
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[4:400] = b"\xff" * 396
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(CorpusError, match="broken or cut short"):
        _documents(plan_shards(find_sources("a.parquet", tmp_path)))


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.parquet").touch()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CorpusError, match="needs pyarrow") as caught:
        plan_shards(find_sources("a.parquet", tmp_path))
    assert "gate[parquet]" in caught.value.remedy
