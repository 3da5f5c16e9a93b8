"""The merge base of a pull request, as GitHub checks it out and as a person does."""

from pathlib import Path

import pytest

from gate.errors import GitError
from gate.git import find_merge_base, open_repository
from tests.conftest import Sandbox


def base(environ: dict[str, str] | None = None, target: str | None = None) -> str:
    with open_repository(".") as repository:
        return find_merge_base(repository, environ or {}, target).decode()


@pytest.fixture
def diverged(sandbox: Sandbox) -> dict[str, str]:
    """A branch of one commit made from the second commit of three of main."""
    sandbox.commit(a="1")
    fork = sandbox.commit(a="2")
    main = sandbox.commit(a="3")
    sandbox.git("checkout", "--quiet", "-b", "feature", fork)
    head = sandbox.commit(b="1")
    sandbox.git("update-ref", "refs/remotes/origin/main", main)
    return {"fork": fork, "main": main, "head": head}


def merged(sandbox: Sandbox, commits: dict[str, str]) -> dict[str, str]:
    """Check out the merge that GitHub makes of a pull request; returns the variables that it sets."""
    sandbox.git("checkout", "--quiet", "--detach", commits["main"])
    sandbox.git("merge", "--quiet", "--no-edit", commits["head"])
    return {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_SHA": sandbox.git("rev-parse", "HEAD"),
        "GITHUB_BASE_REF": "main",
    }


def test_the_base_of_a_diverged_branch_is_where_it_was_made_from(diverged: dict[str, str]) -> None:
    assert base() == base(target="main") == base({"GITHUB_BASE_REF": "main"}) == diverged["fork"]


def test_of_the_merge_that_github_checks_out_the_second_parent_is_the_head(
    sandbox: Sandbox, diverged: dict[str, str]
) -> None:
    environ = merged(sandbox, diverged)
    assert base(environ) == diverged["fork"]


def test_a_merge_that_a_person_made_is_the_head_itself(sandbox: Sandbox, diverged: dict[str, str]) -> None:
    merged(sandbox, diverged)
    assert base() == diverged["main"]


def test_where_the_workflow_checks_out_the_head_itself_it_is_not_taken_apart(
    sandbox: Sandbox, diverged: dict[str, str]
) -> None:
    environ = merged(sandbox, diverged)
    sandbox.git("checkout", "--quiet", diverged["head"])
    assert base(environ) == diverged["fork"]


def test_the_target_is_the_default_branch_of_the_remote_where_nothing_says_otherwise(
    sandbox: Sandbox, diverged: dict[str, str]
) -> None:
    sandbox.git("update-ref", "refs/remotes/origin/trunk", diverged["head"])
    sandbox.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert base() == diverged["head"]


def test_without_a_remote_it_says_how_to_name_the_target(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    with pytest.raises(GitError) as caught:
        base()
    assert caught.value.remedy == "name the target: `git:merge-base(BRANCH):PATH`"


def test_two_histories_without_a_common_commit_have_no_base(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("checkout", "--quiet", "--orphan", "other")
    sandbox.commit(b="1")
    with pytest.raises(GitError, match="share no commit"):
        base(target="main")


def test_of_several_bases_of_a_crosswise_merge_the_newest_is_taken(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    sandbox.git("branch", "other")
    one = sandbox.commit(a="2")
    sandbox.git("checkout", "--quiet", "other")
    two = sandbox.commit(b="2")
    sandbox.git("merge", "--quiet", "--no-edit", one)
    sandbox.git("checkout", "--quiet", "main")
    sandbox.git("merge", "--quiet", "--no-edit", two)
    assert base(target="other") == two


def test_a_target_that_was_not_fetched_is_met_with_the_lines_that_mend_it(
    sandbox: Sandbox, diverged: dict[str, str]
) -> None:
    environ = {**merged(sandbox, diverged), "GITHUB_BASE_REF": "release/2"}
    with pytest.raises(GitError) as caught:
        base(environ)
    assert caught.value.what == "the target branch 'release/2' was not fetched, so that there is no merge base"
    assert "`fetch-depth: 0`" in caught.value.remedy


@pytest.mark.parametrize("depth", [1, 2])
def test_a_shallow_clone_that_cannot_tell_the_base_says_so(
    depth: int, sandbox: Sandbox, diverged: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # both tips are there, and at depth 2 also the commit that may or may not be their best common one
    clone = sandbox.clone(tmp_path / "shallow", "--depth", str(depth), "--no-single-branch")
    monkeypatch.chdir(clone.root)
    clone.git("checkout", "--quiet", "feature")
    if depth == 1:
        with pytest.raises(GitError) as caught:
            base({"GITHUB_BASE_REF": "main"})
        assert "shallow" in caught.value.what
        assert "`fetch-depth: 0`" in caught.value.remedy
    else:
        assert base({"GITHUB_BASE_REF": "main"}) == diverged["fork"]


def test_a_merge_commit_alone_lacks_the_head(
    sandbox: Sandbox, diverged: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = merged(sandbox, diverged)
    sandbox.git("branch", "pull", "HEAD")
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallow", "--depth", "1", "--branch", "pull").root)
    with pytest.raises(GitError, match="the pull request's head was not fetched"):
        base(environ)
