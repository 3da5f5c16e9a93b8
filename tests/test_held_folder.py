"""Temporary folders: private, gone with their process, and removed by the next where that was killed; no others."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gate.held_folder import abandoned, temporary_folder

ROOT = Path(__file__).parent.parent
PREFIX = "gate-test-"


def leave_behind(parent: Path) -> Path:
    """What a process leaves that is killed while it uses one."""
    script = (
        "import os, sys\nfrom gate.held_folder import temporary_folder\n"
        "with temporary_folder('gate-test-', sys.argv[1]) as folder:\n"
        "    (folder / 'scores.csv').write_text('precious')\n    os.kill(os.getpid(), 9)\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script, str(parent)], env=environ, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = parent.iterdir()
    return left


def test_nobody_else_may_look_into_it_and_it_goes_away(tmp_path: Path) -> None:
    with temporary_folder(PREFIX, str(tmp_path)) as folder:
        (folder / "a").touch()
        assert list(folder.iterdir()) == [folder / "a"]
        (made,) = tmp_path.iterdir()
        assert made.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_private_and_removed_by_the_next(tmp_path: Path) -> None:
    left = leave_behind(tmp_path)
    assert left.stat().st_mode & 0o777 == 0o700
    with temporary_folder(PREFIX, str(tmp_path)):
        assert not left.exists()
    assert list(tmp_path.iterdir()) == []


def test_one_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    with temporary_folder(PREFIX, str(tmp_path)) as folder:
        (folder / "a").touch()
        with temporary_folder(PREFIX, str(tmp_path)):
            assert len(list(tmp_path.iterdir())) == 2
        assert (folder / "a").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_that_of_another_user_is_left_alone(tmp_path: Path) -> None:
    left = leave_behind(tmp_path)
    os.chown(left, 4242, 4242)
    assert list(abandoned(PREFIX, str(tmp_path))) == []


def test_what_a_link_of_such_a_name_leads_to_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "files").mkdir(parents=True)
    (precious / "owner").touch()
    (tmp_path / f"{PREFIX}link").symlink_to(precious)
    with temporary_folder(PREFIX, str(tmp_path)):
        assert (precious / "files").exists()


def test_a_folder_of_such_a_name_that_nobody_ever_held_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}notes").mkdir()
    (tmp_path / f"{PREFIX}file").touch()
    with temporary_folder(PREFIX, str(tmp_path)):
        assert (tmp_path / f"{PREFIX}notes").exists()
        assert (tmp_path / f"{PREFIX}file").exists()
