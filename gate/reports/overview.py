"""What every report begins with: the verdict in one line, then a row for each check."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gate.evidence import AnswerLeak, Leak
from gate.reports.drawing import draw_trend
from gate.reports.escape import shorten
from gate.results import (
    CheckResult,
    ConfigChange,
    Effect,
    Reason,
    Report,
    Status,
    SuiteReport,
    WaiverReport,
    WaiverState,
    Word,
)
from gate.results.record import Trend
from gate.wording import count, number, number_beside

WORD_MARKS: Mapping[Word, str] = {Word.PASS: "🟢", Word.WARN: "🟡", Word.BLOCK: "🔴", Word.ERROR: "🟣"}
STATUS_MARKS: Mapping[Status, str] = {Status.PASS: "🟢", Status.WARN: "🟡", Status.FAIL: "🔴", Status.NOT_RUN: "⚪"}
STATUS_WORDS: Mapping[Status, str] = {
    Status.PASS: "pass",
    Status.WARN: "warn",
    Status.FAIL: "fail",
    Status.NOT_RUN: "not run",
}
WORST_FIRST = (Status.FAIL, Status.WARN, Status.PASS, Status.NOT_RUN)

_MOST_TOLD = 3
_REASON_LIMIT = 300
_WAIVER_LIMIT = 300
_WAIVERS_FIRST = (WaiverState.EXPIRED, WaiverState.APPLIED, WaiverState.UNUSED)


class Row(NamedTuple):
    """One line of the table of checks."""

    suite: str
    result: CheckResult


class Finding(NamedTuple):
    """A sentence, and the suite and metric it is about where that is not plain anyway."""

    where: tuple[str, ...]
    sentence: str


class Subject(NamedTuple):
    """A check, and its suite and metric where there are several."""

    check: str
    where: tuple[str, ...]


class Remedy(NamedTuple):
    """What to do about the checks named; the same goes for ``more`` checks that are not."""

    subjects: tuple[Subject, ...]
    more: int
    remedy: str


class WaiverLine(NamedTuple):
    """The check that a waiver speaks of, and what became of the waiver."""

    subject: Subject
    state: WaiverState
    told: str


class TrendLine(NamedTuple):
    """The suite and metric, where there are several, a drawing of its means, and the same in words."""

    where: tuple[str, ...]
    drawn: str
    told: str


class Note(NamedTuple):
    """A sentence worth reading, and the check or the run it comes from."""

    source: str
    sentence: str


class Shape(NamedTuple):
    """Whether the table needs a column for the suite and one for the metric."""

    suites: bool
    metrics: bool


def headline(report: Report) -> tuple[Finding, ...]:
    """What stands beside the verdict's word, to be joined by semicolons: the fault, or the first reasons."""
    if report.fault is not None:
        return (Finding((), shorten(report.fault.what, _REASON_LIMIT)),)
    reasons = report.verdict.reasons
    if not reasons:
        return (Finding((), f"{report.verdict.sentence} ({tell_rows(rows_of(report))})"),)
    find_where = _places(report)
    told: list[Finding] = []
    before: tuple[str, ...] = ()
    for reason in reasons[:_MOST_TOLD]:
        where = find_where(reason)
        told.append(Finding(() if where == before else where, shorten(reason.sentence, _REASON_LIMIT)))
        before = where
    more = len(reasons) - len(told)
    return (*told, Finding((), f"and {more} more")) if more else tuple(told)


def shape_of(report: Report) -> Shape:
    """Whether there are several suites, and several metrics."""
    metrics = {result.metric for suite in report.suites for result in suite.results if result.metric is not None}
    return Shape(len(report.suites) > 1, len(metrics) > 1)


def rows_of(report: Report) -> tuple[Row, ...]:
    """All results in the order of suites and checks."""
    return tuple(Row(suite.name, result) for suite in report.suites for result in suite.results)


def first_rows(rows: tuple[Row, ...], most: int) -> tuple[Row, ...]:
    """All rows as they come where there is room; otherwise the worst ones, each status in its order."""
    return rows if len(rows) <= most else worst_first(rows)[:most]


def worst_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows that fail, that warn, that pass, that were not run; each status in its order."""
    return tuple(sorted(rows, key=lambda row: WORST_FIRST.index(row.result.status)))


def first_suites(report: Report, most: int) -> tuple[int, ...]:
    """The numbers of at most so many suites, in their order: those that fail or warn before the others."""
    ranked = sorted(range(len(report.suites)), key=lambda number: _rank(report.suites[number]))
    return tuple(sorted(ranked[:most]))


def remedies(report: Report) -> tuple[Remedy, ...]:
    """What to do, the verdict's own reasons first; a remedy that several checks share is told once."""
    find_where = _places(report)
    subjects: dict[str, list[Subject]] = {}
    for reason in (*report.verdict.reasons, *report.verdict.warnings):
        if reason.remedy:
            subjects.setdefault(reason.remedy, []).append(Subject(reason.check, find_where(reason)))
    return tuple(
        Remedy(tuple(named[:_MOST_TOLD]), max(0, len(named) - _MOST_TOLD), remedy) for remedy, named in subjects.items()
    )


def waivers_of(report: Report) -> tuple[WaiverLine, ...]:
    """What became of each waiver: the expired first, then those that count, each state in the order of gate.yml."""
    several = len(report.suites) > 1
    lines = []
    for used in sorted(report.waivers, key=lambda used: _WAIVERS_FIRST.index(used.state)):
        waiver = used.waiver
        suite = (waiver.suite,) if several else ()
        metric = (waiver.metric,) if waiver.metric is not None else ()
        lines.append(WaiverLine(Subject(waiver.check, (*suite, *metric)), used.state, _told_of(used)))
    return tuple(lines)


