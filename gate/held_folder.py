"""Temporary folders held by a lock: one goes away with its process, or when the next begins where that was killed."""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from gate.interrupts import held_back

_LOCK = "owner"
_CONTENT = "files"


class HeldFolder(NamedTuple):
    """A folder that this user alone may look into, and what holds it.

    Attributes:
        path: the folder.
        lock: the descriptor of the lock; a process that is handed it holds the folder, too.
    """

    path: Path
    lock: int


def make_held(prefix: str, parent: str | None = None) -> HeldFolder:
    """Make a folder that nobody finds abandoned.

    Args:
        prefix: what its name begins with.
        parent: where it is made; None: where temporary files go.

    Raises:
        OSError: where it cannot be made.
    """
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent)).resolve()
    # it gets its name once it is locked, so that nobody finds it free before
    unnamed = path / f"{_LOCK}.new"
    lock = os.open(unnamed, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    unnamed.rename(path / _LOCK)
    return HeldFolder(path, lock)


def abandoned(prefix: str, parent: str | None = None) -> Iterator[Path]:
    """The folders of ours whose holders are all gone, each locked while it is looked at; arguments as above."""
    for folder in Path(parent or tempfile.gettempdir()).resolve().glob(f"{prefix}*"):
        # of somebody else, still in use, or removed meanwhile
        with suppress(OSError):
            found = folder.lstat()
            # where others may write, too, a name says nothing: theirs are not touched, nor what a link leads to
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield folder
            finally:
                os.close(lock)


@contextmanager
def temporary_folder(prefix: str, parent: str | None = None) -> Iterator[Path]:
    """A folder for files that nobody else may read; what killed processes left of such is removed first.

    Raises:
        OSError: where it cannot be made.
    """
    for left in abandoned(prefix, parent):
        _remove(left)
    held = None
    try:
        with held_back():
            held = make_held(prefix, parent)
        content = held.path / _CONTENT
        content.mkdir(mode=0o700)
        yield content
    finally:
        if held is not None:
            _remove(held.path)
            os.close(held.lock)


def _remove(folder: Path) -> None:
    # the lock goes last: a folder without one would never be found again
    shutil.rmtree(folder / _CONTENT, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
