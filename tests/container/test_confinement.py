"""The container where it may do little: no network at all, and less of everything else."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.container.conftest import give_to

Act = Callable[..., Any]
Folder = Callable[..., Path]

INPUTS = {"config": "gate.yml"}
STRANGER = 4242
RUNNER = 1001


@pytest.mark.parametrize(
    "docker",
    [
        ["--read-only", "--tmpfs", "/tmp"],  # noqa: S108  # inside the container
        ["--read-only"],
        ["--memory", "64m", "--memory-swap", "64m"],
        ["--security-opt", "no-new-privileges"],
        ["--cpus", "0.5", "--pids-limit", "20"],
        ["--cap-drop", "ALL", "--user", f"{RUNNER}:{RUNNER}"],
        ["--cap-drop", "ALL", "--cap-add", "DAC_OVERRIDE", "--cap-add", "CHOWN"],
        ["--shm-size", "64k"],
        ["--cpuset-cpus", "0", "--ulimit", "nofile=64:64"],
    ],
    ids=" ".join,
)
def test_it_judges_under(docker: Sequence[str], act: Act, new_workspace: Folder, example: Path) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, docker=docker)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert step.summary.startswith("## 🔴 BLOCK")
    assert (step.workspace / step.outputs["report-json"]).exists()


# what a base image without a distribution lacks
HIDDEN = ["/bin/sh", "/bin/bash", "/usr/bin/apt-get", "/usr/bin/dpkg", "/usr/bin/env", "/usr/bin/perl"]
WITHOUT_SHELL = [word for path in HIDDEN for word in ("--mount", f"type=bind,src=/dev/null,dst={path}")]
SHORT_OF_MEMORY = ["--memory", "64m", "--memory-swap", "64m"]
CONFINED = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "20"]
CONFINED += ["--shm-size", "64k", *SHORT_OF_MEMORY, *WITHOUT_SHELL]


@pytest.mark.parametrize("user", [RUNNER, STRANGER])
def test_it_judges_with_all_of_that_taken_away_at_once(
    user: int, act: Act, new_workspace: Folder, example: Path
) -> None:
    workspace = new_workspace(copied=[example])
    step = act(workspace, INPUTS, docker=[*CONFINED, "--user", f"{user}:{user}"], owner=user)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert step.summary.startswith("## 🔴 BLOCK")
    assert (step.workspace / step.outputs["report-json"]).exists()


@pytest.mark.parametrize("user", [RUNNER, STRANGER])
def test_the_command_line_judges_with_all_of_that_taken_away_at_once(
    user: int, image: str, new_workspace: Folder, example: Path
) -> None:
    workspace = new_workspace(copied=[example])
    give_to(user, workspace)
    command = ["docker", "run", "--rm", "--network", "none", *CONFINED, "--user", f"{user}:{user}"]
    command += ["--volume", f"{workspace}:/work", "--workdir", "/work", "--entrypoint", "/opt/gate/bin/gate", image]
    command += ["check", "--config", "gate.yml", "--report", "json:out/report.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads((workspace / "out" / "report.json").read_bytes())["verdict"]["word"] == "BLOCK"


def many_scores(rows: int) -> str:
    return "id,score\n" + "".join(f"item-{row},{row % 2}\n" for row in range(rows))


@pytest.mark.parametrize("user", [[], ["--cap-drop", "ALL", "--user", f"{RUNNER}:{RUNNER}"]], ids=["root", "another"])
def test_where_memory_is_so_short_that_the_kernel_kills_it_log_summary_and_outputs_say_so(
    user: Sequence[str], act: Act, new_workspace: Folder
) -> None:
    workspace = new_workspace({"a.csv": many_scores(200_000), "b.csv": many_scores(200_000)})
    step = act(workspace, {"baseline": "a.csv", "candidate": "b.csv"}, docker=[*SHORT_OF_MEMORY, *user])
    what = (
        "the gate was killed before it could decide; most likely memory ran out, of which the container may use 64 MB"
    )
    assert step.exit_code == 137
    assert step.outputs == {"verdict": "ERROR", "reason": what}
    assert f"ERROR: {what}" in step.summary
    assert "What to do: give the container or its machine more memory" in step.summary
    (command,) = step.commands
    assert command.name == "error"
    assert what in command.message


def test_where_nothing_is_left_to_tell_it_the_verdict_is_an_error_all_the_same(
    act: Act, new_workspace: Folder, example: Path
) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, docker=["--memory", "24m", "--memory-swap", "24m"])
    assert step.exit_code == 137
    assert step.outputs["verdict"] == "ERROR"


def test_without_shell_and_package_manager_it_judges_all_the_same(
    act: Act, new_workspace: Folder, example: Path
) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, docker=WITHOUT_SHELL)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")


def test_root_without_its_rights_over_files_is_told_what_it_needs(
    act: Act, new_workspace: Folder, example: Path
) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, docker=["--cap-drop", "ALL"])
    assert step.exit_code in {2, 3}
    assert "cannot be written" in step.log
    assert "Traceback" not in step.log


def test_a_report_dir_that_cannot_be_written_is_an_error_in_outputs_and_summary(
    act: Act, new_workspace: Folder, example: Path
) -> None:
    kept = ["--mount", f"type=bind,src={example},dst=/github/workspace/kept,readonly"]
    step = act(new_workspace(copied=[example]), {**INPUTS, "report-dir": "kept/reports"}, docker=kept)
    assert (step.exit_code, step.outputs["verdict"]) == (2, "ERROR")
    assert "kept/reports" in step.summary


@pytest.mark.parametrize("owner", [RUNNER, STRANGER, 0])
def test_what_it_writes_belongs_to_the_owner_of_the_workspace(
    owner: int, act: Act, new_workspace: Folder, example: Path
) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, owner=owner)
    theirs = (step.workspace.stat().st_uid, step.workspace.stat().st_gid)
    made = [path for path in step.workspace.rglob("*") if not (example / path.relative_to(step.workspace)).exists()]
    assert len(made) > 1
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {theirs}


def test_a_private_workspace_of_another_user_is_judged(act: Act, new_workspace: Folder, example: Path) -> None:
    workspace = new_workspace(copied=[example])
    workspace.chmod(0o700)
    step = act(workspace, INPUTS, owner=STRANGER)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")


@pytest.mark.parametrize(
    "env",
    [
        {"PATH": "/nowhere", "HOME": "/nowhere"},
        {"PATH": "", "HOME": ""},
        {"PYTHONPATH": "/github/workspace", "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "/nowhere"},
        {"LANG": "C", "LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii", "TERM": "dumb", "TMPDIR": "/nowhere"},
    ],
    ids=str,
)
def test_the_caller_s_environment_does_not_matter(
    env: dict[str, str], act: Act, new_workspace: Folder, example: Path
) -> None:
    step = act(new_workspace(copied=[example]), INPUTS, env=env)
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert "🔴" in step.summary


def test_code_in_the_workspace_is_never_run(act: Act, new_workspace: Folder, example: Path) -> None:
    names = ["gate/__init__.py", "gate/github/__main__.py", "numpy.py", "json.py", "sitecustomize.py", "site.py"]
    workspace = new_workspace(dict.fromkeys(names, "raise SystemExit('taken over')\n"), copied=[example])
    step = act(workspace, INPUTS, env={"PYTHONPATH": "/github/workspace"})
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert "taken over" not in step.log


def test_it_judges_in_a_working_directory_below_the_workspace(act: Act, new_workspace: Folder, example: Path) -> None:
    files = {f"evals/{path.name}": path.read_text(encoding="utf-8") for path in example.glob("run_*.csv")}
    inputs = {"working-directory": "evals", "baseline": "run_a.csv", "candidate": "run_a.csv"}
    step = act(new_workspace(files), inputs)
    assert (step.exit_code, step.outputs["verdict"]) == (0, "PASS")
