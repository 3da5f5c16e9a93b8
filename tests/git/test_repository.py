"""Which repositories are found and read, and what is said of the others."""

import os
from pathlib import Path

import pytest

from gate.errors import GitError
from gate.git import open_repository, resolve
from tests.conftest import Sandbox


def refused(folder: str) -> GitError:
    with pytest.raises(GitError) as caught, open_repository(folder):
        pass
    return caught.value


def test_the_repository_is_found_from_a_folder_inside_even_one_that_is_not_there(sandbox: Sandbox) -> None:
    sandbox.commit(**{"deep/er/a": "1"})
    for folder in ("", ".", "deep/er", "deep/not/there"):
        with open_repository(folder) as repository:
            assert repository.root == os.path.realpath(sandbox.root)


def test_outside_of_any_repository_it_says_so(tmp_path: Path) -> None:
    fault = refused(str(tmp_path))
    assert fault.what == "no git repository lies here or above"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_that_belongs_to_somebody_else_is_read(sandbox: Sandbox) -> None:
    commit = sandbox.commit(a="1")
    for path in [sandbox.root, *sandbox.root.rglob("*")]:
        os.chown(path, 12345, 12345)
    with open_repository(".") as repository:
        assert resolve(repository, "main").decode() == commit


def test_a_repository_of_sha_256_is_refused(tmp_path: Path) -> None:
    made = Sandbox(tmp_path)
    made.git("init", "--quiet", "--object-format=sha256")
    made.commit(a="1")
    assert "sha256" in refused(str(tmp_path)).what


def test_what_a_partial_clone_lacks_is_told_with_what_to_leave_out(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.commit(a="1")
    blob = sandbox.git("rev-parse", "HEAD:a")
    sandbox.git("config", "uploadpack.allowFilter", "true")
    sandbox.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    with pytest.raises(GitError) as caught, open_repository(str(tmp_path / "partial")) as repository:
        repository.raw(blob.encode())
    assert caught.value.what == f"the repository lacks the object {blob[:10]}"
    assert "without `filter`" in caught.value.remedy


@pytest.mark.parametrize("setting", ["version = 9", "version = 1\n[extensions]\nnew = x"])
def test_a_kind_of_repository_that_is_not_known_is_refused(setting: str, sandbox: Sandbox) -> None:
    (sandbox.root / ".git/config").write_text(f"[core]\nrepositoryformat{setting}\n")
    assert refused(".").what.startswith("the repository is of a kind that cannot be read")


def test_a_bare_repository_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.commit(a="1")
    sandbox.clone(tmp_path / "bare.git", "--bare")
    assert refused(str(tmp_path / "bare.git")).what.startswith("the repository is bare")


@pytest.mark.parametrize("damage", [b"", b"not an object", b"\x78\x9c\x00"])
def test_a_damaged_object_is_an_error_with_a_remedy(damage: bytes, sandbox: Sandbox) -> None:
    commit = sandbox.commit(a="1")
    file = sandbox.root / ".git/objects" / commit[:2] / commit[2:]
    file.chmod(0o644)
    file.write_bytes(damage)
    with pytest.raises(GitError) as caught, open_repository(".") as repository:
        resolve(repository, "main")
    assert "`git fsck`" in caught.value.remedy


@pytest.mark.parametrize("kind", ["commit", "tag"])
def test_a_commit_or_a_tag_that_breaks_off_is_an_error_with_a_remedy(kind: str, sandbox: Sandbox) -> None:
    commit = sandbox.commit(a="1")
    sandbox.git("tag", "--annotate", "--message", "m", "v1")
    whole = sandbox.git("cat-file", kind, "v1" if kind == "tag" else commit)
    broken = sandbox.root / "broken"
    # the commit without its committer, the tag without its kind of object
    broken.write_text(whole[: whole.index("committer" if kind == "commit" else "type")])
    name = sandbox.git("hash-object", "--literally", "-t", kind, "-w", "broken")
    # git itself would not point there
    (sandbox.root / ".git/refs/tags" / kind).write_text(f"{name}\n")
    with pytest.raises(GitError) as caught, open_repository(".") as repository:
        resolve(repository, kind)
    assert "`git fsck`" in caught.value.remedy


def test_a_git_file_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert refused(str(tmp_path)).remedy
