"""Which files a corpus consists of: files, folders and glob patterns, in an order that is the same everywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.contamination.found import Found, SourceFile
from gate.contamination.local_sources import find_local, real_path
from gate.contamination.stored_sources import find_stored
from gate.errors import CorpusError
from gate.files import is_url

__all__ = ["SourceFile", "Sources", "find_sources", "is_stored"]

_LOCAL_URLS = ("file://", "local://")


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
        corpus: files, folders (read with all folders in them) or glob patterns, of this machine or as URLs of an
            object store that fsspec knows. In folders and patterns, hidden files, links that lead out of them and files
            with other endings are left out; the latter two are told.
        base: the folder that relative paths start from.

    Raises:
        CorpusError: where a path is missing or unreadable, a named file has another ending, a folder or a
            pattern holds no file that can be read, or a store's client is missing or the store does not answer.
    """
    entries = [corpus] if isinstance(corpus, (str, Path)) else corpus
    if not entries:
        raise CorpusError("the corpus is empty", remedy="name at least one file, folder or pattern")
    files: dict[str, SourceFile] = {}
    left_out: set[str] = set()
    links_out: set[str] = set()
    notes: list[str] = []
    for entry in entries:
        found = _find(str(entry), base)
        left_out |= found.other
        links_out |= found.links_out
        notes += found.notes()
        for file in found.files:
            files.setdefault(file.path if is_url(file.path) else str(real_path(Path(file.path))), file)
    return Sources(tuple(files.values()), frozenset(left_out), frozenset(links_out), tuple(notes))


def is_stored(entry: str) -> bool:
    """Whether this names what lies in a store, not on this machine."""
    return is_url(entry) and not entry.startswith(_LOCAL_URLS)


def _find(entry: str, base: Path) -> Found:
    if is_stored(entry):
        return find_stored(entry)
    return find_local(entry.partition("://")[2] if is_url(entry) else entry, base)