def tell_config_changes(report: Report) -> str:
    """What became of gate.yml in a pull request, in a sentence; empty where nothing did."""
    changes = report.config_changes
    if not changes:
        return ""
    first = changes[0]
    if first.effect is Effect.DELETED:
        told = f"{shorten(first.key)} is not there in this pull request: deleted or moved"
    elif first.effect is Effect.INVALID:
        told = f"{shorten(first.key)} is not valid in this pull request: {shorten(first.after, _REASON_LIMIT)}"
    else:
        laxer = sum(change.effect is Effect.LAXER for change in changes)
        told = f"this pull request changes gate.yml: {count(len(changes), 'change')}, {laxer or 'none'} laxer"
    return f"{told}; the verdict is by the gate.yml in force"


def config_change_lines(report: Report) -> tuple[ConfigChange, ...]:
    """The keys that a pull request changes, what became laxer first."""
    return tuple(change for change in report.config_changes if not change.effect.is_of_file)


def trends_of(report: Report) -> tuple[TrendLine, ...]:
    """How each metric went over the runs of the history."""
    suites = len({trend.suite for trend in report.trends}) > 1
    metrics = Counter(trend.suite for trend in report.trends)
    return tuple(
        TrendLine(
            (*([trend.suite] if suites else []), *([trend.metric] if metrics[trend.suite] > 1 else [])),
            draw_trend([point.mean for point in trend.points], trend.standard_error),
            _tell_trend(trend),
        )
        for trend in report.trends
    )


def notes_of(suite: SuiteReport) -> tuple[Note, ...]:
    """The notes of the suite's checks and of its two runs, each once."""
    several = len({result.metric for result in suite.results} - {None}) > 1
    of_checks = [
        Note(f"{result.check} of {result.metric}" if several and result.metric else result.check, note)
        for result in suite.results
        for note in result.notes
    ]
    runs = {"baseline": suite.baseline, "candidate": suite.candidate}
    of_runs = [Note(role, note) for role, run in runs.items() if run is not None for note in run.notes]
    return tuple(dict.fromkeys([*of_checks, *of_runs]))


def by_reason(unscored: Mapping[str, str]) -> dict[str, list[str]]:
    """Reason -> the items without a score for that reason."""
    reasons: dict[str, list[str]] = {}
    for item, reason in unscored.items():
        reasons.setdefault(reason, []).append(item)
    return reasons


def tell_answer(answer: AnswerLeak) -> str:
    """What was found of an item's answer, in a word."""
    if not answer.testable:
        # a letter or a number stands somewhere in any text
        return "verbatim, but short" if answer.verbatim else "too short"
    return "verbatim" if answer.verbatim else number(answer.sizes[0].overlap)


def leak_figures(leak: Leak, bar: float) -> Iterator[str]:
    """What stands beside the overlap that flagged an item."""
    yield f"in one document {number_beside(leak.best_document_overlap, bar)}"
    if leak.idf_overlap is not None:
        yield f"by rarity {number(leak.idf_overlap)}"
    yield f"longest run {count(leak.longest_span, leak.unit)}"
    if leak.verbatim:
        yield "verbatim"
    for size in leak.sizes[1:]:
        yield f"by {size.ngram}-grams {number(size.overlap)}"
    if leak.answer is not None:
        yield f"answer {tell_answer(leak.answer)}"


def _rank(suite: SuiteReport) -> int:
    return min((WORST_FIRST.index(result.status) for result in suite.results), default=len(WORST_FIRST))


def _places(report: Report) -> Callable[[Reason], tuple[str, ...]]:
    """A function that names a reason's suite, where there are several, and its metric, where its suite has several."""
    several_suites = len(report.suites) > 1
    metrics = {suite.name: {result.metric for result in suite.results} - {None} for suite in report.suites}

    def find_where(reason: Reason) -> tuple[str, ...]:
        suite = (reason.suite,) if several_suites else ()
        if reason.metric is None or len(metrics.get(reason.suite, ())) <= 1:
            return suite
        return (*suite, reason.metric)

    return find_where


def _tell_trend(trend: Trend) -> str:
    first, last = trend.points[0], trend.points[-1]
    others = f"; {count(trend.others, 'run')} of other items left out" if trend.others else ""
    n = f"n = {last.n}{others}"
    if first.date is None:
        return f"{number(last.mean)}, the first run of these items in the history ({n})"
    shown = f"the last {len(trend.points)} of " if trend.runs > len(trend.points) else ""
    since = first.date.isoformat()
    return f"from {number(first.mean)} to {number(last.mean)} in {shown}{count(trend.runs, 'run')} since {since} ({n})"


def _told_of(used: WaiverReport) -> str:
    day, by = used.waiver.expires.isoformat(), shorten(used.waiver.approved_by)
    match used.state:
        case WaiverState.APPLIED:
            return f"waived until {day} by {by}: {shorten(used.waiver.reason, _WAIVER_LIMIT)}"
        case WaiverState.EXPIRED:
            return f"the waiver expired on {day}: renew it, or take it out of gate.yml (approved by {by})"
        case WaiverState.UNUSED:
            return f"the waiver until {day} is not used: nothing failed that it covers (approved by {by})"


def tell_rows(rows: Sequence[Row]) -> str:
    """How many of the rows passed and how many were not run."""
    statuses = [row.result.status for row in rows]
    passed, not_run = statuses.count(Status.PASS), statuses.count(Status.NOT_RUN)
    return f"{count(passed, 'check')} passed" + (f", {not_run} not run" if not_run else "")
