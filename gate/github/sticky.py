"""One comment of ours on a pull request: found by its marker and its author, updated in place, never a second one."""

import re
import time
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, Protocol

from gate.github.client import Comment, RefusedError, UnreachableError
from gate.github.patience import Deadline

_ATTEMPTS = 3
_PAUSE = 1.0  # seconds; where GitHub does not say how long
_RUN = re.compile(r"<!-- gate-run (\d{1,18})\.(\d{1,9}) -->")


class Written(NamedTuple):
    """The comment as it should stand.

    Attributes:
        marker: its first line, by which it is found again.
        run: the number of the run and of its attempt: a newer run's verdict is not written over by an older one's.
        text: what follows.
    """

    marker: str
    run: tuple[int, int]
    text: str

    @property
    def body(self) -> str:
        """All of it."""
        return "\n".join((self.marker, "<!-- gate-run {}.{} -->".format(*self.run), self.text))


class Deed(StrEnum):
    """What became of the comment, in the words of the log."""

    CREATED = "written"
    UPDATED = "brought up to date"
    SAME = "up to date already"
    NEWER = "left alone: a newer run has written it"
    NOT_WANTED = "not wanted here"


class Placed(NamedTuple):
    """What became of it, where it stands, and how many of our own beside it could not be taken away."""

    deed: Deed
    url: str = ""
    leftover: int = 0


class Comments(Protocol):
    """Those of one repository, as ``client.Client`` has them."""

    def own_login(self) -> str:
        """The account that writes."""
        ...

    def comments(self, number: int) -> list[Comment]:
        """All comments, the oldest first."""
        ...

    def create(self, number: int, body: str) -> Comment:
        """A new one."""
        ...

    def update(self, comment: Comment, body: str) -> Comment:
        """The same one with another body."""
        ...

    def delete(self, comment: Comment) -> None:
        """One fewer."""
        ...


def place(client: Comments, number: int, written: Written, *, wanted: bool) -> Placed:
    """Write the comment, or bring the one that stands there up to date.

    Args:
        client: the API.
        number: of the pull request.
        written: the comment.
        wanted: whether there should be one where there is none yet; one that stands there never stays stale.
    """
    own = _own(client, number, written.marker)
    if not own:
        return Placed(Deed.CREATED, client.create(number, written.body).html_url) if wanted else Placed(Deed.NOT_WANTED)
    first, *doubles = own
    if max(map(_run_of, own)) > written.run:
        return Placed(Deed.NEWER, first.html_url)
    same = _same(first.body, written.body)
    if not same:
        client.update(first, written.body)
    # two runs at the same time may both have found none: the second one's would show its verdict for ever
    leftover = sum(not _deleted(client, comment) for comment in doubles)
    return Placed(Deed.SAME if same else Deed.UPDATED, first.html_url, leftover)


def persist(work: Callable[[], Placed], deadline: Deadline, *, sleep: Callable[[float], None] = time.sleep) -> Placed:
    """Do the work, and once more from its beginning where GitHub failed, for as long as there is time.

    From the beginning, since a comment may have been written although no answer came: it is then found.
    """
    for attempt in range(1, _ATTEMPTS):
        try:
            return work()
        except RefusedError as refused:
            pause = _PAUSE * attempt if refused.retry_after is None else refused.retry_after
            if not refused.may_pass or pause >= deadline.left():
                raise
        except UnreachableError as fault:
            pause = _PAUSE * attempt
            if fault.untrusted or pause >= deadline.left():
                raise
        sleep(pause)
    return work()


def _own(client: Comments, number: int, marker: str) -> list[Comment]:
    """Ours among all: by the marker in the first line and nowhere else, where no foreign text can stand; by author."""
    marked = [comment for comment in client.comments(number) if _lines(comment.body)[:1] == [marker]]
    if not marked:
        return []
    login = client.own_login()
    return [comment for comment in marked if comment.is_by(login)]


def _run_of(comment: Comment) -> tuple[int, int]:
    second = _lines(comment.body)[1:2]
    match = _RUN.fullmatch(second[0]) if second else None
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _deleted(client: Comments, comment: Comment) -> bool:
    try:
        client.delete(comment)
    except (RefusedError, UnreachableError, TimeoutError):
        return False
    return True


def _same(one: str | None, other: str) -> bool:
    return _lines(one) == _lines(other)


def _lines(body: str | None) -> list[str]:
    """The lines, whatever ends them, which is not always how they were sent."""
    return [line.rstrip() for line in (body or "").replace("\r\n", "\n").strip().split("\n")]
