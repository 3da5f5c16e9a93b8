"""YAML to plain data and the line of every key; duplicate keys and alias bombs are errors."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from gate.errors import ConfigError, Place

Location = tuple[str | int, ...]
# Aliases may make a small file stand for a huge tree; no honest gate.yml has this many values.
_MAX_VALUES = 50_000


class Document(NamedTuple):
    """A YAML document.

    Attributes:
        data: mappings, lists and scalars.
        lines: where each key or list entry begins, counted from 1, by its path.
    """

    data: object
    lines: Mapping[Location, int]


def parse_yaml(raw: bytes, name: str) -> Document:
    """Parse one YAML document with the safe loader.

    Raises:
        ConfigError: where it is no YAML, holds a key twice or expands beyond all measure.
    """
    try:
        loader = yaml.SafeLoader(raw)
        node = loader.get_single_node()
        if node is None:
            raise ConfigError(
                "the file is empty", where=Place(name), remedy="`gate init FILES` writes a starter gate.yml"
            )
        builder = _Builder(loader, name)
        return Document(builder.build(node, ()), builder.lines)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = None if mark is None else mark.line + 1
        raise ConfigError(
            f"this is not YAML: {fault.problem or fault.context}",
            where=Place(name, line),
            remedy="mend the syntax there",
        ) from fault
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as fault:
        raise ConfigError(
            "this is not a YAML text file", where=Place(name), remedy="name gate.yml, not a score file"
        ) from fault
    except RecursionError as fault:
        raise ConfigError("the file is nested too deeply", where=Place(name), remedy="name gate.yml") from fault


class _Builder:
    """Builds plain data from nodes, so that keys keep their lines."""

    def __init__(self, loader: yaml.SafeLoader, name: str) -> None:
        self._loader = loader
        self._name = name
        self._values = 0
        self.lines: dict[Location, int] = {}

    def build(self, node: yaml.Node, location: Location) -> object:
        self._values += 1
        if self._values > _MAX_VALUES:
            raise ConfigError(
                f"the file stands for over {_MAX_VALUES} values",
                where=Place(self._name),
                remedy="use fewer YAML aliases",
            )
        self.lines.setdefault(location, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child, (*location, index)) for index, child in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        result: dict[str, Any] = {}
        own_keys = [key.value for key, _ in node.value]
        self._loader.flatten_mapping(node)
        for key_node, value_node in node.value:
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            if own_keys.count(key_node.value) > 1:
                raise ConfigError(
                    f"the key {key!r} stands here twice", where=Place(self._name, line, key), remedy="keep one of them"
                )
            self.lines[*location, key] = line
            result[key] = self.build(value_node, (*location, key))
        return result

    def _scalar(self, node: yaml.Node) -> object:
        value = self._loader.construct_object(node)
        # a date is no value of any key here; its own text gives the better message
        return value if isinstance(value, str | int | float | bool | None) else str(node.value)
