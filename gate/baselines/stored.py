"""A spec in git to what it names there: the commit, and the files at its path."""

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from gate.baselines.spec import GitSpec, is_in_git
from gate.errors import GitError, Place
from gate.git import (
    Change,
    Entry,
    Repository,
    Selection,
    find_merge_base,
    iter_entries,
    iter_files,
    last_change,
    open_repository,
    read_file,
    require_never,
    resolve,
    select,
)
from gate.scores.beside import is_read_beside
from gate.scores.quoting import quote

_LEAVES = re.compile(r"\.\.(?:/|$)")


@dataclass(frozen=True, slots=True)
class Stored:
    """What a spec names.

    Attributes:
        spec: its parts.
        repository: where it lies.
        commit: id of the commit.
        path: from the root of the working tree.
        selection: what the path means.
        found: what lies there; None or empty where there is nothing.
    """

    spec: GitSpec
    repository: Repository
    commit: bytes
    path: str
    selection: Selection
    found: Entry | tuple[tuple[str, Entry], ...] | None

    @property
    def name(self) -> str:
        """The path as the user would write it from the working directory; from the root where it lies elsewhere."""
        whole = self.spec.whole_path
        return self.path if os.path.isabs(whole) or _LEAVES.match(whole) else whole

    @property
    def shown(self) -> str:
        """Its name for messages and reports."""
        return f"{self.spec.prefix}{self.name}"

    def find_change(self) -> Change | None:
        """When it last changed; None where a shallow clone cannot tell."""
        return last_change(self.repository, self.commit, self.selection)

    def require_never(self) -> None:
        """Raise GitError unless there never was anything at the path in the whole history of the commit."""
        require_never(self.repository, self.commit, self.selection, self.shown)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Each file with its path as ``name`` has it, and its content; beside a single one, what is read beside it.

        Raises:
            GitError: where one is a link, a submodule or no more than a pointer.
        """
        for name, entry in self._entries():
            yield name, read_file(self.repository, entry, f"{self.spec.prefix}{name}")

    def read_neighbour(self, name: str) -> bytes | None:
        """The content of the file of this name in the same folder; None where there is none; errors as in ``files``."""
        entry = self._neighbours().get(name)
        if entry is None or entry.is_folder:
            return None
        return read_file(self.repository, entry, f"{self.spec.prefix}{self._beside(name)}")

    def near(self) -> str | None:
        """The path of a file that may be meant where there is nothing."""
        names = {name.lower(): name for name in self._neighbours()}
        close = difflib.get_close_matches(os.path.basename(self.path).lower(), names, n=1)
        return self._beside(names[close[0]]) if close else None

    def _entries(self) -> Iterator[tuple[str, Entry]]:
        if isinstance(self.found, tuple):
            start = self.name.removesuffix("/".join(self.selection.pattern))
            yield from ((f"{start}{path}", entry) for path, entry in self.found)
        elif self.found is not None and self.found.is_folder:
            start = "" if self.name == "." else f"{self.name}/"
            yield from iter_files(self.repository, self.found.id, start)
        elif self.found is not None:
            yield self.name, self.found
            for name, other in self._neighbours().items():
                # what a tool writes into the folder of its scores, and readers look for there
                if name != os.path.basename(self.path) and other.is_file and is_read_beside(name):
                    yield self._beside(name), other

    def _neighbours(self) -> dict[str, Entry]:
        """What stands in the folder that the path lies in, by name."""
        tree = self.repository.commit(self.commit).tree
        entry = select(self.repository, os.path.dirname(self.path), tree).find(tree)
        if not isinstance(entry, Entry) or not entry.is_folder:
            return {}
        return dict(iter_entries(self.repository, entry.id))

    def _beside(self, name: str) -> str:
        """The path of a neighbour, as ``name`` has it."""
        return os.path.join(os.path.dirname(self.name), name)


@contextmanager
def look_up(path: str, environ: Mapping[str, str]) -> Iterator[Stored]:
    """Find what a spec names, whether or not anything lies there; what is read of it is read within this.

    Args:
        path: ``git:REF:PATH``.
        environ: tells the target of ``merge-base``, where GitHub runs this.

    Raises:
        UsageError: where it is no such spec.
        GitError: where there is no repository, no such commit, or the path leads out of the repository; of what is
            damaged the place is the spec, too, wherever within this it shows.
    """
    spec = GitSpec.parse(path)
    try:
        with open_repository(spec.folder) as repository:
            yield _find(spec, repository, environ)
    except GitError as fault:
        if fault.where is not None and is_in_git(fault.where.path):
            raise
        # the user knows the spec, and not always which repository it is looked for in
        where = Place(f"{spec.prefix}{spec.whole_path}", part=_within(fault))
        raise GitError(fault.what, where=where, remedy=fault.remedy) from fault


def _find(spec: GitSpec, repository: Repository, environ: Mapping[str, str]) -> Stored:
    inside = _from_root(spec, repository)
    merge_base = spec.merge_base
    if merge_base is None:
        commit = resolve(repository, spec.ref)
    else:
        commit = find_merge_base(repository, environ, merge_base["target"])
    tree = repository.commit(commit).tree
    selection = select(repository, inside, tree)
    return Stored(spec, repository, commit, inside, selection, selection.find(tree))


def read_stored(path: str, environ: Mapping[str, str]) -> bytes:
    """The content of a single file by its spec.

    Raises:
        GateError: as in ``look_up``; also where there is no such file.
    """
    with look_up(path, environ) as stored:
        if not isinstance(stored.found, Entry):
            near = stored.near()
            raise GitError(
                f"there is no such file at {stored.commit.decode()[:10]}",
                where=Place(stored.shown),
                remedy=f"did you mean {quote(near)}?" if near else "check the path, and that it was committed there",
            )
        return read_file(stored.repository, stored.found, stored.shown)


def _within(fault: GitError) -> str | None:
    place = fault.where
    return None if place is None or place.path in {"", "."} else f"repository {place.path}"


def _from_root(spec: GitSpec, repository: Repository) -> str:
    """The path in the tree of the commit: links of the working tree are no part of it, and lead nowhere."""
    if os.path.isabs(spec.path):
        whole = _under_root(os.path.normpath(spec.path), repository.root)
    else:
        whole = os.path.normpath(os.path.join(os.path.realpath(spec.folder or "."), spec.path))
    inside = os.path.relpath(whole, repository.root)
    if _LEAVES.match(inside):
        raise GitError(
            "the path leads out of the repository",
            where=repository.place,
            remedy="name a file of the repository; paths are meant from the folder of gate.yml, those of flags and "
            "inputs from the working directory",
        )
    return "" if inside == "." else inside


def _under_root(path: str, root: str) -> str:
    """An absolute path with the root's own links followed, and none below it."""
    above = [path]
    while (parent := os.path.dirname(above[-1])) != above[-1]:
        above.append(parent)
    top = next((each for each in reversed(above) if os.path.realpath(each) == root), None)
    return path if top is None else os.path.join(root, os.path.relpath(path, top))
