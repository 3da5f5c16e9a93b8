"""`gate history add`: one run more."""

from datetime import date
from typing import NamedTuple

from gate.errors import Place, UsageError
from gate.history.file import append_run
from gate.history.reports import read_report, record_run
from gate.reports.escape import terminal
from gate.results import Word
from gate.results.record import RunRecord
from gate.wording import count


class Added(NamedTuple):
    """The run, where it went, and whether it was not there already."""

    path: str
    record: RunRecord
    is_new: bool


def add(report: str, history: str, commit: str, today: date, *, promoted: bool) -> Added:
    """Add the run that a JSON report tells of.

    Raises:
        GateError: where the report cannot be read, judged nothing, or the history is damaged.
    """
    judged = read_report(report)
    if judged.report.verdict.word is Word.ERROR:
        raise UsageError(
            "this report is of a run that could not be judged: there is nothing to add",
            where=Place(report),
            remedy="mend what it tells, and judge again",
        )
    record = record_run(judged, commit, today, promoted=promoted)
    return Added(history, record, append_run(history, record))


def render_added(added: Added) -> str:
    """For the terminal or a log."""
    record = added.record
    metrics = sum(len(suite.metrics) for suite in record.suites.values())
    kept = count(metrics, "metric") if metrics else "no metric: a history keeps no battles"
    told = f"{record.verdict}{', promoted' if record.promoted else ''}, {kept}"
    if not added.is_new:
        return terminal(f"{added.path} has this run already: nothing was added") + "\n"
    return terminal(f"added to {added.path}: {told}") + "\n"
