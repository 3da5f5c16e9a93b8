"""What the text report says, line by line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gate.evidence import BucketEvidence, CoverageEvidence, IntervalEvidence, LeakEvidence
from gate.reports.changes import find_changes
from gate.reports.drawing import align_columns, draw_buckets, draw_interval, draw_words
from gate.reports.escape import shorten
from gate.reports.identity import tell_origin, versions_of
from gate.reports.overview import (
    STATUS_WORDS,
    Note,
    Shape,
    Subject,
    by_reason,
    config_change_lines,
    first_rows,
    headline,
    leak_figures,
    notes_of,
    remedies,
    rows_of,
    shape_of,
    tell_config_changes,
    trends_of,
    waivers_of,
)
from gate.reports.trees import MOST_INPUTS, tell_working_tree
from gate.results import GLOSSARY, CheckResult, Report, ShowText, Status, SuiteReport, Word
from gate.wording import count, names, number_beside

MOST_ROWS = 60
MOST_SUITES = 10
MOST_ITEMS = 5
MOST_VERBOSE_ITEMS = 20

_TEXT_LIMIT = 500
_COLUMN_LIMIT = 32


class Line(NamedTuple):
    """One line and what its colour is taken from, if any."""

    text: str
    tone: Status | Word | None = None


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
    shown = report.suites if verbose else report.suites[:MOST_SUITES]
    for suite in shown:
        yield from _suite(suite, report, shape, verbose=verbose)
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
            yield Line(f"  where: {shorten(report.fault.where, _TEXT_LIMIT)}")
        yield Line(f"  remedy: {shorten(report.fault.remedy, _TEXT_LIMIT)}")


def _config_changes(report: Report) -> Iterator[Line]:
    if not report.config_changes:
        return
    loud = Status.WARN if report.config_changes[0].effect.is_loud else None
    yield Line(tell_config_changes(report), loud)
    changes = config_change_lines(report)
    for change in changes[:MOST_VERBOSE_ITEMS]:
        values = f"{shorten(change.before)} -> {shorten(change.after)}"
        yield Line(f"  {shorten(change.key, _TEXT_LIMIT)}: {values} ({change.effect})")
    if len(changes) > MOST_VERBOSE_ITEMS:
        yield Line(f"  {len(changes) - MOST_VERBOSE_ITEMS} more")


def _working_tree(report: Report) -> Iterator[Line]:
    inputs = report.from_working_tree
    if inputs:
        yield Line(tell_working_tree(report), Status.WARN if inputs[0].is_loud else None)
        yield from (Line(f"  {shorten(each.what)}: {shorten(each.path, _TEXT_LIMIT)}") for each in inputs[:MOST_INPUTS])
        if len(inputs) > MOST_INPUTS:
            yield Line(f"  {len(inputs) - MOST_INPUTS} more")


def _table(report: Report) -> Iterator[Line]:
    every = rows_of(report)
    rows = first_rows(every, MOST_ROWS)
    if not rows:
        return
    shape = shape_of(report)
    results = [row.result for row in rows]
    columns = [
        [STATUS_WORDS[result.status].upper() for result in results],
        *([[shorten(row.suite, _COLUMN_LIMIT) for row in rows]] if shape.suites else []),
        [result.check for result in results],
        *([[shorten(result.metric or "", _COLUMN_LIMIT) for result in results]] if shape.metrics else []),
        [_finding(result) for result in results],
    ]
    yield Line("")
    yield from (Line(text, result.status) for text, result in zip(align_columns(columns), results, strict=True))
    if len(every) > len(rows):
        yield Line(f"{len(every) - len(rows)} more, none worse")


def _finding(result: CheckResult) -> str:
    detail = f" ({shorten(result.detail, _TEXT_LIMIT)})" if result.detail else ""
    return shorten(result.sentence, _TEXT_LIMIT) + detail


def _trends(report: Report) -> Iterator[Line]:
    every = trends_of(report)
    if every:
        yield Line("")
    for trend in every[:MOST_VERBOSE_ITEMS]:
        of = f" of {_joined(trend.where)}" if trend.where else ""
        yield Line(f"trend{of}: {trend.drawn} {trend.told}")
    if len(every) > MOST_VERBOSE_ITEMS:
        yield Line(f"{count(len(every) - MOST_VERBOSE_ITEMS, 'trend')} more")


def _versions(report: Report) -> Iterator[Line]:
    every = versions_of(report)
    if every:
        yield Line("")
    for version in every[:MOST_ITEMS]:
        yield Line(f"baseline: {shorten(version.path, _TEXT_LIMIT)}, {version.told}")
    if len(every) > MOST_ITEMS:
        yield Line(f"  {len(every) - MOST_ITEMS} more")


def _remedies(report: Report) -> Iterator[Line]:
    every = remedies(report)
    if every:
        yield from (Line(""), Line("what to do"))
    for remedy in every[:MOST_VERBOSE_ITEMS]:
        named = ", ".join(map(_named, remedy.subjects))
        more = f" and {remedy.more} more" if remedy.more else ""
        yield Line(f"  {named}{more}: {shorten(remedy.remedy, _TEXT_LIMIT)}")
    if len(every) > MOST_VERBOSE_ITEMS:
        yield Line(f"  {len(every) - MOST_VERBOSE_ITEMS} more")


def _waivers(report: Report) -> Iterator[Line]:
    every = waivers_of(report)
    if every:
        yield from (Line(""), Line("waivers"))
    for waiver in every[:MOST_VERBOSE_ITEMS]:
        yield Line(f"  {_named(waiver.subject)}: {waiver.told}")
    if len(every) > MOST_VERBOSE_ITEMS:
        yield Line(f"  {len(every) - MOST_VERBOSE_ITEMS} more")


def _named(subject: Subject) -> str:
    return f"{subject.check} ({_joined(subject.where)})" if subject.where else subject.check


def _suite(suite: SuiteReport, report: Report, shape: Shape, *, verbose: bool) -> Iterator[Line]:
    if shape.suites:
        yield from (Line(""), Line(f"== {shorten(suite.name)}"))
    for result in suite.results:
        yield from _evidence(result, report, verbose=verbose)
    for metric in suite.items.metrics:
        most = MOST_VERBOSE_ITEMS if verbose else MOST_ITEMS
        quoting = report.show_text is ShowText.SNIPPETS
        yield from _worsened(suite, metric, shape, most=most, quoting=quoting)
    yield from _notes(notes_of(suite), verbose=verbose)


def _notes(notes: Sequence[Note], *, verbose: bool) -> Iterator[Line]:
    """All notes, or how many there are: a reader must know that something more was said."""
    if not notes:
        return
    yield from (Line(""), Line("notes" if verbose else f"{count(len(notes), 'note')}: --verbose prints them"))
    if verbose:
        yield from (Line(f"  {note.source}: {shorten(note.sentence, _TEXT_LIMIT)}") for note in notes)


def _evidence(result: CheckResult, report: Report, *, verbose: bool) -> Iterator[Line]:
    title = f"{result.check} of {shorten(result.metric)}" if result.metric is not None else result.check
    match result.evidence:
        case IntervalEvidence() as evidence:
            body = (*draw_interval(evidence), *_parts(evidence, MOST_VERBOSE_ITEMS if verbose else MOST_ITEMS))
        case BucketEvidence() as evidence if verbose:
            body = draw_buckets(evidence)
        case LeakEvidence(leaks=leaks) as evidence if leaks:
            most = MOST_VERBOSE_ITEMS if verbose else MOST_ITEMS
            body = tuple(_leaks(evidence, most, quoting=report.show_text is ShowText.SNIPPETS))
        case CoverageEvidence() as evidence if verbose:
            body = tuple(_coverage(evidence))
        case _:
            return
    yield from (Line(""), Line(title, result.status))
    yield from (Line(f"  {text}") for text in body)


def _parts(evidence: IntervalEvidence, most: int) -> Iterator[str]:
    """What changed in each group or stratum, those that lost most first."""
    parts = evidence.parts[:most]
    columns = [
        [shorten(part.name, _COLUMN_LIMIT) for part in parts],
        [f"{part.losses} worse, {part.wins} better, {part.ties} the same" for part in parts],
        [f"delta {part.delta:+.6g}" for part in parts],
    ]
    yield from align_columns(columns)
    if len(evidence.parts) > most:
        yield f"{count(len(evidence.parts) - most, 'part')} more"


def _worsened(suite: SuiteReport, metric: str, shape: Shape, *, most: int, quoting: bool) -> Iterator[Line]:
    changes = find_changes(suite.items, metric, most=most)
    if not changes.worse:
        return
    of_metric = f" in {shorten(metric)}" if shape.metrics else ""
    yield Line("")
    yield Line(f"items that got worse{of_metric}: {changes.worse} ({changes.better} better, {changes.same} the same)")
    columns = [
        [f"  {shorten(item.id)}" for item in changes.worst],
        [f"{item.baseline:.6g} -> {item.candidate:.6g}" for item in changes.worst],
    ]
    if quoting and suite.texts:
        columns.append([shorten(" ".join(suite.texts.get(item.id, "").split())) for item in changes.worst])
    yield from map(Line, align_columns(columns))
    if changes.worse > len(changes.worst):
        yield Line(f"  {changes.worse - len(changes.worst)} more")


def _leaks(evidence: LeakEvidence, most: int, *, quoting: bool) -> Iterator[str]:
    for leak in evidence.leaks[:most]:
        kind = "confirmed" if leak.confirmed else "suspect"
        overlap = number_beside(leak.overlap, evidence.bar)
        yield f"{kind} {shorten(leak.id)}: overlap {overlap}, best in {shorten(leak.document)}"
        yield f"  {', '.join(leak_figures(leak, evidence.bar))}"
        if quoting:
            yield from (f"  {words}" for words in draw_words(leak.matched))
    if len(evidence.leaks) > most:
        yield f"{len(evidence.leaks) - most} more"


def _coverage(evidence: CoverageEvidence) -> Iterator[str]:
    lists = {
        "lost": evidence.lost,
        "changed": evidence.changed,
        **{f"without a score ({reason})": tuple(ids) for reason, ids in by_reason(evidence.unscored).items()},
        "without a score in the baseline": evidence.baseline_unscored,
        "new": evidence.new,
    }
    yield f"in both runs: {evidence.common}"
    for kind, ids in lists.items():
        if ids:
            yield f"{kind}: {len(ids)}: {names(tuple(map(shorten, ids)), most=MOST_VERBOSE_ITEMS)}"


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
