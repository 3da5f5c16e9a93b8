"""A line that rewrites itself on a terminal while a corpus is read: how far, how fast, how long still."""

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from gate.contamination.engines import Progress

Tell = Callable[["Progress"], None]
# The rate is that of the last seconds, so that shards out of a store, which cost nothing, do not promise too much.
_WINDOW = 20.0
_MINUTE, _HOUR = 60, 3600


def progress_on(err: TextIO, *, clock: Callable[[], float] = time.monotonic) -> Tell | None:
    """What tells how far a scan is; None where ``err`` is no terminal."""
    if not err.isatty():
        return None
    line = _Line(clock)

    def tell(progress: "Progress") -> None:
        err.write(f"\r\x1b[K{line.of(progress)}")
        err.flush()

    return tell


class _Line:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, Progress]] = deque()

    def of(self, progress: "Progress") -> str:
        """The line; empty once all is done."""
        now = self._clock()
        self._seen.append((now, progress))
        while now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        if progress.shards_done >= progress.shards:
            return ""
        done = f"searching the corpus: shard {progress.shards_done} of {progress.shards}, {progress.bytes >> 20} MB"
        since, before = self._seen[0]
        if now <= since or progress.bytes <= before.bytes:
            return done
        rate = (progress.bytes - before.bytes) / (now - since)
        return f"{done}, {rate / (1 << 20):.0f} MB/s{_left(progress, rate)}"


def _left(progress: "Progress", rate: float) -> str:
    """How long still, by the size of the shards that are done; how large the others are is not known."""
    if not progress.shards_done:
        return ""
    seconds = progress.bytes / progress.shards_done * (progress.shards - progress.shards_done) / rate
    if seconds >= _HOUR:
        return f", {seconds / _HOUR:.1f} h left"
    return f", {seconds / _MINUTE:.0f} min left" if seconds >= _MINUTE else f", {seconds:.0f} s left"
