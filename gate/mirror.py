"""Copies that stand in for files from elsewhere, and how those are told: never by the name of the copy."""

import glob
import os
from typing import NamedTuple


class Mirror(NamedTuple):
    """A folder of copies.

    Attributes:
        folder: where the copies lie; empty where files are read in place.
        prefix: what stands before the name of each within the folder, ``git:main:``.
    """

    folder: str = ""
    prefix: str = ""

    @property
    def start(self) -> str:
        """What the path of each file begins with that is no part of its name."""
        return f"{self.folder}{os.sep}" if self.folder else ""

    def name(self, path: str) -> str:
        """The path of a file, or a pattern, as its user would write it; of one that is read in place, its path."""
        starts = (start for start in (self.start, glob.escape(self.start)) if path.startswith(start))
        return path.removeprefix(next(starts, ""))

    def shown(self, path: str) -> str:
        """The name of a file for messages and reports."""
        return f"{self.prefix}{self.name(path)}"


IN_PLACE = Mirror()
