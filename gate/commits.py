"""Which commit a run is of: as given, as GitHub says, or HEAD of the repository around."""

import re
from collections.abc import Mapping
from pathlib import Path

from gate.errors import GitError, UsageError

GITHUB_SHA = "GITHUB_SHA"
COMMIT = r"[0-9a-f]{7,64}"


def commit_of(given: str | None, environ: Mapping[str, str], folder: Path) -> str:
    """The commit in lower-case hexadecimal; empty where nothing tells it.

    Args:
        given: what the user says it is.
        environ: GITHUB_SHA counts where nothing is given.
        folder: where to look for a repository, here and above, where that says nothing either.

    Raises:
        UsageError: where what is given is no commit.
    """
    if given is not None:
        return _checked(given, "--commit")
    told = environ.get(GITHUB_SHA, "")
    return _checked(told, GITHUB_SHA) if told else _head(folder)


def _checked(text: str, source: str) -> str:
    commit = text.strip().lower()
    if re.fullmatch(COMMIT, commit) is None:
        raise UsageError(
            f"{source} is no commit: {text[:80]!r}",
            remedy="give its name in hexadecimal, 7 digits or more: `git rev-parse HEAD` prints it",
        )
    return commit


def _head(folder: Path) -> str:
    # imported here: only where nothing else tells the commit is the repository asked, and start-up time counts
    from gate.git import open_repository, resolve  # noqa: PLC0415

    try:
        with open_repository(str(folder)) as repository:
            return resolve(repository, "HEAD").decode()
    except GitError:  # none, no commit yet, or one that cannot be read
        return ""
