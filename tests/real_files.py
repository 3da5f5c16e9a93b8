"""Other people's result files, in the folder GATE_REAL_FILES: where they are, and the figures computed from them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(os.environ.get("GATE_REAL_FILES", "."))

# a module that reads them says: pytestmark = REAL_FILES
REAL_FILES = [
    pytest.mark.real_files,
    pytest.mark.skipif("GATE_REAL_FILES" not in os.environ, reason="GATE_REAL_FILES does not name a folder of files"),
]


def truth_of(name: str) -> Any:
    """What truths.json says of a file."""
    return json.loads((ROOT / "truths.json").read_text())[name]
