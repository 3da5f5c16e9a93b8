"""What one check found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gate.evidence import Evidence, LeakEvidence
from gate.results.waiver import Waiver
from gate.results.words import Figure, Status


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found on one metric of one suite.

    Attributes:
        check: the check's name.
        status: its outcome.
        reason: a stable code in kebab-case, e.g. ``low-under-bar``.
        sentence: what was found, short enough for the verdict's line, without a full stop.
        detail: the numbers behind it, for the table of checks.
        remedy: what to do about it; empty where there is nothing to do.
        notes: further sentences worth reading.
        metric: the metric, or None for a check on the suite's items.
        figures: the numbers behind the sentence, by stable snake_case names.
        p_value: of the test behind a fail, for sharing the error rate among checks; None where no test decided.
        if_not_upheld: what a fail by that test becomes where the shared error rate does not uphold it.
        evidence: what a report can draw or list.
        waiver: what turned this fail into a warn; None where nothing did.
    """

    check: str
    status: Status
    reason: str
    sentence: str
    detail: str = ""
    remedy: str = ""
    notes: tuple[str, ...] = ()
    metric: str | None = None
    figures: Mapping[str, Figure] = field(default_factory=dict)
    p_value: float | None = None
    if_not_upheld: Status = Status.WARN
    evidence: Evidence | None = None
    waiver: Waiver | None = None

    def without_text(self) -> "CheckResult":
        """The same without the words of leaks."""
        if not isinstance(self.evidence, LeakEvidence):
            return self
        leaks = tuple(replace(leak, matched=()) for leak in self.evidence.leaks)
        return replace(self, evidence=replace(self.evidence, leaks=leaks))
