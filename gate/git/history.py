"""When a file last changed, and whether there ever was one."""

import heapq
from dataclasses import dataclass
from datetime import UTC, date, datetime

from gate.errors import GitError, Place
from gate.git.repository import FETCH_ALL, Repository, short
from gate.git.trees import Selection

# An unchanged file in a history of millions must not keep the gate for minutes.
MOST_COMMITS = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """When what lies at a path last changed.

    Attributes:
        commit: that changed it; empty where the history that was looked through does not reach back so far.
        date: the day of that commit, of UTC; where there is none, the day since which nothing changed, or longer.
    """

    commit: str
    date: date


def last_change(repository: Repository, start: bytes, selection: Selection) -> Change | None:
    """The commit that made what lies at a path what it is, as ``git log -1`` finds it.

    None where the clone is shallow and does not reach back so far. Of several lines of history with the same content
    the first parent's is followed.

    Raises:
        GitError: where the repository cannot be read.
    """
    current = repository.commit(start)
    wanted = selection.find(current.tree)
    for _ in range(MOST_COMMITS):
        if bytes(current.id) in repository.shallow:
            return None
        parents = (repository.commit(parent) for parent in current.parents)
        same = next((parent for parent in parents if selection.find(parent.tree) == wanted), None)
        if same is None:
            return Change(current.id.decode(), _day(current.commit_time))
        current = same
    return Change("", _day(current.commit_time))


def require_never(repository: Repository, start: bytes, selection: Selection, shown: str) -> None:
    """Return where no commit that leads up to ``start`` ever had anything at a path.

    Every line of history counts, not the first parents alone; the newest commits are looked at first.

    Raises:
        GitError: where one had it, or the clone is shallow and cannot tell.
    """
    newest: list[tuple[int, bytes]] = [(0, start)]
    seen = {start}
    reached_end = True
    while newest:
        commit_id = heapq.heappop(newest)[1]
        commit = repository.commit(commit_id)
        if selection.find(commit.tree):
            raise GitError(
                f"there is no such file at {short(start)}: it was there, last in commit {short(commit_id)}, "
                "and was deleted since",
                where=Place(shown),
                remedy="bring it back, or name a ref that has it: a gate without its baseline judges nothing",
            )
        reached_end &= commit_id not in repository.shallow
        for parent in repository.parents(commit_id):
            if parent not in seen:
                seen.add(parent)
                heapq.heappush(newest, (-repository.commit(parent).commit_time, parent))
    if not reached_end:
        raise GitError(
            f"there is no such file at {short(start)}, and a shallow clone cannot tell whether there ever was one",
            where=Place(shown),
            remedy=f"check the path; for a first run, where there is none yet, {FETCH_ALL}",
        )


def _day(seconds: int) -> date:
    try:
        return datetime.fromtimestamp(seconds, UTC).date()
    except (OverflowError, ValueError, OSError):  # a commit may claim any time
        return date.max if seconds > 0 else date.min
