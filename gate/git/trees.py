"""What lies at a path of a commit: a file, a folder, or the files that a pattern fits."""

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gate.errors import GitError, Place
from gate.git.repository import Repository, told

MOST_FILES = 10_000
_ID_BYTES = 20
_LFS = b"version https://git-lfs.github.com/spec/"
_LINK, _MODULE = stat.S_IFLNK, 0o160000


@dataclass(frozen=True, slots=True)
class Entry:
    """What a name in a tree stands for: its mode, as git has it, and the object."""

    mode: int
    id: bytes

    @property
    def is_folder(self) -> bool:
        """Whether it is a tree."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, not a link and not another repository."""
        return stat.S_ISREG(self.mode)


@dataclass(frozen=True, slots=True)
class Selection:
    """What a path means, to be looked for in one tree after the other.

    Attributes:
        repository: where.
        parts: the path's parts from the root, up to the first with the signs of a pattern.
        pattern: the others.
        known: tree and depth -> what was found in it, since each commit shares most trees with the one before.
        fitting: tree -> the files in it that the pattern fits.
    """

    repository: Repository
    parts: tuple[bytes, ...]
    pattern: tuple[str, ...]
    known: dict[tuple[bytes, int], Entry | None]
    fitting: dict[bytes, tuple[tuple[str, Entry], ...]]

    def find(self, tree: bytes) -> Entry | tuple[tuple[str, Entry], ...] | None:
        """What lies there: an entry, or for a pattern the files that it fits; None or empty where there is nothing."""
        entry = self._entry(tree, 0) if self.parts else Entry(stat.S_IFDIR, tree)
        if not self.pattern:
            return entry
        if entry is None or not entry.is_folder:
            return ()
        if entry.id not in self.fitting:
            files = iter_files(self.repository, entry.id)
            self.fitting[entry.id] = tuple(
                (path, found) for path, found in files if _fits(tuple(path.split("/")), self.pattern)
            )
        return self.fitting[entry.id]

    def _entry(self, tree: bytes, depth: int) -> Entry | None:
        key = (tree, depth)
        if key not in self.known:
            found = find_entry(self.repository, tree, self.parts[depth])
            last = depth + 1 == len(self.parts)
            if found is not None and not last:
                found = self._entry(found.id, depth + 1) if found.is_folder else None
            self.known[key] = found
        return self.known[key]


def select(repository: Repository, path: str, tree: bytes) -> Selection:
    """What a path from the root of the working tree means; a name that is there means itself, whatever signs it has."""
    parts = tuple(part for part in path.split("/") if part)
    whole = Selection(repository, tuple(map(os.fsencode, parts)), (), {}, {})
    if not glob.has_magic(path) or whole.find(tree) is not None:
        return whole
    start = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return Selection(repository, tuple(map(os.fsencode, parts[:start])), parts[start:], {}, {})


def find_entry(repository: Repository, tree: bytes, name: bytes) -> Entry | None:
    """What a name in a tree stands for; None where it has none."""
    # a tree is <mode> <name>\0<id>: what does not stand there at all need not be looked for entry by entry
    if b" %s\0" % name not in (content := repository.raw(tree)):
        return None
    return next((entry for found, entry in _parsed(repository, content) if found == name), None)


def iter_entries(repository: Repository, tree: bytes) -> Iterator[tuple[str, Entry]]:
    """What stands in a tree itself, by name."""
    return ((os.fsdecode(name), entry) for name, entry in _entries(repository, tree))


def iter_files(repository: Repository, tree: bytes, prefix: str = "") -> Iterator[tuple[str, Entry]]:
    """Every file below a tree by its path from there, in the order of git; links and submodules too, as they are.

    Raises:
        GitError: where there are too many.
    """
    waiting = [(prefix, tree)]
    n_files = 0
    while waiting:
        folder, tree = waiting.pop()
        for name, entry in _entries(repository, tree):
            path = f"{folder}{os.fsdecode(name)}"
            if entry.is_folder:
                waiting.append((f"{path}/", entry.id))
                continue
            n_files += 1
            if n_files > MOST_FILES:
                raise GitError(
                    f"the folder holds more than {MOST_FILES} files",
                    where=repository.place,
                    remedy="name the folder with the results alone",
                )
            yield path, entry


def read_file(repository: Repository, entry: Entry, shown: str) -> bytes:
    """The content of a file.

    Args:
        repository: where.
        entry: what stands in the tree.
        shown: its name for messages.

    Raises:
        GitError: where it is a link, a submodule, a folder, or no more than the pointer to a file elsewhere.
    """
    where = Place(shown)
    if entry.is_folder:
        raise GitError("this is a folder, not a file", where=where, remedy="name one file in it")
    if entry.mode == _MODULE:
        raise GitError(
            "this is a submodule: its files lie in another repository",
            where=where,
            remedy="check the submodule out, and give the path of its file without `git:`",
        )
    if stat.S_IFMT(entry.mode) == _LINK:
        target = os.fsdecode(repository.raw(entry.id))
        raise GitError(
            f"this is a symbolic link to {told(target)}", where=where, remedy="name the file itself, not the link"
        )
    content = repository.raw(entry.id)
    if content.startswith(_LFS):
        raise GitError(
            "this is the pointer of Git LFS, and what it points to does not lie in the repository",
            where=where,
            remedy="`lfs: true` only fetches the files of the commit that is checked out: check the baseline's commit "
            "out into a folder of its own with `lfs: true`, and give the path of the file there",
        )
    return content


def _entries(repository: Repository, tree: bytes) -> Iterator[tuple[bytes, Entry]]:
    return _parsed(repository, repository.raw(tree))


def _parsed(repository: Repository, content: bytes) -> Iterator[tuple[bytes, Entry]]:
    start = 0
    while start < len(content):
        end = content.find(b"\0", start)
        mode, _, name = content[start:end].partition(b" ")
        object_id = content[end + 1 : end + 1 + _ID_BYTES]
        if end < 0 or len(object_id) < _ID_BYTES or not mode.isdigit() or not _is_name(name):
            raise GitError(
                "the repository holds a tree that git would not write",
                where=repository.place,
                remedy="`git fsck` tells what is damaged",
            )
        yield name, Entry(int(mode, 8), object_id.hex().encode())
        start = end + 1 + _ID_BYTES


def _is_name(name: bytes) -> bool:
    """A name becomes a path of ours: a hostile one must not lead elsewhere."""
    return name not in (b"", b".", b"..") and b"/" not in name


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """As ``glob`` takes a pattern: ``**`` is any number of folders, and a dot in front is only met by a dot."""
    if not pattern:
        return not parts
    first, *others = pattern
    if first == "**":
        if not others:
            return all(not part.startswith(".") for part in parts)
        return _fits(parts, others) or (bool(parts) and not parts[0].startswith(".") and _fits(parts[1:], pattern))
    if not parts or not fnmatchcase(parts[0], first) or (parts[0].startswith(".") and not first.startswith(".")):
        return False
    return _fits(parts[1:], others)
