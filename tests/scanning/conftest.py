"""The published example as files: four items, a corpus of four documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.cli import run

ITEMS = (
    "What is the capital of France",
    "How many legs does a spider have",
    "Who wrote the play Romeo and Juliet",
    "What is the boiling point of water",
)
DOCUMENTS = (
    "The Eiffel Tower was finished in 1889",
    "what is the capital of france",
    "Spiders are not insects",
    "Water covers most of the earth",
)


class Told(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files are, and where the command is run."""
    (tmp_path / "items.txt").write_text("".join(f"{item}\n" for item in ITEMS))
    rows = [{"id": f"d{place}", "text": text} for place, text in enumerate(DOCUMENTS, start=1)]
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gate(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:  # noqa: ARG001  # it runs there
    """Runs a command there."""

    def call(*arguments: str) -> Told:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return Told(code, captured.out, captured.err)

    return call
