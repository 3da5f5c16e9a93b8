"""One suite: its files read and paired, its checks put to them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gate.alignment import Alignment, align, align_alone, design_of, pair_metric
from gate.baselines.promotion import is_edited, origin_of, read_promotion, tell_edited
from gate.checks import coverage
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig
from gate.config.model import Policies
from gate.error_rates import Contest, MetricRates, measure_metric
from gate.errors import ConfigError, GateError
from gate.item_table import EMPTY, JudgedMetric, answer_texts, build_item_table, question_texts
from gate.judging import Judge
from gate.leaks import Progress, excluded_ids, search_corpus, tell_leaks
from gate.metrics import choose_metrics, require_bar_on_scale, require_margin_on_scale, resolve_metric
from gate.reductions import reduce_runs
from gate.results import Origin, RunReport, Status, SuiteReport
from gate.scores import read_tasks
from gate.scores.model import Run


class JudgedSuite(NamedTuple):
    """A suite's report, and what its checks would say of runs like these."""

    report: SuiteReport
    rates: tuple[MetricRates, ...] = ()
    contests: tuple[Contest, ...] = ()


def judge_suite(
    suite: SuiteConfig,
    policies: Policies,
    progress: Progress | None,
    *,
    several: bool,
    notes: Sequence[str] = (),
    today: date | None = None,
) -> JudgedSuite:
    """Read one suite's files, pair their items and judge them.

    Args:
        suite: what to judge.
        policies: what holds for all suites.
        progress: called now and then while a corpus is read.
        several: there are other suites too, so that an error must name this one.
        notes: what a user should know of how the suite came about.
        today: the day by which a baseline's age is told.

    Raises:
        GateError: where an input cannot be judged, or nothing would be.
    """
    try:
        judged = _judge(suite, policies, progress, notes, today)
        _require_a_judgement(judged.report)
    except GateError as error:
        if several:
            error.what = f"suite {suite.name!r}: {error.what}"
        raise
    return judged


def _require_a_judgement(report: SuiteReport) -> None:
    """The last line of defence: a suite in which nothing but coverage could be judged must not be green."""
    if all(result.status is Status.NOT_RUN or result.check == coverage.NAME for result in report.results):
        raise ConfigError(
            "no check could be run: nothing would be judged",
            remedy="give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`",
        )


def _judge(
    suite: SuiteConfig, policies: Policies, progress: Progress | None, notes: Sequence[str], today: date | None
) -> JudgedSuite:
    if suite.kind == "battles":
        from gate.battle_suite import judge_battles  # noqa: PLC0415  # only suites of battles need it

        report, contest = judge_battles(suite, policies.seed)
        return JudgedSuite(report, contests=(contest,))
    if suite.candidate is None:
        found = search_corpus(suite, {}, progress, answers={})
        return JudgedSuite(SuiteReport(suite.name, None, None, tell_leaks(suite, found, None), EMPTY))
    candidate = read_tasks(suite.candidate, suite.wanted("candidate"), format=suite.format, tasks=suite.tasks)
    baseline, origin = None, None
    if suite.baseline is not None:
        baseline = read_tasks(suite.baseline, suite.wanted("baseline"), format=suite.format, tasks=suite.tasks)
        baseline, origin = _identified(baseline, suite.baseline, today)
    reductions = suite.reductions(choose_metrics(tuple(suite.metrics), baseline, candidate))
    reduced = reduce_runs(reductions, baseline, candidate)
    alignment = _aligned(suite, reduced.baseline, reduced.candidate)
    metrics = _judged_metrics(suite, alignment, [reduction.name for reduction in reductions])
    texts = question_texts(alignment)
    found = search_corpus(suite, texts, progress, answers=answer_texts(alignment))
    judge = Judge(suite, alignment, policies.seed, excluded_ids(suite, found))
    results = [result for metric in metrics for result in judge.judge(metric.pairs)]
    report = SuiteReport(
        name=suite.name,
        baseline=None if baseline is None else replace(_run_report(baseline), origin=origin),
        candidate=_run_report(
            candidate, *notes, *(note for judged in metrics for note in judged.metric.notes), *reduced.notes
        ),
        results=(*results, *tell_leaks(suite, found, alignment)),
        items=build_item_table(alignment, metrics),
        texts=texts,
    )
    rates = [measure_metric(metric.pairs, suite, policies.seed) for metric in metrics]
    return JudgedSuite(report, tuple(rate for rate in rates if rate is not None))


def _aligned(suite: SuiteConfig, baseline: Run | None, candidate: Run) -> Alignment:
    if baseline is None or not suite.paired:
        return align_alone(candidate, reference=baseline)
    return align(baseline, candidate)


class _Identified(NamedTuple):
    run: Run
    origin: Origin | None = None


def _identified(baseline: Run, path: str, today: date | None) -> _Identified:
    """The baseline with what the file of its promotion says of it, where there is one."""
    promotion = read_promotion(path)
    if promotion is None:
        return _Identified(baseline)
    if is_edited(path, promotion):
        return _Identified(replace(baseline, doubt=tell_edited(promotion)))
    return _Identified(baseline, origin_of(promotion, path, today))


def _run_report(run: Run, *notes: str) -> RunReport:
    source = run.source
    told = (*run.notes, *notes)
    return RunReport(source.path, source.digest, source.format, run.n_items, run.n_samples, told, run.facts)


def _judged_metrics(suite: SuiteConfig, alignment: Alignment, names: Sequence[str]) -> list[JudgedMetric]:
    runs = (alignment.baseline or alignment.reference, alignment.candidate)
    design = design_of(alignment)
    judged = []
    for name in names:
        metric = resolve_metric(name, *runs, direction=suite.metric_direction(name), scale=suite.metric_scale(name))
        options = suite.options_for("threshold", name)
        if isinstance(options, ThresholdOptions) and options.bar is not None:
            require_bar_on_scale(options.bar, metric)
        compared = suite.options_for("regression", name)
        if isinstance(compared, RegressionOptions) and compared.margin is not None and runs[0] is not None:
            require_margin_on_scale(compared.margin, metric)
        pairs = pair_metric(alignment, name, direction=metric.direction, scale=metric.scale, design=design)
        judged.append(JudgedMetric(metric, pairs))
    return judged
