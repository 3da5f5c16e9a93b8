"""This run beside those before it: a trend for each metric, and whether small steps have added up."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from gate.checks import decline
from gate.checks.decline import DeclineOptions
from gate.checks.regression import RegressionOptions
from gate.config import GateConfig, SuiteConfig
from gate.history.figures import record_suite
from gate.history.file import read_history
from gate.results import CheckResult, Status, SuiteReport
from gate.results.naming import is_of
from gate.results.record import MetricRecord, PastRun, RunRecord, SuiteRecord, Trend, TrendPoint
from gate.stats.multiplicity import ERROR_SHARE, holm
from gate.wording import count, probability

_MOST_POINTS = 20


class Followed(NamedTuple):
    """The suites with what decline found, and how each metric went.

    Attributes:
        suites: the suites.
        trends: one for each metric.
        at_stake: what a decline that is shown is worth, the worst of all metrics in which one was looked for: ``fail``
            or ``warn``; None where there is none.
    """

    suites: tuple[SuiteReport, ...]
    trends: tuple[Trend, ...] = ()
    at_stake: Literal["warn", "fail"] | None = None


def follow_history(suites: Sequence[SuiteReport], config: GateConfig) -> Followed:
    """Hold each suite's metrics against the history that the configuration names, if any.

    Raises:
        RecordError: where it cannot be read.
    """
    if config.history is None:
        return Followed(tuple(suites))
    runs = read_history(config.history)
    followed = [_follow(suite, _config_of(suite, config), runs) for suite in suites]
    found = _share_error_rate([result for one in followed for result in one.results])
    results = iter(found)
    stakes = {stake for one in followed for stake in one.stakes}
    return Followed(
        tuple(
            replace(one.suite, results=(*one.suite.results, *(next(results) for _ in one.results))) for one in followed
        ),
        tuple(trend for one in followed for trend in one.trends),
        "fail" if "fail" in stakes else "warn" if stakes else None,
    )


class _FollowedSuite(NamedTuple):
    suite: SuiteReport
    results: tuple[CheckResult, ...] = ()
    trends: tuple[Trend, ...] = ()
    stakes: frozenset[Literal["warn", "fail"]] = frozenset()


def _config_of(suite: SuiteReport, config: GateConfig) -> SuiteConfig:
    """The suite of gate.yml, of which this one may be a task."""
    by_name = {each.name: each for each in config.suites}
    return by_name.get(suite.name) or next(each for each in config.suites if is_of(suite.name, each.name))


def _follow(suite: SuiteReport, config: SuiteConfig, runs: Sequence[RunRecord]) -> _FollowedSuite:
    record = record_suite(suite)
    if record is None:
        return _FollowedSuite(suite, tuple(_tell_unkept(config)))
    past = {metric: tuple(_past(runs, suite.name, metric)) for metric in record.metrics}
    chosen = {metric: options for metric in record.metrics if (options := _options(config, metric)) is not None}
    results = {
        metric: decline.check(metric, record.metrics[metric], past[metric], options)
        for metric, options in chosen.items()
    }
    return _FollowedSuite(
        suite,
        tuple(results.values()),
        tuple(_trend(suite.name, metric, record, past[metric]) for metric in record.metrics),
        frozenset(chosen[metric].on_decline for metric, found in results.items() if found.p_value is not None),
    )


def _tell_unkept(config: SuiteConfig) -> Iterator[CheckResult]:
    """That the history says nothing of a suite, where decline would be judged."""
    if config.checks.options(decline.NAME) is not None:
        told = "a history keeps no battles" if config.kind == "battles" else "there are no scores that a history keeps"
        yield CheckResult(decline.NAME, Status.NOT_RUN, "no-scores", told)


def _past(runs: Sequence[RunRecord], suite: str, metric: str) -> Iterator[PastRun]:
    """The runs that have this metric; a run whose later line says that it was promoted is one run."""
    latest = {(run.report, run.commit): run for run in runs}
    for run in latest.values():
        record = run.suites.get(suite)
        if record is not None and metric in record.metrics:
            yield PastRun(run.date, run.commit, run.promoted, record.candidate, record.metrics[metric])


def _options(config: SuiteConfig, metric: str) -> DeclineOptions | None:
    """With the margin in force: decline's own, else that of regression on this metric."""
    options, regression = config.options_for("decline", metric), config.options_for("regression", metric)
    if not isinstance(options, DeclineOptions):
        return None
    if options.margin is None and isinstance(regression, RegressionOptions) and regression.margin is not None:
        return options.model_copy(update={"margin": regression.margin})
    return options


def _trend(suite: str, metric: str, record: SuiteRecord, past: Sequence[PastRun]) -> Trend:
    now = record.metrics[metric]
    # a run that was added before it is judged again is still one run
    before = past[:-1] if past and _is_this(past[-1], record, now) else past
    alike = [run for run in before if run.record.is_like(now)]
    points = [TrendPoint(run.record.mean, run.record.n, run.date, run.commit, run.promoted) for run in alike]
    return Trend(
        suite=suite,
        metric=metric,
        direction=now.direction,
        points=(*points, TrendPoint(now.mean, now.n))[-_MOST_POINTS:],
        runs=len(points) + 1,
        others=len(before) - len(alike),
        standard_error=now.standard_error,
    )


def _is_this(run: PastRun, record: SuiteRecord, now: MetricRecord) -> bool:
    return run.candidate == record.candidate and run.record.is_like(now)


def _share_error_rate(results: Sequence[CheckResult]) -> list[CheckResult]:
    """Let all metrics share the error rate, those too for which a decline that is shown only warns."""
    tested = [result.p_value for result in results if result.p_value is not None]
    adjusted = iter(holm(tested))
    return [result if result.p_value is None else _adjusted(result, next(adjusted), len(tested)) for result in results]


def _adjusted(result: CheckResult, p_value: float, tests: int) -> CheckResult:
    if tests == 1:
        return result
    figures = {**result.figures, "p_adjusted": p_value}
    if result.reason != "slow-decline" or p_value <= ERROR_SHARE:
        return replace(result, figures=figures)
    return replace(
        result,
        status=Status.PASS,
        reason="decline-not-shown",
        sentence=f"{result.sentence}, not upheld among {count(tests, 'test')}",
        remedy="",
        figures=figures,
        notes=(*result.notes, f"p {probability(p_value)} once {count(tests, 'test')} share the error rate (Holm)"),
    )
