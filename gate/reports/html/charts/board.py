"""A leaderboard: ratings with their intervals on one line for all, and who beats whom."""

import math
from typing import NamedTuple

from gate.evidence import ArenaEvidence, Standing
from gate.reports.axes import Axis
from gate.reports.html.charts.frame import STRIP, Span, Tick, ticks_of

MOST_MODELS = 50
# A matrix of more would be a carpet.
MOST_IN_MATRIX = 16

_LEVELS = 4


class StandingRow(NamedTuple):
    """A model, and its rating and interval on the strip; the interval is None where it has none."""

    standing: Standing
    place: float
    interval: tuple[float, float] | None


class ChanceCell(NamedTuple):
    """Row against column: the chance, None where unknown; the wins of each; ``level`` -4 to 4 for the shade."""

    chance: float | None
    won: float
    lost: float
    level: int


class BoardPlot(NamedTuple):
    """The leaderboard, cut to the first models."""

    rows: tuple[StandingRow, ...]
    hidden: int
    ticks: tuple[Tick, ...]
    groups: int
    matrix: tuple[tuple[ChanceCell, ...], ...]


def plot_board(evidence: ArenaEvidence) -> BoardPlot | None:
    """Draw the models in their order; None where none is told."""
    shown = evidence.standings[:MOST_MODELS]
    if not shown:
        return None
    ends = [end for row in shown for end in (row.low, row.rating, row.high) if end is not None and math.isfinite(end)]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    span = Span(Axis(low, high), 6.0, STRIP - 6.0)
    return BoardPlot(
        tuple(_row(row, span) for row in shown),
        len(evidence.standings) - len(shown),
        ticks_of(span, 3),
        max(row.group for row in evidence.standings),
        _matrix(evidence),
    )


def _row(row: Standing, span: Span) -> StandingRow:
    known = row.low is not None and row.high is not None
    interval = (span.place(row.low or 0.0), span.place(row.high or 0.0)) if known else None
    return StandingRow(row, span.place(row.rating), interval)


def _matrix(evidence: ArenaEvidence) -> tuple[tuple[ChanceCell, ...], ...]:
    size = min(len(evidence.standings), MOST_IN_MATRIX)
    return tuple(
        tuple(
            ChanceCell(chance, evidence.wins[one][other], evidence.wins[other][one], _level(chance))
            for other, chance in enumerate(evidence.chances[one][:size])
        )
        for one in range(size)
    )


def _level(chance: float | None) -> int:
    return 0 if chance is None else round((chance - 1 / 2) * 2 * _LEVELS)
