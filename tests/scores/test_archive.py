"""Zip archives from strangers."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard

from gate import files
from gate.errors import ScoreFileError
from gate.scores import archive
from gate.scores.archive import open_archive
from gate.scores.content import open_score_file

Members = dict[str, bytes]


def zipped(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def zstandard_zipped(name: str, content: bytes) -> bytes:
    """An archive of one member by method 93, which Python writes from 3.14 on only."""
    packed, encoded = zstandard.ZstdCompressor().compress(content), name.encode()
    common = (63, 0, 93, 0, 33, zlib.crc32(content), len(packed), len(content), len(encoded), 0)
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", *common) + encoded
    central = struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 63, *common, 0, 0, 0, 0, 0) + encoded
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local) + len(packed), 0)
    return local + packed + central + end


def read(tmp_path: Path, content: bytes, name: str) -> bytes:
    path = tmp_path / "log"
    path.write_bytes(content)
    with open_archive(open_score_file(path, "log")) as opened:
        return opened.read(name)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_member_is_read_whole(tmp_path: Path, method: int) -> None:
    assert read(tmp_path, zipped({"a.json": b"{}", "b.json": b"[1]" * 1000}, method), "b.json") == b"[1]" * 1000


@pytest.mark.parametrize("content", [b"", b"{}", b"abc" * 100_000])
def test_a_zstandard_member_is_read_whole(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, zstandard_zipped("samples/1.json", content), "samples/1.json") == content


def test_names_are_told_without_folders(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(zipped({"samples/": b"", "samples/1.json": b"{}", "header.json": b"{}"}))
    with open_archive(open_score_file(path, "log")) as opened:
        assert opened.names == ("samples/1.json", "header.json")


def test_a_member_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match='no member "b"'):
        read(tmp_path, zipped({"a": b""}), "b")


@pytest.mark.parametrize("make", [lambda: zipped({"a": b"x" * 500}), lambda: zstandard_zipped("a", b"x" * 500)])
def test_a_flipped_bit_is_an_error_and_never_other_content(tmp_path: Path, make: Callable[[], bytes]) -> None:
    whole = make()
    chance = np.random.default_rng(0)
    for _ in range(60):
        broken = bytearray(whole)
        broken[int(chance.integers(4, len(broken)))] ^= 1 << int(chance.integers(8))
        try:
            content = read(tmp_path, bytes(broken), "a")
        except ScoreFileError:
            continue
        assert content == b"x" * 500


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_an_archive_cut_short_is_an_error(tmp_path: Path, share: float) -> None:
    whole = zipped({"a": np.random.default_rng(0).bytes(5000)})
    with pytest.raises(ScoreFileError, match="broken or cut short"):
        read(tmp_path, whole[: int(share * len(whole))], "a")


def test_an_encrypted_member_is_an_error(tmp_path: Path) -> None:
    content = bytearray(zipped({"a": b"secret"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ScoreFileError, match="the archive is encrypted"):
        read(tmp_path, bytes(content), "a")


def test_a_bomb_is_an_error_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BOMB_BYTES", 10_000)
    with pytest.raises(ScoreFileError, match="expands beyond all measure"):
        read(tmp_path, zipped({"a": bytes(1_000_000)}), "a")


def test_limits_on_members_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 1 << 20)
    with pytest.raises(ScoreFileError, match="the member is larger than 1 MB"):
        read(tmp_path, zipped({"a": bytes((1 << 20) + 1)}), "a")
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1)
    with pytest.raises(ScoreFileError, match="the archive has 2 members, more than 1"):
        read(tmp_path, zipped({"a": b"", "b": b""}), "a")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_later_counts_as_inspect_means_it(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a", b"1")
        file.writestr("a", b"2")
    assert read(tmp_path, buffer.getvalue(), "a") == b"2"


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_way_of_compression_that_no_log_has_is_refused_before_it_can_ask_for_memory(
    tmp_path: Path, method: int
) -> None:
    with pytest.raises(ScoreFileError, match="compressed in a way that no log is") as caught:
        read(tmp_path, zipped({"a": b"x" * 500}, method), "a")
    assert caught.value.where is not None
    assert caught.value.where.part == 'member "a"'


def test_a_member_whose_name_is_no_text_is_an_error_with_its_place(tmp_path: Path) -> None:
    whole = bytearray(zipped({"a": b"x" * 500}))
    whole[7] |= 0x08  # the local header now says that the name is UTF-8
    whole[30] = 0xFF
    with pytest.raises(ScoreFileError, match="the member is broken") as caught:
        read(tmp_path, bytes(whole), "a")
    assert caught.value.where is not None
    assert caught.value.where.part == 'member "a"'
