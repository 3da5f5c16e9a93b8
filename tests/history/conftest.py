"""Reports and lines of a history, made by hand."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from gate.results import Word
from gate.results.record import MetricRecord, RunRecord, SuiteRecord

DAY = dt.date(2026, 1, 1)


def line_of(
    mean: float = 0.8, *, promoted: bool = True, report: str | None = None, commit: str = "", **fields: object
) -> RunRecord:
    """A run of one suite, ``scores``, with one metric, ``score``; ``fields`` as in MetricRecord."""
    given: dict[str, object] = {
        "n": 100, "units": 100, "items": "a", "direction": "higher", "standard_error": 0.04, **fields,
    }  # fmt: skip
    figures = MetricRecord(mean, **given)  # type: ignore[arg-type]  # the tests name the fields
    suites: Mapping[str, SuiteRecord] = {"scores": SuiteRecord(f"candidate {mean}", {"score": figures})}
    return RunRecord(1, DAY, commit, Word.PASS, promoted, report or f"report {mean}", suites)


@pytest.fixture(scope="session")
def line() -> Callable[..., RunRecord]:
    return line_of


@pytest.fixture
def write_history(tmp_path: Path) -> Callable[[Sequence[RunRecord]], str]:
    from gate.history.file import render_run  # noqa: PLC0415  # the module under test

    def write(runs: Sequence[RunRecord]) -> str:
        path = tmp_path / "history.jsonl"
        path.write_text("".join(map(render_run, runs)), encoding="utf-8")
        return str(path)

    return write
