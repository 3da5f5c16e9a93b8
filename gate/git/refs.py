"""What a name means: a branch, a tag, a commit in full or in part, HEAD, and their ancestors."""

import difflib
import re
from collections.abc import Iterator

from gate.errors import GitError
from gate.git.repository import FETCH_ALL, Repository, told

# As git looks a name up; and last as the branch of the remote, since a runner's checkout has no other.
_PLACES = (
    b"refs/%s",
    b"refs/tags/%s",
    b"refs/heads/%s",
    b"refs/remotes/%s",
    b"refs/remotes/%s/HEAD",
    b"refs/remotes/origin/%s",
)
_TAG, _BRANCH = b"refs/tags/%s", b"refs/heads/%s"
_SPELLED = re.compile(r"(?P<name>[^~^]+)(?P<steps>(?:~\d{0,6}|\^\d{0,6})*)", re.DOTALL)
_STEP = re.compile(r"(?P<sign>[~^])(?P<number>\d*)")
_HEX = re.compile(r"[0-9a-f]{4,40}", re.IGNORECASE)
_FULL = 40
_DEEPEST_TAG = 20


def resolve(repository: Repository, ref: str) -> bytes:
    """The id of the commit that a ref names.

    Args:
        repository: where.
        ref: a branch, ``origin/BRANCH``, a tag, a commit of four digits or more, ``HEAD`` or ``@``; ``~N`` behind it is
            its Nth ancestor by first parents, ``^N`` its Nth parent.

    Raises:
        GitError: where there is no such commit, or it is not clear which is meant.
    """
    spelled = _SPELLED.fullmatch(ref)
    if spelled is None or "@{" in ref:
        raise GitError(
            f"{told(ref)} is no ref that is understood here",
            where=repository.place,
            remedy="name a branch, a tag, a commit or HEAD, with ~N or ^N behind it; or `merge-base`",
        )
    commit = _named(repository, spelled["name"], ref)
    for step in _STEP.finditer(spelled["steps"]):
        commit = _stepped(repository, commit, sign=step["sign"], number=int(step["number"] or 1), ref=ref)
    return commit


def find_ref(repository: Repository, name: str) -> bytes | None:
    """The commit of a ref by its whole name, ``refs/heads/main``; None where there is none.

    Raises:
        GitError: where it names something else than a commit, or one that was not fetched.
    """
    found = _read(repository, name.encode(errors="surrogateescape"))
    return None if found is None else _peeled(repository, found, name)


def _named(repository: Repository, name: str, ref: str) -> bytes:
    if _HEX.fullmatch(name) and len(name) == _FULL:
        return _peeled(repository, name.lower().encode(), ref)
    raw = name.encode(errors="surrogateescape")
    if name in {"HEAD", "@"}:
        found = _read(repository, b"HEAD")
    else:
        _require_one_meaning(repository, raw, ref)
        whole = raw if raw.startswith(b"refs/") else None
        places = [whole] if whole is not None else [place % raw for place in _PLACES]
        found = next((target for place in places if (target := _read(repository, place)) is not None), None)
    if found is None and _HEX.fullmatch(name):
        found = _abbreviated(repository, name.lower().encode(), ref)
    if found is None:
        raise _unknown(repository, name, ref)
    return _peeled(repository, found, ref)


def _read(repository: Repository, name: bytes) -> bytes | None:
    from dulwich.refs import Ref, check_ref_format  # noqa: PLC0415  # only a baseline in git needs it

    # the name becomes a path: a hostile one must not lead out of the repository
    if name != b"HEAD" and not (name.startswith(b"refs/") and check_ref_format(Ref(name))):
        return None
    with repository.telling():
        try:
            return bytes(repository.repo.refs[Ref(name)])
        except KeyError:
            return None


def _require_one_meaning(repository: Repository, name: bytes, ref: str) -> None:
    tag, branch = (_read(repository, place % name) for place in (_TAG, _BRANCH))
    if tag is not None and branch is not None and _peeled(repository, tag, ref) != _peeled(repository, branch, ref):
        raise GitError(
            f"{told(ref)} is a tag and also a branch, at different commits",
            where=repository.place,
            remedy="say which: `refs/tags/...` or `refs/heads/...`",
        )


def _abbreviated(repository: Repository, digits: bytes, ref: str) -> bytes | None:
    from dulwich.objects import Commit, Tag  # noqa: PLC0415  # only a baseline in git needs it

    with repository.telling():
        store = repository.repo.object_store
        ids = {bytes(found) for found in store.iter_prefix(digits)}
    commits = sorted(found for found in ids if isinstance(repository.object(found), Commit | Tag))
    if len(commits) > 1:
        raise GitError(
            f"{told(ref)} is the beginning of {len(commits)} commits",
            where=repository.place,
            remedy="write more of its digits",
        )
    return commits[0] if commits else None


def _peeled(repository: Repository, object_id: bytes, ref: str) -> bytes:
    """The commit that a tag is for, however many tags stand between."""
    from dulwich.objects import Commit, Tag  # noqa: PLC0415  # only a baseline in git needs it

    for _ in range(_DEEPEST_TAG):
        if not repository.has(object_id):
            raise _absent(repository, ref)
        found = repository.object(object_id)
        if isinstance(found, Commit):
            return object_id
        if not isinstance(found, Tag):
            break
        object_id = bytes(found.object[1])
    raise GitError(
        f"{told(ref)} names no commit", where=repository.place, remedy="name a branch, a tag of a commit, or a commit"
    )


def _absent(repository: Repository, ref: str) -> GitError:
    if repository.shallow:
        return GitError(
            f"the commit of {told(ref)} was not fetched: this clone is shallow",
            where=repository.place,
            remedy=FETCH_ALL,
        )
    return GitError(
        f"there is no commit {told(ref)}",
        where=repository.place,
        remedy="check its digits, and that the repository is the one meant",
    )


def _stepped(repository: Repository, commit: bytes, *, sign: str, number: int, ref: str) -> bytes:
    """``~N``: N times the first parent; ``^N``: the Nth parent, ``^0`` the commit itself."""
    ways = [0] * number if sign == "~" else [number - 1] if number else []
    for way in ways:
        if commit in repository.shallow:
            raise GitError(
                f"{told(ref)} lies beyond what was fetched: this clone is shallow",
                where=repository.place,
                remedy=FETCH_ALL,
            )
        parents = repository.parents(commit)
        if way >= len(parents):
            raise GitError(
                f"{told(ref)} goes back further than there are commits",
                where=repository.place,
                remedy="name a later commit",
            )
        commit = bytes(parents[way])
    return commit


def _unknown(repository: Repository, name: str, ref: str) -> GitError:
    known = list(dict.fromkeys(_short_names(repository)))
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        remedy = f"did you mean {told(close[0])}?"
    elif repository.shallow:
        remedy = f"check its name; or {FETCH_ALL}"
    else:
        remedy = "check its name, and that the checkout fetched it (`git branch --all`, `git tag`)"
    return GitError(f"the repository has no ref {told(ref)}", where=repository.place, remedy=remedy)


def _short_names(repository: Repository) -> Iterator[str]:
    with repository.telling():
        every = sorted(repository.repo.refs.allkeys())
    for name in every:
        for start in (b"refs/heads/", b"refs/tags/", b"refs/remotes/"):
            if name.startswith(start):
                short = name.removeprefix(start).decode(errors="replace")
                yield short
                yield short.removeprefix("origin/")  # as it may be written, too
