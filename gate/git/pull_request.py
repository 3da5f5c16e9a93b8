"""The merge base of a pull request: the commit of the target branch that the head was made from."""

import re
from collections.abc import Mapping, Sequence

from gate.errors import GitError
from gate.git.refs import find_ref, resolve
from gate.git.repository import FETCH_ALL, Repository, told

_MERGE_REF = re.compile(r"refs/pull/\d+/merge")
_PARENTS_OF_A_MERGE = 2
# Where nothing tells the target: the default branch of the remote, as a clone knows it.
_DEFAULTS = ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master")


def find_merge_base(repository: Repository, environ: Mapping[str, str], target: str | None = None) -> bytes:
    """The best common ancestor of the head and its target.

    Args:
        repository: where.
        environ: tells the target and the event, where GitHub runs this.
        target: the ref of the target; None: the pull request's, else the remote's default branch.

    Raises:
        GitError: where the target is not known or not fetched, or the two share no commit that was fetched.
    """
    head = head_of(repository, environ)
    other = resolve(repository, target) if target is not None else _target(repository, environ)
    from dulwich.graph import find_merge_base as common_ancestors  # noqa: PLC0415  # only a baseline in git needs it
    from dulwich.objects import ObjectID  # noqa: PLC0415  # likewise

    with repository.telling():
        bases = [bytes(base) for base in common_ancestors(repository.repo, [ObjectID(head), ObjectID(other)])]
    if repository.shallow:
        _require_certain(repository, head, other, bases)
    if not bases:
        raise GitError(
            "head and target share no commit: there is no merge base",
            where=repository.place,
            remedy="name a ref instead of `merge-base`, e.g. `git:origin/main:PATH`",
        )
    # two lines that were merged crosswise have several, equally good: the newest is the same one each time
    return max(bases, key=lambda base: (repository.commit(base).commit_time, base))


def head_of(repository: Repository, environ: Mapping[str, str]) -> bytes:
    """HEAD; where GitHub has checked out the merge that a pull request would become, the pull request's own head.

    Raises:
        GitError: where HEAD names no commit, or the pull request's head was not fetched.
    """
    head = resolve(repository, "HEAD")
    is_merge = (
        environ.get("GITHUB_EVENT_NAME") == "pull_request"
        and _MERGE_REF.fullmatch(environ.get("GITHUB_REF", ""))
        and environ.get("GITHUB_SHA", "").encode() == head
    )
    parents = [bytes(parent) for parent in repository.commit(head).parents] if is_merge else []
    if len(parents) != _PARENTS_OF_A_MERGE:
        return head
    if not repository.has(parents[1]):
        raise _not_fetched(repository, "the pull request's head")
    return parents[1]


def _target(repository: Repository, environ: Mapping[str, str]) -> bytes:
    base = environ.get("GITHUB_BASE_REF", "")
    names = (f"refs/remotes/origin/{base}", f"refs/heads/{base}") if base else _DEFAULTS
    found = next((commit for name in names if (commit := find_ref(repository, name)) is not None), None)
    if found is not None:
        return found
    if base:
        raise _not_fetched(repository, f"the target branch {told(base)}")
    raise GitError(
        "it is not known what to find the merge base with: there is no origin/HEAD, origin/main or origin/master",
        where=repository.place,
        remedy="name the target: `git:merge-base(BRANCH):PATH`",
    )


def _not_fetched(repository: Repository, what: str) -> GitError:
    return GitError(f"{what} was not fetched, so that there is no merge base", where=repository.place, remedy=FETCH_ALL)


def _require_certain(repository: Repository, head: bytes, target: bytes, bases: Sequence[bytes]) -> None:
    """Raise GitError where what a shallow clone lacks could hold a better merge base, or the only one."""
    shared = _ancestors(repository, bases)
    if (_ancestors(repository, [head, target]) - shared) & repository.shallow:
        raise GitError("the merge base cannot be told: this clone is shallow", where=repository.place, remedy=FETCH_ALL)


def _ancestors(repository: Repository, commits: Sequence[bytes]) -> set[bytes]:
    found, waiting = set(commits), list(commits)
    while waiting:
        for parent in map(bytes, repository.parents(waiting.pop())):
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found
