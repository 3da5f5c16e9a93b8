"""The report as JSON: all of it, uncapped, so that it can serve as the next baseline; and read back."""

import json
from typing import Any

from gate.errors import Place, ScoreFileError
from gate.reports.encoding import SIGNIFICANT_DIGITS, adapter, encode
from gate.results import SCHEMA_VERSION, Report
from gate.validation import first_problem

__all__ = ["SIGNIFICANT_DIGITS", "load", "render", "schema"]

_REMEDY = "write the report again with this version of gate"


def render(report: Report) -> str:
    """Render the report: keys in the order of the structure, figures to 12 significant digits, the same bytes always.

    Scores and weights of items are written whole, so that a later run finds them as they were. A figure that is not
    finite becomes null. Characters are written as they are, but for controls, bidirectional and invisible ones, line
    separators, lone surrogates and ``##[``, which are escaped.
    """
    return encode(report, "\n")


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
        return adapter().validate_python(data)
    except ValidationError as fault:
        problem = first_problem(fault)
        raise ScoreFileError(
            f"this is not a report as gate writes it: {problem.told}",
            where=Place(path, part=problem.part),
            remedy=_REMEDY,
        ) from fault


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what ``render`` writes."""
    body = adapter().json_schema(mode="serialization")
    body["properties"]["schema_version"]["const"] = SCHEMA_VERSION
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **body, "title": "gate report"}


def _parsed(text: str, path: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise ScoreFileError(
            f"this is not JSON: {fault.msg}", where=Place(path, fault.lineno), remedy=_REMEDY
        ) from fault
    except (RecursionError, ValueError) as fault:
        raise ScoreFileError("this JSON is beyond reading", where=Place(path), remedy=_REMEDY) from fault
