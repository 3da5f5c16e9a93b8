"""The line about how far a scan is: on a terminal only, with rate and time left."""

import io

import pytest

from gate.commands.progress import progress_on
from gate.contamination.engines import Progress

MB = 1 << 20


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def line(self) -> str:
        return self.getvalue().rpartition("\x1b[K")[2]


def test_nothing_is_told_where_nobody_looks_on() -> None:
    assert progress_on(io.StringIO()) is None


def _told(*steps: tuple[float, Progress]) -> str:
    terminal, times = Terminal(), iter([time for time, _ in steps])
    tell = progress_on(terminal, clock=lambda: next(times))
    assert tell is not None
    for _, progress in steps:
        tell(progress)
    return terminal.line


def test_the_first_line_knows_no_rate() -> None:
    assert _told((0, Progress(0, 8, 1, MB))) == "searching the corpus: shard 0 of 8, 1 MB"


@pytest.mark.parametrize(("shards", "left"), [(8, "4 s left"), (200, "3 min left"), (20_000, "5.6 h left")])
def test_rate_and_time_left_follow_from_what_was_read(shards: int, left: str) -> None:
    line = _told((0, Progress(0, shards, 0, 0)), (4, Progress(4, shards, 9, 200 * MB)))
    assert line == f"searching the corpus: shard 4 of {shards}, 200 MB, 50 MB/s, {left}"


def test_shards_out_of_a_store_do_not_count_for_long() -> None:
    line = _told(
        (0, Progress(0, 8, 0, 0)), (1, Progress(4, 8, 9, 4000 * MB)), (30, Progress(4, 8, 9, 4000 * MB)),
        (40, Progress(5, 8, 9, 5000 * MB)),
    )  # fmt: skip
    assert ", 100 MB/s, " in line


def test_the_line_is_gone_at_the_end() -> None:
    assert _told((0, Progress(0, 2, 0, 0)), (1, Progress(2, 2, 2, MB))) == ""
