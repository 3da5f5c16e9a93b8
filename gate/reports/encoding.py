"""The report as the text of its JSON, for the JSON report and for the page that holds it."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, repeat
from typing import TYPE_CHECKING

from gate.results import Report, ShowText

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# Enough to tell any two scores apart, too few for the last bits in which machines differ.
SIGNIFICANT_DIGITS = 12
_ITEMS = "items"

# JSON allows these in strings; a terminal, a reader's eye, JavaScript's line ends, UTF-8 and a log that runs ``##[`` as
# a command do not: controls, formats (Unicode's category Cf), separators of lines, half surrogate pairs, no characters.
_UNSAFE = re.compile(
    r"[\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0001-\U000e007f]|#(?=#\[)"
)
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def encode(report: Report, end: str = "") -> str:
    """The report as JSON, then ``end``; text of the eval stands in it only where ``show_text`` allows."""
    shown = report if report.show_text is ShowText.SNIPPETS else report.without_text()
    dumped = adapter().dump_python(shown, mode="json")
    # piece by piece: a million items would else stand here several times over
    return "".join((*_pieces(dumped, "\n"), end))


@cache
def adapter() -> "TypeAdapter[Report]":
    """What turns a report into plain values and back."""
    from pydantic import TypeAdapter  # noqa: PLC0415  # building it is the dear part, and only JSON needs it

    return TypeAdapter(Report)


def _rounded(value: object, *, whole: bool = False) -> object:
    """Figures as they are told; those of the items as they are."""
    if isinstance(value, float):
        # adding zero turns -0.0 into 0.0
        told = value if whole else float(f"{value:.{SIGNIFICANT_DIGITS}g}")
        return told + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _rounded(entry, whole=whole or key == _ITEMS) for key, entry in value.items()}
    if isinstance(value, list):
        return [_rounded(entry, whole=whole) for entry in value]
    return value


def _pieces(value: object, newline: str, *, whole: bool = False) -> Iterator[str]:
    """JSON with a line for each key, but lists of plain values on one line: a report is read by people too."""
    deeper = newline + " "
    if isinstance(value, dict) and value:
        for start, (key, entry) in zip(_starts("{"), value.items(), strict=False):
            yield f"{start}{deeper}{_written(key)}: "
            yield from _pieces(entry, deeper, whole=whole or key == _ITEMS)
        yield f"{newline}}}"
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        for start, entry in zip(_starts("["), value, strict=False):
            yield f"{start}{deeper}"
            yield from _pieces(entry, deeper, whole=whole)
        yield f"{newline}]"
    else:
        yield _written(_rounded(value, whole=whole))


def _starts(first: str) -> Iterator[str]:
    """What stands before each entry."""
    return chain((first,), repeat(","))


def _written(value: object) -> str:
    return _UNSAFE.sub(_escaped, _ENCODE(value))


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    # of what is beyond four digits JSON writes two halves
    return r"\u0023" if char == "#" else json.dumps(char)[1:-1]
