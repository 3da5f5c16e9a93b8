"""The JSON Schema of gate.yml, for editors and for telling which keys a place knows."""

import difflib
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from gate.config.location import Location
from gate.config.model import GateConfig

# The schema lets these be left out, since a flag or another key can stand for them; left empty they must not read as
# "none".
_NEVER_EMPTY = {("threshold", "bar"), ("contamination", "corpus"), ("contamination", "scan")}


class _WithoutNull(GenerateJsonSchema):
    """A key of gate.yml that may be left out may not be left empty."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def encode_default(self, dft: Any) -> Any:
        encoded = super().encode_default(dft)
        if isinstance(encoded, dict):
            return {key: value for key, value in encoded.items() if value is not None}
        return encoded

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        described = super().default_schema(schema)
        if described.get("default", ...) is None:
            del described["default"]
        return described


@cache
def config_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of gate.yml."""
    body = GateConfig.model_json_schema(schema_generator=_WithoutNull)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **body, "title": "gate.yml"}


def did_you_mean(key: str, location: Location) -> str:
    """What to write for a key that the place does not know."""
    known = _keys_at(location)
    close = difflib.get_close_matches(key, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"the keys here are {', '.join(known)}" if known else "remove it"


def has_default(location: Location) -> bool:
    """Whether a key may be left out and something holds in its place, be it only "not given"."""
    parent, key = _node_at(location[:-1]), location[-1]
    return (
        key in parent.get("properties", {})
        and key not in parent.get("required", [])
        and location[-2:] not in _NEVER_EMPTY
    )


def describe_key(location: Location) -> str | None:
    """What a key means, as the schema says it: ``scale``: Lowest and highest ...; None where it says nothing."""
    while location and isinstance(location[-1], int):
        location = location[:-1]
    key = location[-1] if location else None
    told = _node_at(location[:-1]).get("properties", {}).get(key, {}).get("description")
    return None if told is None else f"`{key}`: {told.rstrip('.')}"


def _keys_at(location: Location) -> list[str]:
    return list(_node_at(location).get("properties", {}))


def _node_at(location: Location) -> dict[str, Any]:
    """What the schema says of a place; empty where it knows none."""
    node: dict[str, Any] = config_schema()
    for part in location:
        node = _resolved(node)
        inner = node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
        node = inner or node.get("additionalProperties") or {}
    return _resolved(node)


def _resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Follow references and the first object among alternatives."""
    while "$ref" in node or "anyOf" in node:
        if "$ref" in node:
            node = config_schema()["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        else:
            objects = [option for option in node["anyOf"] if "$ref" in option or option.get("type") == "object"]
            node = objects[0] if objects else {}
    return node
