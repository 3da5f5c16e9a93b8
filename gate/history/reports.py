"""A JSON report read back: what was judged, and what a history keeps of it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.errors import ScoreFileError
from gate.files import open_bytes
from gate.history.figures import record_suite, writable
from gate.history.file import HISTORY_VERSION
from gate.reports.json import load
from gate.results import Report
from gate.results.record import RunRecord, SuiteRecord


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """A report, where it was read, and the SHA-256 of its bytes."""

    path: str
    digest: str
    report: Report

    @property
    def suites(self) -> tuple[Mapping[str, object], ...]:
        """The suites as they were configured; none in the report of an error."""
        given = self.report.provenance.options.get("suites")
        return tuple(suite for suite in given if isinstance(suite, Mapping)) if isinstance(given, list) else ()


def read_report(path: str) -> JudgedReport:
    """Read a JSON report of this schema version.

    Raises:
        ScoreFileError: where it is none.
    """
    with open_bytes(Path(path), error=ScoreFileError) as file:
        raw = file.read()
    report = load(raw.decode("utf-8", "surrogateescape"), path=path)
    return JudgedReport(path, hashlib.sha256(raw).hexdigest(), report)


def record_run(judged: JudgedReport, commit: str, today: date, *, promoted: bool) -> RunRecord:
    """The line of a history for a run."""
    found = {suite.name: record_suite(suite) for suite in judged.report.suites}
    return RunRecord(
        schema_version=HISTORY_VERSION,
        date=today,
        commit=commit,
        verdict=judged.report.verdict.word,
        promoted=promoted,
        report=judged.digest,
        suites={writable(name): _writable(record) for name, record in found.items() if record is not None},
    )


def _writable(record: SuiteRecord) -> SuiteRecord:
    return SuiteRecord(record.candidate, {writable(name): one for name, one in record.metrics.items()})
