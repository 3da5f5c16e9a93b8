"""Tables of battles: model_a, model_b and winner, as Chatbot Arena and Arena-Hard publish them, in any container.

A row may tell its prompt, its judge, its weight and its time. Model a's answer was shown first.
"""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime

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
_BAD_TIES = frozenset({"tie (bothbad)", "tie (both bad)", "bothbad", "both_bad", "both bad"})
_OUTCOMES: Mapping[str, float] = {
    "model_a": WON,
    "model_b": LOST,
    **dict.fromkeys(["tie", "tie (inconsistent)", *_BAD_TIES], TIED),
}


def matches(first: FirstRecord) -> bool:
    """Whether the columns are those of battles."""
    return (
        first.container not in {Container.ZIP, Container.XML} and not first.is_map and first.fields.keys() >= _SIGNATURE
    )


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
    first, second = (_model(row, key, frame, line) for key in ("model_a", "model_b"))
    winner = row.get("winner")
    return Battle(
        first=first,
        second=second,
        outcome=_outcome(winner, (first, second), frame, line),
        line=line,
        prompt=_told(row, _PROMPTS),
        judge=_judge(row),
        weight=_weight(row.get("weight"), frame, line),
        time=_time(row, frame, line),
        both_bad=winner in _BAD_TIES,
    )


def _model(row: Mapping[str, object], key: str, frame: Frame, line: int) -> str:
    model = as_text(row.get(key))
    if model is None:
        raise ScoreFileError(
            "a battle needs two models",
            where=frame.place(line, key),
            remedy="write the names of both: model_a, model_b",
        )
    return model


def _outcome(winner: object, models: tuple[str, str], frame: Frame, line: int) -> float:
    """The winner by its position, or by its name where that is no position's."""
    if isinstance(winner, str):
        if winner in _OUTCOMES:
            return _OUTCOMES[winner]
        if winner in models and models[0] != models[1]:
            return WON if winner == models[0] else LOST
    raise ScoreFileError(
        f"the winner is {quote(winner)}",
        where=frame.place(line, "winner"),
        remedy="write model_a, model_b, tie, tie (bothbad), or the name of one of the two",
    )


def _told(row: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    return next((text for name in names if (text := as_text(row.get(name))) is not None), None)


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
    if number is None or number <= 0:
        raise ScoreFileError(
            f"the weight is {quote(weight)}",
            where=frame.place(line, "weight"),
            remedy="write a number over 0, or take the column out: each battle then counts the same",
        )
    return number


def _time(row: Mapping[str, object], frame: Frame, line: int) -> float | None:
    """Seconds as a number, or a time in the form of ISO 8601."""
    name = next((name for name in _TIMES if as_text(row.get(name)) is not None), None)
    if name is None:
        return None
    time = _number(row[name])
    if time is None and isinstance(row[name], str):
        try:
            return datetime.fromisoformat(str(row[name])).timestamp()
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
