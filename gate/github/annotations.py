"""A report as annotations: one a check that fails or warns, one for a pass, for idle waivers, for an error."""

from collections.abc import Callable, Iterator, Sequence

from gate.entry import Conclusion, fault_of
from gate.errors import GateError
from gate.github.commands import Annotation, Level
from gate.github.workspace import Workspace
from gate.reports.escape import shorten
from gate.reports.overview import (
    WaiverLine,
    config_change_lines,
    headline,
    shape_of,
    tell_config_changes,
    waivers_of,
)
from gate.results import ConfigChange, Fault, Reason, Report, Status, WaiverState, Word
from gate.wording import count

_MOST_TOLD = 3
_SENTENCE = 300  # characters; GitHub cuts an annotation after some 4000
_LEVELS = {Status.FAIL: Level.ERROR, Status.WARN: Level.WARNING}
_VERBS = {Status.FAIL: "failed", Status.WARN: "warned"}


def annotations_of(conclusion: Conclusion, workspace: Workspace | None) -> tuple[Annotation, ...]:
    """What to tell beside the run; ``workspace`` knows the files that an error can point at."""
    changes = _of_config_changes(conclusion.report)
    if conclusion.error is not None:
        fault = conclusion.report.fault or fault_of(conclusion.error)
        return (_of_error(conclusion.error, fault, workspace), *changes)
    return (*_of_verdict(conclusion.report), *changes, *_of_idle_waivers(conclusion.report))


def _of_verdict(report: Report) -> Iterator[Annotation]:
    verdict = report.verdict
    if verdict.word is Word.PASS:
        yield Annotation(Level.NOTICE, "gate: PASS", "; ".join(finding.sentence for finding in headline(report)))
    groups: dict[str, list[Reason]] = {}
    for reason in (*verdict.reasons, *verdict.warnings):  # the fails of a BLOCK come first
        groups.setdefault(reason.check, []).append(reason)
    yield from (_of_check(check, reasons, report) for check, reasons in groups.items())


def _of_config_changes(report: Report) -> Iterator[Annotation]:
    """What a pull request changes in gate.yml: a warning where the gate would become laxer."""
    told = tell_config_changes(report)
    if told:
        changes = config_change_lines(report)
        lines = [told, *(shorten(_change_line(change), _SENTENCE) for change in changes[:_MOST_TOLD])]
        if len(changes) > _MOST_TOLD:
            lines.append(f"and {len(changes) - _MOST_TOLD} more: see the summary")
        level = Level.WARNING if report.config_changes[0].effect.is_loud else Level.NOTICE
        yield Annotation(level, "gate: gate.yml changed", "\n".join(lines))


def _change_line(change: ConfigChange) -> str:
    return f"{change.key}: {shorten(change.before)} -> {shorten(change.after)} ({change.effect})"


def _of_idle_waivers(report: Report) -> Iterator[Annotation]:
    """The waivers that changed nothing; one that did stands in the sentence of its check."""
    idle = [waiver for waiver in waivers_of(report) if waiver.state is not WaiverState.APPLIED]
    if idle:
        lines = [shorten(_waiver_line(waiver), _SENTENCE) for waiver in idle[:_MOST_TOLD]]
        if len(idle) > _MOST_TOLD:
            lines.append(f"and {len(idle) - _MOST_TOLD} more: see the summary")
        yield Annotation(Level.NOTICE, "gate: waivers", "\n".join(lines))


def _waiver_line(waiver: WaiverLine) -> str:
    return f"{': '.join([waiver.subject.check, *map(shorten, waiver.subject.where)])}: {waiver.told}"


def _of_check(check: str, reasons: Sequence[Reason], report: Report) -> Annotation:
    """One annotation for all suites and metrics of a check; the first of the reasons is the worst."""
    worst = reasons[0].status
    find_where = _places(report)
    lines = [f"{find_where(reason)}{shorten(reason.sentence, _SENTENCE)}" for reason in reasons[:_MOST_TOLD]]
    if len(reasons) > _MOST_TOLD:
        lines.append(f"and {count(len(reasons) - _MOST_TOLD, 'finding')} more: see the summary")
    remedies = dict.fromkeys(reason.remedy for reason in reasons[:_MOST_TOLD] if reason.remedy)
    lines.extend(f"What to do: {shorten(remedy, _SENTENCE)}" for remedy in remedies)
    return Annotation(_LEVELS[worst], f"gate: {check} {_VERBS[worst]}", "\n".join(lines))


def _places(report: Report) -> Callable[[Reason], str]:
    """A function that names a reason's suite and metric, each where there are several."""
    shape = shape_of(report)

    def find_where(reason: Reason) -> str:
        suite = [shorten(reason.suite)] if shape.suites else []
        metric = [shorten(reason.metric)] if shape.metrics and reason.metric is not None else []
        return "".join(f"{name}: " for name in (*suite, *metric))

    return find_where


def _of_error(error: Exception, fault: Fault, workspace: Workspace | None) -> Annotation:
    """The error in the words of the report, at the file and line that it is about."""
    place = error.where if isinstance(error, GateError) else None
    file = workspace.find_file(place) if workspace is not None and place is not None else None
    line = place.line if place is not None else None
    where = f"{shorten(fault.where, _SENTENCE)}: " if fault.where else ""
    message = f"{where}{shorten(fault.what, 2 * _SENTENCE)}\nWhat to do: {shorten(fault.remedy, _SENTENCE)}"
    return Annotation(Level.ERROR, "gate: ERROR", message, file, line)
