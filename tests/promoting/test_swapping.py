"""A folder that takes the place of another: whenever its process is killed, one of the two stands there, whole."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import WriteError
from gate.promoting import swapping
from gate.promoting.swapping import room_beside, swap

ROOT = Path(__file__).parent.parent.parent
WAYS = pytest.mark.parametrize("at_once", [True, False], ids=["exchanged", "renamed twice"])


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "main"
    folder.mkdir()
    (folder / "scores.csv").write_text("old", encoding="utf-8")
    return folder


def put(target: Path, text: str) -> None:
    with room_beside(target) as room:
        (room / "new").mkdir()
        (room / "new" / "scores.csv").write_text(text, encoding="utf-8")
        swap(room, target)


def killed(target: Path, moment: str, *, at_once: bool) -> None:
    """A process that puts a folder there, and is killed just before or just after it does so."""
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom gate.promoting import swapping\n"
        "from tests.promoting import test_swapping\n"
        f"if not {at_once}:\n    swapping._exchange = lambda *_: False\n"
        "def swap(*told):\n"
        f"    if {moment!r} == 'after':\n        swapping.swap(*told)\n"
        "    os.kill(os.getpid(), 9)\n"
        "test_swapping.swap = swap\ntest_swapping.put(Path(sys.argv[1]), 'new')\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", script, str(target)], env=environ, check=False)
    assert done.returncode == -signal.SIGKILL


def content(target: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in target.iterdir()}


@WAYS
def test_the_new_folder_stands_in_the_place_of_the_old_one(
    at_once: bool, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not at_once:
        monkeypatch.setattr(swapping, "_exchange", lambda *_: False)
    (target / "gone.csv").touch()
    put(target, "new")
    assert content(target) == {"scores.csv": "new"}
    assert list(target.parent.iterdir()) == [target]


def test_where_there_was_none_it_simply_stands_there(tmp_path: Path) -> None:
    put(tmp_path / "main", "new")
    assert content(tmp_path / "main") == {"scores.csv": "new"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges folders")
def test_where_the_system_can_there_is_no_moment_without_one(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "rename", None)
    put(target, "new")
    assert content(target) == {"scores.csv": "new"}


@pytest.mark.parametrize(("moment", "left"), [("before", "old"), ("after", "new")])
@WAYS
def test_a_killed_process_leaves_one_of_the_two_and_the_next_removes_the_rest(
    at_once: bool, moment: str, left: str, target: Path
) -> None:
    killed(target, moment, at_once=at_once)
    assert content(target) == {"scores.csv": left}
    (room,) = [path for path in target.parent.iterdir() if path != target]
    assert room.stat().st_mode & 0o777 == 0o700
    put(target, "newer")
    assert content(target) == {"scores.csv": "newer"}
    assert list(target.parent.iterdir()) == [target]


def test_an_old_folder_that_was_out_of_its_place_when_its_process_was_killed_comes_back(target: Path) -> None:
    room = target.parent / room_of(target)
    room.mkdir(mode=0o700)
    target.rename(room / "old")
    with room_beside(target):
        assert content(target) == {"scores.csv": "old"}
    assert list(target.parent.iterdir()) == [target]


def room_of(target: Path) -> str:
    with room_beside(target) as room:
        return room.name


def test_two_at_once_do_not_meet(target: Path) -> None:
    with room_beside(target), pytest.raises(WriteError) as caught, room_beside(target):
        pass
    assert caught.value.what == "another process puts a folder here at the moment"
    assert list(target.parent.iterdir()) == [target]


def test_a_link_in_the_place_of_the_room_is_not_followed(target: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "new").mkdir(parents=True)
    (target.parent / room_of(target)).symlink_to(precious)
    with pytest.raises(OSError, match="directory"), room_beside(target):
        pass
    assert (precious / "new").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_between_the_two_renamings_waits(
    number: signal.Signals, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StoppedError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StoppedError

    rename = Path.rename

    def rename_and_signal(self: Path, to: Path) -> Path:
        done = rename(self, to)
        if self == target:
            os.kill(os.getpid(), number)
        return done

    monkeypatch.setattr(swapping, "_exchange", lambda *_: False)
    monkeypatch.setattr(Path, "rename", rename_and_signal)
    before = signal.signal(number, stop)
    try:
        with pytest.raises(StoppedError):
            put(target, "new")
    finally:
        signal.signal(number, before)
    assert content(target) == {"scores.csv": "new"}
    assert list(target.parent.iterdir()) == [target]
