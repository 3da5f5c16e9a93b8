"""The items to look for, and the texts that they may share with a corpus."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gate.checks.contamination import AllowedText
from gate.config.yaml_file import parse_yaml
from gate.contamination import Allowed, Item
from gate.errors import ConfigError, Place, ScoreFileError, UsageError
from gate.files import open_bytes
from gate.scores import read_items
from gate.scores.model import Columns
from gate.validation import first_problem

_ROLES = ("id", "inputs", "target")
_PLAIN = (".txt", ".txt.gz", ".txt.zst")


def find_items(path: str, *, format_name: str | None, columns: tuple[str, ...]) -> tuple[Item, ...]:
    """The items of a file: question, and answer where it has one.

    Raises:
        ScoreFileError: where the file cannot be read, or holds no item.
        UsageError: where a column is not told as ``ROLE=NAME``.
    """
    if format_name is None and path.lower().endswith(_PLAIN):
        items = _lines(Path(path))
    else:
        rows = read_items(Path(path), format=format_name, columns=_columns(columns))
        items = tuple(Item.of(row.id, row.text, row.target) for row in rows)
    if not any(item.question.strip() for item in items):
        raise ScoreFileError(
            "there is no question in the file", where=Place(path), remedy="name a file of questions, one an item"
        )
    return items


def find_allowed(path: str | None) -> tuple[Allowed, ...]:
    """The texts of an allow-list, a YAML or JSON list of ``{text: ..., reason: ...}``.

    Raises:
        ConfigError: where it is none.
    """
    if path is None:
        return ()
    with open_bytes(Path(path), error=ConfigError) as stream:
        data = parse_yaml(stream.read(), path).data
    try:
        texts = TypeAdapter(tuple[AllowedText, ...]).validate_python(data)
    except ValidationError as fault:
        problem = first_problem(fault)
        raise ConfigError(
            f"this is no allow-list: {problem.told}",
            where=Place(path, part=problem.part),
            remedy="write a list of `{text: ..., reason: ...}`",
        ) from fault
    return tuple(Allowed(allowed.text, allowed.reason) for allowed in texts)


def _lines(path: Path) -> tuple[Item, ...]:
    """One item a line, by the number of its line; blank lines are none."""
    with open_bytes(path) as stream:
        lines = stream.read().decode("utf-8-sig", "replace").splitlines()
    return tuple(Item(str(number), line) for number, line in enumerate(lines, start=1) if line.strip())


def _columns(given: tuple[str, ...]) -> Columns:
    named: dict[str, str] = {}
    for column in given:
        role, equals, name = column.partition("=")
        if role not in _ROLES or not equals or not name:
            raise UsageError(
                f"--column {column!r} is not ROLE=NAME", remedy=f"ROLE is one of {', '.join(_ROLES)}: --column inputs=q"
            )
        named[role] = name
    own = named.get("id")
    return Columns(id=None if own is None else (own,), inputs=named.get("inputs"), target=named.get("target"))
