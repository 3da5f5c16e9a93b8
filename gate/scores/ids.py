"""What names an item: its id as text, made from one or several columns, or a short hash where it would be a text."""

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple

from gate.errors import Place, ScoreFileError
from gate.scores.cells import Absent
from gate.scores.content import ScoreFile
from gate.scores.quoting import quote
from gate.scores.strict_json import canonical

LONGEST_ID = 200
_LONGEST_TEXT = 2000
_END = 500
_WRITE_AGAIN = "let the tool write the file again, with an id of its own in every record"
MAP_ANOTHER = "give every row an id, the same in both runs, or map another column: columns: {id: NAME}"
_HASH_DIGITS = 16  # 64 bits: among a million texts two alike have a chance of 3e-8


class Id(NamedTuple):
    """An item's id, and the text that it stands for where it is a hash."""

    id: str
    text: str | None


def digest(*parts: str | None) -> str:
    """BLAKE2b, 16 bytes in hexadecimal, over the parts, each with its length before it: they cannot run together.

    Line ends do not count: a checkout on another system must not change the data set. A long part counts in its short
    form, so that it need not be kept whole.
    """
    return hashlib.blake2b(b"".join(map(_framed, parts)), digest_size=16).hexdigest()


def short_form(text: str) -> str:
    """What stands for a text: of more than 2000 characters, the first and last 500 about a digest of all; else itself.

    The short form of a short form is itself. White space around a long text and its line ends do not count.
    """
    if len(text) <= _LONGEST_TEXT:
        return text
    text = text.strip().replace("\r\n", "\n")
    if len(text) <= _LONGEST_TEXT:
        return text
    whole = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{text[:_END]}…{whole}…{text[-_END:]}"


def content_digest(inputs: str | None, target: str | None, content: str | None = None) -> str | None:
    """What tells whether an item is still the same: of its content where that is told, else of inputs and target."""
    if content is not None:
        return digest(content)
    return None if inputs is None and target is None else digest(inputs, target)


def name_part(part: str, number: int) -> str:
    """The name of the record with this number, counted from 1."""
    return part.format(number=number, index=number - 1)


def _framed(part: str | None) -> bytes:
    if part is None:
        return b"-"
    # half surrogate pairs may stand in the JSON of a document, and are no reason to fail
    part = short_form(part)
    plain = (part.replace("\r\n", "\n") if "\r" in part else part).encode("utf-8", "surrogatepass")
    return b"%d:%b" % (len(plain), plain)


def as_text(cell: object) -> str | None:
    """A cell of any type as the text that a CSV file would hold; None where it is empty.

    Objects and lists, such as chat messages, become JSON with sorted keys. Half surrogate pairs, which no UTF-8 file
    can hold, are replaced.
    """
    if type(cell) is str and cell.isascii():  # as nearly every cell is
        return cell or None
    if cell is None or cell == "" or isinstance(cell, Absent):
        return None
    if type(cell) is int:  # not a bool, which is true or false in JSON
        return str(cell)
    text = cell if isinstance(cell, str) else canonical(cell)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def make_id(
    cells: Sequence[object],
    *,
    is_text: bool,
    file: ScoreFile,
    line: int,
    part: str | None = None,
    remedy: str = _WRITE_AGAIN,
) -> Id:
    r"""The id of one row, which stands on a line or, where lines mean nothing, is named by ``part`` as in Form.

    Several columns are joined with ``|``, and a ``|`` or ``\`` in them gets a ``\`` before it. Where the columns hold
    the data set's text, or the id would have more than 200 characters or a line break, it is a hash. ``remedy`` says
    what to do where there is none: by itself for a tool's format, of which no other column can be named.

    Raises:
        ScoreFileError: where a part is missing, or no number and no text.
    """
    place = file.place(line) if part is None else file.place(part=name_part(part, line))
    parts = [_part(cell, place, remedy, is_text=is_text) for cell in cells]
    joined = parts[0] if len(parts) == 1 else "|".join(map(_escaped, parts))
    if is_text or len(joined) > LONGEST_ID or len(joined.splitlines()) > 1:
        return Id(digest(*parts)[:_HASH_DIGITS], " | ".join(parts))
    return Id(joined, None)


def _escaped(part: str) -> str:
    return part.replace("\\", "\\\\").replace("|", "\\|")


def _part(cell: object, place: Place, remedy: str, *, is_text: bool) -> str:
    # a question may well be a list of messages
    if isinstance(cell, bool) or (isinstance(cell, dict | list) and not is_text):
        raise ScoreFileError(
            f"the id is {quote(cell)}; ids are texts or numbers",
            where=place,
            remedy=remedy,
        )
    unknown = cell is None or isinstance(cell, Absent) or (isinstance(cell, float) and math.isnan(cell))
    text = "" if unknown else (as_text(cell) or "").strip()
    if not text:
        raise ScoreFileError(
            "the row has no id",
            where=place,
            remedy=remedy,
        )
    return text
