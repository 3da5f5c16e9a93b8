"""A candidate becomes the baseline, where its report lets it, and beside it stands by whose word."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.baselines.promotion import (
    PROMOTION_VERSION,
    MainFigures,
    Promotion,
    is_edited,
    read_promotion,
    tree_digest,
    write_promotion,
)
from gate.errors import GateError, Place, RecordError, UsageError
from gate.files import sha256_of
from gate.history.figures import record_suite, writable
from gate.history.reports import JudgedReport, read_report
from gate.promoting.placing import put, require_apart, require_paths
from gate.results import SuiteReport, Word
from gate.results.naming import is_of
from gate.scores.folders import find_tasks
from gate.scores.merging import joined_source
from gate.scores.model import Source
from gate.wording import names

_ACTOR = "GITHUB_ACTOR"
_WORDS = 300


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be promoted, and by whose word.

    Attributes:
        candidate: a score file, or a folder of them.
        baseline: where it goes; what lies there is replaced.
        report: path of the JSON report that judged it; None only where it is forced.
        reason: why it is forced; None where it is not.
        commit: what it is of; empty where that is not known.
    """

    candidate: str
    baseline: str
    report: str | None = None
    reason: str | None = None
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Promoted:
    """What became of it; ``changed`` is False where all of it was there already, which is then left as it is."""

    baseline: str
    promotion: Promotion
    changed: bool


def forced_by(reason: str | None, *, force: bool) -> str | None:
    """The reason of a promotion that is forced, on one line; None of one that is not.

    Raises:
        UsageError: where one of the two is given without the other.
    """
    if reason is None and not force:
        return None
    told = " ".join((reason or "").split())
    if not force or not any(map(str.isalnum, told)):
        raise UsageError("--force needs --reason, and --reason needs --force", remedy='give both: --reason "why"')
    if len(told) > _WORDS:
        raise UsageError(f"the reason has over {_WORDS} characters", remedy="say it in fewer")
    return told


def promote(question: Question, environ: Mapping[str, str], today: date) -> Promoted:
    """Make the candidate the baseline: each file is replaced whole, the folder by a rename.

    Raises:
        GateError: where it may not be, or cannot be; the baseline is then as it was.
    """
    require_paths(question.candidate, question.baseline)
    candidate, baseline = Path(question.candidate), Path(question.baseline.rstrip("/") or "/")
    require_apart(candidate, baseline)
    digest = tree_digest(candidate)
    judged = None if question.report is None else read_report(question.report)
    _require_leave(judged, question)
    suites = () if judged is None else _suites_of(candidate, judged)
    promotion = Promotion(
        schema_version=PROMOTION_VERSION,
        digest=digest,
        date=today,
        commit=question.commit,
        verdict=None if judged is None else judged.report.verdict.word.value,
        report=None if judged is None else judged.digest,
        reason=question.reason,
        promoted_by=environ.get(_ACTOR, ""),
        figures={writable(suite.name): _figures(suite) for suite in suites},
    )
    if _is_done(str(baseline), promotion):
        return Promoted(str(baseline), promotion, changed=False)
    put(candidate, baseline, digest)
    write_promotion(str(baseline), promotion)
    return Promoted(str(baseline), promotion, changed=True)


def _require_leave(judged: JudgedReport | None, question: Question) -> None:
    """A candidate that nobody judged, or that may not ship, becomes the baseline only by a person's word."""
    if question.reason is not None:
        return
    if judged is None:
        raise UsageError(
            "no report says that this candidate may become the baseline",
            remedy="give --report report.json of the run that judged it; a first baseline, say, may be forced: "
            '--force --reason "the first baseline"',
        )
    verdict, fault = judged.report.verdict, judged.report.fault
    if verdict.word in {Word.BLOCK, Word.ERROR}:
        raise UsageError(
            f"the report says {verdict.word}: {verdict.sentence if fault is None else fault.what}",
            where=Place(question.report or ""),
            remedy='mend the candidate; or, where the loss is meant: --force --reason "why"',
        )


def _suites_of(candidate: Path, judged: JudgedReport) -> tuple[SuiteReport, ...]:
    """The suites of the report that judged this candidate, every task of a folder among them.

    Raises:
        UsageError: where there are none, or one of its tasks was another file then.
    """
    report = judged.report
    held = set(_digests(candidate))
    configured = [str(suite["name"]) for suite in judged.suites]
    held |= {digest for suite in judged.suites if (digest := _joined(candidate, suite)) is not None}
    about = {suite.name for suite in report.suites if suite.candidate is not None and suite.candidate.digest in held}
    whole = {name for name in configured if any(is_of(task, name) for task in about)}
    suites = tuple(suite for suite in report.suites if any(is_of(suite.name, name) for name in whole))
    other = tuple(suite.name for suite in suites if suite.name not in about)
    if not suites or other:
        told = f", in {names(other)}" if other else ""
        raise UsageError(
            f"the report is not about this candidate, whose content is another one{told}",
            where=Place(judged.path),
            remedy="judge the candidate again with --report json:report.json, and promote it by that report",
        )
    return suites


def _digests(candidate: Path) -> Iterator[str]:
    if not candidate.is_dir():
        yield sha256_of(candidate)
        return
    yield from (sha256_of(file) for file in sorted(candidate.rglob("*")) if file.is_file())


def _joined(candidate: Path, suite: Mapping[str, object]) -> str | None:
    """The digest of a folder whose tasks were judged together, as strata; None where they were not."""
    tasks = suite.get("tasks")
    if not candidate.is_dir() or suite.get("tasks_as") != "strata" or not isinstance(tasks, list):
        return None
    with suppress(GateError):  # a folder of another making has none
        found = find_tasks(str(candidate), tuple(map(str, tasks))).files.values()
        return joined_source([Source(file, sha256_of(Path(file)), 0, "") for file in found], str(candidate)).digest
    return None


def _figures(suite: SuiteReport) -> dict[str, MainFigures]:
    record = record_suite(suite)
    return (
        {} if record is None else {writable(name): MainFigures(one.mean, one.n) for name, one in record.metrics.items()}
    )


def _is_done(baseline: str, promotion: Promotion) -> bool:
    """Whether all of this stands there from an earlier day: then the day it became the baseline stays."""
    if not os.path.lexists(baseline):
        return False
    before = None
    with suppress(RecordError):  # what cannot be read is written anew
        before = read_promotion(baseline)
    same = before is not None and replace(before, date=promotion.date, promoted_by=promotion.promoted_by) == promotion
    return before is not None and same and not is_edited(baseline, before)
