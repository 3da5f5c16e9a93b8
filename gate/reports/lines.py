"""What the text report says, line by line."""

from collections.abc import Iterator

from gate.reports.drawing import align_columns
from gate.reports.escape import shorten
from gate.reports.identity import tell_origin, versions_of
from gate.reports.listing import COLUMN_LIMIT, MOST_ITEMS, MOST_VERBOSE_ITEMS, TEXT_LIMIT, Line, first, indented
from gate.reports.overview import (
    STATUS_WORDS,
    Remedy,
    Subject,
    config_change_lines,
    first_rows,
    first_suites,
    headline,
    remedies,
    rows_of,
    shape_of,
    tell_config_changes,
    trends_of,
    waivers_of,
)
from gate.reports.suite_lines import tell_suite
from gate.reports.trees import MOST_INPUTS, tell_working_tree
from gate.results import GLOSSARY, CheckResult, Report, Status
from gate.wording import count

MOST_ROWS = 60
MOST_SUITES = 10


def tell(report: Report, *, verbose: bool) -> Iterator[Line]:
    """The verdict's line first; then the checks, what to do, and each suite's evidence."""
    yield Line(f"{report.verdict.word}: {_headline(report)}", report.verdict.word)
    yield from _fault(report)
    yield from _config_changes(report)
    yield from _working_tree(report)
    yield from _table(report)
    if report.error_rates is not None:
        yield from (Line(""), Line(report.error_rates.sentence))
    yield from _versions(report)
    yield from _trends(report)
    yield from _remedies(report)
    yield from _waivers(report)
    shape = shape_of(report)
    shown = first_suites(report, len(report.suites) if verbose else MOST_SUITES)
    for number in shown:
        yield from tell_suite(report.suites[number], report, shape, verbose=verbose)
    if len(report.suites) > len(shown):
        yield from (Line(""), Line(f"{count(len(report.suites) - len(shown), 'suite')} not shown in detail"))
    if verbose:
        yield from _provenance(report)
    if report.fault is None:
        yield from (Line(""), Line(f"terms: {GLOSSARY}"))


def _headline(report: Report) -> str:
    return "; ".join(
        f"{_joined(finding.where)}: {finding.sentence}" if finding.where else finding.sentence
        for finding in headline(report)
    )


def _joined(where: tuple[str, ...]) -> str:
    return ", ".join(map(shorten, where))


def _fault(report: Report) -> Iterator[Line]:
    if report.fault is not None:
        if report.fault.where:
            yield Line(f"  where: {shorten(report.fault.where, TEXT_LIMIT)}")
        yield Line(f"  remedy: {shorten(report.fault.remedy, TEXT_LIMIT)}")


def _config_changes(report: Report) -> Iterator[Line]:
    if not report.config_changes:
        return
    loud = Status.WARN if report.config_changes[0].effect.is_loud else None
    yield Line(tell_config_changes(report), loud)
    changes = [
        f"{shorten(change.key, TEXT_LIMIT)}: {shorten(change.before)} -> {shorten(change.after)} ({change.effect})"
        for change in config_change_lines(report)
    ]
    yield from indented(first(changes, MOST_VERBOSE_ITEMS))


def _working_tree(report: Report) -> Iterator[Line]:
    inputs = report.from_working_tree
    if inputs:
        yield Line(tell_working_tree(report), Status.WARN if inputs[0].is_loud else None)
        named = [f"{shorten(each.what)}: {shorten(each.path, TEXT_LIMIT)}" for each in inputs]
        yield from indented(first(named, MOST_INPUTS))


def _table(report: Report) -> Iterator[Line]:
    every = rows_of(report)
    rows = first_rows(every, MOST_ROWS)
    if not rows:
        return
    shape = shape_of(report)
    results = [row.result for row in rows]
    columns = [
        [STATUS_WORDS[result.status].upper() for result in results],
        *([[shorten(row.suite, COLUMN_LIMIT) for row in rows]] if shape.suites else []),
        [result.check for result in results],
        *([[shorten(result.metric or "", COLUMN_LIMIT) for result in results]] if shape.metrics else []),
        [_finding(result) for result in results],
    ]
    yield Line("")
    yield from (Line(text, result.status) for text, result in zip(align_columns(columns), results, strict=True))
    if len(every) > len(rows):
        yield Line(f"{len(every) - len(rows)} more, none worse")


def _finding(result: CheckResult) -> str:
    detail = f" ({shorten(result.detail, TEXT_LIMIT)})" if result.detail else ""
    return shorten(result.sentence, TEXT_LIMIT) + detail


def _trends(report: Report) -> Iterator[Line]:
    trends = [
        f"trend{f' of {_joined(trend.where)}' if trend.where else ''}: {trend.drawn} {trend.told}"
        for trend in trends_of(report)
    ]
    if trends:
        yield Line("")
    yield from map(Line, first(trends, MOST_VERBOSE_ITEMS, "trend"))


def _versions(report: Report) -> Iterator[Line]:
    baselines = [f"baseline: {shorten(version.path, TEXT_LIMIT)}, {version.told}" for version in versions_of(report)]
    if baselines:
        yield Line("")
    yield from map(Line, first(baselines, MOST_ITEMS, "baseline"))


def _remedies(report: Report) -> Iterator[Line]:
    every = [f"{_subjects(remedy)}: {shorten(remedy.remedy, TEXT_LIMIT)}" for remedy in remedies(report)]
    if every:
        yield from (Line(""), Line("what to do"))
    yield from indented(first(every, MOST_VERBOSE_ITEMS))


def _subjects(remedy: Remedy) -> str:
    named = ", ".join(map(_named, remedy.subjects))
    return f"{named} and {remedy.more} more" if remedy.more else named


def _waivers(report: Report) -> Iterator[Line]:
    every = [f"{_named(waiver.subject)}: {waiver.told}" for waiver in waivers_of(report)]
    if every:
        yield from (Line(""), Line("waivers"))
    yield from indented(first(every, MOST_VERBOSE_ITEMS))


def _named(subject: Subject) -> str:
    return f"{subject.check} ({_joined(subject.where)})" if subject.where else subject.check


def _provenance(report: Report) -> Iterator[Line]:
    provenance = report.provenance
    yield from (Line(""), Line("how to have this report again"))
    yield Line(f"  {provenance.command}")
    yield Line(f"  seed: {provenance.seed}")
    if provenance.today is not None:
        yield Line(f"  day: {provenance.today.isoformat()}")
    yield Line(f"  versions: {', '.join(f'{package} {version}' for package, version in provenance.versions.items())}")
    for suite in report.suites:
        for role, run in (("baseline", suite.baseline), ("candidate", suite.candidate)):
            if run is not None:
                version = "" if run.origin is None else f", {tell_origin(run.origin)}"
                yield Line(f"  {role}: {run.path}, read as {run.format}{version}, SHA-256 {run.digest}")
    yield from (Line(f"  {path}, SHA-256 {digest}") for path, digest in provenance.digests.items())
