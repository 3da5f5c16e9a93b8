"""One suite: its files read and paired, its checks put to them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gate.alignment import Alignment, Design, align, align_alone, design_of, pair_metric
from gate.baselines.reading import VersionedRun, read_baseline
from gate.checks import coverage
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.checks.trust import doubt_baseline, tell_missing
from gate.config import SuiteConfig
from gate.config.model import Policies
from gate.error_rates import Contest, MetricRates, measure_metric
from gate.errors import ConfigError, GateError, Place, ScoreFileError
from gate.item_table import EMPTY, answer_texts, build_item_table, question_texts, score_column
from gate.judging import Judge
from gate.leaks import Progress, excluded_ids, search_corpus, tell_leaks
from gate.metrics import Metric, choose_metrics, require_bar_on_scale, require_margin_on_scale, resolve_metric
from gate.reductions import reduce_runs
from gate.results import CheckResult, MetricColumn, RunReport, Status, SuiteReport
from gate.scores import read_tasks
from gate.scores.model import Run
from gate.tasks import TaskSuite

MOST_METRICS = 500


class JudgedSuite(NamedTuple):
    """A suite's report, and what its checks would say of runs like these."""

    report: SuiteReport
    rates: tuple[MetricRates, ...] = ()
    contests: tuple[Contest, ...] = ()


def judge_suite(
    task: TaskSuite,
    policies: Policies,
    progress: Progress | None,
    *,
    several: bool,
    today: date | None = None,
) -> JudgedSuite:
    """Read one suite's files, pair their items and judge them.

    Args:
        task: what to judge, and its baseline.
        policies: what holds for all suites.
        progress: called now and then while a corpus is read.
        several: there are other suites too, so that an error must name this one.
        today: the day by which the age of the baseline is told, if any.

    Raises:
        GateError: where an input cannot be judged, or nothing would be.
    """
    try:
        judged = _judge(task, policies, progress, today)
        if not task.has_first_run:
            _require_a_judgement(judged.report)
    except GateError as error:
        if several:
            error.what = f"suite {task.suite.name!r}: {error.what}"
        raise
    return judged


def _require_a_judgement(report: SuiteReport) -> None:
    """The last line of defence: a suite in which nothing but coverage could be judged must not be green."""
    if all(result.status is Status.NOT_RUN or result.check == coverage.NAME for result in report.results):
        raise ConfigError(
            "no check could be run: nothing would be judged",
            remedy="give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`",
        )


def _judge(task: TaskSuite, policies: Policies, progress: Progress | None, today: date | None) -> JudgedSuite:
    suite = task.suite
    if suite.kind == "battles":
        from gate.battle_suite import judge_battles  # noqa: PLC0415  # only suites of battles need it

        report, contest = judge_battles(suite, task.baseline, policies.seed)
        return JudgedSuite(_with_trust(report, task), contests=(contest,))
    if suite.candidate is None:
        found = search_corpus(suite, {}, progress, answers={})
        return JudgedSuite(SuiteReport(suite.name, None, None, tell_leaks(suite, found, None), EMPTY))
    candidate = read_tasks(suite.candidate, suite.wanted("candidate"), format=suite.format, tasks=suite.tasks)
    versioned = _read_baseline(task, today)
    baseline = None if versioned is None else versioned.run
    reductions = suite.reductions(_chosen_metrics(suite, baseline, candidate))
    reduced = reduce_runs(reductions, baseline, candidate)
    alignment = _aligned(suite, reduced.baseline, reduced.candidate)
    metrics = _judged_metrics(suite, alignment, [reduction.name for reduction in reductions])
    design = design_of(alignment)
    texts = question_texts(alignment)
    found = search_corpus(suite, texts, progress, answers=answer_texts(alignment))
    judge = Judge(suite, alignment, policies.seed, excluded_ids(suite, found), is_first=task.has_first_run)
    # one metric's pairs at a time: a million items have 100 MB of them in each
    judged = {metric.name: _judge_metric(metric, judge, design) for metric in metrics}
    report = SuiteReport(
        name=suite.name,
        baseline=None if versioned is None else replace(_run_report(versioned.run), origin=versioned.origin),
        candidate=_run_report(
            candidate, *task.notes, *(note for metric in metrics for note in metric.notes), *reduced.notes
        ),
        results=(*(result for one in judged.values() for result in one.results), *tell_leaks(suite, found, alignment)),
        items=build_item_table(alignment, {name: one.column for name, one in judged.items()}),
        texts=texts,
    )
    rates = tuple(one.rates for one in judged.values() if one.rates is not None)
    return JudgedSuite(_with_trust(report, task), rates)


