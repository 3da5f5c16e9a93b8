"""What the text report says of one suite: what its checks rest on, the items that got worse, the notes."""

from collections.abc import Iterator, Sequence

from gate.evidence import BucketEvidence, CoverageEvidence, IntervalEvidence, LeakEvidence
from gate.reports.changes import find_changes
from gate.reports.drawing import align_columns, draw_buckets, draw_interval, draw_words
from gate.reports.escape import shorten
from gate.reports.listing import COLUMN_LIMIT, MOST_ITEMS, MOST_VERBOSE_ITEMS, TEXT_LIMIT, Line, indented, more
from gate.reports.overview import Note, Shape, by_reason, leak_figures, notes_of
from gate.results import CheckResult, Report, ShowText, SuiteReport
from gate.wording import count, names, number_beside


def tell_suite(suite: SuiteReport, report: Report, shape: Shape, *, verbose: bool) -> Iterator[Line]:
    """The suite's name, where there are several, and its details; all of them where ``verbose``."""
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
        yield from (Line(f"  {note.source}: {shorten(note.sentence, TEXT_LIMIT)}") for note in notes)


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
    yield from indented(body)


def _parts(evidence: IntervalEvidence, most: int) -> Iterator[str]:
    """What changed in each group or stratum, those that lost most first."""
    parts = evidence.parts[:most]
    columns = [
        [shorten(part.name, COLUMN_LIMIT) for part in parts],
        [f"{part.losses} worse, {part.wins} better, {part.ties} the same" for part in parts],
        [f"delta {part.delta:+.6g}" for part in parts],
    ]
    yield from align_columns(columns)
    yield from more(len(evidence.parts) - most, "part")


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
    yield from indented(more(changes.worse - len(changes.worst)))


def _leaks(evidence: LeakEvidence, most: int, *, quoting: bool) -> Iterator[str]:
    for leak in evidence.leaks[:most]:
        kind = "confirmed" if leak.confirmed else "suspect"
        overlap = number_beside(leak.overlap, evidence.bar)
        yield f"{kind} {shorten(leak.id)}: overlap {overlap}, best in {shorten(leak.document)}"
        yield f"  {', '.join(leak_figures(leak, evidence.bar))}"
        if quoting:
            yield from (f"  {words}" for words in draw_words(leak.matched))
    yield from more(len(evidence.leaks) - most)


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
