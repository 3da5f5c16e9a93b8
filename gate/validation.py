"""What pydantic finds wrong with a file, in a few words and with the place in it."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import ValidationError


class Problem(NamedTuple):
    """The first problem of a file.

    Attributes:
        kind: pydantic's name for it.
        told: pydantic's words, without a value of the file, which may be anything.
        part: the keys and indices that lead there, joined by dots; None for the file as a whole.
    """

    kind: str
    told: str
    part: str | None


def first_problem(fault: "ValidationError") -> Problem:
    """The first of the problems, in the order of the model's fields."""
    first = fault.errors(include_url=False, include_input=False)[0]
    return Problem(first["type"], first["msg"].lower(), ".".join(map(str, first["loc"])) or None)
