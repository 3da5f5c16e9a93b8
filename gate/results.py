"""The words that checks, the verdict and the reports share: statuses, results, the report itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from gate.evidence import Evidence, LeakEvidence

SCHEMA_VERSION = 1

Figure = float | int | str | bool | None


class Status(StrEnum):
    """One check's outcome."""

    PASS = "pass"  # noqa: S105  # a status, not a password
    WARN = "warn"
    FAIL = "fail"
    NOT_RUN = "not_run"


class Word(StrEnum):
    """The verdict in one word."""

    PASS = "PASS"  # noqa: S105  # a verdict, not a password
    WARN = "WARN"
    BLOCK = "BLOCK"
    ERROR = "ERROR"


class FailOn(StrEnum):
    """The mildest verdict that makes the process exit 1."""

    BLOCK = "block"
    WARN = "warn"
    NEVER = "never"


class ShowText(StrEnum):
    """Whether reports may quote the eval's own text: a public log that does contaminates the eval."""

    IDS = "ids"
    SNIPPETS = "snippets"


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
        suite: the suite's name.
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

    def covers(self, suite: str, result: "CheckResult") -> bool:
        """Whether it speaks of this result of this suite."""
        return (suite, result.check) == (self.suite, self.check) and self.metric in {None, result.metric}

    def holds(self, today: date) -> bool:
        """Whether it has not expired: it holds on its last day, too."""
        return today <= self.expires


@dataclass(frozen=True, slots=True)
class WaiverReport:
    """A waiver and what became of it."""

    waiver: Waiver
    state: WaiverState


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


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """One metric over a suite's items; arrays follow ``ItemTable.ids``.

    Attributes:
        direction: ``higher`` or ``lower`` is better.
        scale: lowest and highest possible score, or None where unknown.
        scale_origin: ``given``, ``format``, ``assumed`` or ``unknown``.
        baseline: scores, None where there is none.
        candidate: scores, None where there is none.
        status: why the candidate has a score or not: scored, unscored, error, timeout, skipped, not_submitted,
            lost, changed, new.
    """

    direction: str
    scale: tuple[float, float] | None
    scale_origin: str
    baseline: tuple[float | None, ...]
    candidate: tuple[float | None, ...]
    status: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemTable:
    """Every item of a suite, uncapped, in id order: with it a JSON report can serve as the next baseline.

    Attributes:
        ids: (n,).
        digests: (n,) hex digest of the item's inputs and target; empty tuple where the files have neither.
        groups: (n,) or empty.
        metrics: name -> column.
    """

    ids: tuple[str, ...]
    digests: tuple[str, ...]
    groups: tuple[str, ...]
    metrics: Mapping[str, MetricColumn]


@dataclass(frozen=True, slots=True)
class RunReport:
    """How one score file was read."""

    path: str
    digest: str
    format: str
    n_items: int
    n_samples: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """One suite: its files, its results in the order of the checks, its items.

    ``texts`` holds question texts by id; reports quote them only where ``show_text`` allows it.
    """

    name: str
    baseline: RunReport | None
    candidate: RunReport | None
    results: tuple[CheckResult, ...]
    items: ItemTable
    texts: Mapping[str, str] = field(default_factory=dict)

    def without_text(self) -> "SuiteReport":
        """The same without question texts and without the words of leaks."""
        return replace(self, texts={}, results=tuple(result.without_text() for result in self.results))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the verdict is what it is: one check's finding, in the order in which to read them."""

    suite: str
    check: str
    metric: str | None
    status: Status
    reason: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """PASS, WARN, BLOCK or ERROR, and why.

    Attributes:
        word: the verdict.
        reasons: the findings of the verdict's own weight: the fails of a BLOCK, the warns of a WARN.
        warnings: the warns that stand beside a BLOCK.
    """

    word: Word
    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...] = ()

    @property
    def sentence(self) -> str:
        """The reasons in one line, e.g. ``low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25``."""
        return "; ".join(reason.sentence for reason in self.reasons) or "nothing speaks against it"


@dataclass(frozen=True, slots=True)
class Fault:
    """The error that kept a run from being judged; fields as in GateError, the place as text."""

    kind: str
    what: str
    where: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is needed to have the same report again.

    Attributes:
        command: one shell command.
        seed: of every random draw.
        versions: package -> version.
        options: the whole configuration in force, defaults included.
        digests: path -> SHA-256 of what was read beside score files and corpus: gate.yml, files of questions.
        today: the day by which waivers were judged; None where there are none, so that the day changes nothing then.
    """

    command: str
    seed: int
    versions: Mapping[str, str]
    options: Mapping[str, object]
    digests: Mapping[str, str] = field(default_factory=dict)
    today: date | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All that is told. Reports render it; the JSON report is this very structure."""

    schema_version: int
    verdict: Verdict
    suites: tuple[SuiteReport, ...]
    provenance: Provenance
    show_text: ShowText = ShowText.IDS
    fault: Fault | None = None
    waivers: tuple[WaiverReport, ...] = ()

    def without_text(self) -> "Report":
        """The same without a word of the eval's own text: what may be shown where ``show_text`` is ``ids``."""
        return replace(self, suites=tuple(suite.without_text() for suite in self.suites))
