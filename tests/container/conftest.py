"""Starts the image as GitHub's hosted runner starts a container action: arguments, mounts, environment and owners."""

import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
import yaml

from tests.runner import Command, obey, read_outputs

ROOT = Path(__file__).parent.parent.parent
RUNNER_UID = 1001
FILE_COMMANDS = {
    "GITHUB_PATH": "add_path",
    "GITHUB_ENV": "set_env",
    "GITHUB_STEP_SUMMARY": "step_summary",
    "GITHUB_STATE": "save_state",
    "GITHUB_OUTPUT": "set_output",
}
_FOLDERS = {
    "_github_home": "/github/home",
    "_github_workflow": "/github/workflow",
    "_runner_file_commands": "/github/file_commands",
}
_DOCKER_RUN = ("run", "--rm", "--workdir", "/github/workspace")
_JOB_TOKEN = "${{ github.token }}"  # noqa: S105  # what action.yml says, and only the server can fill in
ENVIRONMENT = {
    "HOME": "/github/home",
    "CI": "true",
    "GITHUB_ACTION": "__self",
    "GITHUB_ACTIONS": "true",
    "GITHUB_ACTOR": "someone",
    "GITHUB_API_URL": "https://api.github.com",
    "GITHUB_BASE_REF": "",
    "GITHUB_EVENT_NAME": "push",
    "GITHUB_EVENT_PATH": "/github/workflow/event.json",
    "GITHUB_HEAD_REF": "",
    "GITHUB_JOB": "evals",
    "GITHUB_REF": "refs/heads/main",
    "GITHUB_REF_NAME": "main",
    "GITHUB_REPOSITORY": "owner/repository",
    "GITHUB_REPOSITORY_OWNER": "owner",
    "GITHUB_RUN_ATTEMPT": "1",
    "GITHUB_RUN_ID": "1",
    "GITHUB_RUN_NUMBER": "1",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_SHA": "0" * 40,
    "GITHUB_WORKFLOW": "evals",
    "GITHUB_WORKSPACE": "/github/workspace",
    "RUNNER_ARCH": "X64",
    "RUNNER_ENVIRONMENT": "github-hosted",
    "RUNNER_NAME": "local",
    "RUNNER_OS": "Linux",
    "RUNNER_TEMP": "/github/runner_temp",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step leaves behind; ``outputs`` as the runner reads them."""

    exit_code: int
    log: str
    summary: str
    outputs: dict[str, str]
    workspace: Path

    @property
    def commands(self) -> list[Command]:
        return obey(self.log)


Act = Callable[..., Outcome]


def give_to(uid: int, folder: Path) -> None:
    """Let a user own a folder and all in it; who is not root keeps it, as a runner keeps what it checked out."""
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, uid, uid)


def inputs_given(inputs: Mapping[str, str]) -> dict[str, str]:
    """Every input of action.yml, with its default where none is given, but no token: spaces become _, dashes stay."""
    described = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert inputs.keys() <= described.keys(), "the runner warns of unknown inputs"
    values = {name: str(entry.get("default", "")).replace(_JOB_TOKEN, "") for name, entry in described.items()}
    values.update(inputs)
    return {f"INPUT_{name.replace(' ', '_').upper()}": value for name, value in values.items()}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not os.environ.get("GATE_IMAGE"):
        skip = pytest.mark.skip(reason="GATE_IMAGE names no image: `make container` builds one and runs these tests")
        for item in items:
            if "image" in getattr(item, "fixturenames", ()):
                item.add_marker(skip)


@pytest.fixture(scope="session")
def image() -> str:
    return os.environ["GATE_IMAGE"]


@pytest.fixture(scope="session")
def docker(image: str) -> Callable[..., str]:
    """Runs docker and returns what it prints; ``IMAGE`` stands for the image."""

    def run(*args: str) -> str:
        command = ["docker", *(image if arg == "IMAGE" else arg for arg in args)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session")
def new_workspace(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a workspace of files by name, of folders copied, or both."""
    base, numbers = tmp_path_factory.mktemp("workspaces"), count()

    def make(files: Mapping[str, str] | None = None, *, copied: Sequence[Path] = ()) -> Path:
        workspace = base / str(next(numbers))
        workspace.mkdir()
        for folder in copied:
            shutil.copytree(folder, workspace, dirs_exist_ok=True)
        for name, text in (files or {}).items():
            path = workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        return workspace

    return make


@pytest.fixture(scope="session")
def act(image: str, tmp_path_factory: pytest.TempPathFactory) -> Act:
    """Runs the action on a workspace; ``docker`` holds more arguments of ``docker run``, ``env`` more environment.

    ``owner`` has the workspace; the runner's own files are the runner's, or those of the user whom ``docker`` names.
    """

    def run(
        workspace: Path,
        inputs: Mapping[str, str],
        *,
        docker: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        owner: int = RUNNER_UID,
        network: str = "none",
    ) -> Outcome:
        temp = tmp_path_factory.mktemp("runner")
        written = _prepare(temp)
        give_to(_user_of(docker), temp)
        give_to(owner, workspace)
        inside = {name: f"/github/file_commands/{path.name}" for name, path in written.items()}
        environment = ENVIRONMENT | inside | inputs_given(inputs) | dict(env or {})
        # by name only, as the runner does it: docker takes the values from its own environment
        names = [word for name in environment for word in ("-e", name)]
        mounts = [f"{folder}:{place}" for folder, place in _mounts(temp, workspace).items()]
        volumes = [word for mount in mounts for word in ("-v", mount)]
        command = [*_DOCKER_RUN, "--network", network, *docker, *names, *volumes, image]
        done = _run([_found("docker"), *command], _docker_environment() | environment)
        return Outcome(
            exit_code=done.returncode,
            log=done.stdout.decode(errors="replace"),
            summary=written["GITHUB_STEP_SUMMARY"].read_bytes().decode(),
            outputs=read_outputs(written["GITHUB_OUTPUT"].read_bytes().decode()),
            workspace=workspace,
        )

    return run


def _user_of(docker: Sequence[str]) -> int:
    return int(docker[docker.index("--user") + 1].partition(":")[0]) if "--user" in docker else RUNNER_UID


def _prepare(temp: Path) -> dict[str, Path]:
    """The runner's folders, and its files for summary, outputs and the like, which exist and are empty."""
    for folder in _FOLDERS:
        (temp / folder).mkdir()
    (temp / "_github_workflow" / "event.json").write_text("{}", encoding="utf-8")
    key = uuid.uuid4()
    written = {name: temp / "_runner_file_commands" / f"{kind}_{key}" for name, kind in FILE_COMMANDS.items()}
    for path in written.values():
        path.touch()
    return written


def _mounts(temp: Path, workspace: Path) -> dict[Path, str]:
    return {temp: "/github/runner_temp", workspace: "/github/workspace"} | {
        temp / folder: place for folder, place in _FOLDERS.items()
    }


def _docker_environment() -> dict[str, str]:
    """What the client itself needs, though HOME is the step's."""
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("DOCKER_")}
    return {"DOCKER_CONFIG": str(Path.home() / ".docker")} | kept


def _found(program: str) -> str:
    path = shutil.which(program)
    assert path, f"{program} is not on the PATH"
    return path


def _run(command: list[str], env: Mapping[str, str]) -> "subprocess.CompletedProcess[bytes]":
    """Output and errors are one stream, as the runner reads it."""
    return subprocess.run(command, env=env, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
