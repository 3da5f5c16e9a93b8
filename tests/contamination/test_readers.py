"""Files to documents: formats, names, compression, faults."""

import gzip
import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
import zstandard

from gate.contamination import lines as lines_module
from gate.contamination.documents import LONG, PIECE, Document, Fields
from gate.contamination.readers import csv as csv_module
from gate.contamination.readers import json as json_module
from gate.contamination.readers import reading as reading_module
from gate.contamination.shards import ShardReader, plan_shards
from gate.contamination.sources import find_sources
from gate.errors import CorpusError

MANY = "word " * 300_000


def _reader(tmp_path: Path, name: str, data: bytes | str, fields: Fields | None = None) -> ShardReader:
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    (shard,) = plan_shards(find_sources(name, tmp_path))
    return ShardReader(shard, fields or Fields())


def _text(document: Document) -> str:
    assert (document.text is None) != (document.pieces is None)
    return document.text if document.text is not None else "".join(document.pieces or ())


def _documents(reader: ShardReader) -> list[tuple[int, str | None, str]]:
    return [(document.key.number, document.key.id, _text(document)) for document in reader]


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_text_file_is_one_document(tmp_path: Path, name: str) -> None:
    assert _documents(_reader(tmp_path, name, "one\n\ntwo\n")) == [(0, None, "one\n\ntwo\n")]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.json", "a.csv"])
