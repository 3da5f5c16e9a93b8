"""Every folder of tests/cases, end to end: its exit code, its first line, its reports to the letter.

A folder holds ``args``, the arguments of ``gate check`` (without it: ``--config gate.yml``), its files, and what is
expected. ``GATE_REWRITE=1 pytest tests/test_cases.py`` writes the expectations anew: read the diff before it is kept.
"""

import os
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.cli import run

CASES = Path(__file__).parent / "cases"
REWRITE = bool(os.environ.get("GATE_REWRITE"))


class Kind(NamedTuple):
    word: str
    exit_code: int


KINDS = {"pass": Kind("PASS", 0), "warn": Kind("WARN", 0), "block": Kind("BLOCK", 1), "error": Kind("ERROR", 2)}
_FOLDERS = sorted(folder for folder in CASES.glob("*/*") if folder.is_dir())
_VERSION = re.compile(r'(?<=`gate )\d[^`]*|(?<=`numpy )\d[^`]*|(?<="gate": ")[^"]+|(?<="numpy": ")[^"]+')
_TODAY = re.compile(r'(?<=^- day: )[\d-]+$|(?<="today": ")[^"]+', re.MULTILINE)


def folders(*kinds: str) -> list[object]:
    return [pytest.param(folder, id=folder.name) for folder in _FOLDERS if folder.parent.name in kinds]


def arguments(folder: Path) -> list[str]:
    args = folder / "args"
    return shlex.split(args.read_text(encoding="utf-8")) if args.exists() else ["--config", "gate.yml"]


def check(folder: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    """Run the case from within its folder, so that paths are relative; the report knows nothing of ``more``."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["gate", "check", *arguments(folder)])
    return run(["check", *arguments(folder), *more])


def stable(text: str, folder: Path) -> str:
    """The text without what differs from one machine, release or day to the next."""
    return _TODAY.sub("TODAY", _VERSION.sub("VERSION", text)).replace(str(folder), "FOLDER")


def compare(actual: str, expected: Path) -> None:
    if REWRITE:
        expected.write_text(actual, encoding="utf-8")
    assert expected.exists(), f"{expected} is missing: GATE_REWRITE=1 writes it"
    assert actual == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", folders("pass", "warn", "block"))
def test_a_case_is_judged_and_told_as_expected(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    markdown, json = tmp_path / "report.md", tmp_path / "report.json"
    code = check(folder, monkeypatch, "--report", f"markdown:{markdown}", "--report", f"json:{json}")
    captured = capsys.readouterr()
    kind = KINDS[folder.parent.name]
    assert (code, captured.err) == (kind.exit_code, "")
    assert captured.out.startswith(f"{kind.word}: ")
    compare(stable(markdown.read_text(encoding="utf-8"), folder), folder / "expected.md")
    compare(stable(json.read_text(encoding="utf-8"), folder), folder / "expected.json")


@pytest.mark.parametrize("folder", folders("error"))
def test_a_case_that_cannot_be_judged_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = check(folder, monkeypatch)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("ERROR: ")
    assert "\n  remedy: " in captured.err
    compare(stable(captured.err, folder), folder / "expected.txt")


def test_a_run_against_itself_shows_nothing_yellow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(CASES / "pass" / "identity", monkeypatch, "--verbose")
    told = capsys.readouterr().out
    assert told.startswith("PASS: ")
    assert not [line for line in told.splitlines() if line.startswith("WARN")]
    assert "the same file, byte for byte" in told


def test_the_cases_cover_every_verdict_well() -> None:
    counts = {kind: len(folders(kind)) for kind in KINDS}
    assert min(counts.values()) >= 9, counts
    assert {folder.parent.name for folder in _FOLDERS} == set(KINDS)


def test_the_worked_example_is_the_one_in_examples() -> None:
    example = CASES.parent.parent / "examples" / "worked-example"
    for file in (path for path in example.rglob("*") if path.is_file() and path.name != "gate.yml"):
        assert (CASES / "block" / "worked-example" / file.relative_to(example)).read_bytes() == file.read_bytes()
