"""Drawings in plain characters: an interval against its limit, two distributions, the words of a leak."""

import math
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from gate.evidence import BucketEvidence, Estimate, IntervalEvidence
from gate.reports.axes import Axis, axis_of, scale_of
from gate.reports.escape import shorten, visible
from gate.wording import limit, number, number_beside, percent

# Characters of a code block on a phone, whose screen has 375 pixels; an interval's line with its ends takes no more.
PHONE = 38
CELLS = 25
MOST_BUCKETS = 50
MOST_WORDS = 120

_BAR_CELLS = 3
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_COLUMNS = "▁▂▃▄▅▆▇█"
_TREND_ERRORS = 4
_LABEL_LIMIT = 24


def draw_interval(evidence: IntervalEvidence) -> tuple[str, ...]:
    """The interval on its scale, the limit marked below, the figures in words last.

    ``[`` and ``]`` are the interval's ends, ``●`` its mean, which covers an end in the same cell. The line ends in
    ``├`` or ``┤`` where the scale ends and in ``┄`` where the scale goes on.
    """
    estimate, bound = evidence.estimate, evidence.limit
    figures = _figures(evidence)
    if not all(map(math.isfinite, (estimate.low, estimate.value, estimate.high))):
        return figures
    scale = scale_of(evidence)
    axis = axis_of(evidence, scale)
    left = f"{axis.low:.6g} "
    caps = ("├" if axis.low == scale.low else "┄", "┤" if axis.high == scale.high else "┄")
    line = f"{left}{caps[0]}{_line(estimate, axis)}{caps[1]} {axis.high:.6g}"
    if bound is None or not math.isfinite(bound):
        return (line, *figures)
    return (line, _pointer(bound, evidence.limit_name, axis, len(left) + 1), *figures)


def draw_buckets(evidence: BucketEvidence) -> tuple[str, ...]:
    """The two distributions side by side: counts, shares, bars, and what each bucket adds to the PSI."""
    labels = [shorten(label, _LABEL_LIMIT) for label in evidence.labels[:MOST_BUCKETS]]
    columns = [
        ["", *labels],
        ["baseline", *_side(evidence.baseline)],
        ["candidate", *_side(evidence.candidate)],
        ["PSI", *map(number, evidence.contributions[:MOST_BUCKETS])],
    ]
    rows = align_columns(columns)
    hidden = len(evidence.labels) - MOST_BUCKETS
    more = [f"and {hidden} more buckets"] if hidden > 0 else []
    return (*rows, *more, f"PSI in all: {number(math.fsum(evidence.contributions))}")


def draw_words(matched: Sequence[tuple[str, bool]], *, width: int = 72) -> tuple[str, ...]:
    """An item's words on lines of at most ``width`` characters, those found in the corpus between ⟦ and ⟧."""
    runs = []
    for found, run in groupby(matched[:MOST_WORDS], key=lambda word: word[1]):
        words = " ".join(visible(shorten(word)) for word, _ in run)
        runs.append(f"⟦{words}⟧" if found else words)
    hidden = len(matched) - MOST_WORDS
    more = [f"… ({hidden} more words)"] if hidden > 0 else []
    return tuple(textwrap.wrap(" ".join([*runs, *more]), width, break_on_hyphens=False))


def draw_trend(means: Sequence[float], standard_error: float | None) -> str:
    """A mean over several runs, oldest first: a column each.

    The columns stand on at least four standard errors, so that noise does not look like a cliff.

    Args:
        means: at least one, finite.
        standard_error: of one of them; None where it is not known.
    """
    least = _TREND_ERRORS * (standard_error or 0.0)
    low, high = min(means), max(means)
    # halved first: the difference of two huge means would overflow
    half, middle = max(high / 2 - low / 2, least / 2), low / 2 + high / 2
    heights = [0.5 if half == 0 or not math.isfinite(half) else 0.5 + (mean - middle) / half / 2 for mean in means]
    return "".join(_COLUMNS[min(len(_COLUMNS) - 1, int(height * len(_COLUMNS)))] for height in heights)


def align_columns(columns: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Rows of visible text from columns of equal length, each as wide as its widest cell, two spaces between."""
    padded = [_padded([visible(cell) for cell in column]) for column in columns]
    return tuple("  ".join(cells).rstrip() for cells in zip(*padded, strict=True))


def _cell(axis: Axis, value: float) -> int:
    """The cell of the line, 0 to CELLS - 1, in which the value stands."""
    return round(axis.share(value) * (CELLS - 1))


def _line(estimate: Estimate, axis: Axis) -> str:
    low, middle, high = (_cell(axis, value) for value in (estimate.low, estimate.value, estimate.high))
    cells = ["─"] * CELLS
    cells[low : high + 1] = ["═"] * (high + 1 - low)
    cells[low], cells[high], cells[middle] = "[", "]", "●"
    return "".join(cells)


def _pointer(bound: float, name: str, axis: Axis, start: int) -> str:
    label = name if name == "no change" else f"{name} {limit(bound)}"
    if bound < axis.low:
        return f"{' ' * start}◀ {label}, off the line"
    if bound > axis.high:
        return f"{label}, off the line ▶".rjust(start + CELLS)
    at = start + _cell(axis, bound)
    if at + 2 + len(label) > start + CELLS and len(label) < at:
        return f"{label} ▲".rjust(at + 1)
    return f"{' ' * at}▲ {label}"


def _figures(evidence: IntervalEvidence) -> tuple[str, ...]:
    """The interval in charge, and on a line of its own the exact one that stands beside it."""
    estimate, bound = evidence.estimate, evidence.limit
    lines = [{"low": estimate.low, evidence.value_name: estimate.value, "high": estimate.high}]
    if evidence.exact is not None and estimate.method != "exact":
        lines.append({"exact low": evidence.exact.low, "exact high": evidence.exact.high})
    return tuple(
        "  ".join(
            f"{name} {number(value) if bound is None else number_beside(value, bound)}" for name, value in told.items()
        )
        for told in lines
    )


def _side(counts: Sequence[int]) -> Iterator[str]:
    total, width = sum(counts), len(str(max(counts, default=0)))
    for amount in counts[:MOST_BUCKETS]:
        share = amount / total if total else 0.0
        yield f"{amount:>{width}} {percent(share):>6} {_bar(share)}"


def _bar(share: float) -> str:
    eighths = round(share * _BAR_CELLS * len(_EIGHTHS))
    if share > 0:
        eighths = max(1, eighths)
    whole, rest = divmod(eighths, len(_EIGHTHS))
    return "█" * whole + _EIGHTHS[rest]


def _padded(column: Sequence[str]) -> list[str]:
    width = max(map(_width, column), default=0)
    return [cell + " " * (width - _width(cell)) for cell in column]


def _width(text: str) -> int:
    """Terminal cells: characters of East Asian width count twice, combining marks not at all."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
