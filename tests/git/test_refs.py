"""What a ref names, and what is said where it names nothing."""

from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from dulwich.objects import Commit
from dulwich.repo import Repo

from gate.errors import GitError
from gate.git import open_repository, resolve
from tests.conftest import Sandbox


def named(ref: str) -> str:
    with open_repository(".") as repository:
        return resolve(repository, ref).decode()


def refused(ref: str) -> GitError:
    with pytest.raises(GitError) as caught:
        named(ref)
    return caught.value


def test_a_branch_a_tag_and_a_commit_name_the_same_commit(sandbox: Sandbox) -> None:
    commit = sandbox.commit(a="1")
    sandbox.git("tag", "light")
    sandbox.git("tag", "--annotate", "--message", "x", "heavy")
    sandbox.git("tag", "--annotate", "--message", "x", "tag-of-a-tag", "heavy")
    sandbox.git("branch", "feature/x")
    sandbox.git("update-ref", "refs/remotes/origin/stable", commit)
    refs = (
        "main", "refs/heads/main", "heads/main", "feature/x", "HEAD", "@", "light", "heavy", "tag-of-a-tag",
        "origin/stable", "stable", commit, commit.upper(), commit[:7], commit[:4],
    )  # fmt: skip
    assert {named(ref) for ref in refs} == {commit}


def test_ancestors_are_counted_by_first_parents_and_parents_by_number(sandbox: Sandbox) -> None:
    first = sandbox.commit(a="1")
    second = sandbox.commit(a="2")
    sandbox.git("checkout", "--quiet", "-b", "side", first)
    side = sandbox.commit(b="1")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.git("merge", "--quiet", "--no-edit", "side")
    assert [named(ref) for ref in ("HEAD~1", "HEAD^", "HEAD^1", "HEAD~")] == [second] * 4
    assert named("HEAD^2") == side
    assert named("HEAD~2") == named("HEAD^2~1") == named("HEAD^^") == first
    assert named("HEAD^0") == named("main")
    assert refused("HEAD~3").what == "'HEAD~3' goes back further than there are commits"
    assert refused("HEAD^3").what == "'HEAD^3' goes back further than there are commits"


def test_packed_refs_and_packed_objects_are_read(sandbox: Sandbox) -> None:
    commits = [sandbox.commit(a=str(number)) for number in range(5)]
    sandbox.git("tag", "--annotate", "--message", "x", "v1", commits[2])
    sandbox.git("gc", "--quiet", "--aggressive", "--prune=now")
    assert not list((sandbox.root / ".git/refs/heads").iterdir())
    assert [named("main"), named("v1"), named(commits[1][:10])] == [commits[4], commits[2], commits[1]]


def test_objects_of_another_repository_are_read_through_alternates(sandbox: Sandbox, tmp_path: Path) -> None:
    commit = sandbox.commit(a="1")
    sandbox.git("clone", "--quiet", "--shared", ".", str(tmp_path / "borrower"))
    with open_repository(str(tmp_path / "borrower")) as borrower:
        assert resolve(borrower, "main").decode() == commit


def test_a_linked_worktree_has_the_refs_of_its_repository_and_a_head_of_its_own(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    first, second = sandbox.commit(a="1"), sandbox.commit(a="2")
    sandbox.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), first)
    with open_repository(str(tmp_path / "linked")) as linked:
        assert resolve(linked, "HEAD").decode() == first
        assert resolve(linked, "main").decode() == second
        assert linked.root == str(tmp_path / "linked")


def test_a_slip_of_the_pen_is_met_with_the_nearest_name(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("branch", "release")
    fault = refused("relaese")
    assert fault.what == "the repository has no ref 'relaese'"
    assert fault.remedy == "did you mean 'release'?"


def test_a_branch_that_a_shallow_clone_lacks_is_met_with_the_lines_that_mend_it(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = sandbox.commit(a="1")
    sandbox.commit(a="2")
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallow", "--depth", "1").root)
    for ref in ("nowhere-near", old, "HEAD~1"):
        assert "`with:`" in refused(ref).remedy
        assert "`fetch-depth: 0`" in refused(ref).remedy


def test_a_name_that_is_a_tag_and_a_branch_at_different_commits_is_not_guessed(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("tag", "twice")
    sandbox.commit(a="2")
    sandbox.git("branch", "twice")
    assert refused("twice").what == "'twice' is a tag and also a branch, at different commits"
    assert named("refs/heads/twice") != named("refs/tags/twice")


def test_the_beginning_of_two_commits_is_not_guessed(sandbox: Sandbox) -> None:
    commit = sandbox.commit(a="1")
    with closing(Repo(".")) as repo:
        starts: dict[bytes, Commit] = {}
        for number in count():
            other = repo[commit.encode()].copy()
            assert isinstance(other, Commit)
            other.message = b"%d" % number
            twin = starts.setdefault(other.id[:4], other)
            if twin.id != other.id:
                break
        repo.object_store.add_object(twin)
        repo.object_store.add_object(other)
    start = other.id[:4].decode()
    assert refused(start).what == f"'{start}' is the beginning of 2 commits"


@pytest.mark.parametrize(
    "ref",
    [
        "../../etc/passwd", "refs/../../x", "refs/heads/../../../x", "/etc/passwd", "main..HEAD", "HEAD@{1}",
        "HEAD^{tree}", "HEAD~x", "--upload-pack=x", "a b", "\x1b[31m", "main\n", ".git/config", "config", "*", "~1",
        "^", "\udcff", "x" * 5000,
    ],
)  # fmt: skip
def test_a_hostile_name_is_no_ref_and_reads_no_file(ref: str, sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    fault = refused(ref)
    assert len(fault.what) < 250
    assert "\x1b" not in fault.what


def test_a_tag_of_a_file_names_no_commit(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("tag", "blob", "HEAD:a")
    assert refused("blob").what == "'blob' names no commit"


def test_an_empty_repository_has_no_head(sandbox: Sandbox) -> None:
    assert refused("HEAD").what == "the repository has no ref 'HEAD'"
    assert sandbox.git("status")


def test_a_slip_in_the_name_of_a_branch_that_only_the_remote_has_is_met_with_its_name(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.git("checkout", "--quiet", "-b", "release")
    sandbox.commit(a="1")
    clone = sandbox.clone(tmp_path / "clone")
    clone.git("checkout", "--quiet", "--detach")
    clone.git("branch", "--delete", "release")
    monkeypatch.chdir(clone.root)
    with open_repository(".") as repository, pytest.raises(GitError) as caught:
        resolve(repository, "relaese")
    assert caught.value.remedy == "did you mean 'release'?"
