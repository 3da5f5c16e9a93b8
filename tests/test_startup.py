"""Starting is most of what a small check costs: it must load no library that it does not use."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

HEAVY = (
    *("yaml", "jinja2", "rich", "pyarrow", "httpx", "scipy", "zstandard", "sklearn", "pandas"),
    *("dulwich", "github", "requests", "urllib3", "fsspec", "ray"),
)
# Rooms of our own that few runs enter, and what numpy loads for some of its functions.
SELDOM = (
    *("gate.git", "gate.battles", "gate.contamination", "gate.github", "gate.planning", "gate.reports.html"),
    "numpy.ma",
)
_SCRIPT = """
import sys
from gate.cli import run
code = run(sys.argv[1:])
print("loaded", *sorted(sys.modules))
sys.exit(code)
"""


def loaded(arguments: Sequence[str], *, code: int = 0) -> set[str]:
    """The modules that a process has loaded once it has carried out the arguments."""
    done = subprocess.run([sys.executable, "-c", _SCRIPT, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return set(done.stdout.splitlines()[-1].split()[1:])


@pytest.fixture(scope="module")
def small(write_csv: Callable[..., str]) -> list[str]:
    baseline, candidate = write_csv("a.csv", [1.0] * 20), write_csv("b.csv", [1.0] * 20)
    return ["check", "--baseline", baseline, "--candidate", candidate, "--threshold", "0.5"]


@pytest.fixture(scope="module")
def by_small_check(small: list[str]) -> set[str]:
    return loaded(small)


@pytest.mark.parametrize("package", [*HEAVY, *SELDOM])
def test_a_check_of_two_small_files_does_not_load(package: str, by_small_check: set[str]) -> None:
    assert package not in by_small_check


def test_a_check_of_two_small_files_does_load_what_it_needs(by_small_check: set[str]) -> None:
    assert {"numpy", "pydantic", "click"} <= by_small_check


def test_the_json_report_needs_no_template_and_no_yaml(small: list[str], tmp_path: Path) -> None:
    assert {"jinja2", "yaml", "rich"}.isdisjoint(loaded([*small, "--report", f"json:{tmp_path / 'report.json'}"]))


def test_a_package_is_loaded_where_it_is_used(small: list[str], tmp_path: Path, example: Path) -> None:
    markdown = f"markdown:{tmp_path / 'report.md'}"
    assert "jinja2" in loaded([*small, "--report", markdown])
    assert "yaml" in loaded(["validate", str(example / "gate.yml")])
