"""Other people's result files, in the folder GATE_REAL_FILES: where they are, and the figures computed from them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

IS_GIVEN = "GATE_REAL_FILES" in os.environ
ROOT = Path(os.environ.get("GATE_REAL_FILES", "."))
_ABOUT = ["SOURCES.tsv", "truths.json"]

# every one of them by its path in the folder, without what tells of the others
FILES = (
    [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and path.name not in _ABOUT
    ]
    if IS_GIVEN
    else []
)

# a module that reads them says: pytestmark = REAL_FILES
REAL_FILES = [
    pytest.mark.real_files,
    pytest.mark.skipif(not IS_GIVEN, reason="GATE_REAL_FILES does not name a folder of files"),
]


def truth_of(name: str) -> Any:
    """What truths.json says of a file, or of its ``pairs``."""
    return json.loads((ROOT / "truths.json").read_text())[name]
