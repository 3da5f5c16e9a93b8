"""Files to documents: formats, names, compression, faults."""

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from gate.contamination import corpus as corpus_module
from gate.contamination.corpus import CorpusReader
from gate.contamination.sources import find_sources
from gate.errors import CorpusError


def _reader(tmp_path: Path, name: str, data: bytes | str, piece_size: int = 1000) -> CorpusReader:
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return CorpusReader(find_sources(name, tmp_path).files, piece_size=piece_size)


def _documents(reader: CorpusReader) -> list[tuple[str, str | None, str]]:
    return [(document.name.name, document.name.id, "".join(document.pieces)) for document in reader]


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_text_file_is_one_document(tmp_path: Path, name: str) -> None:
    assert _documents(_reader(tmp_path, name, "one\n\ntwo\n")) == [(name, None, "one\n\ntwo\n")]


def test_a_text_file_comes_in_pieces(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.txt", "abcdéf", piece_size=5)
    (document,) = [list(document.pieces) for document in reader]
    assert "".join(document) == "abcdéf"
    assert max(map(len, document)) <= 5


def test_json_lines_are_a_document_each_named_by_line_and_id(tmp_path: Path) -> None:
    lines = '"one"\n\n  \n{"text": "two", "id": "d2"}\r\n{"question": "three"}'
    assert _documents(_reader(tmp_path, "a.jsonl", lines)) == [
        ("a.jsonl:line 1", None, "one"),
        ("a.jsonl:line 4", "d2", "two"),
        ("a.jsonl:line 5", None, "three"),
    ]


def test_a_line_separator_inside_a_record_does_not_end_the_line(tmp_path: Path) -> None:
    record = json.dumps("a\u2028b\x85c", ensure_ascii=False)
    assert _documents(_reader(tmp_path, "a.jsonl", record)) == [("a.jsonl:line 1", None, "a\u2028b\x85c")]


def test_a_json_array_is_a_document_an_entry(tmp_path: Path) -> None:
    assert _documents(_reader(tmp_path, "a.json", '["one",\n {"content": "two", "id": 2}]')) == [
        ("a.json:record 1", None, "one"),
        ("a.json:record 2", "2", "two"),
    ]


@pytest.mark.parametrize("data", ['"one"', '{"text": "one"}'])
def test_a_single_json_value_is_one_document(tmp_path: Path, data: str) -> None:
    assert _documents(_reader(tmp_path, "a.json", data)) == [("a.json", None, "one")]


def test_a_long_record_comes_in_pieces(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.jsonl", '"abcdefg"', piece_size=3)
    assert [list(document.pieces) for document in reader] == [["abc", "def", "g"]]


@pytest.mark.parametrize("name", ["a.txt.gz", "a.txt.zst", "a.txt"])
@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_are_known_by_their_content(tmp_path: Path, name: str, compress: type) -> None:
    data: bytes = compress(b"some text")
    assert _documents(_reader(tmp_path, name, data)) == [(name, None, "some text")]


def test_compressed_json_lines_are_read_line_by_line(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.jsonl.zst", zstandard.compress(b'"one"\n"two"\n'))
    assert [text for _, _, text in _documents(reader)] == ["one", "two"]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_truncated_compressed_file_is_an_error(tmp_path: Path, compress: type) -> None:
    data: bytes = compress(b"some text " * 1000)
    with pytest.raises(CorpusError, match="broken or cut short"):
        _documents(_reader(tmp_path, "a.txt", data[:-6]))


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
    ],
)
def test_a_faulty_record_is_an_error_naming_its_place(tmp_path: Path, name: str, data: str, place: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _documents(_reader(tmp_path, name, data))
    assert str(caught.value.where) == place
    assert caught.value.remedy


@pytest.mark.parametrize(("name", "place"), [("a.jsonl", "a.jsonl, line 2"), ("a.json", "a.json")])
def test_a_record_too_large_for_memory_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    monkeypatch.setattr(corpus_module, "MAX_RECORD_BYTES", 10)
    with pytest.raises(CorpusError, match="in one piece") as caught:
        _documents(_reader(tmp_path, name, '"a"\n"bcdefghijkl"\n'))
    assert str(caught.value.where) == place


def test_a_file_that_vanished_is_an_error(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.txt", "text")
    (tmp_path / "a.txt").unlink()
    with pytest.raises(CorpusError, match="no such file"):
        _documents(reader)


def test_a_byte_order_mark_is_not_part_of_the_first_record(tmp_path: Path) -> None:
    assert _documents(_reader(tmp_path, "a.jsonl", b'\xef\xbb\xbf"one"\n"two"')) == [
        ("a.jsonl:line 1", None, "one"),
        ("a.jsonl:line 2", None, "two"),
    ]


def test_text_that_is_not_utf_8_is_replaced_and_told_by_file(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c/a.txt").write_bytes(b"na\xefve \xff")
    (tmp_path / "c/b.txt").write_bytes(b"fine")
    (tmp_path / "c/d.jsonl").write_bytes(b'"\xff"\n"\xfe"\n')
    reader = CorpusReader(find_sources("c", tmp_path).files, piece_size=4)
    assert [text for _, _, text in _documents(reader)] == ["na�ve �", "fine", "�", "�"]
    assert reader.notes == ("not UTF-8, replaced: 4 places in c/a.txt (2), c/d.jsonl (2)",)


def test_the_note_on_replaced_text_stays_short(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    for number in range(8):
        (tmp_path / f"c/{number}.txt").write_bytes(b"\xff")
    reader = CorpusReader(find_sources("c", tmp_path).files, piece_size=4)
    _documents(reader)
    assert reader.notes[0].endswith("c/4.txt (1) and 3 more files")


def test_clean_text_needs_no_note(tmp_path: Path) -> None:
    reader = _reader(tmp_path, "a.txt", "fine é �")
    _documents(reader)
    assert reader.notes == ()


def test_the_reader_counts_files_documents_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c/a.txt").write_bytes(gzip.compress(b"12345"))
    (tmp_path / "c/b.jsonl").write_bytes(b'"1"\n"2"\n')
    (tmp_path / "c/d.txt").write_bytes(b"")
    reader = CorpusReader(find_sources("c", tmp_path).files, piece_size=4)
    _documents(reader)
    assert (reader.files_done, reader.documents, reader.bytes_read) == (3, 4, 13)
