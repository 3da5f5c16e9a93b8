"""Whole workflows, run by act in repositories of git.

What would be fetched from GitHub is a folder of ours: the action, as a release has it, with the image that is tested;
and stand-ins for the actions that check out and keep files.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
ACT = shutil.which("act", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
RUNNER = "gate-runner:local"
STAND_INS = Path(__file__).parent / "stand_ins"
WORKFLOWS = Path(".github") / "workflows"
_AUTHOR = ("-c", "user.name=someone", "-c", "user.email=someone@localhost", "-c", "safe.directory=*")

needs_act = pytest.mark.skipif(ACT is None, reason="act is not installed")


@cache
def build_runner() -> str:
    """The image of the jobs."""
    file = (Path(__file__).parent / "runner.Dockerfile").read_bytes()
    subprocess.run(["docker", "build", "--quiet", "--tag", RUNNER, "-"], input=file, capture_output=True, check=True)
    return RUNNER


def act(folder: Path, arguments: list[str], home: Path, *, timeout: int = 300) -> "subprocess.CompletedProcess[str]":
    """Run act in a folder, with a home of its own: it would write its settings and its cache into the user's."""
    local = ["-P", f"ubuntu-latest={build_runner()}", "--pull=false", "--env-file", os.devnull]
    command = [ACT or "act", *arguments, *local, "--container-daemon-socket", "-"]
    env = os.environ | {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=timeout)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *_AUTHOR, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of git that holds an example as its own, with the workflows where GitHub looks for them."""

    folder: Path

    @classmethod
    def of(cls, example: Path, folder: Path) -> "Repository":
        shutil.copytree(example, folder)
        (folder / WORKFLOWS).mkdir(parents=True)
        for file in folder.glob("*workflow.yml"):
            file.rename(folder / WORKFLOWS / file.name)
        git(folder.parent, "init", "--quiet", "--initial-branch=main", str(folder))
        repository = cls(folder)
        repository.commit()
        return repository

    def commit(self, files: Mapping[str, str | None] | None = None, *, branch: str = "main") -> None:
        """Commit texts by name, None for a file that is deleted; a branch other than main begins there."""
        if branch != "main":
            git(self.folder, "switch", "--quiet", "--create", branch)
        for name, text in (files or {}).items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
        git(self.folder, "add", "--all")
        git(self.folder, "commit", "--quiet", "--allow-empty", "--message", "a change")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def check_out(self, branch: str, folder: Path, *, whole: bool = False) -> None:
        """A branch as actions/checkout brings it: one commit of it, or the whole history."""
        depth = [] if whole else ["--depth=1"]
        git(self.folder, "clone", "--quiet", *depth, f"--branch={branch}", f"file://{self.folder}", str(folder))


@dataclass(slots=True)
class StepOutcome:
    """How a step ended: ``success``, ``failure`` or ``skipped``; and what it left."""

    result: str = "skipped"
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended; its steps by job and name, and the folder of its artifacts."""

    exit_code: int
    steps: Mapping[tuple[str, str], StepOutcome]
    artifacts: Path
    log: str

    def step(self, job: str, name: str) -> StepOutcome:
        """The step; one that was never begun is skipped."""
        return self.steps.get((job, name), StepOutcome())


@dataclass(frozen=True, slots=True)
class LocalRunner:
    """Runs workflows with the image that is tested; everything of its own lies under ``base``."""

    image: str
    base: Path

    def run(self, repository: Repository, workflow: str, event: Mapping[str, Any]) -> RunOutcome:
        """Run a workflow of the commit that is checked out; ``event`` holds the event's payload by its name."""
        ((name, payload),) = event.items()
        folders = {folder: self.base / folder for folder in ("artifacts", "home")}
        for folder in folders.values():
            folder.mkdir(exist_ok=True)
        told = self.base / "event.json"
        told.write_text(json.dumps(payload), encoding="utf-8")
        mounts = f"-v {repository.folder}:/origin:ro -v {folders['artifacts']}:/artifacts"
        asked = [name, "-W", str(WORKFLOWS / workflow), "--eventpath", str(told), "--container-options", mounts]
        replaced = [word for pair in self._replaced() for word in ("--local-repository", pair)]
        done = act(repository.folder, [*asked, "--no-skip-checkout", "--json", *replaced], folders["home"])
        return RunOutcome(done.returncode, _steps_of(done.stdout), folders["artifacts"], done.stdout + done.stderr)

    def _replaced(self) -> Iterator[str]:
        yield f"OWNER/gate@v1={self._released_action()}"
        for stand_in in sorted(STAND_INS.iterdir()):
            yield f"actions/{stand_in.name}@v4={stand_in}"

    def _released_action(self) -> Path:
        """The action as a release leaves it: action.yml names an image, which nothing builds again."""
        folder = self.base / "action"
        if not folder.exists():
            shutil.copytree(ROOT / WORKFLOWS, folder / WORKFLOWS)
            described = (ROOT / "action.yml").read_text(encoding="utf-8")
            assert "  image: Dockerfile\n" in described
            released = described.replace("  image: Dockerfile\n", f"  image: docker://{self.image}\n")
            (folder / "action.yml").write_text(released, encoding="utf-8")
        return folder


def _steps_of(log: str) -> dict[tuple[str, str], StepOutcome]:
    """What act tells of each step, by job and step; a step inside a composite action is none of the workflow's."""
    steps: dict[tuple[str, str], StepOutcome] = {}
    for line in log.splitlines():
        entry = json.loads(line) if line.startswith("{") else {}
        if entry.get("stage") != "Main" or len(entry.get("stepID", ())) != 1:
            continue
        step = steps.setdefault((entry["jobID"], entry["step"]), StepOutcome())
        if entry.get("command") == "set-output":
            step.outputs[entry["name"]] = entry["arg"]
        elif entry.get("command") == "summary":
            step.summary += entry["content"]
        step.result = entry.get("stepResult", step.result)
    return steps
