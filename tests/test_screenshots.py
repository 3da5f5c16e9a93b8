"""What `make screenshots` needs beside the browser: pinned tools without addresses, runs that have a summary."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "screenshots"
PICTURES = (TOOL / "pictures.py").read_text(encoding="utf-8")
FOLDERS = {form: re.findall(rf'partial\({form}, "([^"]+)"', PICTURES) for form in ("summary", "page", "comment")}
FIGURES = re.findall(r'partial\(figure, "([^"]+)"', PICTURES)


def test_the_style_sheet_is_pinned_by_its_digest_and_by_no_address() -> None:
    lock = json.loads((TOOL / "package-lock.json").read_text(encoding="utf-8"))
    (package,) = (entry for name, entry in lock["packages"].items() if name)
    assert (
        package["version"]
        == json.loads((TOOL / "package.json").read_text("utf-8"))["dependencies"]["github-markdown-css"]
    )
    assert package["integrity"].startswith("sha512-")
    assert "resolved" not in package


@pytest.mark.parametrize("folder", sorted({folder for each in FOLDERS.values() for folder in each}))
def test_a_picture_of_a_run_has_one(folder: str) -> None:
    assert (ROOT / folder / "gate.yml").is_file() or (ROOT / folder / "args").is_file()


@pytest.mark.parametrize(
    ("form", "verdicts"),
    [("summary", {"pass", "warn", "block", "error"}), ("page", {"pass", "block", "error"}), ("comment", {"pass"})],
)
def test_every_verdict_has_its_picture(form: str, verdicts: set[str]) -> None:
    assert {Path(folder).parent.name for folder in FOLDERS[form] if folder.startswith("tests/cases")} == verdicts


def test_every_page_to_try_has_its_picture() -> None:
    assert {path.stem for path in (ROOT / "docs" / "figures").glob("*.html")} == set(FIGURES)


def test_the_loosened_gate_yml_differs_from_the_example_s_only_where_it_says() -> None:
    example = (ROOT / "examples" / "worked-example" / "gate.yml").read_text(encoding="utf-8")
    lines = (TOOL / "loosened.yml").read_text(encoding="utf-8").splitlines()
    assert {line for line in lines if line not in example.splitlines()} == {
        "# The worked example's gate.yml, as a pull request might loosen it.",
        "      threshold: {bar: 0.50}",
        "      drift: false",
    }
