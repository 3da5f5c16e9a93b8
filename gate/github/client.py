"""The few questions put to GitHub's API: the one file that imports a client of it, loaded only where a run comments."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import github
import requests
from github.Requester import Requester
from pydantic import Field, TypeAdapter

from gate.github.patience import Deadline
from gate.github.pull_request import Foreign, Number, OpenPull

PER_PAGE = 100  # the most that GitHub gives
ACTIONS_BOT = "github-actions[bot]"

_TIMEOUT = 10  # seconds for one answer to begin
_OK, _ELSEWHERE, _MOVED, _FORBIDDEN, _TOO_MANY, _FAILED = 200, 300, 301, 403, 429, 500
_BOT_ENDING = "[bot]"
_VIEWER = {"query": "query { viewer { login } }"}


class RefusedError(Exception):
    """GitHub answered, and not with what was asked for. Its own words are not kept: they may hold anything.

    Attributes:
        status: of HTTP; 3xx, 4xx or 5xx.
        rate_limited: whether it asks for patience.
        retry_after: how many seconds of it; None where it does not say.
    """

    def __init__(self, status: int, *, rate_limited: bool = False, retry_after: float | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.rate_limited = rate_limited
        self.retry_after = retry_after

    @property
    def may_pass(self) -> bool:
        """Whether the same question may be answered a little later."""
        return self.status >= _FAILED or (self.rate_limited and self.retry_after is not None)


class UnreachableError(Exception):
    """GitHub did not answer at all.

    Attributes:
        untrusted: whether its certificate is why.
    """

    def __init__(self, *, untrusted: bool = False) -> None:
        super().__init__()
        self.untrusted = untrusted


class User(Foreign):
    """Who wrote a comment."""

    login: Annotated[str, Field(max_length=1000)]
    type: str = ""


class Comment(Foreign):
    """A comment as the API tells it; of a deleted account it has no user."""

    id: Number
    body: str | None = None
    html_url: Annotated[str, Field(max_length=2000)] = ""
    user: User | None = None

    def is_by(self, login: str) -> bool:
        """Whether that account wrote it; no person can have the name of a bot, and none is taken for one."""
        if self.user is None or self.user.login.casefold() != login.casefold():
            return False
        return self.user.type == "Bot" or not login.endswith(_BOT_ENDING)


class _Account(Foreign):
    login: Annotated[str, Field(min_length=1)]


class _Viewer(Foreign):
    viewer: _Account


class _ViewerAnswer(Foreign):
    data: _Viewer


class _Answer(NamedTuple):
    headers: Mapping[str, str]
    text: str


_COMMENT = TypeAdapter(Comment)
_COMMENTS = TypeAdapter(list[Comment])
_PULLS = TypeAdapter(list[OpenPull])
_ACCOUNT = TypeAdapter(_Account)
_VIEWER_ANSWER = TypeAdapter(_ViewerAnswer)


class Client:
    """The API as one token sees it.

    Every call raises RefusedError, UnreachableError, TimeoutError past the deadline, or pydantic's ValidationError
    where the answer is none of GitHub's.
    """

    def __init__(self, address: str, token: str, repository: str, deadline: Deadline) -> None:
        """A client of the API at ``address`` (GITHUB_API_URL) for ``repository`` (OWNER/NAME)."""
        _hush()
        self._repository = f"/repos/{repository}"
        self._deadline = deadline
        # its retries would repeat a POST that was carried out, and wait for a minute: see ``sticky``
        self._requester: Requester = github.Github(
            auth=github.Auth.Token(token),
            base_url=address,
            timeout=_TIMEOUT,
            user_agent="gate",
            retry=None,
            seconds_between_requests=None,
            seconds_between_writes=None,
        ).requester

    def own_login(self) -> str:
        """The account that the token speaks for: a person's, an app's, or that of GITHUB_TOKEN."""
        try:
            return _ACCOUNT.validate_json(self._ask("GET", "/user").text).login
        except RefusedError as refused:
            if refused.status != _FORBIDDEN or refused.rate_limited:
                raise
        # the token of an app may not ask for its user, but for its viewer
        try:
            answer = self._ask("POST", self._requester.graphql_url, body=_VIEWER)
            return _VIEWER_ANSWER.validate_json(answer.text).data.viewer.login
        except (RefusedError, ValueError):
            return ACTIONS_BOT

    def comments(self, number: int) -> list[Comment]:
        """Every comment of a pull request, the oldest first."""
        path = f"{self._repository}/issues/{number}/comments"
        found: list[Comment] = []
        more, page = True, 1
        while more:
            answer = self._ask("GET", path, parameters={"per_page": PER_PAGE, "page": page})
            comments = _COMMENTS.validate_json(answer.text)
            found.extend(comments)
            more = bool(comments) and (len(comments) >= PER_PAGE or _has_next(answer.headers))
            page += 1
        return sorted(found, key=lambda comment: comment.id)

    def open_pulls(self, owner: str, branch: str) -> list[OpenPull]:
        """The open pull requests of a branch, of another repository too; where GitHub ignores the filter, of others."""
        wanted = {"state": "open", "head": f"{owner}:{branch}", "per_page": PER_PAGE}
        return _PULLS.validate_json(self._ask("GET", f"{self._repository}/pulls", parameters=wanted).text)

    def create(self, number: int, body: str) -> Comment:
        """A new comment on a pull request."""
        path = f"{self._repository}/issues/{number}/comments"
        return _COMMENT.validate_json(self._ask("POST", path, body={"body": body}).text)

    def update(self, comment: Comment, body: str) -> Comment:
        """The comment with another body."""
        path = f"{self._repository}/issues/comments/{comment.id}"
        return _COMMENT.validate_json(self._ask("PATCH", path, body={"body": body}).text)

    def delete(self, comment: Comment) -> None:
        """Take a comment away."""
        self._ask("DELETE", f"{self._repository}/issues/comments/{comment.id}")

    def _ask(
        self,
        verb: str,
        path: str,
        *,
        parameters: Mapping[str, object] | None = None,
        body: Mapping[str, str] | None = None,
    ) -> _Answer:
        if not self._deadline.left():
            raise TimeoutError
        try:
            status, headers, text = self._requester.requestJson(verb, path, dict(parameters or {}), input=body)
        except requests.exceptions.SSLError as fault:
            raise UnreachableError(untrusted=True) from fault
        except requests.exceptions.Timeout as fault:
            raise TimeoutError from fault
        except requests.exceptions.RequestException as fault:
            raise UnreachableError from fault
        except RuntimeError as fault:  # so its client refuses to follow to another host
            raise RefusedError(_MOVED) from fault
        if not _OK <= status < _ELSEWHERE:
            raise _refusal(status, headers, text)
        return _Answer(headers, text)


def _refusal(status: int, headers: Mapping[str, str], text: str) -> RefusedError:
    """What a status means: 403 is also how GitHub asks for patience."""
    waiting = headers.get("retry-after", "")
    limited = status == _TOO_MANY or (
        status == _FORBIDDEN
        and ("retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or _speaks_of_limit(text))
    )
    return RefusedError(status, rate_limited=limited, retry_after=float(waiting) if waiting.isdecimal() else None)


def _speaks_of_limit(text: str) -> bool:
    try:
        told: Any = json.loads(text)
    except ValueError:
        return False
    message = told.get("message") if isinstance(told, dict) else None
    return isinstance(message, str) and Requester.isRateLimitError(message)


def _has_next(headers: Mapping[str, str]) -> bool:
    links: Sequence[str] = headers.get("link", "").split(",")
    return any('rel="next"' in link for link in links)


def _hush() -> None:
    """What the libraries log, as of a header that they cannot read, is not for the log that the runner obeys."""
    for name in ("github", "requests", "urllib3"):
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.addHandler(logging.NullHandler())
