"""A waiver as gate.yml says it."""

import re
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from gate.checks import CHECKS
from gate.checks.base import Options
from gate.results import Waiver

_DAY = re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")


def _known_check(name: str) -> str:
    if name not in CHECKS:
        raise ValueError(f"there is no check {name!r}; there are {', '.join(CHECKS)}")
    return name


def _on_one_line(text: object) -> object:
    """A block of YAML keeps its line ends, which reports would have to show as such."""
    return " ".join(text.split()) if isinstance(text, str) else text


def _says_something(text: str) -> str:
    if not any(map(str.isalnum, text)):
        raise ValueError("there is no word in this text")
    return text


def _day(value: object) -> object:
    """A day and nothing that could be read as one: not a number of seconds, and not a moment of a day."""
    if type(value) is date:
        return value
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:  # the 30th of February
        pass
    raise ValueError(f"{str(value)[:60]!r} is no day of the form YYYY-MM-DD")


CheckName = Annotated[str, AfterValidator(_known_check), WithJsonSchema({"type": "string", "enum": list(CHECKS)})]
_Day = Annotated[
    date,
    BeforeValidator(_day),
    WithJsonSchema({"type": "string", "format": "date", "pattern": _DAY.pattern}),
]
_Words = Annotated[str, BeforeValidator(_on_one_line), AfterValidator(_says_something)]


class WaiverSettings(Options):
    """A person's word that a check may fail for a while: a BLOCK becomes a WARN."""

    check: CheckName = Field(description="The check that may fail.")
    suite: str | None = Field(default=None, min_length=1, description="Its suite; needed where there are several.")
    metric: str | None = Field(default=None, min_length=1, description="The metric that may fail; by default any.")
    reason: _Words = Field(min_length=1, max_length=300, description="Why it may fail, for the reports.")
    approved_by: _Words = Field(min_length=1, max_length=100, description="Who says so.")
    expires: _Day = Field(description="The last day on which the waiver holds, as YYYY-MM-DD, by UTC.")

    def as_waiver(self, only_suite: str) -> Waiver:
        """The same in the words of results; ``only_suite`` is meant where none is named."""
        fields: dict[str, Any] = self.model_dump()
        return Waiver(**{**fields, "suite": self.suite if self.suite is not None else only_suite})
