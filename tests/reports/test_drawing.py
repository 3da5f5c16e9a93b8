"""The drawings: every mark in its cell, whatever the figures."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.evidence import BucketEvidence, Estimate, ExactBound, IntervalEvidence
from gate.reports.drawing import (
    CELLS,
    MOST_BUCKETS,
    MOST_WORDS,
    PHONE,
    align_columns,
    draw_buckets,
    draw_interval,
    draw_words,
)

finite = st.floats(allow_nan=False, allow_infinity=False)
anything = st.floats()


def evidence(
    low: float,
    value: float,
    high: float,
    limit: float | None = 0.7,
    *,
    name: str = "bar",
    axis: tuple[float, float] | None = (0.0, 1.0),
) -> IntervalEvidence:
    estimate = Estimate(value, low, high, 0.95, "bootstrap", 20)
    return IntervalEvidence(estimate, limit, name, axis, value_name="mean" if name == "bar" else "delta")


def cells_of(line: str) -> str:
    (cells,) = re.findall("[├┄](.*)[┤┄]", line)
    return str(cells)


def test_the_worked_example_is_drawn_with_its_bar_inside_the_interval() -> None:
    assert draw_interval(evidence(0.55, 0.725, 0.875)) == (
        "0 ├─────────────[═══●═══]───┤ 1",
        "           bar 0.70 ▲",
        "low 0.550  mean 0.725  high 0.875",
    )


def test_a_drop_is_drawn_left_of_no_change() -> None:
    drawn = draw_interval(evidence(-0.6, -0.35, -0.1, 0.0, name="no change", axis=(-1.0, 1.0)))
    assert drawn == (
        "-1 ├─────[══●══]─────────────┤ 1",
        "                ▲ no change",
        "low -0.600  delta -0.350  high -0.100",
    )


def test_what_would_crowd_on_a_small_part_of_the_scale_is_drawn_on_that_part() -> None:
    assert draw_interval(evidence(0.782, 0.808, 0.833, 0.8)) == (
        "0.76 ┄─────[══════●═════]──────┄ 0.86",
        "                ▲ bar 0.80",
        "low 0.782  mean 0.808  high 0.833",
    )


def test_a_part_of_the_scale_ends_where_the_scale_ends() -> None:
    line = draw_interval(evidence(0.995, 0.998, 1.0, 0.99))[0]
    assert line.startswith("0.985 ┄")
    assert line.endswith("┤ 1")


def test_where_nothing_differs_the_whole_scale_is_drawn_or_one_to_both_sides() -> None:
    assert draw_interval(evidence(3.0, 3.0, 3.0, None, axis=None))[0] == f"2 ┄{'─' * 12}●{'─' * 12}┄ 4"


def test_an_interval_over_the_whole_scale_reaches_both_ends() -> None:
    assert cells_of(draw_interval(evidence(0.0, 0.5, 1.0))[0]) == "[═══════════●═══════════]"


def test_an_interval_without_width_at_the_end_of_the_scale_is_one_mark() -> None:
    assert cells_of(draw_interval(evidence(1.0, 1.0, 1.0))[0]) == "─" * (CELLS - 1) + "●"


@pytest.mark.parametrize(
    ("limit", "line"),
    [
        (0.0, "   ▲ bar 0.00"),
        (1.0, "                  bar 1.00 ▲"),
        (0.5, "               ▲ bar 0.50"),
        (-0.2, "   ◀ bar -0.20, off the line"),
        (80.0, "   bar 80.00, off the line ▶"),
    ],
)
def test_the_bar_is_marked_at_both_ends_and_beyond_them(limit: float, line: str) -> None:
    assert draw_interval(evidence(0.2, 0.4, 0.6, limit))[1] == line


def test_the_exact_interval_stands_on_a_line_of_its_own() -> None:
    exact = ExactBound(0.514, 0.874, 0.523)
    drawn = draw_interval(replace(evidence(0.55, 0.725, 0.875), exact=exact))
    assert drawn[2:] == ("low 0.550  mean 0.725  high 0.875", "exact low 0.514  exact high 0.874")


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (0.0, 100.0)])
def test_a_line_is_no_wider_than_a_phone_shows(ends: tuple[float, float]) -> None:
    middle = sum(ends) / 2
    drawn = draw_interval(evidence(ends[0], middle, ends[1], middle, axis=ends))
    assert max(map(len, drawn)) <= PHONE


def test_a_low_just_under_the_bar_does_not_print_like_it() -> None:
    assert draw_interval(evidence(0.6999, 0.8, 0.9))[2] == "low 0.6999  mean 0.800  high 0.900"


def test_without_a_limit_there_is_no_pointer() -> None:
    assert len(draw_interval(evidence(0.2, 0.3, 0.4, None))) == 2


def test_without_a_scale_the_line_runs_between_round_figures_around_interval_and_limit() -> None:
    line, pointer, _ = draw_interval(evidence(2.0, 3.0, 4.0, 1.0, axis=None))
    assert line.startswith("0 ┄")
    assert line.endswith("┄ 5")
    assert "▲ bar 1.00" in pointer


def test_a_scale_too_small_for_the_interval_is_widened() -> None:
    line = draw_interval(evidence(-0.5, 0.5, 1.5))[0]
    assert line.startswith("-0.5 ├[")
    assert line.endswith("]┤ 1.5")


def test_figures_that_are_not_finite_are_told_but_not_drawn() -> None:
    assert len(draw_interval(evidence(-math.inf, 0.5, 1.0))) == 1


@given(
    points=st.lists(finite, min_size=3, max_size=3).map(sorted),
    limit=st.none() | anything,
    axis=st.none() | st.tuples(anything, anything),
)
def test_any_interval_has_its_marks_in_order_on_a_line_of_the_same_length(
    points: list[float], limit: float | None, axis: tuple[float, float] | None
) -> None:
    low, value, high = points
    line, *_ = draw_interval(evidence(low, value, high, limit, axis=axis))
    cells = cells_of(line)
    assert len(cells) == CELLS
    assert cells.count("●") == 1
    middle = cells.index("●")
    assert cells.find("[") < middle
    assert cells.find("]") == -1 or cells.find("]") > middle
    assert cells.strip("─")[0] in "[●"
    assert cells.strip("─")[-1] in "]●"


@given(points=st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted), limit=st.floats(0, 1))
def test_the_pointer_stands_under_the_line_on_the_right_side_of_the_interval(points: list[float], limit: float) -> None:
    low, high = points
    line, pointer, _ = draw_interval(evidence(low, low, high, limit))
    at, first = pointer.index("▲"), line.index("●")
    assert line[at] in "─═[]●"
    assert at >= first if limit >= low else at <= first


def test_two_distributions_stand_side_by_side() -> None:
    buckets = BucketEvidence(("0", "0.5", "1"), (1, 2, 17), (3, 5, 12), (0.10986, 0.13744, 0.08708))
    assert draw_buckets(buckets) == (
        "     baseline       candidate     PSI",
        "0     1    5 % ▏     3   15 % ▌   0.110",
        "0.5   2   10 % ▎     5   25 % ▊   0.137",
        "1    17   85 % ██▌  12   60 % █▊  0.087",
        "PSI in all: 0.334",
    )


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=80))
def test_any_counts_can_be_drawn(counts: list[tuple[int, int]]) -> None:
    evidence = BucketEvidence(
        tuple(f"b{place}" for place in range(len(counts))),
        tuple(before for before, _ in counts),
        tuple(after for _, after in counts),
        (0.0,) * len(counts),
    )
    rows = draw_buckets(evidence)
    assert len(rows) == 2 + min(len(counts), MOST_BUCKETS) + (len(counts) > MOST_BUCKETS)


def test_a_bucket_with_few_of_many_still_shows_a_sliver_and_an_empty_one_shows_none() -> None:
    rows = draw_buckets(BucketEvidence(("a", "b", "c"), (1, 0, 9999), (0, 0, 1), (0.0, 0.0, 0.0)))
    assert "▏" in rows[1]
    assert not set("▏▎▍▌▋▊▉█") & set(rows[2])


def test_the_words_found_stand_between_brackets_one_pair_for_each_run() -> None:
    words = [("what", True), ("is", True), ("a", False), ("spider", True)]
    assert draw_words(words) == ("⟦what is⟧ a ⟦spider⟧",)


def test_many_words_are_wrapped_and_cut() -> None:
    lines = draw_words([("word", False)] * (MOST_WORDS + 7))
    assert all(len(line) <= 72 for line in lines)
    assert lines[-1].endswith("… (7 more words)")


def test_no_words_give_no_lines() -> None:
    assert draw_words([]) == ()


def test_wide_characters_take_two_cells_and_combining_marks_none() -> None:
    assert align_columns([["語", "e\u0301", "ab"], ["x", "x", "x"]]) == ("語  x", "e\u0301   x", "ab  x")


def test_a_cell_is_padded_by_what_is_shown_of_it() -> None:
    assert align_columns([["\x1b", "abcd"], ["x", "x"]]) == ("\\x1b  x", "abcd  x")
