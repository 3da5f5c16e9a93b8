"""What a report of the gate holds of its candidates, checked: the half of its structure that a baseline needs."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gate.errors import ScoreFileError
from gate.results.report import SCHEMA_VERSION
from gate.scores.content import ScoreFile
from gate.scores.model import Direction, Scale
from gate.scores.quoting import quote
from gate.scores.reducers import Reducer, parse_reducer
from gate.scores.strict_json import as_object

_REMEDY = "give the report.json as the gate wrote it, or the score file that it was made from"
_ERROR = "ERROR"
_STATED = "format"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReportedMetric:
    """One metric of the candidate; the arrays follow the suite's ids, and fields are as in results.MetricColumn."""

    name: str
    direction: Direction
    scale: Scale | None
    reducer: Reducer
    candidate: Sequence[float | None]
    status: Sequence[str]
    n_scored: Sequence[int]


@dataclass(frozen=True, slots=True)
class ReportedSuite:
    """One suite with items; fields as in results.ItemTable, ``facts`` as the candidate's."""

    name: str
    ids: Sequence[str]
    metrics: Sequence[ReportedMetric]
    facts: Mapping[str, str]
    digests: Sequence[str]
    content_fields: tuple[str, ...]
    groups: Sequence[str]
    strata: Sequence[str]
    weights: Sequence[float | None]
    n_samples: Sequence[int]


@dataclass(frozen=True, slots=True)
class Reported:
    """A report: its verdict, the day it was judged by where it has one, and its suites with items."""

    verdict: str
    day: str | None
    suites: Sequence[ReportedSuite]


def suites_of(document: object, file: ScoreFile) -> Reported:
    """Read what a baseline needs.

    Raises:
        ScoreFileError: where it is of an error, of another schema version, has no items, or is not as gate writes it.
    """
    report = as_object(document)
    if report.get("schema_version") != SCHEMA_VERSION:
        raise ScoreFileError(
            f"this is no report of schema version {SCHEMA_VERSION}",
            where=file.place(part="schema_version"),
            remedy="write the report again with this version of gate, or give the score file that it was made from",
        )
    verdict = as_object(report.get("verdict")).get("word")
    if verdict == _ERROR:
        raise ScoreFileError(
            "this is the report of a run that could not be judged (ERROR): it holds no scores",
            where=file.place(),
            remedy="give the report of a run with a verdict, or a score file",
        )
    listed = report.get("suites")
    suites = [_suite(as_object(suite), file) for suite in (listed if isinstance(listed, list) else [])]
    with_items = [suite for suite in suites if suite is not None]
    if not with_items or not isinstance(verdict, str):
        raise ScoreFileError(
            "the report holds no items of a candidate",
            where=file.place(),
            remedy="give the report of a suite with scores: battles and corpora have no items",
        )
    if len({suite.name for suite in with_items}) < len(with_items):
        raise _Part(file, "suites").fault("two suites share a name")
    day = as_object(report.get("provenance")).get("today")
    return Reported(verdict, day if isinstance(day, str) else None, with_items)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the report, to be read with what is expected there."""

    file: ScoreFile
    name: str

    def fault(self, what: str) -> ScoreFileError:
        return ScoreFileError(
            f"this is not a report as gate writes it: {what}", where=self.file.place(part=self.name), remedy=_REMEDY
        )

    def column(self, record: Mapping[str, object], key: str, n: int, take: Callable[[object], T | None]) -> list[T]:
        """A list of n values, or an empty one where the report has none of these."""
        values = record.get(key, [])
        if not isinstance(values, list) or len(values) not in (0, n):
            raise self.fault(f"{key} is no list of {n}")
        return [self.take(value, key, take) for value in values]

    def take(self, value: object, key: str, take: Callable[[object], T | None]) -> T:
        found = take(value)
        if found is None:
            raise self.fault(f"{key} holds {quote(value)}")
        return found

    def optional(self, record: Mapping[str, object], key: str, n: int) -> list[float | None]:
        """The same of numbers, any of which may be null."""
        values = record.get(key, [])
        if not isinstance(values, list) or len(values) not in (0, n):
            raise self.fault(f"{key} is no list of {n}")
        return [None if value is None else self.take(value, key, _number) for value in values]


def _suite(suite: Mapping[str, object], file: ScoreFile) -> ReportedSuite | None:
    """One suite; None where it has no items."""
    table = as_object(suite.get("items"))
    ids, columns = table.get("ids"), as_object(table.get("metrics"))
    candidate = suite.get("candidate")
    if not ids or not columns or not isinstance(candidate, dict):
        return None
    name = suite.get("name")
    part = _Part(file, f"suite {quote(name)}")
    if not isinstance(ids, list) or not isinstance(name, str):
        raise part.fault("ids is no list")
    n = len(ids)
    texts = part.column(table, "ids", n, _text)
    if len(set(texts)) < n:
        raise part.fault("an id stands in it twice")
    fields = table.get("content_fields", [])
    if not isinstance(fields, list):
        raise part.fault("content_fields is no list")
    facts = as_object(candidate.get("facts")).items()
    return ReportedSuite(
        name=name,
        ids=texts,
        metrics=[_metric(metric, as_object(column), n, part) for metric, column in columns.items()],
        facts={key: value for key, value in facts if isinstance(value, str)},
        digests=part.column(table, "digests", n, _text),
        content_fields=tuple(part.column(table, "content_fields", len(fields), _text)),
        groups=part.column(table, "groups", n, _text),
        strata=part.column(table, "strata", n, _text),
        weights=part.optional(table, "weights", n),
        n_samples=part.column(table, "n_samples", n, _count),
    )


def _metric(name: str, column: Mapping[str, object], n: int, part: _Part) -> ReportedMetric:
    scores = part.optional(column, "candidate", n)
    status = part.column(column, "status", n, _text)
    if len(scores) != n or len(status) != n:
        raise part.fault(f"the metric {quote(name)} has no column of {n}")
    try:
        reducer = parse_reducer(str(column.get("reducer", "mean")))
        direction = Direction(str(column.get("direction")))
    except ValueError as fault:
        raise part.fault(str(fault)) from fault
    return ReportedMetric(
        name=name,
        direction=direction,
        scale=_scale(column, part),
        reducer=reducer,
        candidate=scores,
        status=status,
        n_scored=part.column(column, "n_scored", n, _count),
    )


def _scale(column: Mapping[str, object], part: _Part) -> Scale | None:
    """As the scores' own format states it; what gate.yml gave or the scores let assume is asked anew."""
    if column.get("scale_origin") != _STATED:
        return None
    bounds = part.column(column, "scale", 2, _number)
    if not bounds or not bounds[0] < bounds[1]:
        raise part.fault("scale is no range")
    return Scale(*bounds)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # a whole number may be beyond all floats
    return float(value) if abs(value) <= sys.float_info.max else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
