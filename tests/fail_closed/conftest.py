"""Where each row is run, by whichever door."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fail_closed.running import folder_for_everybody, lay


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with a sound pair of score files; nothing of the runner's or of a pinned day is set."""
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "INPUT_")) or name == "SOURCE_DATE_EPOCH"]:
        monkeypatch.delenv(name)
    with folder_for_everybody() as made:
        monkeypatch.chdir(made)
        lay({}, made)
        yield made
        monkeypatch.undo()
