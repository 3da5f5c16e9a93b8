"""The gate where something is missing that is usually there: room on the disk, rights, a home, a temporary folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.conftest import Sandbox

GATE = (sys.executable, "-m", "gate")
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "worked-example"


def environment(**changed: str | None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "COVERAGE_"))}
    merged = {**kept, "PYTHONPATH": os.pathsep.join(sys.path), **changed}
    return {name: value for name, value in merged.items() if value is not None}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    shutil.copytree(EXAMPLE, folder)
    return folder


def gate(
    folder: Path, *arguments: str, before: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*before, *GATE, *arguments],
        cwd=folder,
        env=environment() if env is None else dict(env),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def confined() -> list[str]:
    """The words before a script that may mount what it likes, for itself alone."""
    words = ["unshare", "--mount", "bash", "-c"]
    able = os.geteuid() == 0 and shutil.which("unshare") is not None
    if not able or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may take folders away for one process")
    return words


# a disk that is full, a folder that may not be written


def test_a_file_that_may_not_grow_is_an_error_that_names_it_and_leaves_no_half(workspace: Path) -> None:
    limited = 'ulimit -f 8; exec "$@"'
    done = gate(
        workspace, "check", "--config=gate.yml", "--report=json:out/r.json", "--report=html:out/r.html",
        before=["bash", "-c", limited, "bash"],
    )  # fmt: skip
    assert done.returncode == 2
    assert "ERROR: out/r.json: the file cannot be written: File too large\n  remedy: name a folder" in done.stderr
    # the report of the error is small enough
    assert json.loads((workspace / "out" / "r.json").read_text("utf-8"))["verdict"]["word"] == "ERROR"
    assert sorted(file.name for file in (workspace / "out").iterdir()) == ["r.json"]


@pytest.fixture
def full(workspace: Path) -> Iterator[Path]:
    """A disk of 16 kB."""
    folder = workspace / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_on_a_full_disk_no_report_keeps_a_verdict(full: Path, workspace: Path) -> None:
    reports = ["--report=json:disk/r.json", "--report=markdown:disk/r.md"]
    done = gate(workspace, "check", "--config=gate.yml", *reports)
    assert done.returncode == 2
    assert "ERROR: disk/r.md: the file cannot be written: No space left on device" in done.stderr
    assert {file.name for file in full.iterdir()} <= {"r.json", "r.md"}
    assert json.loads((full / "r.json").read_text("utf-8"))["verdict"]["word"] == "ERROR"


def test_a_folder_that_may_only_be_read_is_an_error_that_names_it(workspace: Path, confined: list[str]) -> None:
    script = 'mount --bind . . && mount -o remount,ro,bind "$PWD" && cd "$PWD" && exec "$@"'
    done = gate(workspace, "check", "--config=gate.yml", "--report=json:r.json", before=[*confined, script, "bash"])
    assert done.returncode == 2
    assert "ERROR: r.json: the file cannot be written: Read-only file system" in done.stderr


# a reader that goes away


COMMANDS = {
    "check": ["check", "--config=gate.yml"],
    "check, JSON": ["check", "--config=gate.yml", "--report=json:-"],
    "validate": ["validate", "gate.yml"],
    "explain": ["explain", "drift"],
    "show": ["show", "run_a.csv"],
    "power": ["power", "run_a.csv"],
    "selfcheck": ["selfcheck", "run_a.csv", "--runs=20"],
    "pass-at-k": ["pass-at-k", "--n=10", "--c=3"],
    "arena": ["arena", "battles.csv"],
    "init": ["init", "run_a.csv", "--force"],
    "scan": ["scan", "--items=questions.jsonl", "--corpus=corpus", "--out=scan.json"],
    "history add": ["history", "add", "report.json", "--to=history.jsonl"],
    "history show": ["history", "show", "known.jsonl"],
    "promote": ["promote", "run_b.csv", "promoted.csv", "--report=report.json", "--force", "--reason=known"],
    "completion": ["completion", "bash"],
    "help": ["--help"],
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command has what it needs."""
    folder = tmp_path_factory.mktemp("prepared") / "workspace"
    shutil.copytree(EXAMPLE, folder)
    battles = "question_id,model_a,model_b,winner\n1,x,y,model_a\n2,x,y,model_b\n3,y,x,tie\n4,x,y,model_a\n"
    (folder / "battles.csv").write_text(battles, "utf-8")
    assert gate(folder, "check", "--config=gate.yml", "--report=json:report.json").returncode == 1
    assert gate(folder, "history", "add", "report.json", "--to=known.jsonl").returncode == 0
    return folder


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_a_reader_that_has_gone_changes_no_exit_code(command: list[str], prepared: Path, tmp_path: Path) -> None:
    codes = {}
    for name in ("heard", "unheard"):
        folder = tmp_path / name
        shutil.copytree(prepared, folder)
        reading, writing = os.pipe()
        if name == "unheard":
            os.close(reading)
        done = subprocess.run(
            [*GATE, *command], cwd=folder, env=environment(), stdout=writing, stderr=subprocess.PIPE, text=True,
            check=False,
        )  # fmt: skip
        os.close(writing)
        assert done.stderr == "" or command[0] == "scan", done.stderr
        codes[name] = done.returncode
    assert codes["unheard"] == codes["heard"]
    assert codes["heard"] in (0, 1)


