"""What `gate pass-at-k` is asked, and what of it makes no sense."""

import re
from dataclasses import dataclass
from enum import StrEnum

from gate.errors import UsageError
from gate.reports.escape import shorten
from gate.scores.reducers import MOST_DRAWN

_RANGE = re.compile(r"(?P<first>[0-9]{1,7})(:(?P<last>[0-9]{1,7}))?", re.ASCII)
_MOST_ROWS = 1000
_LEAST_WIDTH = 1e-4


class Mode(StrEnum):
    """What kind of answer is wanted."""

    TABLE = "table"
    PROJECTION = "projection"
    CURVE = "curve"
    PLAN = "plan"


_TAKES = {
    Mode.TABLE: {"n", "c", "k", "explain"},
    Mode.PROJECTION: {"rate", "k"},
    Mode.CURVE: {"file", "k", "metric", "select", "format"},
    Mode.PLAN: {"plan", "file", "rate", "rho", "k", "half_width", "tasks", "metric", "select", "format"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The arguments of `gate pass-at-k`; None where one was not given.

    Attributes:
        file: a results file with samples that pass or fail.
        n: how many samples one task has.
        c: how many of them pass.
        k: which k: ``5``, ``1,5,10``, ``1:5``.
        explain: list the subsets behind each figure.
        rate: the chance of a single sample to pass.
        plan: say how many samples and tasks are needed.
        half_width: how exact the mean over the tasks is to be: the half of its 95 % interval.
        tasks: how many tasks there are.
        rho: the correlation of two samples of one task.
        metric: the file's metric.
        select: the file's variant.
        format: how to read the file.
    """

    file: str | None = None
    n: int | None = None
    c: int | None = None
    k: str | None = None
    explain: bool = False
    rate: float | None = None
    plan: bool = False
    half_width: float | None = None
    tasks: int | None = None
    rho: float | None = None
    metric: str | None = None
    select: str | None = None
    format: str | None = None

    @property
    def mode(self) -> Mode:
        """What the arguments ask for.

        Raises:
            UsageError: where they ask for nothing, or for two things at once.
        """
        if self.plan:
            return Mode.PLAN
        asked = {Mode.CURVE: self.file, Mode.PROJECTION: self.rate, Mode.TABLE: self.n}
        modes = [mode for mode, value in asked.items() if value is not None]
        if len(modes) != 1:
            what = "there is nothing to reckon with" if not modes else "a file, --rate and --n are three ways to ask"
            raise UsageError(
                what, remedy="give one: a results file; --n and --c of one task; or --rate, what a sample passes with"
            )
        return modes[0]

    def numbers(self) -> tuple[int, ...]:
        """The k that are asked for, in rising order; empty where none is named.

        Raises:
            UsageError: where they cannot be read.
        """
        found: set[int] = set()
        for part in (self.k or "").split(",") if self.k is not None else ():
            match = _RANGE.fullmatch(part.strip())
            first = int(match["first"]) if match else 0
            last = int(match["last"] or first) if match else 0
            if not 1 <= first <= last <= MOST_DRAWN:
                raise UsageError(
                    f"--k {shorten(self.k or '')!r} cannot be read",
                    remedy=f"give numbers or a range, from 1 to {MOST_DRAWN}: 1,5,10 or 1:5",
                )
            if len(found) + last - first >= _MOST_ROWS:
                raise UsageError(
                    f"--k {shorten(self.k or '')!r} asks for over {_MOST_ROWS} figures",
                    remedy="name those that matter: 1,10,100,1000",
                )
            found.update(range(first, last + 1))
        return tuple(sorted(found))

    def require_sound(self) -> None:
        """Raise UsageError where a value, or two values together, cannot be meant."""
        mode = self.mode
        for name in self._given() - _TAKES[mode]:
            flag = "the file" if name == "file" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} has no meaning here", remedy=f"leave it out: this asks for a {mode.value}")
        self._require_ranges()
        if mode is Mode.TABLE and self.c is None:
            raise UsageError("--c is missing", remedy="give how many of the --n samples pass")
        if mode is Mode.PLAN:
            self._require_a_plan()

    def _given(self) -> set[str]:
        return {name for name in self.__slots__ if getattr(self, name) not in (None, False)}

    def _require_a_plan(self) -> None:
        if (self.file is None) == (self.rate is None):
            raise UsageError(
                "a plan needs to know how often samples pass", remedy="give a results file as a pilot, or --rate"
            )
        if self.file is not None and self.rho is not None:
            raise UsageError("--rho and a file are both given, and the file has its own", remedy="leave one out")
        if self.half_width is None or len(self.numbers()) != 1:
            raise UsageError("a plan is for one k and one half-width", remedy="give --k 5 --half-width 0.03")

    def _require_ranges(self) -> None:
        # written so that not-a-number fails each of them
        allowed = {
            "n": (self.n is None or 1 <= self.n <= MOST_DRAWN, f"give a number from 1 to {MOST_DRAWN}"),
            "c": (self.c is None or 0 <= self.c <= (self.n or 0), "give how many of the --n samples pass"),
            "rate": (self.rate is None or 0 <= self.rate <= 1, "give a chance from 0 to 1"),
            "rho": (self.rho is None or 0 <= self.rho <= 1, "give a correlation from 0 to 1"),
            "tasks": (self.tasks is None or self.tasks > 1, "give two tasks or more"),
            "half_width": (
                self.half_width is None or _LEAST_WIDTH <= self.half_width < 1,
                f"give the half of the interval's width, from {_LEAST_WIDTH} to 1: 0.03 for plus or minus 3 points",
            ),
        }
        for name, (sound, remedy) in allowed.items():
            if not sound:
                value = getattr(self, name)
                raise UsageError(f"--{name.replace('_', '-')} {value!r} is out of range", remedy=remedy)
