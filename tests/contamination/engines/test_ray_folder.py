"""The folder of a Ray cluster of our own: held while anybody needs it, and cleared up by whoever comes next."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.contamination.engines.ray_folder import RayFolder, remove

WRITER = "import sys, time; log = open(sys.argv[1], 'w'); print('open', flush=True); time.sleep(60)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where such folders are made."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def _fill(own: RayFolder) -> None:
    (own.path / "session_1" / "logs").mkdir(parents=True)
    (own.path / "session_1" / "logs" / "raylet.out").write_text("a line")
    (own.path / "session_latest").symlink_to(own.path / "session_1")


def test_it_goes_away_with_the_one_who_made_it(folder: Path) -> None:
    with RayFolder() as own:
        _fill(own)
        assert list(folder.iterdir()) == [own.path]
    assert list(folder.iterdir()) == []


def test_one_that_is_in_use_is_left_alone(folder: Path) -> None:
    with RayFolder() as own:
        _fill(own)
        with RayFolder():
            assert len(list(folder.iterdir())) == 2
        assert list(folder.iterdir()) == [own.path]


def test_an_heir_holds_it_too(folder: Path) -> None:
    own = RayFolder()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[own.lock]) as heir:
        os.close(own.lock)
        with RayFolder():
            assert own.path.exists()
        heir.kill()
    with RayFolder():
        assert not own.path.exists()
    assert list(folder.iterdir()) == []


def test_what_is_no_folder_of_ours_is_left_alone(folder: Path) -> None:
    (folder / "gate-ray-notes").mkdir()
    (folder / "gate-ray-file").touch()
    with RayFolder():
        assert (folder / "gate-ray-notes").exists()
        assert (folder / "gate-ray-file").exists()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="sees in /proc who writes there")
def test_who_still_writes_there_is_ended_and_nobody_else(folder: Path) -> None:
    own = RayFolder()
    _fill(own)
    logs = [own.path / "session_1" / "logs" / "raylet.out", folder / "other.log"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(log)], stdout=subprocess.PIPE, text=True) for log in logs
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
        remove(own.path)
        assert writers[0].wait(10) < 0
        assert writers[1].poll() is None
        assert list(folder.iterdir()) == [folder / "other.log"]
    finally:
        os.close(own.lock)
        for writer in writers:
            writer.kill()
            writer.communicate()
