"""Which columns of a table hold the text of its rows."""

from collections.abc import Sequence
from typing import NamedTuple

from gate.contamination.decoding import printable
from gate.contamination.documents import Fields
from gate.contamination.records import ID_FIELD, PART_FIELDS, TEXT_FIELDS
from gate.errors import CorpusError, Place

_MOST_LISTED = 10
_MOST_CHARACTERS = 60


class Columns(NamedTuple):
    """Names of columns: those that hold the text, in order, and the one that holds the row's id, or None."""

    text: tuple[str, ...]
    id: str | None

    @property
    def names(self) -> list[str]:
        """Those to read, each once."""
        return list(dict.fromkeys([*self.text, *([] if self.id is None else [self.id])]))


def choose_columns(columns: Sequence[str], fields: Fields, where: Place) -> Columns:
    """The columns to read, by their names alone: ``text``, else ``content``, else all usual parts that are there.

    A dotted path names the column that it starts with, unless a column has that whole name.

    Raises:
        CorpusError: where there is none that holds text, not the one that was asked for as the id, or one twice.
    """
    asked = [_column_of(path, columns) for path in fields.text]
    usual = next(([name] for name in TEXT_FIELDS if name in columns), [name for name in PART_FIELDS if name in columns])
    text = tuple(name for name in asked if name is not None) if fields.text else tuple(usual)
    if not text:
        raise _without(fields.text or TEXT_FIELDS + PART_FIELDS, columns, where)
    identity = _column_of(fields.id or ID_FIELD, columns)
    if identity is None and fields.id is not None:
        raise _without((fields.id,), columns, where)
    chosen = Columns(text, identity)
    for name in chosen.names:
        if columns.count(name) > 1:
            raise CorpusError(
                f"two columns are named {printable(name[:_MOST_CHARACTERS])!r}",
                where=where,
                remedy="give each column a name of its own",
            )
    return chosen


def _column_of(path: str, columns: Sequence[str]) -> str | None:
    head = path.partition(".")[0]
    return path if path in columns else head if head in columns else None


def _without(asked: Sequence[str], columns: Sequence[str], where: Place) -> CorpusError:
    listed = ", ".join(repr(printable(name[:_MOST_CHARACTERS])) for name in columns[:_MOST_LISTED])
    more = f" and {len(columns) - _MOST_LISTED} more" if len(columns) > _MOST_LISTED else ""
    return CorpusError(
        f"no column is named {' or '.join(map(printable, asked))}; there are {listed or 'none'}{more}",
        where=where,
        remedy="name the column that holds the text, or take the file out of the corpus",
    )
