"""The page about ways to run the gate: its Python is run, and its names are the API."""

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
NAMES = re.findall(r"^\| `(gate\.[\w.]+)` \|", PAGE, flags=re.MULTILINE)


def find(name: str) -> Any:
    """A module, or what a module holds."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except AttributeError:
        return import_module(name)


def run_shown(folder: Path) -> "subprocess.CompletedProcess[str]":
    (shown,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    command = [sys.executable, "-W", "error", "-c", shown]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "pull-request", tmp_path / "example")
    return tmp_path / "example"


def test_the_python_of_the_page_judges_and_writes_a_report(example: Path) -> None:
    done = run_shown(example)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, *results = done.stdout.splitlines()
    assert verdict.startswith("BLOCK: the candidate is worse: delta -0.092")
    assert any(re.match(r"tickets regression fail \{.*'delta': -0\.09", line) for line in results)
    assert (example / "gate-report.md").read_text(encoding="utf-8").startswith("## 🔴 BLOCK")


def test_the_python_of_the_page_ends_with_what_is_wrong_where_nothing_can_be_judged(example: Path) -> None:
    (example / "results" / "main.csv").unlink()
    done = run_shown(example)
    assert done.returncode == 1
    assert done.stderr.startswith("ERROR: results/main.csv: ")
    assert "Traceback" not in done.stderr


def test_the_dictionary_of_the_page_is_a_sound_configuration() -> None:
    (shown,) = re.findall(r"^`validate_config\((\{.*\})\)`", PAGE, flags=re.MULTILINE)
    find("gate.config.validate_config")(eval(shown, {}))  # noqa: S307  # our own page


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_api_is_there_and_says_what_it_is(name: str) -> None:
    found = find(name)
    assert found.__doc__


def test_the_api_of_the_page_is_what_is_promised() -> None:
    promises = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("**The Python API**")[2]
    assert set(re.findall(r"`(gate\.[\w.]+)`", promises.partition("\n- ")[0])) == set(NAMES)
