"""The charts: every mark in its place, whatever the figures."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gate.evidence import (
    ArenaEvidence,
    BucketEvidence,
    Estimate,
    ExactBound,
    IntervalEvidence,
    LeakEvidence,
    Standing,
)
from gate.reports.axes import Axis
from gate.reports.changes import ItemChange
from gate.reports.html.charts.board import MOST_IN_MATRIX, plot_board
from gate.reports.html.charts.buckets import MOST_BUCKETS, plot_buckets
from gate.reports.html.charts.curve import plot_curves
from gate.reports.html.charts.frame import WIDTH, Span, ticks_of
from gate.reports.html.charts.interval import plot_interval
from gate.reports.html.charts.overlaps import plot_overlaps
from gate.reports.html.charts.pairs import MOST_SCORES, plot_pairs
from gate.reports.html.charts.trend import plot_trend
from gate.results import CheckResult, Status
from gate.results.record import Trend, TrendPoint

finite = st.floats(allow_nan=False, allow_infinity=False)


def interval(
    low: float, value: float, high: float, limit: float | None = 0.7, *, name: str = "bar", exact: bool = True
) -> IntervalEvidence:
    estimate = Estimate(value, low, high, 0.95, "bootstrap", 20)
    return IntervalEvidence(estimate, limit, name, (0.0, 1.0), ExactBound(low, high, 0.1) if exact else None)


@given(low=finite, high=finite)
def test_ticks_are_few_and_rise_within_the_axis(low: float, high: float) -> None:
    assume(low < high)
    ticks = ticks_of(Span(Axis(low, high), 0.0, 100.0))
    assert len(ticks) <= 6
    assert all(0 <= tick.place <= 100 for tick in ticks)
    assert all(left.place <= right.place for left, right in pairwise(ticks))


def test_ticks_are_round() -> None:
    assert [tick.label for tick in ticks_of(Span(Axis(0.0, 1.0), 0.0, 1.0))] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert [tick.label for tick in ticks_of(Span(Axis(-0.5, 0.5), 0.0, 1.0))][2] == "0"


@given(points=st.lists(finite, min_size=3, max_size=3).map(sorted), limit=finite)
def test_an_interval_lies_on_its_line_in_order(points: list[float], limit: float) -> None:
    plot = plot_interval(interval(points[0], points[1], points[2], limit))
    assert plot is not None
    for whisker in plot.whiskers:
        assert plot.left <= whisker.low <= whisker.high <= plot.right
    own = plot.whiskers[0]
    assert own.middle is not None
    assert own.low <= own.middle <= own.high
    assert plot.limit is not None
    assert 0 <= plot.limit.label_place <= WIDTH


def test_the_wrong_side_of_a_bar_is_below_it_and_of_a_ceiling_above_it() -> None:
    below, above = (plot_interval(interval(0.2, 0.5, 0.9, name=name)) for name in ("bar", "ceiling"))
    assert below is not None
    assert above is not None
    assert below.limit is not None
    assert above.limit is not None
    assert below.limit.wrong == (below.left, below.limit.place)
    assert above.limit.wrong == (above.limit.place, above.right)


def test_an_exact_bound_beyond_the_axis_widens_it() -> None:
    narrow = interval(0.69, 0.70, 0.71, exact=False)
    wide = IntervalEvidence(narrow.estimate, 0.7, "bar", (0.0, 1.0), ExactBound(0.4, 0.9, 0.5))
    plot = plot_interval(wide)
    assert plot is not None
    assert plot.whiskers[1].low == plot.left
    assert plot.whiskers[0].low > plot.left + 50


def test_an_exact_interval_in_charge_is_drawn_once() -> None:
    evidence = interval(0.2, 0.5, 0.9)
    alone = IntervalEvidence(Estimate(0.5, 0.2, 0.9, 0.95, "exact", 20), 0.7, "bar", (0.0, 1.0), evidence.exact)
    plot = plot_interval(alone)
    assert plot is not None
    assert [whisker.name for whisker in plot.whiskers] == ["exact"]


def test_an_exact_bound_that_is_not_finite_is_left_out() -> None:
    evidence = replace(interval(0.2, 0.5, 0.9), exact=ExactBound(math.nan, 1.0, 0.5))
    plot = plot_interval(evidence)
    assert plot is not None
    assert [whisker.name for whisker in plot.whiskers] == ["bootstrap"]


def test_what_is_not_finite_is_not_drawn() -> None:
    assert plot_interval(interval(-math.inf, 0.5, 0.9)) is None
    plot = plot_interval(interval(0.1, 0.5, 0.9, math.nan))
    assert plot is not None
    assert plot.limit is None


def test_bars_are_as_long_as_their_shares_of_their_own_run() -> None:
    plot = plot_buckets(BucketEvidence(("a", "b"), (10, 30), (10, 10), (0.1, 0.2)))
    first, second = plot.rows
    assert first.baseline.label == "10 · 25 %"
    assert second.baseline.length == pytest.approx(3 * first.baseline.length)
    assert first.candidate.length == pytest.approx(2 * first.baseline.length)
    assert second.part.length == pytest.approx(2 * first.part.length)
    assert plot.total == "0.300"


def test_of_many_buckets_the_rest_is_counted() -> None:
    k = MOST_BUCKETS + 7
    assert plot_buckets(BucketEvidence(("x",) * k, (1,) * k, (1,) * k, (0.0,) * k)).hidden == 7


def test_empty_runs_have_bars_without_length() -> None:
    (row,) = plot_buckets(BucketEvidence(("a",), (0,), (0,), (0.0,))).rows
    assert (row.baseline.length, row.candidate.length, row.part.length) == (0, 0, 0)


def changes(*pairs: tuple[float, float]) -> list[ItemChange]:
    return [ItemChange(f"i{number}", before, after, before - after) for number, (before, after) in enumerate(pairs)]


def test_few_scores_are_told_as_flips_and_many_as_a_histogram() -> None:
    plot = plot_pairs(changes((0, 1), (1, 0), (1, 0), (1, 1)))
    assert plot is not None
    assert plot.flips is not None
    assert [[cell.n for cell in cells] for _, cells in plot.flips.rows] == [[0, 1], [2, 1]]
    assert [[cell.kind for cell in cells] for _, cells in plot.flips.rows] == [["same", "better"], ["worse", "same"]]
    assert [(part.kind, part.n) for part in plot.tally] == [("worse", 2), ("same", 1), ("better", 1)]
    many = plot_pairs(changes(*((number / 10, 0.5) for number in range(MOST_SCORES + 1))))
    assert many is not None
    assert many.flips is None
    assert many.histogram is not None


@given(st.lists(st.tuples(finite, finite), min_size=4, unique=True))
def test_a_histogram_stands_on_its_axis(pairs: list[tuple[float, float]]) -> None:
    plot = plot_pairs(changes(*pairs))
    assert plot is not None
    for bar in plot.histogram.bins if plot.histogram else ():
        assert 0 <= bar.x <= WIDTH
        assert bar.y + bar.height == pytest.approx(plot.histogram.bottom)  # type: ignore[union-attr]  # it has bars


def test_without_pairs_nothing_is_drawn() -> None:
    assert plot_pairs([]) is None


def at_k(k: int, value: float, metric: str = "passed") -> CheckResult:
    evidence = interval(value - 0.1, value, value + 0.1, 0.5)
    figures = {"k": k, "n_samples": 8}
    return CheckResult(
        "threshold", Status.PASS, "", "", metric=f"{metric} pass@{k}", figures=figures, evidence=evidence
    )


def test_the_ks_of_one_metric_make_a_curve_in_their_order() -> None:
    (curve,) = plot_curves([at_k(8, 0.9), at_k(1, 0.4), at_k(2, 0.6), at_k(4, 0.3, "other")])
    assert curve.name == "passed pass@k"
    assert [point.k for point in curve.points] == [1, 2, 8]
    assert [point.x for point in curve.points] == sorted(point.x for point in curve.points)
    assert [point.y for point in curve.points] == sorted((point.y for point in curve.points), reverse=True)
    assert curve.points[0].told == "0.400 (0.300 to 0.500), n = 20, bar 0.50"
    assert all(point.high < point.y < point.low for point in curve.points)


def trend_of(*means: float, direction: str = "higher", standard_error: float | None = None) -> Trend:
    """Runs of which every second was promoted, the last one judged now."""
    points = tuple(TrendPoint(mean, 20, promoted=index % 2 == 0) for index, mean in enumerate(means[:-1]))
    every = (*points, TrendPoint(means[-1], 20))
    return Trend("answers", "score", direction, every, runs=len(means), standard_error=standard_error)


def test_a_trend_rises_where_the_mean_does_and_ends_with_its_interval() -> None:
    plot = plot_trend(trend_of(0.5, 0.7, 0.6, standard_error=0.02))
    assert plot is not None
    (first, second, last) = plot.runs
    assert first.x < second.x < last.x
    assert second.y < last.y < first.y
    assert (first.promoted, second.promoted, plot.has_unpromoted) == (True, False, True)
    assert plot.interval is not None
    assert plot.interval[1] < last.y < plot.interval[0]
    assert plot.levels == ()


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_decline_is_drawn_against_the_best_promoted_run_and_what_the_margin_leaves(direction: str) -> None:
    plot = plot_trend(trend_of(0.5, 0.7, 0.6, direction=direction), {"best": 0.5, "margin": 0.05})
    assert plot is not None
    best, tolerable = plot.levels
    assert (best.label, tolerable.label) == ("best 0.500", "margin 0.05")
    assert best.y == plot.runs[0].y
    assert (tolerable.y > best.y) is (direction == "higher")
    assert (best.is_limit, tolerable.is_limit) == (False, True)


def test_without_a_margin_there_is_no_limit_and_a_level_off_the_runs_is_in_the_frame() -> None:
    plot = plot_trend(trend_of(0.5, 0.6), {"best": 0.9, "margin": None})
    assert plot is not None
    (best,) = plot.levels
    assert 0 < best.y < min(run.y for run in plot.runs)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_labels_of_two_levels_close_together_stand_apart(direction: str) -> None:
    plot = plot_trend(trend_of(0.1, 0.9, direction=direction), {"best": 0.9, "margin": 0.01})
    assert plot is not None
    assert abs(plot.levels[0].label_y - plot.levels[1].label_y) > 12


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_a_trend_stays_in_its_frame(means: list[float]) -> None:
    plot = plot_trend(trend_of(*means))
    assert plot is not None
    assert plot.interval is None
    assert all(plot.left <= run.x <= plot.right and 0 <= run.y <= plot.bottom for run in plot.runs)


def test_one_run_is_no_trend() -> None:
    assert plot_trend(trend_of(0.5)) is None
    assert plot_trend(trend_of(0.5, math.nan)) is None


def test_means_too_far_apart_are_not_drawn() -> None:
    assert plot_trend(trend_of(-1.7e308, 1.7e308)) is None


def overlaps(**found: float) -> LeakEvidence:
    return LeakEvidence((), found, (), 3, 0.8, 4, "corpus")


def test_overlaps_at_the_bar_are_marked_and_every_item_is_counted() -> None:
    plot = plot_overlaps(overlaps(a=0.0, b=0.79, c=0.8, d=1.0))
    assert plot is not None
    assert [(bar.n, bar.flagged) for bar in plot.bins] == [(1, False), (1, False), (1, True), (1, True)]
    assert plot_overlaps(overlaps()) is None


def board(m: int, *, low: float | None = 990.0) -> ArenaEvidence:
    rows = tuple(
        Standing(f"m{number}", number + 1, 1, m, 1, 1000.0 - number, low, 1010.0, 4, 2, 1, 1) for number in range(m)
    )
    chances = tuple(
        tuple(None if one == other else 0.9 if one < other else 0.1 for other in range(m)) for one in range(m)
    )
    wins = tuple(tuple(0.0 if one == other else 2.5 for other in range(m)) for one in range(m))
    return ArenaEvidence(
        Estimate(0.5, 0.4, 0.6, 0.95, "Wald", 4), 0.5, "even", standings=rows, chances=chances, wins=wins
    )


def test_a_board_tells_every_model_and_a_matrix_of_the_first() -> None:
    plot = plot_board(board(MOST_IN_MATRIX + 3))
    assert plot is not None
    assert len(plot.rows) == MOST_IN_MATRIX + 3
    assert len(plot.matrix) == len(plot.matrix[0]) == MOST_IN_MATRIX
    assert [cell.level for cell in plot.matrix[1][:3]] == [-3, 0, 3]


def test_a_model_without_an_interval_is_drawn_without_one() -> None:
    plot = plot_board(board(2, low=None))
    assert plot is not None
    assert plot.rows[0].interval is None


def test_without_standings_there_is_no_board() -> None:
    assert plot_board(board(0)) is None
