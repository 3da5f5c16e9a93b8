"""Fitting under a limit: shed in the stated order, and no more than needed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports.shedding import PARTS, Detail, Draw, fit, tell_left_out

FULL = Detail(suites=100, rows=400)


def drawing(limit: int) -> Draw:
    """A report of 1000 for each part, 100 for each suite, 10 for each row; it draws its own detail."""

    def draw(detail: Detail) -> str | None:
        size = 1000 * (len(PARTS) - len(detail.without)) + 100 * detail.suites + 10 * detail.rows
        return f"{len(detail.without)} {detail.suites} {detail.rows}" if size <= limit else None

    return draw


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        (18_000, "0 100 400"),
        (17_999, "1 100 400"),
        (16_000, "2 100 400"),
        (15_500, "3 100 400"),
        (14_000, "4 100 400"),
        (13_999, "4 99 400"),
        (4_100, "4 1 400"),
        (4_000, "4 0 400"),
        (3_999, "4 0 399"),
        (10, "4 0 1"),
        (0, "4 0 0"),
    ],
)
def test_parts_go_first_then_suites_then_rows(limit: int, kept: str) -> None:
    assert fit(drawing(limit), FULL, tuple(PARTS)) == kept


def test_where_nothing_fits_there_is_no_text() -> None:
    assert fit(drawing(-1), FULL, tuple(PARTS)) is None


def test_parts_that_the_report_lacks_are_not_shed() -> None:
    shed: list[tuple[str, ...]] = []

    def draw(detail: Detail) -> str | None:
        shed.append(detail.without)
        return None if len(shed) < 3 else "text"

    fit(draw, FULL, ("worsened", "coverage"))
    assert shed == [(), ("worsened",), ("worsened", "coverage")]


@given(limit=st.integers(0, 20_000))
def test_one_more_would_not_have_fitted(limit: int) -> None:
    kept = fit(drawing(limit), FULL, tuple(PARTS))
    assert kept is not None
    without, suites, rows = map(int, kept.split())
    draw = drawing(limit)
    if rows < FULL.rows:
        assert draw(Detail(suites, rows + 1, tuple(PARTS))) is None
    elif suites < FULL.suites:
        assert draw(Detail(suites + 1, rows, tuple(PARTS))) is None
    elif without:
        assert draw(Detail(suites, rows, tuple(PARTS)[: without - 1])) is None


def test_what_is_left_out_is_told_in_words() -> None:
    assert tell_left_out(Detail(98, 399, ("words", "coverage")), FULL) == (
        "the words of leaked items",
        "the lists of items not compared",
        "the details of 2 suites",
        "1 row of the table, none worse than those shown",
    )


def test_nothing_left_out_is_nothing_told() -> None:
    assert tell_left_out(FULL, FULL) == ()
