import subprocess
import sys
from types import ModuleType

import pytest

from gate.scores import FORMATS, READERS
from gate.scores.first_record import Container


@pytest.mark.parametrize("name", FORMATS)
def test_a_reader_is_the_module_of_the_formats_name(name: str) -> None:
    reader = READERS[name]
    assert isinstance(reader, ModuleType)
    assert reader.__name__ == f"gate.scores.readers.{name}"


def test_every_container_of_plain_tables_has_a_reader() -> None:
    assert set(Container) - {Container.ZIP, Container.XML} <= set(FORMATS)


def test_importing_the_readers_loads_nothing_heavy() -> None:
    heavy = ["yaml", "jinja2", "rich", "zstandard", "scipy", "pydantic", "pyarrow"]
    code = f"import sys, gate.scores; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
