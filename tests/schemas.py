"""Writes schemas/ anew from the code: ``python tests/schemas.py``."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.config.schema import config_schema
from gate.contamination.scan_file import schema as scan_schema
from gate.history.file import schema as history_schema
from gate.reports.json import schema as report_schema

SCHEMAS = Path(__file__).parent.parent / "schemas"


def schema_texts() -> Mapping[str, str]:
    """File name -> content of every schema."""
    return {
        "gate.schema.json": _text(config_schema()),
        "history.schema.json": _text(history_schema()),
        "report.schema.json": _text(report_schema()),
        "scan.schema.json": _text(scan_schema()),
    }


def write_schemas(folder: Path = SCHEMAS) -> None:
    """Write every schema into the folder."""
    folder.mkdir(exist_ok=True)
    for name, text in schema_texts().items():
        (folder / name).write_text(text, encoding="utf-8")


def _text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write_schemas()
