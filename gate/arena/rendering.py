"""The leaderboard as lines for a person and as markdown."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gate.arena.board import Board, Row
from gate.arena.trace import Trace
from gate.reports.answers import fold, render_lines
from gate.reports.drawing import align_columns
from gate.reports.escape import code, prose, shorten
from gate.wording import count, number, percent

_MOST_COLUMNS = 10
_ELO = "Elo is for a live number; it depends on the order of the battles, and no check looks at it"


def render_text(board: Board) -> str:
    """Leaderboard, chances to win, Elo, and what they rest on."""
    blocks: list[Sequence[str]] = [
        [_headline(board), _fitted(board)],
        _aligned(_leaderboard(board)),
        ["chance to win, row against column", *_aligned(_matrix(board))],
        [_elo_line(board), *_aligned(_elo(board))],
    ]
    if board.trace is not None:
        blocks.append([_traced(board.trace), *_aligned(_iterations(board.trace))])
    blocks.append(list(_notes(board)))
    return "\n".join(render_lines(block) for block in blocks if block)


def render_markdown(board: Board) -> str:
    """The same as markdown; names are escaped."""
    blocks = [
        f"{prose(_headline(board))}\n\n{prose(_fitted(board))}",
        _as_table(_leaderboard(board)),
        f"Chance to win, row against column:\n\n{_as_table(_matrix(board))}",
        f"{prose(_elo_line(board))}:\n\n{_as_table(_elo(board))}",
    ]
    if board.trace is not None:
        blocks.append(f"{prose(_traced(board.trace))}:\n\n{_as_table(_iterations(board.trace))}")
    blocks.append("\n".join(f"- {prose(note)}" for note in (*board.notes, _ELO)))
    return "\n\n".join(blocks) + "\n"


def _headline(board: Board) -> str:
    prompts = f" on {count(board.n_prompts, 'prompt')}" if board.n_prompts else ""
    battles = f"{count(board.n_battles, 'battle')} of {count(len(board.rows), 'model')}{prompts}"
    return f"{board.path}: {battles}, read as {board.format}"


def _fitted(board: Board) -> str:
    ended = "converged" if board.converged else "not converged"
    regularised = ", regularised" if board.regularised else ""
    middle = f"{shorten(board.anchor)} at" if board.anchor is not None else "mean"
    fitted = f"Bradley-Terry, {count(board.iterations, 'Newton step')}, {ended}{regularised}"
    scale = f"{middle} {board.rule.start:g}, {board.rule.scale:g} points are odds of 10 to 1"
    return f"{fitted}; 95 % intervals: {board.method}; {scale}"


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        head: over it.
        cells: under it.
        holds_names: the cells are names of models.
        is_name: the head is one.
    """

    head: str
    cells: tuple[str, ...]
    holds_names: bool = False
    is_name: bool = False


def _leaderboard(board: Board) -> list[Column]:
    rows = board.rows
    groups = tuple(str(row.group) for row in rows)
    return [
        *([Column("group", groups)] if len(set(groups)) > 1 else []),
        Column("rank", tuple(str(row.rank) for row in rows)),
        Column("range", tuple(map(_range, rows))),
        _models(rows),
        Column("rating", tuple(_points(row.rating) for row in rows)),
        Column("95 % interval", tuple(map(_interval, rows))),
        Column("battles", tuple(f"{row.tally.battles:.10g}" for row in rows)),
        Column("won", tuple(f"{row.tally.won:.10g}" for row in rows)),
        Column("tied", tuple(f"{row.tally.tied:.10g}" for row in rows)),
        Column("lost", tuple(f"{row.tally.lost:.10g}" for row in rows)),
    ]


def _models(rows: Sequence[Row]) -> Column:
    return Column("model", tuple(row.model for row in rows), holds_names=True)


def _range(row: Row) -> str:
    best, worst = row.range.best, row.range.worst
    return str(best) if best == worst else f"{best}-{worst}"


def _interval(row: Row) -> str:
    return "" if row.interval is None else f"[{_points(row.interval.low)}, {_points(row.interval.high)}]"


def _points(rating: float) -> str:
    return f"{rating:.1f}"


def _matrix(board: Board) -> list[Column]:
    """The chances of the first ten models; all stand in the JSON."""
    shown = board.rows[:_MOST_COLUMNS]
    columns = [_models(shown)]
    for place, row in enumerate(shown):
        cells = [board.chances[other][place] for other in range(len(shown))]
        told = tuple("" if cell is None else number(cell.value) for cell in cells)
        columns.append(Column(row.model, told, is_name=True))
    return columns


def _elo_line(board: Board) -> str:
    listed = "in the order of their times" if board.is_timed else "as listed"
    return (
        f"Elo, K {board.rule.k:g}: battles {listed}, and {count(board.n_orders, 'random order')}, of which "
        f"{percent(board.share_reranked)} rank otherwise"
    )


def _elo(board: Board) -> list[Column]:
    rows = board.rows
    return [
        _models(rows),
        Column("as listed", tuple(_points(row.elo.listed) for row in rows)),
        Column("mean", tuple(_points(row.elo.mean) for row in rows)),
        Column("sd", tuple(_points(row.elo.sd) for row in rows)),
        Column("lowest", tuple(_points(row.elo.lowest) for row in rows)),
        Column("highest", tuple(_points(row.elo.highest) for row in rows)),
    ]


def _traced(trace: Trace) -> str:
    ended = "the end" if trace.converged else "given up"
    return f"strengths by iteration of MM, from equal ones to {ended}"


def _iterations(trace: Trace) -> list[Column]:
    return [
        Column("iteration", tuple(str(step.iteration) for step in trace.steps)),
        *(
            Column(model, tuple(f"{step.strengths[place]:.4f}" for step in trace.steps), is_name=True)
            for place, model in enumerate(trace.models)
        ),
    ]


def _notes(board: Board) -> Iterator[str]:
    more = len(board.rows) - _MOST_COLUMNS
    cut = (f"{count(more, 'model')} more in the table of chances: --json has all",) if more > 0 else ()
    for note in (*board.notes, *cut, _ELO):
        yield from fold(note)


def _aligned(columns: Sequence[Column]) -> tuple[str, ...]:
    """Names to the left, figures to the right."""
    aligned = []
    for column in columns:
        cells = [shorten(cell) for cell in (column.head, *column.cells)]
        width = max(map(len, cells))
        aligned.append(cells if column.holds_names else [cell.rjust(width) for cell in cells])
    return align_columns(aligned)


def _as_table(columns: Sequence[Column]) -> str:
    """A table in markdown, in which names act as nothing but names."""
    heads = [code(column.head) if column.is_name else column.head for column in columns]
    rules = ["---" if column.holds_names else "---:" for column in columns]
    rows = zip(*(map(code, column.cells) if column.holds_names else column.cells for column in columns), strict=True)
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rules, *rows))
