"""The comment on the pull request: whether there should be one, and what to tell where there is none."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from gate.entry import Conclusion
from gate.errors import ExitCode
from gate.github.comment_settings import CommentSettings, Mode
from gate.github.patience import Deadline, finish_by
from gate.github.pull_request import Branch, NoCommentError, PullRequest, find_pull_request
from gate.reports.changes import has_changed
from gate.results import Word

BUDGET = 30.0  # seconds for all that has to do with the comment


@dataclass(frozen=True, slots=True)
class Told:
    """What became of the comment.

    Attributes:
        line: for the log; empty where there is nothing to tell.
        url: where the comment stands; empty where none is known.
        missing: why there is none although one was wanted, for the summary; empty where there is nothing to tell.
    """

    line: str = ""
    url: str = ""
    missing: str = ""


def comment_on(conclusion: Conclusion, settings: CommentSettings, environ: Mapping[str, str]) -> Told:
    """Comment on the pull request that the run is about, or say why not; raises nothing and ends within ``BUDGET``."""
    if settings.mode is Mode.OFF:
        return Told()
    wanted = is_wanted(settings.mode, conclusion)
    try:
        pull = _find(settings, environ)
        return Told() if pull is None else _commented(conclusion, settings, pull, wanted=wanted)
    except NoCommentError as obstacle:
        reason = str(obstacle)
    except TimeoutError:
        reason = "GitHub did not answer in time"
    except Exception as fault:  # whatever it is, the verdict stands
        # its own words may hold anything, the token too
        reason = f"an internal fault, {type(fault).__name__}: the verdict stands"
    if wanted:
        return Told(f"no comment on the pull request: {reason}", missing=reason)
    return Told(f"whether an older comment stands on the pull request could not be seen: {reason}")


def is_wanted(mode: Mode, conclusion: Conclusion) -> bool:
    """Whether there should be a comment where there is none yet.

    ``failures`` means a step that fails, and BLOCK and ERROR even where ``fail-on: never`` lets them through. So a WARN
    counts where ``fail-on: warn`` makes it fail: about any other nobody has to do anything.
    """
    report = conclusion.report
    match mode:
        case Mode.AUTO | Mode.ALWAYS:
            return True
        case Mode.CHANGES:
            return report.verdict.word is not Word.PASS or any(
                has_changed(suite.items) for suite in report.suites if suite.baseline is not None
            )
        case Mode.FAILURES:
            return conclusion.code is not ExitCode.OK or report.verdict.word in {Word.BLOCK, Word.ERROR}
        case Mode.OFF:
            return False


def _find(settings: CommentSettings, environ: Mapping[str, str]) -> PullRequest | Branch | None:
    """The pull request to ask GitHub about; None where there is none to comment on and nobody asked for more.

    Raises:
        NoCommentError: where there is something to tell.
    """
    if not settings.token and settings.mode is Mode.AUTO:
        return None
    pull = find_pull_request(environ)
    if pull is None:
        if settings.mode is Mode.ALWAYS:
            raise NoCommentError("the event that started this run has none")
        return None
    if not settings.token:
        raise NoCommentError("there is no token: the input `github-token` is empty, or holds what cannot be one")
    if not (settings.api and settings.page.repository):
        raise NoCommentError("`GITHUB_API_URL` or `GITHUB_REPOSITORY` is not what a runner sets")
    return pull


def _commented(conclusion: Conclusion, settings: CommentSettings, pull: PullRequest | Branch, *, wanted: bool) -> Told:
    deadline = Deadline(BUDGET)

    def work() -> Told:
        try:
            # imported here: only a run that comments waits for the client, and only the image is sure to have it
            from gate.github.posting import post  # noqa: PLC0415
        except ModuleNotFoundError as fault:
            raise NoCommentError(f"{fault.name} is not installed: `pip install 'gate[github]'` brings it") from fault
        placed = post(conclusion.report, settings, pull, wanted=wanted, deadline=deadline)
        return Told(placed.line, placed.url)

    with warnings.catch_warnings():
        # what the libraries warn of is not for the log that the runner obeys
        warnings.simplefilter("ignore")
        return finish_by(deadline, work)
