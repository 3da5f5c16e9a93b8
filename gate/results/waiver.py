"""Waivers, and what became of them."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from gate.results.naming import is_of


class WaiverState(StrEnum):
    """What became of a waiver in this run."""

    APPLIED = "applied"
    EXPIRED = "expired"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Waiver:
    """A person's word that a check may fail for a while; at most one covers a result.

    Attributes:
        check: the check's name.
        suite: the suite's name, or with a task after it, as ``task_name`` makes it.
        reason: why it may.
        approved_by: whose word it is.
        expires: the last day on which it holds.
        metric: the metric, or None for all of them.
    """

    check: str
    suite: str
    reason: str
    approved_by: str
    expires: date
    metric: str | None = None

    def covers(self, suite: str, check: str, metric: str | None) -> bool:
        """Whether it speaks of this check of this suite on this metric."""
        return is_of(suite, self.suite) and check == self.check and self.metric in {None, metric}

    def holds(self, today: date) -> bool:
        """Whether it has not expired: it holds on its last day, too."""
        return today <= self.expires


@dataclass(frozen=True, slots=True)
class WaiverReport:
    """A waiver and what became of it."""

    waiver: Waiver
    state: WaiverState
