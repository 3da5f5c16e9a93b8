"""A baseline, wherever it lies, to a path that readers can open."""

import glob
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from gate.baselines.identity import origin_in_git
from gate.baselines.promotion import promotion_path
from gate.baselines.spec import is_in_git
from gate.errors import GitError, Place, UsageError
from gate.held_folder import temporary_folder
from gate.mirror import IN_PLACE, Mirror
from gate.results import Origin
from gate.scores.quoting import quote

if TYPE_CHECKING:
    from gate.baselines.stored import Stored

# What readers can take at a time, and a full disk of a runner cannot.
MOST_BYTES = 2 << 30
_PREFIX = "gate-baseline-"
# A container whose root is read-only still has memory.
_IN_MEMORY = "/dev/shm"  # noqa: S108  # a folder of our own is made in it


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline that is there to be read, or is known never to have been.

    Attributes:
        path: what to read: a file, a folder or a pattern; empty where there never was one.
        shown: its name for messages and reports.
        mirror: how files of it are told.
        origin: which version it is, as far as its place tells; what the run in it tells comes on top. None where that
            was not asked for.
        near: the path that may be meant where there never was one.
    """

    path: str
    shown: str
    mirror: Mirror = IN_PLACE
    origin: Origin | None = None
    near: str | None = None

    @property
    def is_missing(self) -> bool:
        """Whether git proves that there never was one."""
        return not self.path


@contextmanager
def finding_baselines(
    paths: Mapping[str, str | None], today: date | None, *, with_origin: bool = True
) -> Iterator[dict[str, Baseline]]:
    """The baselines at these paths, by suite; copies of what lies in git are removed in the end, whatever happens.

    Args:
        paths: suite -> a path, or ``git:REF:PATH``.
        today: the day by which their ages are told, if any.
        with_origin: whether to look for the versions of those in git, which may take a walk through its history.

    Raises:
        GateError: where a spec cannot be found; a path is looked at where it is read.
    """
    with ExitStack() as stack:
        known: dict[str, Baseline] = {}
        for path in paths.values():
            if path is not None and path not in known:
                known[path] = _find(path, today, stack, with_origin=with_origin)
        yield {suite: known[path] for suite, path in paths.items() if path is not None}


@contextmanager
def located(path: str) -> Iterator[Baseline]:
    """One baseline, which must be there, without its origin; otherwise as ``finding_baselines``."""
    with finding_baselines({"": path}, None, with_origin=False) as found:
        if found[""].is_missing:
            near = found[""].near
            raise GitError(
                "there is no such file, and there never was one",
                where=Place(found[""].shown),
                remedy=f"did you mean {quote(near)}?" if near else "check the path",
            )
        yield found[""]


def _find(path: str, today: date | None, stack: ExitStack, *, with_origin: bool) -> Baseline:
    if not is_in_git(path):
        return Baseline(path, path)
    # imported here: most baselines do not lie in git, and start-up time counts
    from gate.baselines.stored import look_up  # noqa: PLC0415

    with look_up(path, os.environ) as stored:
        if not stored.found:
            near = stored.near()
            stored.require_never()
            _refuse_slip(stored, near)
            return Baseline("", stored.shown, near=near)
        folder = stack.enter_context(_temporary_folder())
        _copy(stored, folder)
        # the signs of a pattern in the name of our own folder mean nothing
        start = glob.escape(folder) if stored.selection.pattern else folder
        mirror = Mirror(folder, stored.spec.prefix)
        origin = origin_in_git(stored, today) if with_origin else None
        return Baseline(os.path.join(start, stored.name), stored.shown, mirror, origin)


def _refuse_slip(stored: "Stored", near: str | None) -> None:
    """Raise GitError where only upper and lower case keep the path from being one that there is."""
    if near is not None and near.lower() == stored.name.lower():
        raise GitError(
            f"there is no such file; there is {quote(near)}",
            where=Place(stored.shown),
            remedy="write its name as it stands there: git tells upper from lower case",
        )


def _copied(stored: "Stored") -> Iterator[tuple[str, bytes]]:
    """Each file to be read; and by whose word a baseline is one, which stands beside it."""
    yield from stored.files()
    if not stored.selection.pattern and stored.path:
        promotion = str(promotion_path(stored.name))
        word = stored.read_neighbour(os.path.basename(promotion))
        if word is not None:
            yield promotion, word


def _copy(stored: "Stored", folder: str) -> None:
    room = MOST_BYTES
    try:
        for name, content in _copied(stored):
            room -= len(content)
            if room < 0:
                raise GitError(
                    f"there are more than {MOST_BYTES >> 30} GB of files",
                    where=Place(stored.shown),
                    remedy="name the folder or the file with the results alone",
                )
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as copy:
                copy.write(content)
    except OSError as fault:
        raise GitError(
            f"the files cannot be copied out of the repository: {fault.strerror or fault}",
            where=Place(stored.shown),
            remedy="set TMPDIR to a folder that this user may write to, on a disk with space left",
        ) from fault


@contextmanager
def _temporary_folder() -> Iterator[str]:
    """A folder for copies, where one can be made."""
    with ExitStack() as stack:
        faults = []
        for parent in (None, _IN_MEMORY):
            try:
                folder = stack.enter_context(temporary_folder(_PREFIX, parent))
                break
            except OSError as fault:
                faults.append(fault)
        else:
            raise UsageError(
                f"there is no folder for the copy of a baseline: {faults[0].strerror or faults[0]}",
                remedy="set TMPDIR to a folder that this user may write to",
            ) from faults[0]
        yield str(folder)
