"""One cell of a plain file: a score, a status in a score's place, or neither; and a column of them."""

import math
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.errors import Place, ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.model import ItemStatus, MetricScores, Scale
from gate.scores.quoting import quote

LARGEST_SCORE = 1e100  # beyond it the squares and sums of scores would leave the range of a float
PERCENT_SCALE = Scale(0.0, 100.0)

# closed on purpose: a word that is not here is an error, never a guess
WORDS: Mapping[str, float | ItemStatus] = {
    **dict.fromkeys(["true", "yes", "pass", "passed", "correct"], 1.0),
    **dict.fromkeys(["false", "no", "fail", "failed", "incorrect"], 0.0),
    **dict.fromkeys(["", "nan", "null", "none", "na", "n/a", "unscored"], ItemStatus.UNSCORED),
    **dict.fromkeys(["error", "errored"], ItemStatus.ERROR),
    **dict.fromkeys(["timeout", "timed out", "timed_out"], ItemStatus.TIMEOUT),
    **dict.fromkeys(["skip", "skipped"], ItemStatus.SKIPPED),
    **dict.fromkeys(["not submitted", "not_submitted"], ItemStatus.NOT_SUBMITTED),
}
_LONGEST_NUMBER = 200
_PERCENT = re.compile(r"[+-]?\d+(\.\d*)?\s?%", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+\s?%?", re.ASCII)


class Percent(NamedTuple):
    """A cell such as ``85%``, with the figure before the sign."""

    value: float


class Fault(Enum):
    """Why a cell is no score: what is said of it, and the remedy."""

    TEXT = (
        "is not a score",
        "write a number, or leave the cell empty where there is none; if it is no score column, name those that are",
    )
    INFINITE = ("is not a finite number", "write a finite score, or leave the cell empty where there is none")
    TOO_LARGE = ("is too large for a score", "write the score itself; scores lie within 1e100 of zero")
    DECIMAL_COMMA = ("has a comma where a number has its point", "write decimal numbers with a point, e.g. 0.85")
    NESTED = ("is an object or a list, not one score", 'write the number itself under its own key, e.g. "score": 0.5')


Parsed = float | ItemStatus | Percent | Fault


class Absent(Enum):
    """What stands in a column where a JSON row lacks its key."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


def parse_cell(cell: object) -> Parsed:
    """Read one raw cell: text from CSV, or any JSON value."""
    if isinstance(cell, str):
        return _parse_text(cell)
    if cell is None or cell is ABSENT:
        return ItemStatus.UNSCORED
    if isinstance(cell, int | float):  # a bool is an int: true is 1
        return _parse_number(cell)
    return Fault.NESTED


def parse_value(value: object) -> Parsed:
    """Read a score as JSON holds one: a number, true, false or null; text is none, whatever it says."""
    return Fault.TEXT if isinstance(value, str) else parse_cell(value)


def require_score(value: object, place: Place, *, remedy: str | None = None) -> float | ItemStatus:
    """A score as ``parse_value`` reads it, or why there is none.

    Raises:
        ScoreFileError: where it is none, with ``remedy`` or else with what is usually to be done.
    """
    score = parse_value(value)
    if isinstance(score, float | ItemStatus):
        return score
    what, usual = (score if isinstance(score, Fault) else Fault.TEXT).value
    raise ScoreFileError(f"{quote(value)} {what}", where=place, remedy=remedy or usual)


def _parse_number(number: float) -> Parsed:
    if number != number:  # noqa: PLR0124  # the test for NaN that also takes an int of any size
        return ItemStatus.UNSCORED
    if abs(number) <= LARGEST_SCORE:
        return float(number) + 0.0  # -0.0 becomes 0.0
    return Fault.INFINITE if number in (math.inf, -math.inf) else Fault.TOO_LARGE


def _parse_text(cell: str) -> Parsed:
    text = cell.strip()
    if len(text) > _LONGEST_NUMBER:
        return Fault.TEXT
    try:
        number = float(text)
    except ValueError:
        return _parse_word(text)
    if "_" in text or not text.isascii():  # float() takes 1_000 and the digits of every script
        return Fault.TEXT
    if math.isinf(number):
        return Fault.INFINITE if "inf" in text.lower() else Fault.TOO_LARGE
    return _parse_number(number)


def _parse_word(text: str) -> Parsed:
    word = WORDS.get(text.lower())
    if word is not None:
        return word
    if _PERCENT.fullmatch(text):
        return Percent(float(text[:-1]) + 0.0)
    return Fault.DECIMAL_COMMA if _DECIMAL_COMMA.fullmatch(text) else Fault.TEXT


def holds_scores(parsed: Sequence[Parsed]) -> bool:
    """Whether at least half of the cells that are not empty are meant as scores, and any is."""
    scores = empty = 0
    for cell in parsed:
        if type(cell) is float or isinstance(cell, Percent):
            scores += 1
        elif isinstance(cell, ItemStatus):
            empty += 1
        elif cell is not Fault.TEXT and cell is not Fault.NESTED:
            scores += 1
    return scores > 0 and 2 * scores >= len(parsed) - empty


class Column(NamedTuple):
    """A column on its way to scores: its name, its raw cells, what they were read as, the line of each."""

    name: str
    cells: Sequence[object]
    parsed: Sequence[Parsed]
    lines: Sequence[int]


def to_scores(column: Column, file: ScoreFile) -> MetricScores:
    """The column as scores; a column of percents has the scale 0 to 100 where all of them lie in it.

    Raises:
        ScoreFileError: at the first cell that is neither a score nor a status, or a percent among plain numbers.
    """
    values = np.full(len(column.parsed), np.nan)
    status = np.zeros(len(column.parsed), dtype=np.uint8)
    plain: int | None = None
    percent: int | None = None
    for row, cell in enumerate(column.parsed):
        if isinstance(cell, ItemStatus):
            status[row] = cell
        elif isinstance(cell, Fault):
            raise _bad_cell(column, row, file)
        elif isinstance(cell, Percent):
            values[row] = cell.value
            percent = row if percent is None else percent
        else:
            values[row] = cell
            plain = row if plain is None else plain
    if percent is not None and plain is not None:
        raise _mixed(column, percent, plain, file)
    scale = PERCENT_SCALE if percent is not None and _all_within(values, PERCENT_SCALE) else None
    return MetricScores(values, status, scale=scale)


def _all_within(values: NDArray[np.float64], scale: Scale) -> bool:
    scored = values[~np.isnan(values)]
    return bool(((scored >= scale.low) & (scored <= scale.high)).all())


def _bad_cell(column: Column, row: int, file: ScoreFile) -> ScoreFileError:
    fault = column.parsed[row]
    what, remedy = fault.value if isinstance(fault, Fault) else Fault.TEXT.value
    return ScoreFileError(
        f"{quote(column.cells[row])} {what}",
        where=file.place(column.lines[row], f"column {quote(column.name)}"),
        remedy=remedy,
    )


def _mixed(column: Column, percent: int, plain: int, file: ScoreFile) -> ScoreFileError:
    later, earlier = max(percent, plain), min(percent, plain)
    return ScoreFileError(
        f"the column mixes percents and plain numbers: {quote(column.cells[later])} here,"
        f" {quote(column.cells[earlier])} on line {column.lines[earlier]}",
        where=file.place(column.lines[later], f"column {quote(column.name)}"),
        remedy="write all scores of a column in one unit",
    )
