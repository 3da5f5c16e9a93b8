"""A line that rewrites itself on a terminal while runs are simulated."""

from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]


def progress_on(err: TextIO) -> Progress | None:
    """What tells how many of so many pairs are judged; None where ``err`` is no terminal."""
    if not err.isatty():
        return None

    def tell(done: int, pairs: int) -> None:
        err.write(f"\r\x1b[K{'' if done >= pairs else f'judging unchanged runs: {done} of {pairs}'}")
        err.flush()

    return tell
