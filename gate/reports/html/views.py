"""A report as the page shows it: suites of cards, an overview of many suites, reasons that link to their cards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gate.evidence import ArenaEvidence, BucketEvidence, CoverageEvidence, IntervalEvidence, LeakEvidence
from gate.reports.changes import ItemChange, pair_items, sum_up
from gate.reports.html.charts.board import BoardPlot, plot_board
from gate.reports.html.charts.buckets import BucketPlot, plot_buckets
from gate.reports.html.charts.curve import Curve, plot_curves
from gate.reports.html.charts.interval import IntervalPlot, plot_interval
from gate.reports.html.charts.overlaps import OverlapPlot, plot_overlaps
from gate.reports.html.charts.pairs import PairsPlot, plot_pairs
from gate.reports.html.charts.trend import TrendPlot, plot_trend
from gate.reports.overview import WORST_FIRST, Note, first_suites, notes_of
from gate.results import CheckResult, Reason, Report, SuiteReport
from gate.results.record import Trend

# Suites with charts; the JSON in the page has them all, and the table shows every item of every suite.
MOST_SUITES = 40
# Rows of a table of checks, and of suites; those that need a look come before the others.
MOST_ROWS = 500
# Items that got worse, listed where the page is printed or runs no script.
MOST_WORST = 20


class TrendView(NamedTuple):
    """A metric over the runs of a history; the plot is None where there is no line to draw."""

    trend: Trend
    plot: TrendPlot | None


class Card(NamedTuple):
    """One result, the place that links lead to, and what can be drawn of its evidence; each plot None without it."""

    anchor: str
    result: CheckResult
    interval: IntervalPlot | None
    buckets: BucketPlot | None
    overlaps: OverlapPlot | None
    leaks: LeakEvidence | None
    coverage: CoverageEvidence | None
    board: BoardPlot | None
    trend: TrendView | None

    @property
    def draws(self) -> bool:
        """Whether there is anything to see that the table of checks does not tell."""
        return any(self[2:])


class ItemsCard(NamedTuple):
    """What happened to the items in one metric."""

    metric: str
    plot: PairsPlot
    worst: tuple[ItemChange, ...]


class MetricView(NamedTuple):
    """What there is to see of one metric, or of the suite as a whole where that is None."""

    metric: str | None
    cards: tuple[Card, ...]
    items: ItemsCard | None


class SuiteView(NamedTuple):
    """A suite with its cards, metric by metric, the suite's own last."""

    anchor: str
    suite: SuiteReport
    cards: tuple[Card, ...]
    metrics: tuple[MetricView, ...]
    curves: tuple[Curve, ...]
    notes: tuple[Note, ...]


class OverviewRow(NamedTuple):
    """A suite in the overview: for each check its worst result, and how many more it has; None where it has none."""

    anchor: str
    name: str
    cells: tuple[tuple[CheckResult, int] | None, ...]


class Overview(NamedTuple):
    """Suites against checks; ``hidden`` counts the suites that have no row."""

    checks: tuple[str, ...]
    rows: tuple[OverviewRow, ...]
    hidden: int


class ReasonLink(NamedTuple):
    """A reason of the verdict, and the card that shows it; empty where that is not drawn."""

    reason: Reason
    anchor: str


def suites_of(report: Report) -> tuple[SuiteView, ...]:
    """The suites to draw: all, or where they are too many those that need a look before the others."""
    trends: dict[tuple[str, str | None], Trend] = {(trend.suite, trend.metric): trend for trend in report.trends}
    return tuple(_suite(number, report.suites[number], trends) for number in first_suites(report, MOST_SUITES))


def trends_beside(report: Report, drawn: Sequence[SuiteView]) -> tuple[TrendView, ...]:
    """The trends that no card of the check decline shows."""
    told = {card.trend.trend for view in drawn for card in view.cards if card.trend}
    return tuple(TrendView(trend, plot_trend(trend)) for trend in report.trends if trend not in told)


def overview_of(report: Report, drawn: Sequence[SuiteView]) -> Overview:
    """The suites against every check that any of them has: all, or where they are too many, as in ``suites_of``."""
    checks = tuple(dict.fromkeys(result.check for suite in report.suites for result in suite.results))
    anchors = {view.anchor for view in drawn}
    rows = []
    for number in first_suites(report, MOST_ROWS):
        suite, anchor = report.suites[number], _suite_anchor(number)
        cells = tuple(_cell([result for result in suite.results if result.check == check]) for check in checks)
        rows.append(OverviewRow(anchor if anchor in anchors else "", suite.name, cells))
    return Overview(checks, tuple(rows), len(report.suites) - len(rows))


def links_of(reasons: Sequence[Reason], drawn: Sequence[SuiteView]) -> tuple[ReasonLink, ...]:
    """The reasons, each with the card that shows it."""
    anchors = {
        (view.suite.name, card.result.check, card.result.metric): card.anchor
        for view in drawn
        for card in view.cards
        if card.draws
    }
    return tuple(ReasonLink(one, anchors.get((one.suite, one.check, one.metric), "")) for one in reasons)


def _cell(results: Sequence[CheckResult]) -> tuple[CheckResult, int] | None:
    if not results:
        return None
    return min(results, key=lambda result: WORST_FIRST.index(result.status)), len(results) - 1


def _suite(number: int, suite: SuiteReport, trends: Mapping[tuple[str, str | None], Trend]) -> SuiteView:
    anchor = _suite_anchor(number)
    cards = tuple(
        _card(f"{anchor}-check-{index}", result, trends.get((suite.name, result.metric)))
        for index, result in enumerate(suite.results)
    )
    items: dict[str | None, ItemsCard] = {one.metric: one for one in _items(suite)}
    names = dict.fromkeys([*(card.result.metric for card in cards), *items])
    metrics = tuple(
        MetricView(name, tuple(card for card in cards if card.result.metric == name and card.draws), items.get(name))
        # sorting is stable: only the suite's own is moved
        for name in sorted(names, key=lambda name: name is None)
    )
    return SuiteView(
        anchor,
        suite,
        cards,
        tuple(view for view in metrics if view.cards or view.items),
        plot_curves(suite.results),
        notes_of(suite),
    )


def _suite_anchor(number: int) -> str:
    return f"suite-{number}"


def _card(anchor: str, result: CheckResult, trend: Trend | None) -> Card:
    evidence = result.evidence
    leaks = evidence if isinstance(evidence, LeakEvidence) else None
    return Card(
        anchor,
        result,
        interval=plot_interval(evidence) if isinstance(evidence, IntervalEvidence) else None,
        buckets=plot_buckets(evidence) if isinstance(evidence, BucketEvidence) else None,
        overlaps=None if leaks is None else plot_overlaps(leaks),
        leaks=leaks,
        coverage=evidence if isinstance(evidence, CoverageEvidence) else None,
        board=plot_board(evidence) if isinstance(evidence, ArenaEvidence) else None,
        trend=TrendView(trend, plot_trend(trend, result.figures)) if trend and result.check == "decline" else None,
    )


def _items(suite: SuiteReport) -> Iterator[ItemsCard]:
    for metric in suite.items.metrics:
        pairs = list(pair_items(suite.items, metric))
        plot = plot_pairs(pairs)
        if plot is not None:
            yield ItemsCard(metric, plot, sum_up(pairs, most=MOST_WORST).worst)
