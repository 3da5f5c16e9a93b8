"""The workflow that uses the action as a user writes it, run here by act where that is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ACT = shutil.which("act", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
RUNNER = "gate-runner:local"
NEEDED = ("action.yml", "Dockerfile", ".dockerignore", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
FOLDERS = (".github", "examples", "gate", "requirements")

pytestmark = [
    pytest.mark.skipif(ACT is None, reason="act is not installed"),
    pytest.mark.skipif(bool(os.environ.get("GITHUB_ACTIONS")), reason="GitHub runs this workflow itself"),
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    for name in NEEDED:
        shutil.copy(ROOT / name, folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def runner() -> str:
    """The image of the jobs."""
    file = (Path(__file__).parent / "runner.Dockerfile").read_bytes()
    subprocess.run(["docker", "build", "--quiet", "--tag", RUNNER, "-"], input=file, capture_output=True, check=True)
    return RUNNER


@pytest.mark.usefixtures("image")
def test_the_self_test_passes_on_a_runner(checkout: Path, runner: str, tmp_path: Path) -> None:
    workflow = [ACT or "act", "push", "-W", ".github/workflows/container.yml", "-j", "self-test"]
    local = [
        "-P",
        f"ubuntu-latest={runner}",
        "--pull=false",
        "--env-file",
        os.devnull,
        "--container-daemon-socket",
        "-",
    ]
    # a home of its own: act would write its settings and its cache into the user's
    home = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [*workflow, *local],
        cwd=checkout,
        env=os.environ | home,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Job succeeded" in done.stdout
