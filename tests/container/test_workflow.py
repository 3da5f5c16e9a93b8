"""The workflow that uses the action as a user writes it, run here by act where that is installed."""

import os
import shutil
from pathlib import Path

import pytest

from tests.container.local_runner import ROOT, act, needs_act

NEEDED = ("action.yml", "Dockerfile", ".dockerignore", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
FOLDERS = (".github", "examples", "gate", "requirements")

pytestmark = [
    needs_act,
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


@pytest.mark.usefixtures("image")
def test_the_self_test_passes_on_a_runner(checkout: Path, tmp_path: Path) -> None:
    done = act(checkout, ["push", "-W", ".github/workflows/container.yml", "-j", "self-test"], tmp_path / "home")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Job succeeded" in done.stdout
