"""SECURITY.md claims nothing that no test holds."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
}
FILES = {path.name for path in (ROOT / "tests").rglob("*.py")}
ROWS = re.findall(r"^\| (?!Input|---)(.*) \|$", SECURITY, flags=re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(test_\w+)`", SECURITY))))
def test_a_test_that_the_threat_model_names_is_there(name: str) -> None:
    assert name in TESTS


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:tests/)?[\w/]+\.py)`", SECURITY))))
def test_a_file_of_tests_that_the_threat_model_names_is_there(name: str) -> None:
    assert (ROOT / name).exists() if "/" in name else name in FILES


@pytest.mark.parametrize("row", ROWS, ids=[row.partition(" |")[0] for row in ROWS])
def test_every_input_of_the_threat_model_has_a_test(row: str) -> None:
    assert re.search(r"`(?:test_\w+|tests/[\w/]+\.py)`", row.rpartition(" | ")[2])
