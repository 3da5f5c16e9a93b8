"""YAML to plain data and the line of every key; duplicate keys and alias bombs are errors."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from gate.config.location import Location, dotted
from gate.errors import ConfigError, Place

# Aliases may make a small file stand for a huge tree; no honest gate.yml has this many keys and values.
_MAX_VALUES = 50_000
_MERGE = "tag:yaml.org,2002:merge"
# No key here takes a date or bytes; a name that looks like one is a name.
_AS_TEXT = frozenset({"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary"})


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
        loader = _Loader(raw, name)
        node = loader.get_single_node()
        builder = _Builder(loader, name)
        data = None if node is None else builder.build(node, ())
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = None if mark is None else mark.line + 1
        raise ConfigError(
            f"this is not YAML: {fault.problem or fault.context}",
            where=Place(name, line),
            remedy="mend the syntax there",
        ) from fault
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise ConfigError(
            "this is not a YAML text file", where=Place(name), remedy="name gate.yml, not a score file"
        ) from fault
    except RecursionError as fault:
        raise ConfigError(
            "the file is nested too deeply", where=Place(name), remedy="name gate.yml; an alias must not hold itself"
        ) from fault
    if data is None:
        raise ConfigError("the file is empty", where=Place(name), remedy="`gate init FILES` writes a starter gate.yml")
    return Document(data, builder.lines)


class _Loader(yaml.SafeLoader):
    """The safe loader, which ends at a file of far more than any gate.yml holds: to read it all takes long."""

    def __init__(self, raw: bytes, name: str) -> None:
        super().__init__(raw)
        self._name = name
        self._nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._nodes += 1
        if self._nodes > _MAX_VALUES:
            raise ConfigError(
                f"the file holds over {_MAX_VALUES} keys and values",
                where=Place(self._name),
                remedy="name gate.yml, not a score file",
            )
        return super().compose_node(parent, index)


class _Builder:
    """Builds plain data from nodes, so that keys keep their lines."""

    def __init__(self, loader: yaml.SafeLoader, name: str) -> None:
        self._loader = loader
        self._name = name
        self._values = 0
        self.lines: dict[Location, int] = {(): 1}

    def build(self, node: yaml.Node, location: Location) -> object:
        self._count(node, location)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return self._sequence(node, location)
        return self._scalar(node, location)

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        # merged first, so that the mapping's own keys and their lines go over them
        result: dict[str, Any] = {}
        for source in self._merged(node, location):
            result |= self._mapping(source, location)
        own = [(self._key(key, location), key, value) for key, value in node.value if key.tag != _MERGE]
        counts = Counter(name for name, _, _ in own)
        for name, key, value in own:
            inner = (*location, name)
            if counts[name] > 1:
                raise ConfigError(
                    f"the key {name!r} stands here twice", where=self._place(key, inner), remedy="keep one of them"
                )
            self.lines[inner] = key.start_mark.line + 1
            result[name] = self.build(value, inner)
        return result

    def _merged(self, node: yaml.MappingNode, location: Location) -> Iterator[yaml.MappingNode]:
        """The mappings that ``<<`` names, the one that holds over the others last."""
        for key, value in node.value:
            if key.tag != _MERGE:
                continue
            for source in reversed(value.value) if isinstance(value, yaml.SequenceNode) else [value]:
                if not isinstance(source, yaml.MappingNode):
                    raise ConfigError(
                        "`<<` merges something that is no mapping",
                        where=self._place(key, location),
                        remedy="name an alias of a mapping there",
                    )
                self._count(source, location)
                yield source

    def _key(self, key: yaml.Node, location: Location) -> str:
        if not isinstance(key, yaml.ScalarNode):
            raise ConfigError(
                "a key here is a list or a mapping", where=self._place(key, location), remedy="write keys as plain text"
            )
        return str(key.value)

    def _sequence(self, node: yaml.SequenceNode, location: Location) -> list[object]:
        result = []
        for index, child in enumerate(node.value):
            inner = (*location, index)
            self.lines[inner] = child.start_mark.line + 1
            result.append(self.build(child, inner))
        return result

    def _scalar(self, node: yaml.Node, location: Location) -> object:
        if node.tag in _AS_TEXT:
            return str(node.value)
        try:
            value: object = self._loader.construct_object(node)
            if isinstance(value, int):
                # beyond all floats, it could be neither compared nor, with thousands of digits, told
                float(value)
        except (ValueError, OverflowError) as fault:
            raise ConfigError(
                "the value cannot be read", where=self._place(node, location), remedy="if it is text, put it in quotes"
            ) from fault
        return value

    def _count(self, node: yaml.Node, location: Location) -> None:
        self._values += 1
        if self._values > _MAX_VALUES:
            raise ConfigError(
                f"the file stands for over {_MAX_VALUES} values",
                where=self._place(node, location),
                remedy="use fewer YAML aliases",
            )

    def _place(self, node: yaml.Node, location: Location) -> Place:
        return Place(self._name, node.start_mark.line + 1, dotted(location))
