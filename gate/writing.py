"""Writing files whole: a reader sees the old one or the new one, whatever becomes of the writer."""

import errno
import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gate.errors import Place, WriteError

_MOST_AT_ONCE = 8
# never through a link, nor waiting for the other end of a pipe
_TAKE_OVER = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write_atomically(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, see ``write_bytes_atomically``.

    Raises:
        WriteError: where the folder cannot be made or written.
    """
    write_bytes_atomically(path, text.encode())


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` so that a reader sees the old file or the new one, never half of either.

    A link is followed; a device or a pipe, which must not be replaced by a file, is written to directly. What a process
    that was killed leaves beside the file is taken over by the next one that writes it, so that it never grows.

    Raises:
        WriteError: where the folder cannot be made or written.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        _fill_and_rename(_open_beside(target), data, target)
        _tidy(target)
    except OSError as fault:
        raise _cannot_write(path, fault) from fault


def take_away(path: Path) -> None:
    """Remove a report that does not hold any more, where that can be done; a device or a pipe stays."""
    with suppress(OSError):
        if path.is_file():
            path.resolve().unlink()


class _Beside(NamedTuple):
    """An empty file that this process alone writes, in the folder of the one that it will replace."""

    handle: int
    path: Path


def _open_beside(target: Path) -> _Beside:
    """The first free one of the few files that go with this target, whoever left it."""
    fault = OSError(errno.EAGAIN, "too many processes write it")
    for part in _parts(target):
        try:
            handle = os.open(part, _TAKE_OVER | os.O_CREAT, 0o600)
        except OSError as error:
            fault = error
            continue
        if _is_ours(handle, part):
            return _Beside(handle, part)
        os.close(handle)
    raise fault


def _parts(target: Path) -> Iterator[Path]:
    # of the name's digest: a name may be as long as the file system allows
    start = f".gate-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}"
    return (target.parent / f"{start}{number or ''}.part" for number in range(_MOST_AT_ONCE))


def _tidy(target: Path) -> None:
    """Remove what processes left that were killed while another one wrote the same target."""
    for part in _parts(target):
        with suppress(OSError):
            handle = os.open(part, _TAKE_OVER)
            try:
                if _is_ours(handle, part):
                    part.unlink()
            finally:
                os.close(handle)


def _is_ours(handle: int, part: Path) -> bool:
    """Lock and empty the file that was opened; whether it is still that file, and no other name of some other one."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        opened, there = os.fstat(handle), part.lstat()
        # the one that held the lock may have renamed it in between: then it is a finished report
        if not os.path.samestat(opened, there) or not stat.S_ISREG(opened.st_mode) or opened.st_nlink != 1:
            return False
        os.ftruncate(handle, 0)
    except OSError:
        return False
    return True


def _fill_and_rename(beside: _Beside, data: bytes, target: Path) -> None:
    # the lock goes with the handle: nobody may take the file over before it has its name
    with os.fdopen(beside.handle, "wb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(beside.handle)
            os.fchmod(beside.handle, 0o644)
            beside.path.replace(target)
        except BaseException:
            # an interrupt, too, leaves nothing half-written behind, nor takes away what another one has begun
            with suppress(OSError):
                if os.path.samestat(os.fstat(beside.handle), beside.path.lstat()):
                    beside.path.unlink()
            raise


def _cannot_write(path: Path, fault: OSError) -> WriteError:
    return WriteError(
        f"the file cannot be written: {fault.strerror or fault}",
        where=Place(str(path)),
        remedy="name a folder that this user may write to, on a disk with space left",
    )
