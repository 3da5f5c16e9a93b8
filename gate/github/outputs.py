"""A conclusion as the step's outputs: the verdict, why, where the reports lie, and the main figures."""

import math
from collections.abc import Mapping, Sequence

from gate.github.workspace import REPORT_FILES
from gate.reports import text
from gate.reports.escape import shorten, terminal
from gate.results import CheckResult, Figure, Report

# output -> the check and the figure of it that it tells
FIGURES: Mapping[str, tuple[str, str]] = {
    "mean": ("threshold", "mean"),
    "low": ("threshold", "low"),
    "high": ("threshold", "high"),
    "bar": ("threshold", "bar"),
    "delta": ("regression", "delta"),
    "psi": ("drift", "psi"),
    "leaked": ("contamination", "leaked"),
}
COMMENT_URL = "comment-url"
OUTPUTS = ("verdict", "reason", *(f"report-{form}" for form in REPORT_FILES), COMMENT_URL, *FIGURES)

_PLACE = 300  # characters
_DIGITS = 12  # as in the JSON report


def outputs_of(report: Report, written: Mapping[str, str]) -> dict[str, str]:
    """Every output, empty where there is nothing to tell.

    Args:
        report: the judgement, or the report of an error.
        written: form of report -> its path from the workspace's root.
    """
    return {
        "verdict": report.verdict.word,
        "reason": _reason(report),
        **{f"report-{form}": written.get(form, "") for form in REPORT_FILES},
        COMMENT_URL: "",  # set once more where there is a comment: that must not hold the verdict up
        **{output: _told(_first(report, check).get(figure)) for output, (check, figure) in FIGURES.items()},
    }


def _reason(report: Report) -> str:
    """The verdict's line without its word; of an error also the place, which the text report has on another line."""
    line = text.render(report, quiet=True).strip().removeprefix(f"{report.verdict.word}: ")
    place = report.fault.where if report.fault is not None else ""
    # without the word before it, it may begin with a name that would command a log
    return terminal(f"{shorten(place, _PLACE)}: {line}" if place else line)


def _first(report: Report, check: str) -> Mapping[str, Figure]:
    """The figures of the first result of a check that has most of them, so that they all speak of one metric."""
    wanted = [figure for of_check, figure in FIGURES.values() if of_check == check]
    results = [result for suite in report.suites for result in suite.results if result.check == check]
    return max(results, key=lambda result: _known(result, wanted)).figures if results else {}


def _known(result: CheckResult, wanted: Sequence[str]) -> int:
    return sum(result.figures.get(figure) is not None for figure in wanted)


def _told(figure: Figure) -> str:
    if isinstance(figure, bool) or not isinstance(figure, int | float) or not math.isfinite(figure):
        return ""
    return str(figure) if isinstance(figure, int) else f"{figure + 0.0:.{_DIGITS}g}"
