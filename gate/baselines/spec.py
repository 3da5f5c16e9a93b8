"""``git:REF:PATH``: a file, folder or pattern as a commit has it."""

import os
import re
from typing import NamedTuple, Self

from gate.errors import Place, UsageError

_GIT = "git:"
_MERGE_BASE = re.compile(r"merge-base(?:\((?P<target>.*)\))?", re.DOTALL)
# As rsync has it: what stands before is where the path is meant from, and the path as a whole names the same file.
_FROM = "/./"


class GitSpec(NamedTuple):
    """A spec in its parts.

    Attributes:
        ref: the ref, or ``merge-base``.
        folder: where the path is meant from, and the repository is looked for; empty for the working directory.
        path: the path from there, or an absolute one.
    """

    ref: str
    folder: str
    path: str

    @classmethod
    def parse(cls, spec: str) -> Self:
        """Read ``git:REF:PATH``.

        Raises:
            UsageError: where it has no ref or no path.
        """
        ref, colon, path = spec.removeprefix(_GIT).partition(":")
        if not is_in_git(spec) or not ref or not colon or not path or "\0" in spec:
            raise UsageError(
                "this is not git:REF:PATH",
                where=Place(spec),
                remedy="write e.g. `git:origin/main:results/run.csv` or `git:merge-base:results/run.csv`",
            )
        folder, marker, inside = path.partition(_FROM)
        return cls(ref, folder, inside) if marker else cls(ref, "", path)

    @property
    def merge_base(self) -> re.Match[str] | None:
        """Whether the ref is ``merge-base`` or ``merge-base(TARGET)``."""
        return _MERGE_BASE.fullmatch(self.ref)

    @property
    def whole_path(self) -> str:
        """The path from the working directory."""
        return os.path.normpath(os.path.join(self.folder, self.path))

    @property
    def prefix(self) -> str:
        """What stands before a path in the name of a file."""
        return f"{_GIT}{self.ref}:"


def is_in_git(path: str) -> bool:
    """Whether a path is a spec of this kind; ``./git:x`` is the file of that name."""
    return path.startswith(_GIT)


def from_spec(spec: str, config: str) -> str:
    """The same with its path meant from the folder that another spec's file lies in, within that file's repository.

    That folder is one of the commit's. What the working tree has in its place, a link or a submodule, is the word of
    whoever changed it last, and must not lead to another file or to another repository.
    """
    start, colon, path = spec.removeprefix(_GIT).partition(":")
    place = GitSpec.parse(config)
    if not colon or not path or _FROM in path or os.path.isabs(path):
        return spec
    inside = os.path.normpath(os.path.join(os.path.dirname(place.path), path))
    return f"{_GIT}{start}:{place.folder}{_FROM}{inside}" if place.folder else f"{_GIT}{start}:{inside}"


def from_folder(spec: str, folder: str) -> str:
    """The same with its path meant from a folder; what is no whole spec stays as it is, and is refused later."""
    start, colon, path = spec.removeprefix(_GIT).partition(":")
    if not colon or folder in {"", "."} or _FROM in path:
        return spec
    return f"{_GIT}{start}:{folder.rstrip('/')}{_FROM}{path}"


def working_copy(spec: str) -> str:
    """The path of the working tree at which a file of this spec lies, or would.

    Raises:
        UsageError: where it is no such spec.
    """
    return GitSpec.parse(spec).whole_path


def folder_of(spec: str) -> str:
    """The folder of the working tree that a file of this spec lies in, or would; errors as in ``working_copy``."""
    return os.path.dirname(working_copy(spec)) or "."
