"""How one suite's checks are put to its pairs: as scored, with the worst for what is missing, and without leaks."""

import zlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gate.alignment import Alignment, MetricPairs
from gate.checks import PAIR_CHECKS, coverage
from gate.checks.coverage import CoverageOptions
from gate.config import SuiteConfig
from gate.results import CheckResult, Status
from gate.scores.reducers import MEAN
from gate.stats.multiplicity import ERROR_SHARE

_ALL_LEAKED = "every item is leaked: without them nothing is left to judge"
_PAIRED = ("regression", "drift")
_BADNESS = {Status.NOT_RUN: 0, Status.PASS: 0, Status.WARN: 1, Status.FAIL: 2}


@dataclass(frozen=True, slots=True)
class Judge:
    """Puts a suite's checks to the pairs of its metrics.

    Attributes:
        suite: which checks, with which options.
        alignment: the suite's items.
        seed: of every random draw.
        leaked: ids that are confirmed to stand in the corpus and that the suite wants excluded.
        is_first: there never was a baseline yet, so that what needs one cannot be asked of this run.
    """

    suite: SuiteConfig
    alignment: Alignment
    seed: int
    leaked: Collection[str] = ()
    is_first: bool = False

    def judge(self, pairs: MetricPairs) -> list[CheckResult]:
        """All results for a metric; with leaks the worse of with and without them: exclusion never turns red green.

        Where every item is leaked there is nothing to judge without them: contamination, which fails, is the cause.
        """
        results = self._judge_missing(pairs)
        leaked = set(self.leaked).intersection(pairs.ids)
        if len(leaked) == len(pairs.ids):
            results = [replace(result, notes=(*result.notes, _ALL_LEAKED)) for result in results]
        elif leaked:
            without = self._judge_missing(pairs.without(leaked))
            results = [_worse(*both) for both in zip(results, without, strict=True)]
        return [self._failed_if_asked(result) for result in results]

    def _judge_missing(self, pairs: MetricPairs) -> list[CheckResult]:
        """Coverage, then the checks of the pairs as scored; coverage knows which of them the missing items turn."""
        options = self.suite.checks.options("coverage")
        if not isinstance(options, CoverageOptions):
            return self._check_pairs(pairs)
        excluded = pairs.ids_where(~pairs.scored) if options.missing == "exclude" else ()
        results = self._check_pairs(pairs.without(excluded) if excluded else pairs)
        turned: list[str] = []
        if options.missing == "worst_case" and pairs.lacking.any():
            worst = self._check_pairs(pairs.with_worst_for_missing())
            turned = [
                then.check
                for now, then in zip(results, worst, strict=True)
                if then.status is Status.FAIL and now.status is not Status.FAIL
            ]
        covered = coverage.check(self.alignment, pairs, options, turned=turned)
        return [_with_samples(covered, pairs), *results]

    def _check_pairs(self, pairs: MetricPairs) -> list[CheckResult]:
        chosen = [(name, self.suite.options_for(name, pairs.metric)) for name in PAIR_CHECKS]
        return [
            _with_samples(PAIR_CHECKS[name](pairs, options, self._rng(name, pairs.metric)), pairs)
            for name, options in chosen
            if options is not None
        ]

    def _rng(self, check: str, metric: str) -> np.random.Generator:
        """A stream of its own for each check, so that their number and order do not matter."""
        return np.random.default_rng([self.seed, zlib.crc32(f"{check}\0{metric}".encode())])

    def _failed_if_asked(self, result: CheckResult) -> CheckResult:
        """A check that was asked for and lacks its data fails; one that was not is a grey line."""
        if result.status is not Status.NOT_RUN or not self.suite.is_asked(result.check):
            return result
        if self.is_first and result.check in _PAIRED:
            return result
        remedy = f"give it what it needs (`gate explain {result.check}`), or take it out of gate.yml"
        sentence = f"{result.check} was asked for, but {result.sentence}"
        return replace(result, status=Status.FAIL, sentence=sentence, remedy=remedy)


def _with_samples(result: CheckResult, pairs: MetricPairs) -> CheckResult:
    """What was drawn from how many stands beside every figure: pass@5 says nothing without it."""
    reducer = pairs.reduced.reducer
    if reducer == MEAN:
        return result
    detail = ", ".join(filter(None, (result.detail, str(pairs.reduced))))
    drawn = {"n_samples": pairs.reduced.most, **({"k": reducer.k} if reducer.draws else {})}
    return replace(result, detail=detail, figures={**result.figures, **drawn})


def _worse(with_leaks: CheckResult, without: CheckResult) -> CheckResult:
    if _severity(without) > _severity(with_leaks):
        note = f"this is without the leaked items; with them: {with_leaks.sentence}"
        return replace(without, notes=(*without.notes, note))
    note = f"without the leaked items: {without.sentence}"
    return replace(with_leaks, notes=(*with_leaks.notes, note))


class _Severity(NamedTuple):
    """How bad a result is: by its status; among fails, the one that stands longer when tests share an error rate."""

    badness: int
    firmness: float


def _severity(result: CheckResult) -> _Severity:
    if result.status is not Status.FAIL:
        return _Severity(_BADNESS[result.status], 0.0)
    by_test = result.p_value is not None and result.p_value <= ERROR_SHARE
    return _Severity(_BADNESS[result.status], 1.0 - (result.p_value or 0.0) if by_test else 1.0)
