"""The content of single files in git by their spec, each of them read once in a run."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from gate.baselines.spec import is_in_git
from gate.files import sha256_of

# Spec -> content, of what this run has read; None outside of ``reading_once``.
_READ: ContextVar[dict[str, bytes] | None] = ContextVar("_READ", default=None)


@contextmanager
def reading_once() -> Iterator[None]:
    """Within this a file in git has one content: what was judged is what is told, though its ref may move meanwhile."""
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def read_in_git(path: str, environ: Mapping[str, str]) -> bytes:
    """The content of a single file by its spec.

    Args:
        path: ``git:REF:PATH``.
        environ: tells the target of ``merge-base``, where GitHub runs this.

    Raises:
        GateError: as in ``stored.look_up``; also where there is no such file.
    """
    known = _READ.get()
    if known is not None and path in known:
        return known[path]
    # imported here: most runs read nothing in git, and start-up time counts
    from gate.baselines.stored import read_stored  # noqa: PLC0415

    content = read_stored(path, environ)
    if known is not None:
        known[path] = content
    return content


def is_there(path: str) -> bool:
    """Whether anything lies at a ``git:REF:PATH``.

    Raises:
        GateError: as in ``stored.look_up``.
    """
    from gate.baselines.stored import look_up  # noqa: PLC0415  # as above

    with look_up(path, os.environ) as stored:
        return bool(stored.found)


def file_digest(path: str, environ: Mapping[str, str]) -> str:
    """The SHA-256 of a file by its path or spec, in hexadecimal."""
    return hashlib.sha256(read_in_git(path, environ)).hexdigest() if is_in_git(path) else sha256_of(Path(path))
