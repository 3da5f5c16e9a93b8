"""Links to folders: a few of them can stand for more paths than anyone can look at."""

import glob
import os
from pathlib import Path
from typing import NamedTuple

from gate.errors import GateError, Place

# Thirty folders with two links each, to the next one, hold a thousand million paths.
MOST_BY_LINKS = 100_000


class Split(NamedTuple):
    """A pattern: the folders in front of its first part with a wildcard, and the parts from there on."""

    fixed: Path
    parts: tuple[str, ...]


def split_pattern(pattern: str) -> Split:
    """Split a pattern, which has a wildcard."""
    parts = Path(pattern).parts
    wild = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return Split(Path(*parts[:wild]), parts[wild:])


def require_end_of_links(pattern: str, *, where: Place, error: type[GateError], base: Path | None = None) -> None:
    """Raise ``error`` where a pattern would be looked for in more paths than links may lead to.

    Whoever looks for a pattern follows every link to a folder, each of which is another path to the same files.

    Args:
        pattern: with a wildcard; ``**`` stands for folders of any depth.
        where: named in the error.
        error: the class to raise.
        base: the folder that the pattern is meant from; None: the working directory.
    """
    fixed, parts = split_pattern(pattern)
    deepest = None if "**" in parts else len(parts) - 1
    waiting = [(str((base or Path()) / fixed), 0, False)]
    seen = 0
    while waiting:
        folder, depth, by_link = waiting.pop()
        for entry in _entries(folder):
            seen += by_link
            if seen > MOST_BY_LINKS:
                raise error(
                    f"over {MOST_BY_LINKS} paths lead through links to folders",
                    where=where,
                    remedy="take links to folders out that lead to each other, or name the folder that is meant",
                )
            # what a pattern does not fit by its last part need not be looked into
            if (deepest is None or depth < deepest) and _is_folder(entry):
                waiting.append((entry.path, depth + 1, by_link or entry.is_symlink()))


def _entries(folder: str) -> list["os.DirEntry[str]"]:
    """What stands in a folder; nothing where it cannot be looked into, which is told where it is read."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False
