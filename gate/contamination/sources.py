"""Which files a corpus consists of: files, folders and glob patterns, in an order that is the same everywhere."""

import glob
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gate.contamination.decoding import printable
from gate.errors import CorpusError, Place
from gate.files import require_regular_file
from gate.wording import count

KINDS = (".txt", ".md", ".jsonl", ".json")
COMPRESSIONS = (".gz", ".zst")
_READ = f"{', '.join(KINDS)}, each also with {' or '.join(COMPRESSIONS)}"
_ENDINGS_TOLD = 5


class SourceFile(NamedTuple):
    """One file to read: where it is, how the user would name it, and which of ``KINDS`` it is."""

    path: Path
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What a corpus consists of.

    Attributes:
        files: those to read, in reading order, each once.
        left_out: names of files with other endings.
        links_out: names of links that lead out of the corpus.
        notes: sentences about what was left out.
    """

    files: tuple[SourceFile, ...]
    left_out: frozenset[str]
    links_out: frozenset[str]
    notes: tuple[str, ...]


def find_sources(corpus: str | Path | Sequence[str | Path], base: Path = Path()) -> Sources:
    """List the files of a corpus.

    Args:
        corpus: files, folders (read with all folders in them) or glob patterns. In folders and patterns, hidden
            files, links that lead out of them and files with other endings are left out; the latter two are told.
        base: the folder that relative paths start from.

    Raises:
        CorpusError: where a path is missing or unreadable, a named file has another ending, or a folder or a
            pattern holds no file that can be read.
    """
    entries = [corpus] if isinstance(corpus, (str, Path)) else corpus
    if not entries:
        raise CorpusError("the corpus is empty", remedy="name at least one file, folder or pattern")
    files: dict[Path, SourceFile] = {}
    left_out: set[str] = set()
    links_out: set[str] = set()
    notes: list[str] = []
    for entry in entries:
        found = _Finder(str(entry), base).find()
        left_out |= found.other
        links_out |= found.links_out
        notes += found.notes()
        for file in found.files:
            files.setdefault(_real(file.path), file)
    return Sources(tuple(files.values()), frozenset(left_out), frozenset(links_out), tuple(notes))


@dataclass(slots=True)
class _Found:
    """What one entry stands for; sets, because a pattern can meet a folder and the files in it."""

    given: str
    files: list[SourceFile] = field(default_factory=list)
    other: set[str] = field(default_factory=set)
    links_out: set[str] = field(default_factory=set)

    def notes(self) -> list[str]:
        notes = []
        if self.other:
            endings = Counter(Path(name).suffix or "no ending" for name in self.other)
            commonest = sorted(endings.items(), key=lambda entry: (-entry[1], entry[0]))[:_ENDINGS_TOLD]
            told = ", ".join(f"{ending} {count}" for ending, count in commonest)
            more = ", ..." if len(endings) > _ENDINGS_TOLD else ""
            notes.append(
                f"not read in {self.given}: {count(len(self.other), 'file')} with other endings ({told}{more})"
            )
        if self.links_out:
            lead = "link that leads" if len(self.links_out) == 1 else "links that lead"
            notes.append(f"not read in {self.given}: {len(self.links_out)} {lead} out of it")
        return notes


class _Finder:
    """Finds the files of one entry."""

    def __init__(self, given: str, base: Path) -> None:
        self._given = Path(given).as_posix() if given else ""
        self._base = base
        self._where = Place(printable(self._given))
        self._found = _Found(printable(self._given))

    def find(self) -> _Found:
        path = self._base / self._given
        try:
            if not self._given:
                raise self._missing("the path is empty")
            if path.is_dir():
                self._add_folder(path, _real(path))
            elif path.exists():
                self._add_named(path)
            elif glob.has_magic(self._given):
                self._add_matches()
            else:
                raise self._missing("there is no such file or folder")
        except OSError as fault:
            raise self._missing(f"the path cannot be read: {fault.strerror or fault}") from fault
        if not self._found.files:
            raise self._nothing_to_read()
        self._found.files.sort(key=lambda file: file.name)
        return self._found

    def _add_named(self, path: Path) -> None:
        require_regular_file(path, error=CorpusError)
        if not self._add(path):
            raise CorpusError(
                "the file's ending does not say how to read it",
                where=self._where,
                remedy=f"give it one of the endings that are read: {_READ}",
            )

    def _add_folder(self, folder: Path, root: Path) -> None:
        for path in _visible_files(folder):
            self._add_inside(path, root)

    def _add_matches(self) -> None:
        # Path.glob would match hidden files and refuses absolute patterns
        matches = glob.glob(self._given, root_dir=self._base, recursive=True)  # noqa: PTH207
        root = _real(self._base / _fixed_part(self._given))
        for path in (self._base / match for match in matches):
            if path.is_dir() and _real(path).is_relative_to(root):
                self._add_folder(path, root)
            else:
                self._add_inside(path, root)

    def _add_inside(self, path: Path, root: Path) -> None:
        if not _real(path).is_relative_to(root):
            self._found.links_out.add(self._name(path))
        elif not path.is_dir() and not self._add(path):
            self._found.other.add(self._name(path))

    def _add(self, path: Path) -> bool:
        kind = _kind(path)
        if kind is None:
            return False
        self._found.files.append(SourceFile(path, self._name(path), kind))
        return True

    def _name(self, path: Path) -> str:
        name = path if Path(self._given).is_absolute() else path.relative_to(self._base)
        return printable(name.as_posix())

    def _missing(self, what: str) -> CorpusError:
        return CorpusError(
            what, where=self._where, remedy="check the path: it is meant from gate.yml's folder, or the current one"
        )

    def _nothing_to_read(self) -> CorpusError:
        left_out = "".join(f"; {note}" for note in self._found.notes())
        return CorpusError(
            f"there is no file here that can be read as text{left_out}",
            where=self._where,
            remedy=f"name files or folders with files that end in {_READ}",
        )


def _visible_files(folder: Path) -> Iterator[Path]:
    """Every file under ``folder``, and every link to a folder (which is not walked into); nothing hidden."""
    for parent, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = _visible(folders)
        links = [name for name in folders if Path(parent, name).is_symlink()]
        yield from (Path(parent, name) for name in [*_visible(files), *links])


def _visible(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(".")]


def _real(path: Path) -> Path:
    # Path.resolve raises RuntimeError at a link that leads to itself
    return Path(os.path.realpath(path))


def _raise(fault: OSError) -> None:
    raise fault


def _kind(path: Path) -> str | None:
    name = path.name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return next((kind for kind in KINDS if name.endswith(kind)), None)


def _fixed_part(pattern: str) -> Path:
    """The folders in front of the first part with a wildcard."""
    parts = Path(pattern).parts
    wild = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:wild])
