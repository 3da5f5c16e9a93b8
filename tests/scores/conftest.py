"""Score files written on the spot, and what reading them gives or raises."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Run, Wanted


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Write a file whose name says nothing about its format."""

    def write_file(content: str | bytes) -> Path:
        path = tmp_path / "scores"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture
def read(write: Callable[[str | bytes], Path]) -> Callable[..., Run]:
    """Read a file with this content; what is wanted of it by the names in Wanted."""

    def read_content(content: str | bytes, **options: object) -> Run:
        how = {name: options.pop(name) for name in ("shown", "format") if name in options}
        return read_run(write(content), Wanted(**options), **how)  # type: ignore[arg-type]

    return read_content


@pytest.fixture
def refused(read: Callable[..., Run]) -> Callable[..., ScoreFileError]:
    """The error of reading a file with this content."""

    def refused_content(content: str | bytes, **options: object) -> ScoreFileError:
        with pytest.raises(ScoreFileError) as caught:
            read(content, **options)
        return caught.value

    return refused_content
