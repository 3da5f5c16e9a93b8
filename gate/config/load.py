"""Reading gate.yml: safely, with the line of every key, and with errors that say what to do."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from gate.config.model import GateConfig
from gate.errors import ConfigError, Place
from gate.files import open_bytes

_MAX_BYTES = 1_000_000
Location = tuple[str | int, ...]


def load_config(path: Path) -> GateConfig:
    """Read and validate gate.yml; paths in it are meant from its own folder.

    Raises:
        ConfigError: with the line and key of the first problem.
    """
    # imported here: a check by flags alone needs no YAML
    from gate.config.yaml_file import parse_yaml  # noqa: PLC0415

    with open_bytes(path, error=ConfigError) as file:
        raw = file.read(_MAX_BYTES + 1)
    if len(raw) > _MAX_BYTES:
        raise ConfigError("the file is over 1 MB", where=Place(str(path)), remedy="name gate.yml, not a score file")
    document = parse_yaml(raw, str(path))
    return _validated(document.data, _Origin(str(path), document.lines, str(path.parent)))


def validate_config(data: Mapping[str, Any], *, origin: str = "the command line") -> GateConfig:
    """Validate a configuration that was not read from a file; paths in it are meant from the working directory.

    Raises:
        ConfigError: naming ``origin`` and the key.
    """
    return _validated(data, _Origin(origin, {}, ""))


class _Origin(NamedTuple):
    name: str
    lines: Mapping[Location, int]
    base: str


def _validated(data: object, origin: _Origin) -> GateConfig:
    try:
        return GateConfig.model_validate(data, context={"base": origin.base})
    except ValidationError as fault:
        raise _explained(fault, origin) from fault


def _explained(fault: ValidationError, origin: _Origin) -> ConfigError:
    problems = fault.errors(include_url=False, include_context=False)
    first = problems[0]
    location = first["loc"]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    key = _dotted(location)
    if first["type"] == "extra_forbidden":
        known = _keys_at(location[:-1])
        what, remedy = f"unknown key {str(location[-1])!r}", _did_you_mean(str(location[-1]), known)
    elif first["type"] == "missing":
        what, remedy = f"the key {str(location[-1])!r} is missing", f"add it: {_example(location)}"
    else:
        message = first["msg"].removeprefix("Value error, ")
        what, remedy = message[:1].lower() + message[1:], _general_remedy(location)
    return ConfigError(what + more, where=Place(origin.name, _line(location, origin.lines), key), remedy=remedy)


def _line(location: Location, lines: Mapping[Location, int]) -> int | None:
    """The line of the key, or of its nearest ancestor that stands in the file."""
    for end in range(len(location), -1, -1):
        if location[:end] in lines:
            return lines[location[:end]]
    return None


def _dotted(location: Location) -> str | None:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).removeprefix(".")
    return text or None


def _did_you_mean(key: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"the keys here are {', '.join(known)}" if known else "remove it"


def _example(location: Location) -> str:
    return "`version: 1`" if location == ("version",) else f"`{location[-1]}: ...`"


def _general_remedy(location: Location) -> str:
    if len(location) > 3 and location[2] == "checks":  # noqa: PLR2004  # suites, index, checks, name
        return f"`gate explain {location[3]}` lists the options of this check"
    return "the README's section on gate.yml lists the keys and their values"


def _keys_at(location: Location) -> list[str]:
    """The keys that the schema knows at a place."""
    schema = GateConfig.model_json_schema()
    node: dict[str, Any] = schema
    for part in location:
        node = _resolved(node, schema)
        inner = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
        node = inner or node.get("additionalProperties") or {}
    return list(_resolved(node, schema).get("properties", {}))


def _resolved(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Follow references and the first object among alternatives."""
    while "$ref" in node or "anyOf" in node:
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        else:
            objects = [option for option in node["anyOf"] if "$ref" in option or option.get("type") == "object"]
            node = objects[0] if objects else {}
    return node