def test_a_long_document_comes_in_pieces_and_a_short_one_whole(tmp_path: Path, name: str) -> None:
    long = "é" * (LONG + 5)
    data = {"a.txt": long, "a.jsonl": json.dumps(long), "a.json": json.dumps([long]), "a.csv": f"text\n{long}\n"}[name]
    (document,) = [(document.text, list(document.pieces or ())) for document in _reader(tmp_path, name, data)]
    assert document[0] is None
    assert "".join(document[1]) == long
    assert max(map(len, document[1])) <= max(PIECE, LONG // 2)


def test_json_lines_are_a_document_each_numbered_by_line_and_with_their_id(tmp_path: Path) -> None:
    lines = '"one"\n\n  \n{"text": "two", "id": "d2"}\r\n{"question": "three"}'
    assert _documents(_reader(tmp_path, "a.jsonl", lines)) == [(1, None, "one"), (4, "d2", "two"), (5, None, "three")]


def test_what_only_the_slow_parser_reads_is_read_too(tmp_path: Path) -> None:
    deep = '{"text": "deep", "more": ' + "[" * 300 + "]" * 300 + "}"
    lines = '\u00a0"spaces"\u00a0\n"\\ud800"\n' + deep + '\n{"text": "n", "x": NaN}'
    assert [text for _, _, text in _documents(_reader(tmp_path, "a.jsonl", lines))] == ["spaces", "\ud800", "deep", "n"]


def test_a_line_separator_inside_a_record_does_not_end_the_line(tmp_path: Path) -> None:
    record = json.dumps("a\u2028b\x85c", ensure_ascii=False)
    assert _documents(_reader(tmp_path, "a.jsonl", record)) == [(1, None, "a\u2028b\x85c")]


def test_a_json_array_is_a_document_an_entry(tmp_path: Path) -> None:
    assert _documents(_reader(tmp_path, "a.json", '["one",\n {"content": "two", "id": 2}]')) == [
        (1, None, "one"),
        (2, "2", "two"),
    ]


@pytest.mark.parametrize("data", ['"one"', '{"text": "one"}'])
def test_a_single_json_value_is_one_document(tmp_path: Path, data: str) -> None:
    assert _documents(_reader(tmp_path, "a.json", data)) == [(0, None, "one")]


def test_a_csv_is_a_document_a_row(tmp_path: Path) -> None:
    data = 'id , text,other\r\n1,"a, ""b""\nc",x\r\n\r\n2,é,y'
    assert _documents(_reader(tmp_path, "a.csv", data)) == [(1, "1", 'a, "b"\nc'), (2, "2", "é")]


def test_columns_of_a_csv_are_chosen_like_the_fields_of_a_record(tmp_path: Path) -> None:
    data = "answer,question,title\nA,Q,T\n"
    assert _documents(_reader(tmp_path, "a.csv", data)) == [(1, None, "Q\nA")]
    assert _documents(_reader(tmp_path, "a.csv", data, Fields(("title", "answer"), "question"))) == [(1, "Q", "T\nA")]


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.zst", "a.txt"])
@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_are_known_by_their_content(tmp_path: Path, name: str, compress: type) -> None:
    data: bytes = compress(b"some text")
    assert _documents(_reader(tmp_path, name, data)) == [(0, None, "some text")]


@pytest.mark.parametrize("name", ["a.jsonl.zst", "a.json.zst", "a.csv.zst"])
def test_compressed_records_are_read_one_by_one(tmp_path: Path, name: str) -> None:
    data = {"a.jsonl.zst": b'"one"\n"two"\n', "a.json.zst": b'["one", "two"]', "a.csv.zst": b"text\none\ntwo\n"}[name]
    assert [text for _, _, text in _documents(_reader(tmp_path, name, zstandard.compress(data)))] == ["one", "two"]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.json", "a.csv"])
@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_truncated_compressed_file_is_an_error(tmp_path: Path, name: str, compress: type) -> None:
    text = {"a.jsonl": json.dumps(MANY), "a.json": json.dumps([MANY]), "a.csv": f"text\n{MANY}\n"}.get(name, MANY)
    data: bytes = compress(text.encode())
    with pytest.raises(CorpusError, match="broken or cut short") as caught:
        _documents(_reader(tmp_path, name, data[:-6]))
    assert str(caught.value.where) == name


@pytest.mark.parametrize(
    "compress", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress], ids=["gzip", "zstd"]
)
def test_a_compressed_file_with_a_broken_middle_is_an_error(tmp_path: Path, compress: type) -> None:
    data = bytearray(compress(json.dumps([str(number) for number in range(50_000)]).encode()))
    data[len(data) // 2 : len(data) // 2 + 40] = b"\xff" * 40
    with pytest.raises(CorpusError, match="broken or cut short"):
        _documents(_reader(tmp_path, "a.txt", bytes(data)))


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.jsonl", '"one"\n{"text": ', "a.jsonl, line 2"),
        ("a.jsonl", '"one"\n\n{"title": "x"}\n', "a.jsonl, line 3"),
        ("a.jsonl", "[1, 2]\n", "a.jsonl, line 1"),
        ("a.json", '["one", {"title": "x"}]', "a.json, record 2"),
        ("a.json", '{"title": "x"}', "a.json"),
        ("a.json", "", "a.json, line 1"),
        ("a.json", '["one",\n"two"', "a.json, line 2"),
        ("a.csv", "", "a.csv, line 1"),
        ("a.csv", "id,title\n1,x\n", "a.csv, line 1"),
        ("a.csv", "text,id,text\nx,1,y\n", "a.csv, line 1"),
        ("a.csv", "text\rone\r", "a.csv, line 1"),
        ("a.csv", "id,text\n1,a\n2\n", "a.csv, line 3"),
        ("a.csv", 'text,id\n"a\nb",1\nc\n', "a.csv, line 4"),
        ("a.csv", 'text\n"a\nb', "a.csv, line 3"),
        ("a.csv", 'text\n"a"b\n', "a.csv, line 2"),
    ],
)
def test_a_faulty_record_is_an_error_naming_its_place(tmp_path: Path, name: str, data: str, place: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _documents(_reader(tmp_path, name, data))
    assert str(caught.value.where) == place
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("name", "place"), [("a.jsonl", "a.jsonl, line 2"), ("a.json", "a.json"), ("a.csv", "a.csv, line 2")]
)
def test_a_record_too_large_for_memory_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    for module in (lines_module, json_module, csv_module, reading_module):
        monkeypatch.setattr(module, "MAX_RECORD_BYTES", 10)
    monkeypatch.setattr(lines_module, "CHUNK", 4)
    data = "text\nbcdefghijklmn\n" if name == "a.csv" else '"a"\n"bcdefghijkl"\n'
    with pytest.raises(CorpusError, match="in one piece") as caught:
        _documents(_reader(tmp_path, name, data))
    assert str(caught.value.where) == place


def _write_2_gb_line(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b'"one"\n"' + b"x" * 9000)
        file.truncate(2 << 30)


def test_a_line_of_2_gb_is_an_error_with_its_place_found_before_it_is_read(tmp_path: Path) -> None:
    _write_2_gb_line(tmp_path / "a.jsonl")
    (first, *_) = plan_shards(find_sources("a.jsonl", tmp_path))
    tracemalloc.start()
    with pytest.raises(CorpusError, match="more than 256 MB in one piece") as caught:
        _documents(ShardReader(first, Fields()))
    assert tracemalloc.get_traced_memory()[1] < 1.1 * lines_module.MAX_RECORD_BYTES
    tracemalloc.stop()
    assert str(caught.value.where) == "a.jsonl, line 2"


