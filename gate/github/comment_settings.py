"""What the inputs and the runner say of the comment: whether, where, under which marker, with which token."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from gate.errors import UsageError
from gate.github.inputs import TOKEN, Inputs

_ADDRESS = re.compile(r"https?://[\w.-]+(:\d{1,5})?(/[\w.~-]+)*/?", re.ASCII)
_REPOSITORY = re.compile(r"[\w.-]+/(?!\.{1,2}$)[\w.-]+", re.ASCII)
_NUMBER = re.compile(r"\d{1,18}", re.ASCII)
_TOKEN = re.compile(r"[!-~]+")  # what may stand in a header
_GIT = re.compile(r"git:[^:]*:")
_DIGEST = 32  # hex digits


class Mode(StrEnum):
    """When a pull request gets a comment; one that stands there is kept up to date in every mode but ``off``."""

    AUTO = "auto"
    ALWAYS = "always"
    CHANGES = "changes"
    FAILURES = "failures"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class RunPage:
    """The run, and addresses of its pages.

    Attributes:
        server: address of the web pages, without a slash at its end; empty where it is not known.
        repository: OWNER/NAME; empty where it is not known.
        run: the run's number, and that of its attempt.
        job: the workflow and the job, as people tell two comments apart; empty where they are not known.
    """

    server: str
    repository: str
    run: tuple[int, int]
    job: str = ""

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Self:
        """Read the runner's variables."""
        server = environ.get("GITHUB_SERVER_URL") or "https://github.com"
        return cls(
            _matched(_ADDRESS, server).rstrip("/"),
            _matched(_REPOSITORY, environ.get("GITHUB_REPOSITORY", "")),
            (_count(environ, "GITHUB_RUN_ID"), _count(environ, "GITHUB_RUN_ATTEMPT")),
            " / ".join(filter(None, (environ.get("GITHUB_WORKFLOW"), environ.get("GITHUB_JOB")))),
        )

    @property
    def address(self) -> str:
        """Of the page with the run's summary; empty where it is not known."""
        return f"{self._base}/actions/runs/{self.run[0]}" if self._base and self.run[0] else ""

    def commit(self, sha: str) -> str:
        """Of a commit's page; empty where it is not known."""
        return f"{self._base}/commit/{sha}" if self._base and sha else ""

    @property
    def _base(self) -> str:
        return f"{self.server}/{self.repository}" if self.server and self.repository else ""


@dataclass(frozen=True, slots=True)
class CommentSettings:
    """How to comment.

    Attributes:
        mode: when.
        key: as it was given, which is shown; empty where it was not.
        marker: the hidden line by which the comment is found again.
        api: address of the API; empty where it cannot be one.
        page: the run.
        token: what to ask with; empty where there is none.
    """

    mode: Mode
    key: str
    marker: str
    api: str
    page: RunPage
    token: str = field(repr=False)

    @classmethod
    def read(cls, inputs: Inputs, environ: Mapping[str, str]) -> Self:
        """Read the inputs ``comment``, ``comment-key`` and ``github-token``, and the runner's variables.

        An input that is wrong has ended the run in an error by now, which is to be told in a comment like any other: it
        is taken as not given.
        """
        key = _or_none(inputs, "comment-key")
        api = environ.get("GITHUB_API_URL") or "https://api.github.com"
        return cls(
            mode=_mode(inputs),
            key=key,
            marker=_marker(["key", key] if key else ["place", *_place(inputs, environ)]),
            api=_matched(_ADDRESS, api).rstrip("/"),
            page=RunPage.read(environ),
            token=_matched(_TOKEN, inputs.given.get(TOKEN, "")),
        )


def refuse_wrong_settings(inputs: Inputs) -> None:
    """Raise UsageError where ``comment`` is no mode, or one of the three inputs has several lines."""
    inputs.choice("comment", list(Mode), any_case=True)
    inputs.text("comment-key")
    inputs.text(TOKEN)


def _mode(inputs: Inputs) -> Mode:
    try:
        chosen = inputs.choice("comment", list(Mode), any_case=True)
    except UsageError:
        chosen = None
    return Mode.AUTO if chosen is None else Mode(chosen)


def _or_none(inputs: Inputs, name: str) -> str:
    try:
        return inputs.text(name) or ""
    except UsageError:
        return ""


def _place(inputs: Inputs, environ: Mapping[str, str]) -> list[str]:
    """Where in the workflows this step stands: the same from push to push, another one for each step of each job."""
    step = [environ.get(name, "") for name in ("GITHUB_WORKFLOW", "GITHUB_JOB", "GITHUB_ACTION")]
    # without the commit, which is another one from push to push
    config = _GIT.sub("", inputs.given.get("config", ""), count=1)
    return [*step, inputs.given.get("working-directory", ""), config]


def _marker(parts: list[str]) -> str:
    """A digest, so that no key can end the marker before its time or look like another one."""
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGEST]
    return f"<!-- gate-comment {digest} -->"


def _matched(pattern: re.Pattern[str], text: str) -> str:
    return text if pattern.fullmatch(text) else ""


def _count(environ: Mapping[str, str], name: str) -> int:
    return int(_matched(_NUMBER, environ.get(name, "")) or 0)
