"""What can go wrong, told as what, where and remedy; and the exit codes that scripts rely on."""

from enum import IntEnum
from typing import ClassVar, NamedTuple


class ExitCode(IntEnum):
    """The process's exit status; the table stands in the README."""

    OK = 0
    BLOCKED = 1
    USAGE = 2
    INTERNAL = 3
    INTERRUPTED = 130
    KILLED = 137
    TERMINATED = 143


class Place(NamedTuple):
    """Where in the user's files something is wrong: a path, a line counted from 1, and a key, column or record."""

    path: str
    line: int | None = None
    part: str | None = None

    def __str__(self) -> str:
        """The place as a person would say it: ``runs/b.csv, line 4, column "score"``."""
        line = [f"line {self.line}"] if self.line is not None else []
        part = [self.part] if self.part is not None else []
        return ", ".join([self.path, *line, *part])


class GateError(Exception):
    """The run cannot be judged.

    Attributes:
        what: one sentence: what is wrong, without a full stop.
        where: the place in the user's files or options, or None where there is none.
        remedy: one sentence: what to do about it.
        excerpt: text of the eval itself that helps to find the place; for a person's terminal only, never for a log or
            a report. Empty where there is none.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[ExitCode] = ExitCode.USAGE

    def __init__(self, what: str, *, remedy: str, where: Place | None = None, excerpt: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.excerpt = excerpt

    def __reduce__(self) -> tuple[object, ...]:
        """As the base class knows nothing of keywords: an error crosses from one process to another whole."""
        return (_restored, (type(self), self.what, self.remedy, self.where, self.excerpt))

    def __str__(self) -> str:
        """Place, fault and remedy on one line each."""
        place = f"{self.where}: " if self.where is not None else ""
        return f"{place}{self.what}\n  remedy: {self.remedy}"


def _restored(kind: type[GateError], what: str, remedy: str, where: Place | None, excerpt: str) -> GateError:
    return kind(what, remedy=remedy, where=where, excerpt=excerpt)


class UsageError(GateError):
    """The command line asks for something that does not exist or does not fit together."""

    kind = "usage"


class ConfigError(GateError):
    """gate.yml is not what it must be."""

    kind = "config"


class ScoreFileError(GateError):
    """A score file cannot be read as scores."""

    kind = "score-file"


class AlignmentError(GateError):
    """Two runs cannot be compared item by item."""

    kind = "alignment"


class CorpusError(GateError):
    """A corpus cannot be read as text."""

    kind = "corpus"


class RecordError(GateError):
    """A history, or what was written down when a baseline was promoted, is not what it must be."""

    kind = "record"


class GitError(GateError):
    """A git repository does not have, or cannot tell, what is asked of it."""

    kind = "git"


class WriteError(GateError):
    """A report cannot be written where it was asked for."""

    kind = "write"
