"""Putting a candidate where the baseline stands: regular files alone, whole or not at all."""

import hashlib
import shutil
import stat
from pathlib import Path

from gate.baselines.promotion import promotion_path, tree_digest
from gate.baselines.spec import is_in_git
from gate.errors import Place, RecordError, UsageError, WriteError
from gate.files import is_url
from gate.promoting.swapping import NEW, room_beside, swap
from gate.scores.beside import PROMOTION
from gate.writing import write_bytes_atomically


def require_paths(*paths: str) -> None:
    """Raise UsageError at what is the address of something else than a file or a folder of this machine."""
    for path in paths:
        if not path or is_url(path) or is_in_git(path):
            raise UsageError(f"this is no path of a file: {path!r}", remedy="name a file or a folder")


def require_apart(candidate: Path, baseline: Path) -> None:
    """Raise UsageError unless one can be copied over the other: regular files, or folders of them, no links."""
    kind = _kind(candidate)
    if kind is None:
        raise UsageError("there is no such file", where=Place(str(candidate)), remedy="name the candidate's score file")
    if baseline.name.endswith(PROMOTION):
        raise UsageError(
            f"a name that ends in {PROMOTION} is that of a promotion", where=Place(str(baseline)), remedy="name another"
        )
    if _kind(baseline) not in {None, kind}:
        raise UsageError(
            "the candidate and the baseline must both be files, or both folders",
            where=Place(str(baseline)),
            remedy="name a file for a file, and a folder for a folder",
        )
    if _kind(promotion_path(str(baseline))) == "folder":
        raise UsageError(
            "a folder lies where the promotion is to be written down",
            where=Place(str(promotion_path(str(baseline)))),
            remedy="move it away",
        )
    ours, theirs = candidate.resolve(), baseline.resolve()
    if ours == theirs or ours in theirs.parents or theirs in ours.parents:
        raise UsageError(
            "the candidate and the baseline are one, or one lies in the other",
            where=Place(str(baseline)),
            remedy="write the candidate's scores to a place of their own",
        )


def _kind(path: Path) -> str | None:
    """``file`` or ``folder``; None where there is nothing; UsageError for anything else, also within a folder."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as fault:
        raise UsageError(
            f"the path cannot be read: {getattr(fault, 'strerror', None) or fault}",
            where=Place(str(path)),
            remedy="check the path and its rights",
        ) from fault
    if stat.S_ISDIR(mode):
        for entry in sorted(path.rglob("*")):
            _require_plain(entry)
        return "folder"
    _require_regular(path, mode)
    return "file"


def _require_plain(entry: Path) -> None:
    """Raise UsageError at what is neither a folder nor a regular file."""
    mode = entry.lstat().st_mode
    if not stat.S_ISDIR(mode):
        _require_regular(entry, mode)


def _require_regular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        what = "a link" if stat.S_ISLNK(mode) else "not a regular file"
        raise UsageError(
            f"this is {what}", where=Place(str(path)), remedy="name regular files: what a link leads to may change"
        )


def put(candidate: Path, baseline: Path, digest: str) -> None:
    """Copy the candidate over the baseline: a file is replaced whole, a folder by its copy, see ``swap``.

    Args:
        candidate: what ``require_apart`` has let through.
        baseline: likewise.
        digest: the candidate's, as ``tree_digest`` told it when it was looked at.

    Raises:
        RecordError: where the candidate is another one by now.
        WriteError: where the baseline cannot be written.
    """
    try:
        if candidate.is_dir():
            _put_folder(candidate, baseline, digest)
        else:
            _put_file(candidate, baseline, digest)
    except OSError as fault:
        raise WriteError(
            f"the baseline cannot be written: {fault.strerror or fault}",
            where=Place(str(baseline)),
            remedy="name a place that this user may write to, on a disk with space left",
        ) from fault


def _put_file(candidate: Path, baseline: Path, digest: str) -> None:
    data = candidate.read_bytes()
    _require_unchanged(hashlib.sha256(data).hexdigest(), digest, candidate)
    write_bytes_atomically(baseline, data)


def _put_folder(candidate: Path, baseline: Path, digest: str) -> None:
    baseline.parent.mkdir(parents=True, exist_ok=True)
    with room_beside(baseline) as room:
        copy = room / NEW
        shutil.copytree(candidate, copy, symlinks=True)
        _require_unchanged(tree_digest(copy), digest, candidate)
        swap(room, baseline)


def _require_unchanged(now: str, digest: str, candidate: Path) -> None:
    if now != digest:
        raise RecordError(
            "the candidate changed while it was copied",
            where=Place(str(candidate)),
            remedy="wait until the evaluation has ended, judge the candidate and promote it again",
        )
