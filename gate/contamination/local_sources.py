"""Which files of this machine an entry of a corpus stands for: a file, a folder or a glob pattern."""

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gate.contamination.decoding import printable
from gate.contamination.found import Found, unknown_ending
from gate.errors import CorpusError, Place
from gate.files import require_regular_file
from gate.links import require_end_of_links, split_pattern


def find_local(given: str, base: Path) -> Found:
    """The files of one entry, sorted by name; errors as in ``find_sources``."""
    return _Finder(given, base).find()


def real_path(path: Path) -> Path:
    """The path without links."""
    # Path.resolve raises RuntimeError at a link that leads to itself
    return Path(os.path.realpath(path))


class _Finder:
    """Finds the files of one entry."""

    def __init__(self, given: str, base: Path) -> None:
        self._given = Path(given).as_posix() if given else ""
        self._base = base
        self._where = Place(printable(self._given))
        self._found = Found(printable(self._given))

    def find(self) -> Found:
        path = self._base / self._given
        try:
            if not self._given:
                raise self._missing("the path is empty")
            if path.is_dir():
                self._add_folder(path, real_path(path))
            elif path.exists():
                self._add_named(path)
            elif glob.has_magic(self._given):
                self._add_matches()
            else:
                raise self._missing("there is no such file or folder")
        except OSError as fault:
            raise self._missing(f"the path cannot be read: {fault.strerror or fault}") from fault
        return self._found.in_order()

    def _add_named(self, path: Path) -> None:
        require_regular_file(path, error=CorpusError)
        if not self._add(path):
            raise unknown_ending(self._found.given)

    def _add_folder(self, folder: Path, root: Path) -> None:
        for path in _visible_files(folder):
            self._add_inside(path, root)

    def _add_matches(self) -> None:
        require_end_of_links(self._given, where=self._where, error=CorpusError, base=self._base)
        # Path.glob would match hidden files and refuses absolute patterns
        matches = glob.glob(self._given, root_dir=self._base, recursive=True)  # noqa: PTH207
        root = real_path(self._base / split_pattern(self._given).fixed)
        for path in (self._base / match for match in matches):
            if path.is_dir() and real_path(path).is_relative_to(root):
                self._add_folder(path, root)
            else:
                self._add_inside(path, root)

    def _add_inside(self, path: Path, root: Path) -> None:
        if not real_path(path).is_relative_to(root):
            self._found.links_out.add(self._name(path))
        elif not path.is_dir() and not self._add(path):
            self._found.other.add(self._name(path))

    def _add(self, path: Path) -> bool:
        return self._found.add(str(path), self._name(path))

    def _name(self, path: Path) -> str:
        name = path if Path(self._given).is_absolute() else path.relative_to(self._base)
        return printable(name.as_posix())

    def _missing(self, what: str) -> CorpusError:
        return CorpusError(
            what, where=self._where, remedy="check the path: it is meant from gate.yml's folder, or the current one"
        )


def _visible_files(folder: Path) -> Iterator[Path]:
    """Every file under ``folder``, and every link to a folder (which is not walked into); nothing hidden."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = _visible(folders)
        links = [name for name in folders if Path(parent, name).is_symlink()]
        yield from (Path(parent, name) for name in [*_visible(files), *links])


def _visible(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(".")]


def _raise(fault: OSError) -> None:
    raise fault
