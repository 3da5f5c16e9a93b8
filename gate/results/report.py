"""The report: suites, verdict, error rates, and what it takes to have them again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from gate.results.check import CheckResult
from gate.results.config_change import ConfigChange, WorkingTreeInput
from gate.results.items import ItemTable
from gate.results.record import Trend
from gate.results.waiver import WaiverReport
from gate.results.words import GLOSSARY, ShowText, Status, Word

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Origin:
    """Which version of a baseline was read.

    Attributes:
        commit: id of the commit that it was read from, or that was promoted; empty where that is not known.
        date: the day on which it was made, promoted or last changed; None where that is not known.
        age_days: how long before the day of this run that was, 0 or more; None where that is not known.
        told_by: who tells the day: ``git``, ``promotion``, ``report`` or ``run``.
        ref: the ref that was asked for, as ``main`` or ``merge-base``; empty where none was.
        changed_in: id of the commit that last changed it; empty where that is not known.
    """

    commit: str
    date: date | None
    age_days: int | None
    told_by: str
    ref: str
    changed_in: str = ""


@dataclass(frozen=True, slots=True)
class RunReport:
    """How one score file was read; ``facts`` are what it tells of how the run was made, ``origin`` which version it is.

    ``origin`` is told of baselines alone, and None where nothing tells it.
    """

    path: str
    digest: str
    format: str
    n_items: int
    n_samples: int
    notes: tuple[str, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    origin: Origin | None = None


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

    @property
    def is_of_battles(self) -> bool:
        """Whether its files hold battles of models, of which no item has a score."""
        return any(result.check == "arena" for result in self.results)

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
class ErrorRates:
    """How often this configuration errs on runs like these, by the checks of these runs alone.

    What decline, which holds a run against all before it, may add is told in the sentence.

    Attributes:
        block: the share of unchanged runs that it would BLOCK, 0 to 1.
        warn: the share of unchanged runs that it would WARN about.
        drop: the drop of the mean, in the metric's unit, that ``caught`` speaks of; None without a baseline.
        caught: the share of runs with such a drop, in the metric where it is caught least, that it would BLOCK.
        sentence: the same in words.
    """

    block: float
    warn: float
    drop: float | None
    caught: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is needed to have the same report again.

    Attributes:
        command: one shell command.
        seed: of every random draw.
        versions: package -> version.
        options: the whole configuration in force, defaults included.
        digests: path -> SHA-256 of what was read beside score files and corpus: gate.yml, files of questions,
            the history.
        today: the day by which waivers and the ages of baselines were told; None where there are none, so that the day
            changes nothing then.
    """

    command: str
    seed: int
    versions: Mapping[str, str]
    options: Mapping[str, object]
    digests: Mapping[str, str] = field(default_factory=dict)
    today: date | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All that is told. Reports render it; the JSON report is this very structure.

    ``glossary`` is the address of the page that explains the terms, ``config_changes`` what a proposed gate.yml would
    change in the one in force, those that make the gate laxer first, ``from_working_tree`` what that one, where it is a
    commit's, takes from the working tree, which a pull request may have changed: the baselines first.
    """

    schema_version: int
    verdict: Verdict
    suites: tuple[SuiteReport, ...]
    provenance: Provenance
    show_text: ShowText = ShowText.IDS
    fault: Fault | None = None
    waivers: tuple[WaiverReport, ...] = ()
    error_rates: ErrorRates | None = None
    glossary: str = GLOSSARY
    config_changes: tuple[ConfigChange, ...] = ()
    trends: tuple[Trend, ...] = ()
    from_working_tree: tuple[WorkingTreeInput, ...] = ()

    def without_text(self) -> "Report":
        """The same without a word of the eval's own text: what may be shown where ``show_text`` is ``ids``."""
        return replace(self, suites=tuple(suite.without_text() for suite in self.suites))
