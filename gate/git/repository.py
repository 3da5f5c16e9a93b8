"""A repository: found from a folder upwards, whoever owns it, and its objects read by dulwich."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.errors import GateError, GitError, Place

if TYPE_CHECKING:
    from dulwich.objects import Commit, ShaFile
    from dulwich.repo import Repo

FETCH_ALL = (
    "let the checkout fetch the whole history, by two lines under its step in the workflow: `with:` and, "
    "indented below it, `fetch-depth: 0`"
)
_LONGEST = 100
# what is read of an object
_PARTS = {b"commit": ("tree", "parents", "commit_time"), b"tag": ("object",)}


@dataclass(frozen=True, slots=True)
class Repository:
    """An open repository.

    Attributes:
        repo: dulwich's own.
        root: the working tree, without links.
        shallow: ids of the commits whose parents were not fetched.
    """

    repo: "Repo"
    root: str
    shallow: frozenset[bytes]

    def has(self, object_id: bytes) -> bool:
        """Whether the object was fetched."""
        from dulwich.objects import ObjectID  # noqa: PLC0415  # only a baseline in git needs it

        with self.telling():
            return ObjectID(object_id) in self.repo.object_store

    def object(self, object_id: bytes) -> "ShaFile":
        """An object by its id; GitError where it was not fetched, or is a commit or tag that says less than it must."""
        from dulwich.objects import ObjectID  # noqa: PLC0415  # only a baseline in git needs it

        with self.telling():
            found = self.repo.object_store[ObjectID(object_id)]
            # the library reads it only when asked, and takes a part that is not there for None
            asked = [getattr(found, name) for name in _PARTS.get(found.type_name, ())]
            if None in asked:
                raise ValueError(f"{found.type_name.decode()} {short(object_id)} breaks off")
            return found

    def commit(self, commit_id: bytes) -> "Commit":
        """A commit by its id.

        Raises:
            GitError: where it was not fetched, or is no commit.
        """
        from dulwich.objects import Commit  # noqa: PLC0415  # only a baseline in git needs it

        found = self.object(commit_id)
        if not isinstance(found, Commit):
            raise GitError(
                f"the object {short(commit_id)} is no commit",
                where=self.place,
                remedy="name a branch, a tag or a commit",
            )
        return found

    def raw(self, object_id: bytes) -> bytes:
        """The content of a tree or a file by its id; errors as in ``commit``."""
        with self.telling():
            return self.object(object_id).as_raw_string()

    def parents(self, commit_id: bytes) -> list[bytes]:
        """The parents of a commit, none where they were not fetched; errors as in ``commit``."""
        return [] if commit_id in self.shallow else list(self.commit(commit_id).parents)

    @property
    def place(self) -> Place:
        """The repository, for messages."""
        return Place(os.path.relpath(self.root))

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Turn what breaks within the library into a GitError: a damaged repository can break it anywhere."""
        try:
            yield
        except GateError:
            raise
        except KeyError as fault:
            raise self._lacking(fault) from fault
        except Exception as fault:
            raise _unreadable(self.place, fault) from fault

    def _lacking(self, fault: KeyError) -> GitError:
        lacks = fault.args[0] if fault.args else b""
        named = short(lacks) if isinstance(lacks, bytes) else told(str(lacks))
        if self.shallow:
            return GitError(
                f"the object {named} was not fetched: this clone is shallow", where=self.place, remedy=FETCH_ALL
            )
        return GitError(
            f"the repository lacks the object {named}",
            where=self.place,
            remedy="clone it again, without `filter`; `git fsck` tells what is missing",
        )


@contextmanager
def open_repository(folder: str) -> Iterator[Repository]:
    """Open the repository that a folder lies in, or the nearest folder above it that is there.

    Who owns it makes no difference: nothing of it is run, it is only read.

    Raises:
        GitError: where there is none, it has no working tree, or it is of a kind that cannot be read.
    """
    from dulwich.errors import NotGitRepository  # noqa: PLC0415  # only a baseline in git needs it
    from dulwich.repo import Repo, UnsupportedExtension, UnsupportedVersion  # noqa: PLC0415  # likewise

    start = _nearest(folder)
    place = Place(folder or ".")
    try:
        repo = Repo.discover(start)
        shallow = frozenset(map(bytes, repo.get_shallow()))
    except NotGitRepository as fault:
        raise GitError(
            "no git repository lies here or above",
            where=place,
            remedy="check the repository out in a step before, and name paths inside of it",
        ) from fault
    except (UnsupportedExtension, UnsupportedVersion) as fault:
        raise GitError(
            f"the repository is of a kind that cannot be read: {type(fault).__name__} {told(str(fault))}",
            where=place,
            remedy="check it out without `filter`, `sparse-checkout` or another extension of git's format",
        ) from fault
    except Exception as fault:
        raise _unreadable(place, fault) from fault
    with closing(repo):
        _require_readable(repo, place)
        yield Repository(repo, os.path.realpath(os.fspath(repo.path)), shallow)


def short(object_id: bytes) -> str:
    """As much of an id as people write."""
    return object_id.decode("ascii", "replace")[:10]


def told(text: str) -> str:
    """Foreign text within a sentence."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def _nearest(folder: str) -> str:
    """The folder itself or the nearest one above that is there, without links."""
    path = os.path.realpath(folder or ".")
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def _require_readable(repo: "Repo", place: Place) -> None:
    if not os.path.isdir(repo.object_store.path):
        raise GitError(
            f"the repository's own folder is not there: {told(str(repo.controldir()))}",
            where=place,
            remedy="mount the whole repository: a worktree or a submodule keeps its objects elsewhere",
        )
    if repo.bare:
        raise GitError(
            "the repository is bare: it has no working tree that paths could be meant from",
            where=place,
            remedy="run from a clone with a working tree, or from a worktree of it",
        )
    if repo.object_format.name != "sha1":
        raise GitError(
            f"the repository names its objects by {repo.object_format.name}, which cannot be read yet",
            where=place,
            remedy="check the baseline out in a step of its own, and give its path",
        )


def _unreadable(place: Place, fault: Exception) -> GitError:
    reason = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return GitError(
        f"the repository cannot be read: {told(str(reason))}",
        where=place,
        remedy="check that this user may read all of it; `git fsck` tells what is damaged",
    )
