"""Every row of docs/fail-closed.md, run as a user runs it: none passes, and each says what, where and what to do."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.cli import run
from gate.results import Word
from tests.fail_closed.case import PAIR, ROOT, SOUND, Case, Harmless
from tests.fail_closed.odd import CANDIDATE, HARMLESS
from tests.fail_closed.page import numbered, page
from tests.fail_closed.running import (
    Outcome,
    changing,
    lay,
    run_confined,
    run_here,
    without_rights,
)

Captured = pytest.CaptureFixture[str]

PAGE = ROOT / "docs" / "fail-closed.md"
CASES = numbered()


def outcome_of(case: Case, folder: Path, capsys: Captured) -> Outcome:
    if case.confined:
        return run_confined(case.arguments, folder)
    with without_rights(asked=case.unprivileged), changing(case.meanwhile, folder):
        return run_here(case.arguments, folder, capsys)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES])
def test_an_input_that_is_wrong_never_passes(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    # once with sound files, so that everything is imported that is needed where nothing may be read
    assert run(["check", *PAIR, "--report", "markdown:-"]) == 0
    lay(case.files, folder)
    for name, value in case.environ.items():
        monkeypatch.setenv(name, value)
    outcome = outcome_of(case, folder, capsys)
    expected = case.expected
    report: Mapping[str, Any] = outcome.report
    assert outcome.code == expected.exit_code, outcome.err
    assert report["verdict"]["word"] == expected.verdict
    assert "Traceback" not in outcome.out + outcome.err
    if expected.verdict is Word.ERROR:
        fault = report["fault"]
        assert (fault["kind"], fault["where"]) == (expected.reason, expected.place)
        assert fault["what"].startswith(expected.says)
        assert fault["remedy"].startswith(expected.remedy)
        assert outcome.err.startswith(f"ERROR: {expected.place}"[:60].split("\0")[0])
        assert "\n  remedy: " in outcome.err
    else:
        reasons = report["verdict"]["reasons"]
        assert f"{reasons[0]['check']}: {reasons[0]['reason']}" == expected.reason
        assert reasons[0]["sentence"].startswith(expected.says)
        assert reasons[0]["remedy"].startswith(expected.remedy)
        assert outcome.out.startswith(f"{expected.verdict}: ")


@pytest.mark.parametrize("odd", [pytest.param(odd, id=f"odd-{row:02d}") for row, odd in enumerate(HARMLESS, 1)])
def test_what_only_looks_wrong_changes_no_figure(odd: Harmless, folder: Path, capsys: Captured) -> None:
    lay({"candidate.csv": CANDIDATE}, folder)
    before = figures(run_here(PAIR, folder, capsys))
    lay(odd.files, folder)
    outcome = run_here(PAIR, folder, capsys)
    assert figures(outcome) == before
    assert odd.told in outcome.out


def figures(outcome: Outcome) -> list[object]:
    """What every check came to; what it says of new items is no part of it."""
    report: Mapping[str, Any] = outcome.report
    results = report["suites"][0]["results"]
    return [
        (
            result["check"],
            result["status"],
            {key: value for key, value in result["figures"].items() if key not in {"new", "new_mean"}},
        )
        for result in results
    ]


def test_what_an_archive_names_is_not_written(folder: Path) -> None:
    for _, case in CASES:
        if "lead out of it" in case.wrong:
            lay(case.files, folder)
            run(["check", *case.arguments])
    assert {path.name for path in folder.iterdir()} == {*SOUND, "run.eval"}
    assert not Path("/tmp/gate-was-here").exists()  # noqa: S108  # what the archive names
    assert not Path("/etc/gate-was-here").exists()


def test_no_row_of_the_page_passes_and_none_stands_twice() -> None:
    assert len(CASES) >= 60
    assert {case.expected.verdict for _, case in CASES} == {Word.ERROR, Word.BLOCK, Word.WARN}
    told = [case.wrong for _, case in CASES]
    assert len(set(told)) == len(told)


def test_the_page_is_made_of_the_cases() -> None:
    if os.environ.get("GATE_REWRITE"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
