"""The report as JSON: all of it, uncapped, so that it can serve as the next baseline; and read back."""

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gate.errors import Place, ScoreFileError
from gate.results import SCHEMA_VERSION, Report, ShowText

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# Enough to tell any two scores apart, too few for the last bits in which machines differ.
SIGNIFICANT_DIGITS = 12
_ITEMS = "items"

# JSON allows these in strings; a terminal, a reader's eye, JavaScript's line ends, UTF-8 and a log that runs ``##[`` as
# a command do not.
_UNSAFE = re.compile(r"[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]|#(?=#\[)")
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_REMEDY = "write the report again with this version of gate"


def render(report: Report) -> str:
    """Render the report: keys in the order of the structure, figures to 12 significant digits, the same bytes always.

    Scores and weights of items are written whole, so that a later run finds them as they were. A figure that is not
    finite becomes null. Characters are written as they are, but for controls, bidirectional and invisible ones, line
    separators, lone surrogates and ``##[``, which are escaped.
    """
    shown = report if report.show_text is ShowText.SNIPPETS else report.without_text()
    dumped = _adapter().dump_python(shown, mode="json")
    return _UNSAFE.sub(_escaped, _written(_rounded(dumped), "\n")) + "\n"


def load(text: str, *, path: str = "report.json") -> Report:
    """Read a report that ``render`` wrote.

    Args:
        text: the JSON.
        path: where it came from, for messages.

    Raises:
        ScoreFileError: where it is not JSON, not a report, or a report of another schema version.
    """
    # imported here: its cost is paid only where a report is read
    from pydantic import ValidationError  # noqa: PLC0415

    data = _parsed(text, path)
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version != SCHEMA_VERSION:
        raise ScoreFileError(
            f"this is no report of schema version {SCHEMA_VERSION}",
            where=Place(path, part="schema_version"),
            remedy=_REMEDY,
        )
    try:
        return _adapter().validate_python(data)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        part = ".".join(map(str, first["loc"]))
        raise ScoreFileError(
            f"this is not a report as gate writes it: {first['msg'].lower()}",
            where=Place(path, part=part),
            remedy=_REMEDY,
        ) from fault


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what ``render`` writes."""
    body = _adapter().json_schema(mode="serialization")
    body["properties"]["schema_version"]["const"] = SCHEMA_VERSION
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **body, "title": "gate report"}


@cache
def _adapter() -> "TypeAdapter[Report]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # building it is the dear part, and only JSON needs it

    return TypeAdapter(Report)


def _parsed(text: str, path: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise ScoreFileError(
            f"this is not JSON: {fault.msg}", where=Place(path, fault.lineno), remedy=_REMEDY
        ) from fault
    except (RecursionError, ValueError) as fault:
        raise ScoreFileError("this JSON is beyond reading", where=Place(path), remedy=_REMEDY) from fault


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


def _written(value: object, newline: str) -> str:
    """JSON with a line for each key, but lists of plain values on one line: a report is read by people too."""
    deeper = newline + " "
    if isinstance(value, dict) and value:
        entries = [f"{_ENCODE(key)}: {_written(entry, deeper)}" for key, entry in value.items()]
        return f"{{{deeper}{f',{deeper}'.join(entries)}{newline}}}"
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        return f"[{deeper}{f',{deeper}'.join(_written(entry, deeper) for entry in value)}{newline}]"
    return _ENCODE(value)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
