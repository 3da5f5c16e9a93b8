"""The registry: every form by name, and nothing heavy loaded before it is used."""

import subprocess
import sys
from types import ModuleType

import pytest

from gate.reports import REPORTS

PROBE = """
import sys
from gate.reports import REPORTS
heavy = ["jinja2", "markupsafe", "rich", "pydantic", "yaml", "scipy"]
print([name for name in heavy if name in sys.modules])
"""


def test_the_forms_are_known_by_name() -> None:
    assert list(REPORTS) == ["markdown", "json", "html", "text", "junit"]


@pytest.mark.parametrize("form", REPORTS)
def test_every_form_tells_the_verdict(form: str, make: ModuleType) -> None:
    assert "BLOCK" in REPORTS[form](make.worked())


def test_importing_the_registry_loads_no_template_engine_no_terminal_library_and_no_validator() -> None:
    loaded = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
