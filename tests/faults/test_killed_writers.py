import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gate.writing import write_atomically

KILLS = 80
SCRIPT = Path(__file__).with_name("killed_writers.py")


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("reports")
    command = [sys.executable, str(SCRIPT), str(folder), str(KILLS)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True, check=True
    )
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


def test_a_process_killed_at_any_moment_leaves_the_old_report_or_the_new_one(left: list[dict[str, Any]]) -> None:
    assert len(left) == KILLS
    assert all(each["whole"] for each in left)
    # the moments fell on both sides of a renaming, and within a writing
    assert {each["text"] for each in left} == {"a", "b"}
    assert any(len(each["files"]) > 1 for each in left)


def test_what_killed_processes_leave_behind_does_not_grow(left: list[dict[str, Any]]) -> None:
    seen = {name for each in left for name in each["files"]}
    assert len(seen) == 2
    assert max(len(each["files"]) for each in left) == 2


def test_the_next_report_takes_away_what_a_killed_process_left(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    write_atomically(report, "old")
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom gate.writing import write_atomically\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9)\nwrite_atomically(Path(sys.argv[1]), 'half' * 100)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, str(report)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert killed.returncode == -9
    assert len(list(tmp_path.iterdir())) == 2
    write_atomically(report, "new")
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [("report.md", "new")]


def test_two_that_write_one_report_at_the_same_time_both_succeed(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    script = (
        "import sys\nfrom pathlib import Path\nfrom gate.writing import write_atomically\n"
        "for _ in range(40):\n    write_atomically(Path(sys.argv[1]), sys.argv[2] * 50_000)\n"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(report), letter],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for letter in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert report.read_text(encoding="utf-8") in {letter * 50_000 for letter in "abc"}
    assert [file.name for file in tmp_path.iterdir()] == ["report.md"]


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "second name"])
def test_what_somebody_put_in_the_place_of_the_unfinished_report_is_left_alone(kind: str, tmp_path: Path) -> None:
    report, elsewhere = tmp_path / "new" / "report.md", tmp_path / "elsewhere"
    elsewhere.write_text("precious", encoding="utf-8")
    part = part_of(report)
    if kind == "link":
        part.symlink_to(elsewhere)
    elif kind == "pipe":
        os.mkfifo(part)
    elif kind == "folder":
        part.mkdir()
    else:
        os.link(elsewhere, part)
    write_atomically(report, "new")
    assert report.read_text(encoding="utf-8") == "new"
    assert elsewhere.read_text(encoding="utf-8") == "precious"
    assert sorted(file.name for file in report.parent.iterdir()) == sorted([part.name, report.name])


def part_of(report: Path) -> Path:
    """The name that an unfinished report has, as a process that is killed leaves it."""
    report.parent.mkdir()
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom gate.writing import write_atomically\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9)\nwrite_atomically(Path(sys.argv[1]), 'half')\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, str(report)], env=environ, check=False)
    (part,) = report.parent.iterdir()
    part.unlink()
    return part


def test_a_name_as_long_as_the_file_system_allows_can_be_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("r" * 252 + ".md"), "told")
    assert [file.read_text(encoding="utf-8") for file in tmp_path.iterdir()] == ["told"]
