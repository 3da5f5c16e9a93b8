"""When a file last changed, and whether there ever was one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from gate.errors import GitError
from gate.git import Change, Selection, last_change, open_repository, require_never, resolve, select
from gate.git.repository import Repository
from tests.conftest import Sandbox


@contextmanager
def looked_for(path: str) -> Iterator[tuple[Repository, bytes, Selection]]:
    with open_repository(".") as repository:
        commit = resolve(repository, "HEAD")
        yield repository, commit, select(repository, path, repository.commit(commit).tree)


def changed_at(path: str) -> Change | None:
    with looked_for(path) as found:
        return last_change(*found)


def prove(path: str) -> None:
    """Return where there never was anything at the path."""
    with looked_for(path) as found:
        require_never(*found, f"git:HEAD:{path}")


def test_the_last_change_is_that_of_the_file_not_of_the_branch(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/a.csv": "1", "results/b.csv": "1"})
    changed = sandbox.commit(**{"results/a.csv": "2"})
    other = sandbox.commit(**{"results/b.csv": "2"})
    sandbox.commit(c="1")
    assert changed_at("results/a.csv") == Change(changed, date(2026, 1, 2))
    assert changed_at("results") == Change(other, date(2026, 1, 3))
    assert changed_at("results/a*") == Change(changed, date(2026, 1, 2))
    assert changed_at("results/*.csv") == Change(other, date(2026, 1, 3))


def test_a_change_that_came_by_a_merge_is_found_on_its_branch(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("checkout", "--quiet", "-b", "side")
    changed = sandbox.commit(a="2")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.commit(b="1")
    sandbox.git("merge", "--quiet", "--no-edit", "side")
    assert changed_at("a") == Change(changed, date(2026, 1, 2))


def test_it_agrees_with_git_on_a_tangled_history(sandbox: Sandbox) -> None:
    sandbox.commit(a="0", b="0")
    for turn in range(4):
        sandbox.git("checkout", "--quiet", "-b", f"side{turn}")
        sandbox.commit(**{"ab"[turn % 2]: f"side {turn}"})
        sandbox.git("checkout", "--quiet", "main")
        sandbox.commit(c=str(turn))
        sandbox.git("merge", "--quiet", "--no-edit", f"side{turn}")
    for path in ("a", "b", "c"):
        found = changed_at(path)
        assert found is not None
        assert found.commit == sandbox.git("log", "-1", "--format=%H", "--", path)


def test_a_shallow_clone_knows_a_change_only_as_far_as_it_reaches(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(a="1")
    changed = sandbox.commit(b="1")
    sandbox.commit(c="1")
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallow", "--depth", "3").root)
    assert changed_at("b") == Change(changed, date(2026, 1, 2))
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallower", "--depth", "2").root)
    assert changed_at("b") is None


def test_a_long_history_is_looked_through_no_further_than_a_bound(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(a="1")
    for number in range(4):
        sandbox.commit(b=str(number))
    monkeypatch.setattr("gate.git.history.MOST_COMMITS", 2)
    assert changed_at("a") == Change("", date(2026, 1, 3))


def test_what_never_was_is_proven(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.commit(**{"results/b.csv": "1"})
    for path in ("results/a.csv", "new/folder", "results/*.jsonl", "a/b"):
        prove(path)


def test_what_was_deleted_is_an_error_that_names_the_last_commit_that_had_it(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/a.csv": "1"})
    last = sandbox.commit(b="1")
    (sandbox.root / "results/a.csv").unlink()
    sandbox.commit()
    for path in ("results/a.csv", "results", "results/*.csv"):
        with pytest.raises(GitError) as caught:
            prove(path)
        assert f"it was there, last in commit {last[:10]}, and was deleted since" in caught.value.what


def test_what_was_deleted_on_a_branch_that_was_merged_is_found_there(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("checkout", "--quiet", "-b", "side")
    sandbox.commit(gone="1")
    (sandbox.root / "gone").unlink()
    sandbox.commit(b="1")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.commit(c="1")
    sandbox.git("merge", "--quiet", "--no-edit", "side")
    with pytest.raises(GitError, match="was deleted since"):
        prove("gone")


def test_a_shallow_clone_proves_nothing(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.commit(a="1")
    sandbox.commit(a="2")
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallow", "--depth", "1").root)
    with pytest.raises(GitError) as caught:
        prove("never")
    assert "a shallow clone cannot tell" in caught.value.what
    assert "`fetch-depth: 0`" in caught.value.remedy
