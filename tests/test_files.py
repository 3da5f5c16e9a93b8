import gzip
import hashlib
import os
import pty
import re
import stat
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import ConfigError, Place, ScoreFileError, WriteError
from gate.files import open_bytes, sha256_of
from gate.writing import write_atomically

TEXT = b"id,score\nq1,1\n" * 5000
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda raw: raw,
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def unpacked(path: Path) -> bytes:
    with open_bytes(path) as file:
        return file.read()


@pytest.mark.parametrize("packer", PACKERS)
def test_a_file_is_read_however_it_is_packed_and_named(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(PACKERS[packer](TEXT))
    assert unpacked(path) == TEXT


@pytest.mark.parametrize("packer", PACKERS)
def test_lines_can_be_iterated(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "scores"
    path.write_bytes(PACKERS[packer](TEXT))
    with open_bytes(path) as file:
        assert sum(1 for _ in file) == 10_000


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_several_streams_in_one_file_are_read_as_one(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "scores"
    path.write_bytes(b"".join(map(PACKERS[packer], (b"one\n", b"", b"two\n"))))
    assert unpacked(path) == b"one\ntwo\n"


@pytest.mark.parametrize("packer", PACKERS)
@settings(deadline=None, max_examples=30)
@given(raw=st.binary(max_size=2000))
def test_unpacking_gives_back_what_was_packed(
    packer: str, raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "packed"
    path.write_bytes(PACKERS[packer](raw + b"."))
    plain_looks_packed = packer == "plain" and raw[:2] in (b"\x1f\x8b", b"\x28\xb5")
    assert plain_looks_packed or unpacked(path) == raw + b"."


def test_an_empty_file_reads_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    assert unpacked(path) == b""


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
@pytest.mark.parametrize("kept", [0.5, 0.99])
def test_a_truncated_stream_is_an_error(packer: str, kept: float, tmp_path: Path) -> None:
    packed = PACKERS[packer](os.urandom(5000))
    path = tmp_path / "cut"
    path.write_bytes(packed[: int(kept * len(packed))])
    with pytest.raises(ScoreFileError, match="broken or cut short") as caught:
        unpacked(path)
    assert caught.value.where == Place(str(path))


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_a_damaged_stream_is_an_error(packer: str, tmp_path: Path) -> None:
    packed = bytearray(PACKERS[packer](os.urandom(5000)))
    packed[5:9] = b"\xff\xff\xff\xff"
    packed[2000:2050] = bytes(50)
    path = tmp_path / "damaged"
    path.write_bytes(packed)
    with pytest.raises(ScoreFileError, match="broken or cut short"):
        unpacked(path)


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_a_file_that_expands_beyond_all_measure_is_an_error(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(PACKERS[packer](bytes(101_000_000)))
    with pytest.raises(ScoreFileError, match="expands beyond all measure") as caught:
        unpacked(path)
    assert caught.value.where == Place(str(path))
    assert "unpack it" in caught.value.remedy


def test_the_start_of_a_bomb_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    packer, block = zstandard.ZstdCompressor().compressobj(), bytes(1 << 24)
    path.write_bytes(b"".join([*(packer.compress(block) for _ in range(40)), packer.flush()]))
    tracemalloc.start()
    with open_bytes(path) as file:
        file.read(1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000_000


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_a_large_file_that_shrinks_as_text_does_is_read(packer: str, tmp_path: Path) -> None:
    path = tmp_path / "large"
    block = os.urandom(10_000).hex().encode()
    path.write_bytes(PACKERS[packer](block) + PACKERS[packer](block * 50) * 120)
    with open_bytes(path) as file:
        assert sum(len(chunk) for chunk in iter(lambda: file.read(1 << 20), b"")) == len(block) * 6001


def test_bytes_after_a_gzip_stream_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "more"
    path.write_bytes(gzip.compress(b"x") + b"junk")
    with pytest.raises(ScoreFileError, match="broken or cut short"):
        unpacked(path)


def test_a_missing_file_is_an_error_of_the_kind_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"), open_bytes(tmp_path / "gate.yml", error=ConfigError):
        pass


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match="a directory, not a file"):
        unpacked(tmp_path)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_an_error_and_is_not_read(device: str) -> None:
    with pytest.raises(ScoreFileError, match="not a regular file"):
        unpacked(Path(device))


def test_a_named_pipe_is_an_error_and_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ScoreFileError, match="not a regular file"):
        unpacked(pipe)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a\0b", "no path can be written like this"),
        ("x" * 300, "File name too long"),
        ("scores.csv/x", "Not a directory"),
    ],
)
def test_an_impossible_path_is_an_error_that_gives_the_reason(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").touch()
    with pytest.raises(ScoreFileError, match=f"the path cannot be read: {reason}"):
        unpacked(tmp_path / name)


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_bytes(TEXT)
    link = tmp_path / "latest.csv"
    link.symlink_to("run.csv")
    assert unpacked(link) == TEXT


def test_a_file_is_known_by_the_digest_of_its_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(TEXT))
    assert sha256_of(path) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_report_is_written_as_utf_8_into_folders_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "report.md"
    write_atomically(path, "größer\n")
    assert path.read_bytes() == "größer\n".encode()


def test_everybody_may_read_a_report(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    write_atomically(path, "x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_an_old_report_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("an older and longer report", encoding="utf-8")
    write_atomically(path, "new")
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [("report.md", "new")]


def test_a_reader_that_has_the_old_report_open_keeps_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("old", encoding="utf-8")
    with path.open(encoding="utf-8") as reader:
        write_atomically(path, "new")
        assert reader.read() == "old"


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "store" / "report.md", tmp_path / "report.md"
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


def test_a_device_is_written_to_and_stays_a_device() -> None:
    master, slave = pty.openpty()
    try:
        write_atomically(Path(os.ttyname(slave)), "told")
        assert os.read(master, 100) == b"told"
    finally:
        os.close(master)
        os.close(slave)


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_atomically(pipe, "told")
    reader.join()
    assert heard == ["told"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("folder", "Is a directory"),
        ("file/report.md", "Not a directory|File exists"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_an_error_that_names_it(path: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=f"the file cannot be written: ({reason})") as caught:
        write_atomically(tmp_path / path, "x")
    assert caught.value.where == Place(str(tmp_path / path))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_breaks_off_leaves_the_old_report_and_nothing_beside_it(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(_descriptor: int) -> None:
        raise error

    path = tmp_path / "report.md"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", break_off)
    with pytest.raises(WriteError if isinstance(error, OSError) else KeyboardInterrupt):
        write_atomically(path, "new")
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [("report.md", "old")]


def test_a_write_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=re.escape("name a folder that this user may write to")):
        write_atomically(tmp_path, "x")