def test_a_shard_within_a_line_of_2_gb_has_no_documents_and_takes_no_memory(tmp_path: Path) -> None:
    _write_2_gb_line(tmp_path / "a.jsonl")
    shards = plan_shards(find_sources("a.jsonl", tmp_path))
    tracemalloc.start()
    assert _documents(ShardReader(shards[-2], Fields())) == []
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()


def test_a_file_that_vanished_is_an_error(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.txt", "text")
    (tmp_path / "a.txt").unlink()
    with pytest.raises(CorpusError, match="no such file"):
        _documents(reader)


def test_a_file_that_changed_since_the_plan_is_an_error(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.jsonl", '"one"\n')
    (tmp_path / "a.jsonl").write_text('"one"\n"two"\n')
    with pytest.raises(CorpusError, match="has changed") as caught:
        _documents(reader)
    assert str(caught.value.where) == "a.jsonl"


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    reader = iter(_reader(tmp_path, "a.jsonl", '"one"\n"two"\n'))
    next(reader)
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write('"three"\n')
    with pytest.raises(CorpusError, match="has changed"):
        list(reader)


def test_a_byte_order_mark_is_not_part_of_the_first_record(tmp_path: Path) -> None:
    bom = b"\xef\xbb\xbf"
    assert _documents(_reader(tmp_path, "a.jsonl", bom + b'"one"\n"two"')) == [(1, None, "one"), (2, None, "two")]
    assert _documents(_reader(tmp_path, "a.json", bom + b'["one"]')) == [(1, None, "one")]
    assert _documents(_reader(tmp_path, "a.csv", bom + b"text\none")) == [(1, None, "one")]
    assert _documents(_reader(tmp_path, "a.txt", bom + b"one")) == [(0, None, "one")]


@pytest.mark.parametrize(
    ("name", "data", "expected", "replaced"),
    [
        ("a.txt", b"na\xefve \xff", ["na�ve �"], 2),
        ("b.txt", "fine é �".encode(), ["fine é �"], 0),
        ("d.jsonl", b'"\xff"\n"fine"\n"\xfe"\n', ["�", "fine", "�"], 2),
        ("e.json", b'["\xff", "x"]', ["�", "x"], 1),
        ("f.csv", b"text\nna\xefve\n", ["na�ve"], 1),
        ("g.txt", b"\xff" * (LONG + 3), ["�" * (LONG + 3)], LONG + 3),
    ],
)
def test_text_that_is_not_utf_8_is_replaced_and_counted(
    tmp_path: Path, name: str, data: bytes, expected: list[str], replaced: int
) -> None:
    reader = _reader(tmp_path, name, data)
    assert [text for _, _, text in _documents(reader)] == expected
    assert reader.replaced == replaced


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.json", "a.csv"])
@pytest.mark.parametrize(
    ("data", "fault"), [(b"\x7fELF\x02\0\0\0" * 20, "binary"), ("text\nwords\n".encode("utf-16"), "UTF-16")]
)
def test_a_file_that_is_not_text_is_an_error(tmp_path: Path, name: str, data: bytes, fault: str) -> None:
    with pytest.raises(CorpusError, match=fault) as caught:
        _documents(_reader(tmp_path, name, data))
    assert str(caught.value.where) == name


def test_the_reader_counts_records_and_bytes(tmp_path: Path) -> None:
    counted = []
    for name, data in [
        ("a.txt", gzip.compress(b"12345", mtime=0)),
        ("b.jsonl", b'"1"\n\n"2"\n'),
        ("c.json", b'["1"]'),
        ("d.csv", b"text\n1\n"),
        ("e.txt", b""),
    ]:
        reader = _reader(tmp_path, name, data)
        _documents(reader)
        counted.append((reader.records, reader.bytes))
    assert counted == [(1, 5), (3, 9), (1, 5), (1, 7), (1, 0)]


def test_lines_longer_than_what_is_read_at_once_are_put_together() -> None:
    def blocks(data: bytes, chunk: int) -> Iterator[list[bytes]]:
        stream: BinaryIO = io.BytesIO(data)
        return lines_module.line_blocks(lambda size: stream.read(min(size, chunk)))

    data = b"a\n\nlong line\r\n" + b"x" * 20 + b"\nend"
    for chunk in range(1, 40):
        assert [line for block in blocks(data, chunk) for line in block] == data.split(b"\n")
