"""A report under a size limit: what is needed least is left out first, and named."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gate.wording import count

# In the order in which they are shed, each with the words that tell of it.
PARTS = {
    "words": "the words of leaked items",
    "worsened": "the items that got worse",
    "distributions": "the distributions",
    "coverage": "the lists of items not compared",
}


@dataclass(frozen=True, slots=True)
class Detail:
    """What a report shows.

    Attributes:
        suites: so many suites are shown in detail, those that fail or warn before the others.
        rows: so many rows of the table are shown.
        without: the PARTS left out of every suite.
    """

    suites: int
    rows: int
    without: tuple[str, ...] = ()


Draw = Callable[[Detail], str | None]
"""Renders at a level of detail; None where that is over the limit."""


def fit(draw: Draw, full: Detail, parts: Sequence[str]) -> str | None:
    """Render in as much detail as fits.

    Shed in this order, until it fits: the ``parts`` one after the other, the suites' details and then the rows of the
    table, each from the mildest to the worst.

    Args:
        draw: the renderer.
        full: everything there is.
        parts: the PARTS that the report has at all, in order.

    Returns:
        The text, or None where not even the bare report fits.
    """
    for shed in range(len(parts) + 1):
        full = replace(full, without=tuple(parts[:shed]))
        text = draw(full)
        if text is not None:
            return text
    return _fit_suites(draw, full)


def tell_left_out(detail: Detail, full: Detail) -> tuple[str, ...]:
    """What ``detail`` leaves out of ``full``, in words."""
    parts = [PARTS[part] for part in detail.without]
    suites = full.suites - detail.suites
    rows = full.rows - detail.rows
    return (
        *parts,
        *([f"the details of {count(suites, 'suite')}"] if suites else []),
        *([f"{count(rows, 'row')} of the table, none worse than those shown"] if rows else []),
    )


def _fit_suites(draw: Draw, full: Detail) -> str | None:
    table = replace(full, suites=0)
    if draw(table) is not None:
        return _with_most(lambda suites: draw(replace(full, suites=suites)), full.suites)
    return _with_most(lambda rows: draw(replace(table, rows=rows)), full.rows)


def _with_most(draw: Callable[[int], str | None], all_of_them: int) -> str | None:
    """Draw with as many as fit, fewer than all; found by halving, since each one more makes the text longer."""
    too_many = bisect_left(range(all_of_them), True, key=lambda some: draw(some) is None)
    return draw(too_many - 1) if too_many else None
