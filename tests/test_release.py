"""A release is made only where its tag, the version and the changelog agree."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import gate

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / ".ci" / "require_release.py"
ENTRY = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2030-01-02\n\n## [1.2.2] - 2029-01-02\n"


def agree(tag: str, root: Path, *, version: str = "1.2.3", changelog: str = ENTRY) -> bool:
    """Copy the script into a small repository and ask it."""
    for name, text in {
        ".ci/require_release.py": SCRIPT.read_text(encoding="utf-8"),
        "gate/__init__.py": f'"""gate."""\n\n__version__ = "{version}"\n',
        "CHANGELOG.md": changelog,
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    command = [sys.executable, str(root / ".ci" / "require_release.py"), tag]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_a_tag_of_the_version_and_the_newest_entry_is_released(tmp_path: Path) -> None:
    assert agree("v1.2.3", tmp_path)


@pytest.mark.parametrize("tag", ["v1.2.4", "v1.2.2", "v1.2", "1.2.3-rc1"])
def test_another_tag_is_not(tag: str, tmp_path: Path) -> None:
    assert not agree(tag, tmp_path)


def test_another_version_is_not(tmp_path: Path) -> None:
    assert not agree("v1.2.3", tmp_path, version="1.2.4")


@pytest.mark.parametrize("changelog", ["# Changelog\n\n## [Unreleased]\n", ENTRY.replace("[1.2.3]", "[1.3.0]")])
def test_a_changelog_without_the_version_at_its_top_is_not(changelog: str, tmp_path: Path) -> None:
    assert not agree("v1.2.3", tmp_path, changelog=changelog)


def test_the_changelog_opens_with_what_is_not_released_or_with_the_version() -> None:
    first = next(
        line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:4] == "## ["
    )
    assert first == "## [Unreleased]" or first.startswith(f"## [{gate.__version__}] - ")


def test_the_release_finds_the_line_of_action_yml_that_it_changes() -> None:
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert action.splitlines().count("  image: Dockerfile") == 1
    assert yaml.safe_load(action)["runs"]["image"] == "Dockerfile"
    assert "  image: Dockerfile$" in (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
