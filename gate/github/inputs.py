"""What the workflow says under ``with:``: INPUT_ variables to a request, every input with the meaning of its flag."""

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Self

from gate.entry import ReportTarget, Request
from gate.errors import UsageError
from gate.results import FailOn
from gate.scores import FORMATS

INPUTS = (
    "baseline",
    "candidate",
    "threshold",
    "config",
    "proposed-config",
    "metric",
    "reduce",
    "format",
    "select",
    "corpus",
    "scan",
    "history",
    "fail-on",
    "comment",
    "comment-key",
    "github-token",
    "report-dir",
    "working-directory",
)
DEFAULT_REPORT_DIR = "gate-report"
TOKEN = "github-token"  # noqa: S105  # the name of an input

_PREFIX = "INPUT_"
# They say where the run takes place and what is told of it beside, not what is judged.
_NO_FLAGS = ("comment", "comment-key", TOKEN, "report-dir", "working-directory")
_ALIKE = 0.75  # how like a known name a stranger must be to be a slip of the pen


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs as they were given: without the spaces around, and without blank ones, which mean "not given".

    Attributes:
        given: name -> text, of those in INPUTS.
        strangers: the names of all others.
    """

    given: Mapping[str, str] = field(repr=False)  # one of them is a secret
    strangers: Sequence[str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Self:
        """Read INPUT_FAIL-ON, which is how the runner writes it, and INPUT_FAIL_ON, which a shell can write.

        Raises:
            UsageError: where both stand there and differ.
        """
        given: dict[str, str] = {}
        for variable in sorted(environ):
            text = environ[variable].strip()
            if not variable.startswith(_PREFIX) or not text:
                continue
            name = variable.removeprefix(_PREFIX).lower().replace("_", "-")
            if given.setdefault(name, text) != text:
                values = "" if name == TOKEN else f": {given[name]!r} and {text!r}"
                raise UsageError(
                    f"the input {name!r} is given twice{values}",
                    remedy="set one of its two variables, the one with dashes as GitHub does or the one without",
                )
        known = {name: text for name, text in given.items() if name in INPUTS}
        return cls(known, tuple(name for name in given if name not in INPUTS))

    def text(self, name: str) -> str | None:
        """An input of one line.

        Raises:
            UsageError: where it has several.
        """
        text = self.given.get(name)
        if text is not None and len(text.splitlines()) > 1:
            value = "" if name == TOKEN else f": {text!r}"
            raise UsageError(f"the input {name!r} has several lines{value}", remedy="give one value, on one line")
        return text

    def lines(self, name: str) -> tuple[str, ...]:
        """An input of a value on each line."""
        return tuple(line.strip() for line in self.given.get(name, "").split("\n") if line.strip())

    def number(self, name: str) -> float | None:
        """An input that is a number.

        Raises:
            UsageError: where it is none, or not a finite one.
        """
        text = self.text(name)
        try:
            value = None if text is None else float(text)
        except ValueError:
            value = math.nan
        if value is not None and not math.isfinite(value):
            remedy = "write a number with a decimal point, in the unit of the scores: 0.70"
            raise UsageError(f"the input {name!r} is not a number: {text!r}", remedy=remedy)
        return value

    def choice(self, name: str, options: Sequence[str], *, any_case: bool = False) -> str | None:
        """An input that is one of some words.

        Raises:
            UsageError: where it is another.
        """
        text = self.text(name)
        word = text.lower() if text is not None and any_case else text
        if word is not None and word not in options:
            raise UsageError(f"the input {name!r} cannot be {text!r}", remedy=f"write one of {', '.join(options)}")
        return word


def build_request(inputs: Inputs, targets: tuple[ReportTarget, ...]) -> Request:
    """The run that the inputs ask for, its paths meant from the working directory.

    Raises:
        UsageError: naming the input, and what to write instead.
    """
    _refuse_slips(inputs)
    fail_on = inputs.choice("fail-on", [each.value for each in FailOn], any_case=True)
    request = Request(
        config=inputs.text("config"),
        proposed_config=inputs.text("proposed-config"),
        baseline=inputs.text("baseline"),
        candidate=inputs.text("candidate"),
        threshold=inputs.number("threshold"),
        corpus=inputs.lines("corpus"),
        scan=inputs.text("scan"),
        history=inputs.text("history"),
        metrics=inputs.lines("metric"),
        reduce=inputs.lines("reduce"),
        format=inputs.choice("format", FORMATS),
        select=inputs.text("select"),
        fail_on=None if fail_on is None else FailOn(fail_on),
        targets=targets,
        command=_command(inputs),
    )
    if request.config is None and request.candidate is None:
        raise UsageError(
            "there is nothing to judge: neither the input 'candidate' nor the input 'config' is given",
            remedy="write `candidate: FILE` or `config: gate.yml` under `with:`",
        )
    return request


def _refuse_slips(inputs: Inputs) -> None:
    """A bar that goes unread over a slip of the pen would turn the gate green for nothing."""
    for name in inputs.strangers:
        meant = get_close_matches(name, INPUTS, n=1, cutoff=_ALIKE)
        if meant:
            raise UsageError(f"there is no input {name!r}", remedy=f"did you mean {meant[0]!r}?")


def _command(inputs: Inputs) -> str:
    """The shell command that repeats the run, from the root of the repository."""
    flags = [name for name in INPUTS if name not in _NO_FLAGS]
    words = [f"--{name}={value}" for name in flags for value in inputs.lines(name)]
    folder = inputs.text("working-directory")
    move = "" if folder is None else f"{shlex.join(['cd', '--', folder])} && "
    return move + shlex.join(["gate", "check", *words])
