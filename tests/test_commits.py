"""Which commit a run is of."""

import subprocess
from pathlib import Path

import pytest
from dulwich.repo import Repo

from gate.commits import commit_of
from gate.errors import UsageError

GIVEN, GITHUBS = "abcdef1", "1234567890abcdef"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With one commit, and a folder in it."""
    folder = tmp_path / "repository" / "inner"
    folder.mkdir(parents=True)
    with Repo.init(str(folder.parent)) as made:
        (folder / "file").touch()
        made.get_worktree().stage(["inner/file"])
        made.get_worktree().commit(b"first", committer=b"A <a@b>", author=b"A <a@b>")
    return folder


def test_what_is_given_counts_before_what_github_says(repository: Path) -> None:
    assert commit_of(GIVEN, {"GITHUB_SHA": GITHUBS}, repository) == GIVEN
    assert commit_of(None, {"GITHUB_SHA": GITHUBS}, repository) == GITHUBS


def test_else_it_is_head_of_the_repository_around(repository: Path) -> None:
    with Repo(str(repository.parent)) as opened:
        assert commit_of(None, {}, repository) == opened.head().decode()


def test_of_a_worktree_it_is_its_own_head(repository: Path, tmp_path: Path) -> None:
    command = ["git", "-C", str(repository), "worktree", "add", "--quiet", str(tmp_path / "other")]
    subprocess.run(command, check=True)
    assert commit_of(None, {}, tmp_path / "other") == commit_of(None, {}, repository)


def test_without_a_repository_or_a_commit_it_is_not_known(tmp_path: Path) -> None:
    assert commit_of(None, {}, tmp_path) == ""
    Repo.init(str(tmp_path)).close()
    assert commit_of(None, {"GITHUB_SHA": ""}, tmp_path) == ""


def test_a_repository_that_is_broken_tells_nothing(repository: Path) -> None:
    (repository.parent / ".git" / "HEAD").write_text("rubbish", encoding="utf-8")
    assert commit_of(None, {}, repository) == ""


def test_it_is_told_in_lower_case() -> None:
    assert commit_of("ABCDEF1", {}, Path()) == "abcdef1"


@pytest.mark.parametrize("text", ["", "main", "abcdef", "abcdef1\n::error::", "g" * 40, "a" * 65])
def test_what_is_no_commit_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--commit is no commit"):
        commit_of(text, {}, Path())


def test_a_variable_that_holds_none_is_named() -> None:
    with pytest.raises(UsageError, match="GITHUB_SHA is no commit"):
        commit_of(None, {"GITHUB_SHA": "x"}, Path())