def _chosen_metrics(suite: SuiteConfig, baseline: Run | None, candidate: Run) -> tuple[str, ...]:
    """The metrics to judge, of which a hostile file could have thousands: each is judged in full."""
    chosen = choose_metrics(tuple(suite.metrics), baseline, candidate)
    if len(chosen) > max(MOST_METRICS, len(suite.metrics)):
        raise ScoreFileError(
            f"the metrics that are asked for fit {len(chosen)} columns, more than {MOST_METRICS}",
            where=Place(candidate.source.path),
            remedy="name the metrics to judge, or a narrower pattern",
        )
    return chosen


class _JudgedMetric(NamedTuple):
    results: list[CheckResult]
    column: MetricColumn
    rates: MetricRates | None


def _judge_metric(metric: Metric, judge: Judge, design: Design) -> _JudgedMetric:
    pairs = pair_metric(judge.alignment, metric.name, direction=metric.direction, scale=metric.scale, design=design)
    return _JudgedMetric(
        judge.judge(pairs),
        score_column(judge.alignment, metric, pairs),
        measure_metric(pairs, judge.suite, judge.seed),
    )


def _read_baseline(task: TaskSuite, today: date | None) -> VersionedRun | None:
    suite, found = task.suite, task.baseline
    if found is None or found.is_missing:
        return None
    return read_baseline(found, suite.wanted("baseline"), format_name=suite.format, tasks=suite.tasks, today=today)


def _with_trust(report: SuiteReport, task: TaskSuite) -> SuiteReport:
    """The report with what there is to say of the baseline itself, before what was found with it."""
    if task.baseline is None:
        return report
    if task.baseline.is_missing:
        return replace(report, results=(tell_missing(task.baseline.shown, task.baseline.near), *report.results))
    read = report.baseline
    told = [] if read is None else doubt_baseline(read.origin, task.suite.max_age, read.facts.get("verdict"))
    return replace(report, results=(*told, *report.results))


def _aligned(suite: SuiteConfig, baseline: Run | None, candidate: Run) -> Alignment:
    if baseline is None or not suite.paired:
        return align_alone(candidate, reference=baseline)
    return align(baseline, candidate)


def _run_report(run: Run, *notes: str) -> RunReport:
    source = run.source
    told = (*run.notes, *notes)
    return RunReport(source.path, source.digest, source.format, run.n_items, run.n_samples, told, run.facts)


def _judged_metrics(suite: SuiteConfig, alignment: Alignment, names: Sequence[str]) -> list[Metric]:
    """Each metric's direction and scale; what is asked of it must fit them."""
    first, last = alignment.baseline or alignment.reference, alignment.candidate
    return [resolve_with_options(suite, name, first, last) for name in names]


def resolve_with_options(suite: SuiteConfig, name: str, baseline: Run | None, candidate: Run) -> Metric:
    """One metric as ``resolve_metric`` has it, with what gate.yml says of it, its bar and its margin held against it.

    Raises:
        GateError: as ``resolve_metric``, and where bar or margin cannot be meant on its scale.
    """
    direction, scale = suite.metric_direction(name), suite.metric_scale(name)
    metric = resolve_metric(name, baseline, candidate, direction=direction, scale=scale)
    options = suite.options_for("threshold", name)
    if isinstance(options, ThresholdOptions) and options.bar is not None:
        require_bar_on_scale(options.bar, metric)
    compared = suite.options_for("regression", name)
    if isinstance(compared, RegressionOptions) and compared.margin is not None and baseline is not None:
        require_margin_on_scale(compared.margin, metric)
    return metric
