"""What pydantic finds wrong with a configuration, in plain words: what stands there, what should, what to do."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from gate.config.location import Location, dotted
from gate.config.schema import describe_key, did_you_mean, has_default
from gate.errors import ConfigError, Place

_LONGEST = 60
# Beside the checks, what is switched on and off.
_SWITCHES = (("paired",), ("allow_unfinished",))
_EMPTY = "the key has no value"
_MAPPING = "a mapping of keys to values"
# pydantic's own words speak of Python; by the type of its error, with the figures of its context
_EXPECTED = {
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "dict_type": _MAPPING,
    "tuple_type": "a list",
    "string_type": "text",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "finite_number": "a finite number",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "greater_than": "a number over {gt}",
    "greater_than_equal": "a number from {ge} up",
    "less_than": "a number under {lt}",
    "less_than_equal": "a number up to {le}",
    "string_too_short": "text of {min_length} or more characters",
    "string_too_long": "text of {max_length} or fewer characters",
}
_MESSAGES = {"too_short": "the list has too few entries", "too_long": "the list has more than {max_length} entries"}


class Origin(NamedTuple):
    """Where a configuration comes from.

    Attributes:
        name: its file, or what stands in for one.
        lines: the line of each key and list entry, where there are any.
        base: the folder that its paths are meant from.
        flags: the flag that a key was given by, where it was.
    """

    name: str
    lines: Mapping[Location, int]
    base: str
    flags: Mapping[Location, str]

    def place(self, location: Location) -> Place:
        """The place of a key: its flag or line, or those of its nearest ancestor that has one."""
        ends = range(len(location), -1, -1)
        flag = next((self.flags[location[:end]] for end in ends if location[:end] in self.flags), None)
        if flag is not None:
            return Place(flag)
        line = next((self.lines[location[:end]] for end in ends if location[:end] in self.lines), None)
        return Place(self.name, line, dotted(location))


class _Problem(NamedTuple):
    location: Location
    kind: str
    message: str
    found: object
    expected: str | None


def explain(fault: ValidationError, data: object, origin: Origin) -> ConfigError:
    """The first of the problems in the order of the file, and how many more there are."""
    problems = _without_echoes([_read(error, data) for error in fault.errors(include_url=False)])
    places = [origin.place(problem.location) for problem in problems]
    first = min(range(len(problems)), key=lambda index: (places[index].line or 0, index))
    same = [problem for problem in problems if problem.location == problems[first].location]
    others = len({problem.location for problem in problems}) - 1
    what = _what(same) + (f" (and {others} more)" if others else "")
    return ConfigError(what, where=places[first], remedy=_remedy(same[0]))


def refuse_strays(data: object, origin: Origin, location: Location = ()) -> None:
    """Raise ConfigError at a key without a value, and at true or false where they switch no check.

    pydantic takes the first for "as by default" and the second for 1 and 0: both would be guesses.
    """
    if isinstance(data, dict | list):
        for part, value in data.items() if isinstance(data, dict) else enumerate(data):
            refuse_strays(value, origin, (*location, part))
    elif data is None and not (_names_a(location, "metrics") or _names_reduction(location)):
        raise ConfigError(_EMPTY, where=origin.place(location), remedy=_fill(location))
    elif isinstance(data, bool) and not _names_a(location, "checks") and location[2:] not in _SWITCHES:
        raise ConfigError(
            f"{_shown(data)} stands where a text or a number is expected",
            where=origin.place(location),
            remedy="put it in quotes if it is a text; true and false only switch a check, `paired` or "
            "`allow_unfinished` on and off",
        )


def _names_a(location: Location, parent: str) -> bool:
    """Whether this is suites[i].parent.name."""
    return len(location) == 4 and location[2] == parent  # noqa: PLR2004  # suites, index, parent, name


def _names_reduction(location: Location) -> bool:
    """Whether this is suites[i].reduce.name, or the same of one metric."""
    return _names_a(location, "reduce") or (location[2:3] == ("metrics",) and location[4:-1] == ("reduce",))


def _read(error: Any, data: object) -> _Problem:
    """One of pydantic's errors, its location without the names of the types that it tried in turn."""
    kind, context = error["type"], error.get("ctx", {})
    location: list[str | int] = []
    node = data
    for part in error["loc"]:
        inside = (isinstance(node, dict) and part in node) or (
            isinstance(node, list) and isinstance(part, int) and part < len(node)
        )
        if inside:
            node = node[part]  # type: ignore[index]  # inside says so
            location.append(part)
    if kind == "missing" and isinstance(error["loc"][-1], str):
        location.append(error["loc"][-1])
    elif kind == "missing":
        kind = "too_short"
    expected = _EXPECTED[kind].format(**context) if kind in _EXPECTED else None
    # our own validators' sentences are whole as they are
    message = str(context["error"]) if kind == "value_error" else error["msg"].lower()
    message = _MESSAGES[kind].format(**context) if kind in _MESSAGES else message
    return _Problem(tuple(location), kind, message, error["input"], expected)


def _without_echoes(problems: Sequence[_Problem]) -> list[_Problem]:
    """Without what only follows from a problem further inside, such as a list being empty of sound entries."""
    inner = {problem.location[:end] for problem in problems for end in range(len(problem.location))}
    return [problem for problem in problems if problem.location not in inner]


def _what(same: Sequence[_Problem]) -> str:
    """One sentence for the problems of one place; several where a value may have one of several types."""
    first = same[0]
    if first.kind == "extra_forbidden":
        return f"unknown key {first.location[-1]!r}"
    if first.kind == "missing":
        return f"the key {first.location[-1]!r} is missing"
    if first.found is None:
        return _EMPTY
    expected = list(dict.fromkeys(problem.expected for problem in same if problem.expected is not None))
    return f"{_shown(first.found)} is not {' or '.join(expected)}" if expected else first.message


def _shown(value: object) -> str:
    """The value as its author would know it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        kind = "mapping" if isinstance(value, dict) else "list"
        return f"this {kind}" if value else f"the empty {kind}"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _fill(location: Location) -> str:
    """What to write for a key without a value: no default may be promised where there is none."""
    if has_default(location):
        return "write one, or take the key out: the default holds then"
    return "write one: this key has no default"


def _remedy(problem: _Problem) -> str:
    location = problem.location
    if problem.kind == "extra_forbidden":
        return did_you_mean(str(location[-1]), location[:-1])
    if problem.found is None:
        return _fill(location)
    if problem.kind == "string_type" and isinstance(problem.found, int | float):
        return "put it in quotes"
    if problem.kind == "missing":
        return f"add it: `{location[-1]}: {'1' if location == ('version',) else '...'}`"
    if len(location) > 3 and location[2] == "checks":  # noqa: PLR2004  # suites, index, checks, name
        return f"`gate explain {location[3]}` lists the options of this check"
    return describe_key(location) or "the README's section on gate.yml lists the keys and their values"
