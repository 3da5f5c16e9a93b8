"""Counted verdicts as shares with their uncertainty."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gate.results import Status, Word
from gate.selfcheck.trials import Drop, Trial
from gate.stats.dirichlet import exact_interval
from gate.stats.units import units_of_items
from gate.wording import rounded

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the simulated pairs, 0 to 1, with its exact 95 % interval (Clopper-Pearson)."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Cause:
    """How often one check failed or warned for one reason.

    Attributes:
        check: the check.
        status: fail or warn.
        reason: its stable code.
        share: of the pairs in which it did so, on any metric.
    """

    check: str
    status: Status
    reason: str
    share: Share


@dataclass(frozen=True, slots=True)
class Rates:
    """What was said of runs in which nothing changed.

    Attributes:
        block: how often the verdict is BLOCK.
        warn: how often it is WARN.
        passed: how often it is PASS.
        failing: check -> how often it fails; of those that ever do.
        causes: the same by reason, with warnings, the most frequent first.
    """

    block: Share
    warn: Share
    passed: Share
    failing: dict[str, Share]
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Caught:
    """What was said of runs in which one metric fell.

    Attributes:
        metric: the metric.
        drop: of its mean, in its unit.
        room: the largest drop that the scale, or the worst score seen, leaves room for.
        block: how often the verdict is BLOCK.
        warn: how often it is WARN.
        failing: check -> how often it fails; of those that ever do.
    """

    metric: str
    drop: float
    room: float
    block: Share
    warn: Share
    failing: dict[str, Share]


def share_of(hits: int, pairs: int) -> Share:
    """The share of ``hits`` among ``pairs``, >= 1."""
    units = units_of_items((np.arange(pairs) < hits).astype(np.float64))
    interval = exact_interval(units, lowest=0.0, highest=1.0, alpha=_ALPHA)
    return Share(rounded(hits / pairs), rounded(interval.low), rounded(interval.high))


def count_rates(trials: Sequence[Trial]) -> Rates:
    """The shares of each verdict and of each cause."""
    block, warn, passed = (_share_with(trials, word) for word in (Word.BLOCK, Word.WARN, Word.PASS))
    return Rates(block, warn, passed, _failing(trials), _causes(trials))


def count_caught(drops: Sequence[Drop], dropped: Sequence[Sequence[Trial]]) -> tuple[Caught, ...]:
    """The shares of the runs with each drop."""
    return tuple(
        Caught(
            drop.metric,
            drop.size,
            rounded(drop.room),
            _share_with(trials, Word.BLOCK),
            _share_with(trials, Word.WARN),
            _failing(trials),
        )
        for drop, trials in zip(drops, dropped, strict=True)
    )


def _share_with(trials: Sequence[Trial], word: Word) -> Share:
    return share_of(sum(trial.word is word for trial in trials), len(trials))


def _failing(trials: Sequence[Trial]) -> dict[str, Share]:
    hits: Counter[str] = Counter()
    for trial in trials:
        hits.update({finding.check for finding in trial.findings if finding.status is Status.FAIL})
    return {
        check: share_of(hits[check], len(trials)) for check in sorted(hits, key=lambda check: (-hits[check], check))
    }


def _causes(trials: Sequence[Trial]) -> tuple[Cause, ...]:
    hits: Counter[tuple[str, Status, str]] = Counter()
    for trial in trials:
        hits.update({(finding.check, finding.status, finding.reason) for finding in trial.findings})
    ordered = sorted(hits, key=lambda cause: (-hits[cause], cause))
    return tuple(Cause(*cause, share_of(hits[cause], len(trials))) for cause in ordered)
