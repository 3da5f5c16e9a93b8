"""The comment put where it belongs, and every way in which GitHub may refuse it told in our own words."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import ValidationError

from gate.github.client import Client, RefusedError, UnreachableError
from gate.github.comment_body import render
from gate.github.comment_settings import CommentSettings
from gate.github.patience import Deadline
from gate.github.pull_request import Branch, NoCommentError, PullRequest
from gate.github.sticky import Deed, Placed, Written, persist, place
from gate.results import Report
from gate.wording import count

_FORBIDDEN, _BAD_REQUEST, _FAILED = 403, 400, 500
_PERMISSION = "`permissions: pull-requests: write` gives the job's token that right"
_REASONS: Mapping[int, str] = {
    401: "GitHub does not take the token (401): it is wrong, or has expired",
    404: f"GitHub shows the token no such pull request (404): {_PERMISSION}",
    410: "GitHub says that it is gone (410)",
    422: "GitHub did not take the text (422): the conversation may be locked",
}


class Posted(NamedTuple):
    """One line for the log, and where the comment stands; both empty where there is none and none was wanted."""

    line: str
    url: str


def post(
    report: Report, settings: CommentSettings, pull: PullRequest | Branch, *, wanted: bool, deadline: Deadline
) -> Posted:
    """Write the comment, or bring the one that stands there up to date.

    Args:
        report: the judgement, or the report of an error.
        settings: how.
        pull: the pull request, or what is known of it.
        wanted: whether there should be a comment where there is none yet.
        deadline: nothing is begun after it.

    Raises:
        NoCommentError: where GitHub refuses, with what to do about it.
        TimeoutError: where it does not answer in time.
    """
    client = Client(settings.api, settings.token, settings.page.repository, deadline)
    found: list[PullRequest] = [pull] if isinstance(pull, PullRequest) else []

    def work() -> Placed:
        if isinstance(pull, Branch) and not found:
            found.append(pull.pick(client.open_pulls(pull.owner, pull.name)))
        text = render(report, settings.page, sha=found[0].sha, key=settings.key)
        written = Written(settings.marker, settings.page.run, text)
        return place(client, found[0].number, written, wanted=wanted)

    try:
        placed = persist(work, deadline)
    except RefusedError as refused:
        raise NoCommentError(_why(refused, from_fork=any(one.from_fork for one in found))) from refused
    except UnreachableError as fault:
        raise NoCommentError(_unreached(fault)) from fault
    except ValidationError as fault:
        raise NoCommentError("what stands at `GITHUB_API_URL` does not answer as GitHub does") from fault
    return _told(placed, found[0].number)


def _told(placed: Placed, number: int) -> Posted:
    if placed.deed is Deed.NOT_WANTED:
        return Posted("", "")
    beside = f"; {count(placed.leftover, 'older one')} beside it could not be deleted" if placed.leftover else ""
    return Posted(f"the comment on pull request {number} is {placed.deed}{beside}", placed.url)


def _why(refused: RefusedError, *, from_fork: bool) -> str:
    status = refused.status
    if refused.rate_limited:
        return f"GitHub asks for patience ({status}): its rate limit is reached"
    if status == _FORBIDDEN:
        return _forbidden(from_fork=from_fork)
    if status >= _FAILED:
        return f"GitHub failed ({status})"
    if status < _BAD_REQUEST:
        return f"GitHub points elsewhere ({status}): the repository may have moved, or `GITHUB_API_URL` is wrong"
    return _REASONS.get(status, f"GitHub refused ({status})")


def _forbidden(*, from_fork: bool) -> str:
    if from_fork:
        return "a fork's token may only read (403): docs/pull-requests.md of the action tells another way"
    return f"the token may not write it (403): {_PERMISSION}, and `comment: off` if none is wanted"


def _unreached(fault: UnreachableError) -> str:
    if fault.untrusted:
        return "the certificate at `GITHUB_API_URL` is not trusted: `REQUESTS_CA_BUNDLE` may name its authority's file"
    return "what `GITHUB_API_URL` names cannot be reached"
