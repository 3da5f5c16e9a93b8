"""Which pull request a run is about: read from the event's payload, which is foreign text and held to its shape."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

EVENT_PATH = "GITHUB_EVENT_PATH"

_MOST_BYTES = 25 << 20  # GitHub sends no larger payload
_SHA = r"^[0-9a-f]{40}([0-9a-f]{24})?$"

Number = Annotated[int, Field(strict=True, gt=0, lt=1 << 53)]
Sha = Annotated[str, Field(pattern=_SHA)]
Name = Annotated[str, Field(min_length=1, max_length=1000)]


class NoCommentError(Exception):
    """There can be no comment; the message says why, in our own words and without a full stop."""


class Foreign(BaseModel):
    """Something GitHub tells, of which only the fields named here are read."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True)
class PullRequest:
    """The pull request to comment on.

    Attributes:
        number: its number, from 1.
        sha: the commit that was judged, in hex; empty where the event does not tell it.
        from_fork: whether its branch is known to lie in another repository.
    """

    number: int
    sha: str = ""
    from_fork: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """What is known of a pull request whose number the event does not tell, as of one from a fork in ``workflow_run``.

    Attributes:
        owner: the user or organisation whose repository has the branch.
        name: the branch.
        sha: the commit that was judged, in hex.
    """

    owner: str
    name: str
    sha: str

    def pick(self, found: "list[OpenPull]") -> PullRequest:
        """The one open pull request of this very branch and commit.

        Raises:
            NoCommentError: where there is none, or more than one.
        """
        numbers = [pull.number for pull in found if pull.head.sha == self.sha and pull.head.ref == self.name]
        return PullRequest(_only(numbers), self.sha, from_fork=True)


class _Owner(Foreign):
    login: Name


class _Repository(Foreign):
    id: int
    owner: _Owner | None = None


class Head(Foreign):
    """The tip of a branch."""

    ref: Name
    sha: Sha


class OpenPull(Foreign):
    """A pull request as the API lists it."""

    number: Number
    head: Head


class _Side(Head):
    repo: _Repository | None = None  # null where the fork has been deleted


class _Pull(Foreign):
    number: Number
    head: _Side
    base: _Side


class _Issue(Foreign):
    number: Number
    pull_request: dict[str, object] | None = None  # an issue that is no pull request has none


class _Run(Foreign):
    event: str = ""
    head_sha: Sha
    head_branch: Name | None = None
    head_repository: _Repository | None = None
    pull_requests: list[_Pull] = []


class _Event(Foreign):
    repository: _Repository | None = None
    pull_request: _Pull | None = None
    issue: _Issue | None = None
    workflow_run: _Run | None = None


def find_pull_request(environ: Mapping[str, str]) -> PullRequest | Branch | None:
    """What the event says of a pull request; None where it has none, as a push or a merge group.

    Raises:
        NoCommentError: where the payload cannot be read, or leaves it open which one is meant.
    """
    event = _read(environ.get(EVENT_PATH, ""))
    if event.pull_request is not None:
        pull = event.pull_request
        return PullRequest(pull.number, pull.head.sha, from_fork=_differ(pull.head.repo, pull.base.repo))
    if event.issue is not None and event.issue.pull_request is not None:
        return PullRequest(event.issue.number)
    if event.workflow_run is not None:
        return _of_run(event.workflow_run, event.repository)
    return None


def _read(path: str) -> _Event:
    if not path:
        return _Event()
    try:
        with Path(path).open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as fault:
        raise NoCommentError("the event's payload cannot be read") from fault
    if len(content) > _MOST_BYTES:
        raise NoCommentError("the event's payload is larger than any that GitHub sends")
    try:
        return _Event.model_validate_json(content)
    except ValidationError as fault:
        raise NoCommentError("the event's payload is not one that GitHub sends") from fault


def _of_run(run: _Run, here: _Repository | None) -> PullRequest | Branch | None:
    """The pull request behind a finished workflow; GitHub names none that comes from a fork."""
    if not run.event.startswith("pull_request"):
        return None
    if run.pull_requests:
        ours = [pull for pull in run.pull_requests if not _differ(pull.base.repo, here)]
        return PullRequest(_only([pull.number for pull in ours if pull.head.sha == run.head_sha]), run.head_sha)
    owner = run.head_repository.owner if run.head_repository is not None else None
    return Branch(owner.login, run.head_branch, run.head_sha) if owner is not None and run.head_branch else None


def _only(numbers: list[int]) -> int:
    """The one number: a verdict beside another commit would be a false one."""
    if not numbers:
        raise NoCommentError("no open pull request has the commit that was judged as its newest")
    if len(numbers) > 1:
        raise NoCommentError("several open pull requests have the commit that was judged as their newest")
    return numbers[0]


def _differ(one: _Repository | None, other: _Repository | None) -> bool:
    return one is None or other is None or one.id != other.id
