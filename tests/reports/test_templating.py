from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.reports import templating


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "compiled"
    monkeypatch.setattr(templating, "COMPILED", folder)
    yield folder
    templating.environment.cache_clear()


def test_every_template_is_compiled_once_and_read_from_there_afterwards(compiled: Path) -> None:
    templating.compile_templates()
    written = {path: path.stat().st_mtime_ns for path in compiled.iterdir()}
    templates = Path(templating.__file__).parent / "templates"
    assert len(written) == len(list(templates.glob("*.j2")))
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in written)
    templating.compile_templates()
    assert {path: path.stat().st_mtime_ns for path in compiled.iterdir()} == written


def test_without_that_folder_nothing_is_written(compiled: Path) -> None:
    templating.environment.cache_clear()
    templating.environment().get_template("summary.md.j2")
    assert not compiled.exists()
