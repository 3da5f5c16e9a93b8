"""Tables of battles: model_a, model_b and winner, as Chatbot Arena and Arena-Hard publish them, in any container.

A row may tell its prompt, its judge, its weight and its time. Model a's answer was shown first.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from gate.battles.log import LOST, TIED, WON, Battle
from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.frame import Frame, open_frame
from gate.scores.ids import as_text
from gate.scores.quoting import quote
from gate.scores.records import Numbered

_SIGNATURE = frozenset({"model_a", "model_b", "winner"})
_PROMPTS = ("question_id", "prompt_id", "prompt", "instruction")
_JUDGES = ("judge", "annotator")
_TIMES = ("timestamp", "tstamp", "time", "created_at")
_TIME_NAMES = frozenset(_TIMES)
# of weights further apart than this, the light ones are lost in rounding
_LEAST_WEIGHT, _MOST_WEIGHT = 1e-6, 1e6
_BAD_TIES = frozenset({"tie (bothbad)", "tie (both bad)", "bothbad", "both_bad", "both bad"})
_OUTCOMES: Mapping[str, float] = {
    "model_a": WON,
    "model_b": LOST,
    **dict.fromkeys(["tie", "tie (inconsistent)", *_BAD_TIES], TIED),
}


def matches(first: FirstRecord) -> bool:
    """Whether the columns are those of battles."""
    return first.container not in {Container.ZIP, Container.XML} and first.fields.keys() >= _SIGNATURE


def battles(file: ScoreFile) -> Iterator[Battle]:
    """The battles of a file.

    Raises:
        ScoreFileError: where a row names no models, or a winner, a weight or a time that is none.
    """
    frame = open_frame(file)
    for numbered in frame.rows():
        yield _battle(numbered, frame)


def _battle(numbered: Numbered, frame: Frame) -> Battle:
    line, row = numbered
    first, second, winner = as_text(row.get("model_a")), as_text(row.get("model_b")), row.get("winner")
    if first is None or second is None:
        raise _unnamed("model_a" if first is None else "model_b", frame, line)
    # by position: names would double the time
    return Battle(
        first,
        second,
        _outcome(winner, (first, second), frame, line),
        line,
        _told(row, _PROMPTS),
        _judge(row),
        _weight(row["weight"], frame, line) if "weight" in row else 1.0,
        None if _TIME_NAMES.isdisjoint(row) else _time(row, frame, line),
        True,
        winner in _BAD_TIES,
        as_text(row["turn"]) if "turn" in row else None,
    )


def _unnamed(column: str, frame: Frame, line: int) -> ScoreFileError:
    return ScoreFileError(
        "a battle needs two models",
        where=frame.place(line, column),
        remedy="write the names of both: model_a, model_b",
    )


def _outcome(winner: object, models: tuple[str, str], frame: Frame, line: int) -> float:
    """The winner by its position, or by its name."""
    if isinstance(winner, str):
        by_name = {models[1]: LOST, models[0]: WON}
        told = {known[winner] for known in (_OUTCOMES, by_name) if winner in known}
        if len(told) > 1:
            raise ScoreFileError(
                f"the winner {quote(winner)} can be a place or a name, and the two disagree",
                where=frame.place(line, "winner"),
                remedy="give the models names other than model_a, model_b and tie",
            )
        if told:
            return told.pop()
    raise ScoreFileError(
        f"the winner is {quote(winner)}",
        where=frame.place(line, "winner"),
        remedy="write model_a, model_b, tie, tie (bothbad), or the name of one of the two",
    )


def _told(row: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    for name in names:
        if (text := as_text(row.get(name))) is not None:
            return text
    return None


def _judge(row: Mapping[str, object]) -> str | None:
    """A name; FastChat writes ``[judge, prompt]``."""
    for name in _JUDGES:
        judge = row.get(name)
        if isinstance(judge, list) and judge:
            judge = judge[0]
        if (text := as_text(judge)) is not None:
            return text
    return None


def _weight(weight: object, frame: Frame, line: int) -> float:
    if as_text(weight) is None:
        return 1.0
    number = _number(weight)
    if number is None or not _LEAST_WEIGHT <= number <= _MOST_WEIGHT:
        raise ScoreFileError(
            f"the weight is {quote(weight)}",
            where=frame.place(line, "weight"),
            remedy="write a number from 1e-6 to 1e6, or take the column out: each battle then counts the same",
        )
    return number


def _time(row: Mapping[str, object], frame: Frame, line: int) -> float | None:
    """Seconds as a number, or a time in the form of ISO 8601, in UTC where it names no zone."""
    name = next((name for name in _TIMES if as_text(row.get(name)) is not None), None)
    if name is None:
        return None
    time = _number(row[name])
    if time is None and isinstance(row[name], str):
        try:
            told = datetime.fromisoformat(str(row[name]))
            return (told if told.tzinfo is not None else told.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError, OSError):
            pass
    if time is None:
        raise ScoreFileError(
            f"the time is {quote(row[name])}",
            where=frame.place(line, name),
            remedy="write seconds, or a time such as 2026-01-31T12:00:00+00:00; or rename the column",
        )
    return time


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
