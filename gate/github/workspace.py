"""The workspace: nothing is written outside of it, and what is written inside belongs to its owner."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from gate.errors import Place, UsageError
from gate.git.worktree import is_submodule

WORKSPACE = "GITHUB_WORKSPACE"
REPORT_FILES: Mapping[str, str] = {
    "json": "report.json",
    "markdown": "report.md",
    "html": "report.html",
    "junit": "report.xml",
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """The workspace and the folder in it that the inputs' paths are meant from; both without links.

    Attributes:
        root: the workspace.
        directory: the working directory.
    """

    root: Path
    directory: Path

    @classmethod
    def find(cls, environ: Mapping[str, str], working_directory: str | None) -> Self:
        """The workspace that the environment names, or else the current folder, and the working directory in it.

        Raises:
            UsageError: where there is no such folder, or the working directory leads out of the workspace.
        """
        name = environ.get(WORKSPACE) or str(Path.cwd())
        root = Path(os.path.realpath(name))
        if not root.is_dir():
            raise UsageError(
                f"{WORKSPACE} names no folder: {name!r}", remedy="mount the workspace there, or leave the variable out"
            )
        if working_directory is None:
            return cls(root, root)
        directory = cls(root, root).inside(working_directory, name="working-directory")
        if not directory.is_dir():
            raise UsageError(
                f"the input 'working-directory' names no folder: {working_directory!r}",
                remedy="name a folder of the workspace, and check out the repository in a step before this one",
            )
        return cls(root, directory)

    def require_own_folder(self, working_directory: str) -> None:
        """Raise UsageError where a pull request may choose what the working directory is.

        A ref is looked up in the repository that the folder lies in, and paths are meant from there: a link would lead
        to another folder of the target branch, a submodule to a repository of anyone's.
        """
        lexical = Path(os.path.normpath(self.root / working_directory))
        if not lexical.is_relative_to(self.root):  # by an absolute path, through the workspace's own links
            lexical = self.directory
        below = [each for each in (lexical, *lexical.parents) if each.is_relative_to(self.root) and each != self.root]
        if any(each.is_symlink() for each in below):
            what = "is or goes through a link"
        elif any(is_submodule(each) for each in below):
            what = "lies in a submodule"
        else:
            return
        raise UsageError(
            f"the input 'working-directory' {what}, which a pull request may point elsewhere: {working_directory!r}",
            remedy="what is named by `git:` is meant from the working directory: name a folder of the checkout itself, "
            "or check the other repository out in a step of its own",
        )

    def inside(self, path: str, *, name: str) -> Path:
        """The path from the working directory, links followed.

        Raises:
            UsageError: naming the input, where the path leads out of the workspace, or cannot be one.
        """
        found = Path(os.path.realpath(self.directory / path))
        try:
            found.lstat()
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as fault:
            raise UsageError(
                f"the input {name!r} cannot be used as a path: {fault.strerror or fault}",
                remedy="name a folder of the workspace that the container may read",
            ) from fault
        if not found.is_relative_to(self.root):
            raise UsageError(
                f"the input {name!r} leads out of the workspace: {path!r}",
                remedy="name a folder of the workspace, by a path without a link or `..` that leads out of it",
            )
        return found

    def shown(self, path: Path) -> str:
        """A path in the workspace, as other steps know it: from its root."""
        return path.relative_to(self.root).as_posix()

    def find_file(self, place: Place) -> str | None:
        """The file of a place, from the workspace's root; None where the place is no file of the workspace."""
        if "\0" in place.path:  # no path can be written like this
            return None
        found = Path(os.path.realpath(self.directory / place.path))
        return self.shown(found) if found.is_relative_to(self.root) and _version(found) and not found.is_dir() else None


class _Version(NamedTuple):
    """What tells a file from one that was written later in its place."""

    inode: int
    changed: int


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where the reports go.

    Attributes:
        workspace: that they lie in.
        paths: form of report -> file.
        before: form of report -> what lay there before the run, if anything.
        new_folders: those that writing will make.
    """

    workspace: Workspace
    paths: Mapping[str, Path]
    before: Mapping[str, "_Version | None"]
    new_folders: Sequence[Path]

    @classmethod
    def plan(cls, workspace: Workspace, report_dir: str) -> Self:
        """Plan the files and remember what lies there now.

        Raises:
            UsageError: where they would be written outside of the workspace, or through a link.
        """
        folder = workspace.inside(report_dir, name="report-dir")
        paths = {form: folder / name for form, name in REPORT_FILES.items()}
        for path in paths.values():
            if path.is_symlink():
                raise UsageError(
                    f"a link lies where a report goes: {workspace.shown(path)!r}",
                    remedy="take it out of the repository, or name another folder by the input `report-dir`",
                )
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        return cls(workspace, paths, {form: _version(path) for form, path in paths.items()}, new)

    def written(self) -> dict[str, Path]:
        """Form of report -> file, of those that this run has written: an old one must not pass for its report."""
        return {form: path for form, path in self.paths.items() if _version(path) not in (None, self.before[form])}

    def hand_over(self) -> tuple[Path, ...]:
        """Give what was written to the workspace's owner, where this process is root; returns what it may not give."""
        if os.geteuid() != 0:
            return ()
        owner = self.workspace.root.stat()
        made = [path for path in (*self.new_folders, *self.written().values()) if path.exists()]
        return tuple(path for path in made if not _give(path, owner))


def _version(path: Path) -> _Version | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return _Version(found.st_ino, found.st_mtime_ns)


def _give(path: Path, owner: os.stat_result) -> bool:
    """Whether the owner may do with the path as they like now: a foreign group alone is no hindrance."""
    found = path.lstat()
    if (found.st_uid, found.st_gid) == (owner.st_uid, owner.st_gid):
        return True
    try:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
    except OSError:
        return found.st_uid == owner.st_uid
    return True
