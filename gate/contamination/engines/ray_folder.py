"""Where a Ray cluster of our own has its files: a folder that goes away with it, or when the next one starts."""

import os
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from gate.held_folder import abandoned, make_held

_PREFIX = "gate-ray-"
# Ray's own name for what it makes in there.
_SESSION = "session_"
_PATIENCE_SECONDS = 10
_PAUSE_SECONDS = 0.05


class RayFolder:
    """A folder held by a lock, which its heirs share: who finds it free knows that they are all gone.

    Attributes:
        path: the folder.
        lock: the descriptor of the lock; a process that is handed it holds the folder, too.
    """

    def __init__(self) -> None:
        for left in abandoned(_PREFIX):
            remove(left)
        self.path, self.lock = make_held(_PREFIX)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        remove(self.path)
        os.close(self.lock)


def remove(folder: Path) -> None:
    """Remove the folder, and end what still runs of its cluster, but for this process.

    Without /proc nobody is found there: what runs ends by itself, though in a minute.
    """
    end = time.monotonic() + _PATIENCE_SECONDS
    while folder.exists() and time.monotonic() < end:
        left = [process for process in _processes() if process != os.getpid() and _writes_into(process, folder)]
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if left:
            # they take a moment to die, and one may just have started another
            time.sleep(_PAUSE_SECONDS)
            continue
        # the lock goes last: a folder without one would never be swept
        for path in folder.glob(f"{_SESSION}*"):
            _remove_tree(path)
        if not list(folder.glob(f"{_SESSION}*")):
            _remove_tree(folder)


def _remove_tree(path: Path) -> None:
    if path.is_symlink():
        path.unlink(missing_ok=True)
    else:
        shutil.rmtree(path, ignore_errors=True)


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _writes_into(process: int, folder: Path) -> bool:
    """Whether it has a log of the cluster open, as all processes of Ray have; some of them hide their command."""
    # not ours to see, or gone meanwhile
    with suppress(OSError):
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                if str(file.readlink()).startswith(f"{folder}/{_SESSION}"):
                    return True
    return False
