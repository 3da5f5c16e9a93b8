"""Corpora in object stores: fsspec's own memory, and S3 as moto answers for it on this machine."""

import gzip
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import parquet, table

from gate.contamination.shards import Fields, ShardReader, plan_shards
from gate.contamination.sources import find_sources
from gate.contamination.stores import list_files, url_name
from gate.errors import CorpusError
from gate.files import is_url

LINES = b"".join(json.dumps({"text": f"line {number} é"}, ensure_ascii=False).encode() + b"\n" for number in range(500))


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["memory", "s3"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty store of each kind: its file system, with a bucket named ``bucket``."""
    if request.param == "s3":
        settings = {
            "AWS_ENDPOINT_URL": request.getfixturevalue("s3_address"),
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_CONFIG_FILE": "none",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
    system = fsspec.filesystem(request.param)
    system.mkdir("/bucket" if request.param == "memory" else "bucket")
    yield system
    system.rm("/bucket" if request.param == "memory" else "bucket", recursive=True)


def _put(store: Any, name: str, data: bytes) -> str:
    url = f"{_root(store)}/{name}"
    store.pipe_file(url, data)
    return url


def _root(store: Any) -> str:
    return "s3://bucket" if store.protocol != "memory" else "memory:///bucket"


def _texts(url: str, shard_bytes: int = 64 << 20) -> list[str | None]:
    shards = plan_shards(find_sources(url), shard_bytes=shard_bytes)
    return [document.text for shard in shards for document in ShardReader(shard, Fields())]


def test_a_folder_is_read_with_its_folders_in_order_and_what_is_left_out_is_told(store: Any) -> None:
    for name in ("c/b.txt", "c/a/z.jsonl", "c/.hidden.txt", "c/.git/x.txt", "c/x.pdf", "elsewhere.txt"):
        _put(store, name, b'"text"')
    root = _root(store)
    for given in (f"{root}/c", f"{root}/c/"):
        sources = find_sources(given)
        assert [file.name for file in sources.files] == [f"{root}/c/a/z.jsonl", f"{root}/c/b.txt"]
        assert sources.left_out == frozenset({f"{root}/c/x.pdf"})


def test_a_pattern_and_a_name_stand_for_their_files_each_once(store: Any) -> None:
    urls = [_put(store, name, b"text") for name in ("c/a.txt", "c/b.txt", "c/d.jsonl")]
    root = _root(store)
    assert [file.path for file in find_sources([f"{root}/c/*.txt", urls[2], urls[0]]).files] == urls


def test_lines_are_read_in_shards_of_any_size(store: Any) -> None:
    url = _put(store, "a.jsonl", LINES)
    expected = [f"line {number} é" for number in range(500)]
    assert [_texts(url, size) for size in (700, 5000, len(LINES))] == [expected] * 3


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"some text"),
        ("a.txt.gz", gzip.compress(b"some text")),
        ("a.json", b'["some text"]'),
        ("a.csv", b"text\nsome text\n"),
    ],
    ids=["text", "gzip", "json", "csv"],
)
def test_files_of_every_kind_are_read(store: Any, name: str, data: bytes) -> None:
    assert _texts(_put(store, name, data)) == ["some text"]


def test_row_groups_of_parquet_are_read(store: Any, tmp_path: Path) -> None:
    rows = table({"text": [f"row {number}" for number in range(50)]})
    parquet.write_table(rows, tmp_path / "a.parquet", row_group_size=7)
    url = _put(store, "a.parquet", (tmp_path / "a.parquet").read_bytes())
    assert _texts(url, 1) == [f"row {number}" for number in range(50)]


def test_a_truncated_file_in_a_store_is_an_error_that_names_it(store: Any) -> None:
    url = _put(store, "a.jsonl.gz", gzip.compress(LINES)[:-9])
    with pytest.raises(CorpusError, match="broken or cut short") as caught:
        _texts(url)
    assert str(caught.value.where) == url


def test_a_file_that_changed_since_the_plan_is_an_error(store: Any) -> None:
    url = _put(store, "a.jsonl", b'"one"\n')
    (shard,) = plan_shards(find_sources(url))
    _put(store, "a.jsonl", b'"two"\n')
    with pytest.raises(CorpusError, match="has changed"):
        list(ShardReader(shard, Fields()))


def test_the_key_of_a_shard_holds_while_the_file_does(store: Any) -> None:
    url = _put(store, "a.jsonl", b'"one"\n')
    keys = {shard.key for _ in range(2) for shard in plan_shards(find_sources(url))}
    _put(store, "a.jsonl", b'"two"\n')
    assert len(keys) == 1
    assert keys.isdisjoint(shard.key for shard in plan_shards(find_sources(url)))


@pytest.mark.parametrize("name", ["no.txt", "no/folder"])
def test_what_is_not_in_the_store_is_an_error(store: Any, name: str) -> None:
    url = f"{_root(store)}/{name}"
    with pytest.raises(CorpusError, match="no such file or folder in the store") as caught:
        find_sources(url)
    assert str(caught.value.where) == url


def test_a_named_file_with_another_ending_is_an_error(store: Any) -> None:
    with pytest.raises(CorpusError, match="ending"):
        find_sources(_put(store, "a.pdf", b"text"))


def test_hidden_files_are_left_out_of_patterns(store: Any) -> None:
    for name in ("c/a.txt", "c/.b.txt", ".d/a.txt"):
        _put(store, name, b"text")
    assert [file.name for file in find_sources(f"{_root(store)}/*/*.txt").files] == [f"{_root(store)}/c/a.txt"]


def test_two_ways_to_write_an_address_are_one_file(store: Any) -> None:
    url = _put(store, "c/a.txt", b"text")
    other = url.replace(":///", "://") if ":///" in url else url.replace("s3://", "s3a://")
    assert len(find_sources([url, other]).files) == 1


def test_a_pattern_that_matches_nothing_is_an_error(store: Any) -> None:
    with pytest.raises(CorpusError, match="no file here"):
        find_sources(f"{_root(store)}/*.txt")


@pytest.mark.parametrize("url", ["nosuchstore://a/b.txt", "gs://bucket/a.txt"])
def test_a_store_without_a_client_is_an_error_with_a_remedy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(CorpusError, match=r"cannot be read|is not installed") as caught:
        find_sources(url)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "url",
    [
        "zip://a.jsonl::s3://me:secret@bucket/a.zip",
        "zip://*.jsonl::file:///a.zip",
        "simplecache::s3://bucket/a.jsonl",
        "filecache::zip://a.jsonl::s3://bucket/a.zip",
        "zip://a.zip",
        "TAR://a.tar",
        "s3://bucket/a::b.txt",
    ],
)
def test_an_address_within_another_one_is_refused_with_a_remedy(url: str) -> None:
    with pytest.raises(CorpusError, match="an address within another one") as caught:
        find_sources(url)
    assert "unpack an archive first" in caught.value.remedy
    assert "secret" not in str(caught.value)


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(CorpusError, match="needs fsspec") as caught:
        list_files("s3://bucket/a.txt")
    assert "gate[object-stores]" in caught.value.remedy


def test_a_password_or_a_signature_in_a_url_is_never_told() -> None:
    assert url_name("sftp://me:secret@host/a.txt") == "sftp://***@host/a.txt"
    assert url_name("https://host/a.txt?sig=secret") == "https://host/a.txt"
    assert url_name("abfs://container@account/a.txt") == "abfs://container@account/a.txt"


def test_a_path_of_this_machine_is_no_url() -> None:
    given = ["a.txt", "/a/b", "c:/a.txt", "a//b", "./s3:/x", "a::b/c.txt", "s3://a", "memory://a", "filecache::s3://a"]
    assert [is_url(path) for path in given] == [False] * 6 + [True] * 3