# an odd environment


@pytest.mark.parametrize(
    "changed",
    [
        {"HOME": None},
        {"HOME": "/nowhere", "XDG_CACHE_HOME": "/nowhere"},
        {"TMPDIR": None, "TMP": None, "TEMP": None},
        {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
        {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"TZ": "Nowhere/At_All"},
        {"PATH": "/nowhere"},
    ],
    ids=str,
)
def test_the_environment_does_not_matter(changed: dict[str, str | None], workspace: Path) -> None:
    done = gate(workspace, "check", "--config=gate.yml", "--report=markdown:r.md", env=environment(**changed))
    assert (done.returncode, done.stderr) == (1, "")
    assert (workspace / "r.md").read_text("utf-8").startswith("## 🔴 BLOCK")


@pytest.mark.skipif(shutil.which("taskset") is None, reason="there is no taskset")
def test_one_core_is_enough(workspace: Path) -> None:
    assert gate(workspace, "check", "--config=gate.yml", "-q", before=["taskset", "-c", "0"]).returncode == 1


def test_without_shared_memory_a_baseline_in_git_is_read(sandbox: Sandbox, confined: list[str]) -> None:
    sandbox.commit(**{"a.csv": "id,score\n" + "".join(f"i{row},1\n" for row in range(20))})
    script = 'mount --bind /sys /dev/shm; exec "$@"'
    arguments = ["check", "--baseline=git:main:a.csv", "--candidate=a.csv", "-q"]
    done = gate(sandbox.root, *arguments, before=[*confined, script, "bash"])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(Path(sys.prefix).is_relative_to("/tmp"), reason="this Python lies in what is hidden")  # noqa: S108
def test_without_a_temporary_folder_a_baseline_in_git_is_read_in_shared_memory(
    sandbox: Sandbox, confined: list[str]
) -> None:
    sandbox.commit(**{"a.csv": "id,score\n" + "".join(f"i{row},1\n" for row in range(20))})
    environ = environment(TMPDIR="/nowhere", TMP="/nowhere", TEMP="/nowhere")
    hidden = "for each in /tmp /var/tmp /usr/tmp; do [ -d $each ] && mount --bind /sys $each; done"
    script = f'mount --bind "$PWD" /mnt; {hidden}; cd /mnt; exec "$@"'
    arguments = ["check", "--baseline=git:main:a.csv", "--candidate=a.csv", "-q"]
    done = gate(sandbox.root, *arguments, before=[*confined, script, "bash"], env=environ)
    assert (done.returncode, done.stderr) == (0, "")
