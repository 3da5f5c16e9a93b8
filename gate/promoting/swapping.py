"""A folder put in the place of another: all of the old one or all of the new one stands there, whenever this ends."""

import ctypes
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gate.errors import Place, WriteError
from gate.interrupts import held_back

NEW = "new"
_OLD = "old"
# of Linux
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextmanager
def room_beside(target: Path) -> Iterator[Path]:
    """A folder beside the target, for one process at a time; what a process left in it that was killed is put right.

    Raises:
        WriteError: where another process is at work in it.
        OSError: where it cannot be made.
    """
    # of the name's digest: a name may be as long as the file system allows
    room = target.parent / f".gate-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}.promotion"
    room.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(room, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _hold(handle, room, target)
        try:
            _put_right(room, target)
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)
    finally:
        os.close(handle)


def swap(room: Path, target: Path) -> None:
    """Let the folder ``new`` of the room take the target's place, at once where the system can.

    Else there is none for a moment, in which a process that is killed leaves the old one in the room: the next one to
    come brings it back.

    Raises:
        OSError: where it cannot; the old one is where it was.
    """
    new, old = room / NEW, room / _OLD
    if not target.exists():
        new.rename(target)
        return
    if _exchange(new, target):
        return
    with held_back():
        target.rename(old)
        try:
            new.rename(target)
        except OSError:
            old.rename(target)
            raise


def _hold(handle: int, room: Path, target: Path) -> None:
    held = False
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # the one that held it may have removed it in between
        held = os.path.samestat(os.fstat(handle), room.lstat())
    if not held:
        raise WriteError(
            "another process puts a folder here at the moment",
            where=Place(str(target)),
            remedy="promote again when it has ended",
        )


def _put_right(room: Path, target: Path) -> None:
    if (room / _OLD).is_dir() and not os.path.lexists(target):
        (room / _OLD).rename(target)
    for left in (room / NEW, room / _OLD):
        shutil.rmtree(left, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders at once; False where the system, or the file system, cannot do so."""
    try:
        exchange = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return False
    done: int = exchange(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), ctypes.c_uint(_RENAME_EXCHANGE))
    return done == 0
