"""What a history keeps of a run, and what reports tell of a series of them."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.results.words import Word


@dataclass(frozen=True, slots=True)
class MetricRecord:
    """One metric of one run, over all items that the candidate has a score of.

    Attributes:
        mean: the candidate's.
        n: items.
        units: groups, or items where there are none.
        items: digest of the items: their ids and contents. Only means of the same items are like with like.
        direction: ``higher`` or ``lower`` is better.
        standard_error: of the mean, over units; None where one unit shows none.
        low: lower end of the mean's 95 % interval by its standard error (Student), within the scale; None likewise.
        high: its upper end.
        delta: against the baseline, on the items compared; None without one.
        psi: likewise.
    """

    mean: float
    n: int
    units: int
    items: str
    direction: str
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    delta: float | None = None
    psi: float | None = None

    @property
    def sign(self) -> float:
        """What turns a score so that higher is better."""
        return -1.0 if self.direction == "lower" else 1.0

    def is_like(self, other: "MetricRecord") -> bool:
        """Whether the two means are of the same items, and mean the same."""
        return (self.items, self.direction) == (other.items, other.direction)


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """One suite of one run: the SHA-256 of the candidate's file, and its metrics by name."""

    candidate: str
    metrics: Mapping[str, MetricRecord]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One line of a history.

    Attributes:
        schema_version: of the line's form.
        date: when it was added, by UTC.
        commit: what was judged, in hexadecimal; empty where it is not known.
        verdict: the run's.
        promoted: the candidate became the baseline.
        report: SHA-256 of the JSON report.
        suites: by name.
    """

    schema_version: int
    date: dt.date
    commit: str
    verdict: Word
    promoted: bool
    report: str
    suites: Mapping[str, SuiteRecord] = field(default_factory=dict)


class PastRun(NamedTuple):
    """One metric of a run of the history."""

    date: dt.date
    commit: str
    promoted: bool
    candidate: str
    record: MetricRecord


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One run's mean; ``date`` is None for the run that is being judged."""

    mean: float
    n: int
    date: dt.date | None = None
    commit: str = ""
    promoted: bool = False


@dataclass(frozen=True, slots=True)
class Trend:
    """How a metric's mean went over the runs of a history that are of the same items.

    Attributes:
        suite: the suite's name.
        metric: the metric.
        direction: ``higher`` or ``lower`` is better.
        points: the last runs, oldest first; the last one is the run that is being judged.
        runs: how many there are in all, this run included.
        others: runs of the history that are of other items, and so not shown.
        standard_error: of this run's mean; None where it is not known.
    """

    suite: str
    metric: str
    direction: str
    points: tuple[TrendPoint, ...]
    runs: int
    others: int = 0
    standard_error: float | None = None
