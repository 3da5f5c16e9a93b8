"""Files that are read more than once in a run: what is told of them must hold for the bytes that were judged."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from gate.baselines import file_digest, is_in_git
from gate.errors import GateError, Place, ScoreFileError
from gate.files import require_regular_file
from gate.results import SuiteReport
from gate.scores.folders import is_several

_REMEDY = "wait until the step that writes it is done, then run again"


def digests_of(files: Iterable[str]) -> dict[str, str]:
    """SHA-256 by path or spec; without files that cannot be read, which is told where they are needed."""
    found = {}
    for file in files:
        with suppress(GateError, OSError, ValueError):
            if not is_in_git(file):
                require_regular_file(Path(file))
            found[file] = file_digest(file, os.environ)
    return found


def require_same(before: Mapping[str, str], now: Mapping[str, str], kinds: Mapping[str, type[GateError]]) -> None:
    """Refuse files that are not what they were, or are gone.

    Args:
        before: as ``digests_of`` told before they were first read.
        now: the same, after they were last read.
        kinds: file -> the class to raise, so that the message is of the caller's kind of file.

    Raises:
        GateError: naming the first of them.
    """
    for file, digest in before.items():
        if now.get(file) != digest:
            raise kinds[file]("the file changed while it was read", where=Place(file), remedy=_REMEDY)


def require_one_version(suites: Iterable[SuiteReport]) -> None:
    """Refuse a score file that was another one for one suite, or one of the two runs, than for the next.

    Raises:
        ScoreFileError: naming the file.
    """
    seen: dict[str, str] = {}
    for suite in suites:
        for run in (suite.baseline, suite.candidate):
            # a folder has another digest for each choice of tasks; what lies in git was copied once
            if run is None or is_in_git(run.path) or is_several(run.path):
                continue
            if seen.setdefault(run.path, run.digest) != run.digest:
                raise ScoreFileError(
                    "the file changed between two readings of it", where=Place(run.path), remedy=_REMEDY
                )
