"""The JavaScript of the reports and pages computes what its own tests say, by node's own runner."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = sorted((ROOT / "tests" / "javascript").glob("*.test.mjs"))
SOURCES = sorted([*(ROOT / "gate").rglob("*.js"), *(ROOT / "studies").rglob("*.js")])


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_tests_of_the_modules_pass(path: Path) -> None:
    done = subprocess.run(["node", "--test", path], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_module_makes_markup_of_text_or_runs_text(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert word not in source
