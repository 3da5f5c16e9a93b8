"""The report as GitHub-flavoured markdown: the verdict and why, the checks, what to do; the rest folded away."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gate.evidence import BucketEvidence, CoverageEvidence, LeakEvidence
from gate.reports.changes import Changes, find_changes
from gate.reports.compiled import shared_context
from gate.reports.overview import WORD_MARKS, Row, first_suites, rows_of, trends_of, worst_first
from gate.reports.shedding import PARTS, Detail, fit, tell_left_out
from gate.reports.templating import MOST_LISTED, environment, needs_a_look
from gate.results import Report, ShowText, SuiteReport
from gate.wording import count

if TYPE_CHECKING:
    from jinja2 import Template

# GitHub takes no more than 1 MiB of summary from a step.
LIMIT = 1 << 20
# Rows of the table that a phone shows on two screens.
_MOST_IN_SIGHT = 8


class Page(NamedTuple):
    """Where the HTML report of the same run lies, as the reader of this one finds it.

    Attributes:
        path: of the file.
        is_link: whether the path leads there from where this report lies.
        run: address of the run's page, whose artifacts a later step may add the file to; empty where there is none.
    """

    path: str
    is_link: bool = False
    run: str = ""


def render(report: Report, *, limit: int = LIMIT, page: Page | None = None) -> str:
    """Render the report in at most ``limit`` bytes of UTF-8.

    Where ``page`` is given and shows more, a line says where it lies. Sections are left out, and named, in the order
    that ``shedding.fit`` states. The verdict's word always stands: a limit under some 150 bytes is not kept.
    """
    rows = rows_of(report)
    full = Detail(suites=len(report.suites), rows=len(rows))
    common = {**_context(report, limit), "page": page}
    template = environment().get_template("summary.md.j2")

    def draw(detail: Detail) -> str | None:
        shown = {
            "detail": detail,
            "suites": [report.suites[number] for number in first_suites(report, detail.suites)],
            **_split(worst_first(rows)[: detail.rows]),
            "left_out": tell_left_out(detail, full),
        }
        return _generate(template, {**common, **shown}, limit)

    return fit(draw, full, _parts_of(report)) or _bare(report, limit)


def _split(rows: Sequence[Row]) -> dict[str, Sequence[Row]]:
    """What fails and warns is in sight; so is the rest where the table is short."""
    if len(rows) <= _MOST_IN_SIGHT:
        return {"rows": rows, "folded_rows": ()}
    in_sight = [row for row in rows if needs_a_look([row.result])]
    return {"rows": in_sight, "folded_rows": rows[len(in_sight) :]}


def _context(report: Report, limit: int) -> dict[str, object]:
    """What the template is given at every level of detail."""
    return {
        **shared_context(report),
        "trends": trends_of(report),
        "versions": [f"{package} {version}" for package, version in report.provenance.versions.items()],
        "limit": _size(limit),
        "changes": _remember_changes(),
        "most": MOST_LISTED,
    }


def _generate(template: "Template", context: Mapping[str, object], limit: int) -> str | None:
    """The text, or None as soon as it is over the limit: a report of 10 000 suites is tried a dozen times."""
    pieces, size = [], 0
    for piece in template.generate(context):
        size += len(piece.encode())
        if size > limit:
            return None
        pieces.append(piece)
    return "".join(pieces)


def _bare(report: Report, limit: int) -> str:
    word = report.verdict.word
    return f"## {WORD_MARKS[word]} {word}\n\nAll else is left out to stay under {_size(limit)}: see the JSON report.\n"


def _size(limit: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if limit % unit == 0:
            return f"{limit // unit} {name}"
    return count(limit, "byte")


def _parts_of(report: Report) -> tuple[str, ...]:
    """The sheddable parts that the report has: what was never there is not told as left out."""
    evidence = [result.evidence for suite in report.suites for result in suite.results]
    leaks = any(isinstance(found, LeakEvidence) and found.leaks for found in evidence)
    has = {
        "words": leaks and report.show_text is ShowText.SNIPPETS,
        "worsened": any(suite.items.metrics for suite in report.suites),
        "distributions": any(isinstance(found, BucketEvidence) for found in evidence),
        "coverage": any(isinstance(found, CoverageEvidence) and _has_gaps(found) for found in evidence),
    }
    return tuple(part for part in PARTS if has[part])


def _has_gaps(found: CoverageEvidence) -> bool:
    return any((found.lost, found.new, found.changed, found.unscored, found.baseline_unscored))


def _remember_changes() -> Callable[[SuiteReport], dict[str, Changes]]:
    """A function from a suite to its changes by metric, where anything got worse; worked out once for each suite."""
    known: dict[int, dict[str, Changes]] = {}

    def changes(suite: SuiteReport) -> dict[str, Changes]:
        if id(suite) not in known:
            found = {metric: find_changes(suite.items, metric, most=MOST_LISTED) for metric in suite.items.metrics}
            known[id(suite)] = {metric: change for metric, change in found.items() if change.worse}
        return known[id(suite)]

    return changes
