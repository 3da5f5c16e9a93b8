"""The story on one page: read, pair, judge, decide."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np

from gate import __version__
from gate.alignment import Alignment, align, align_alone, pair_metric
from gate.checks import coverage
from gate.checks.contamination import ContaminationOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import GateConfig, SuiteConfig
from gate.config.model import Policies
from gate.errors import ConfigError, GateError, Place, UsageError
from gate.files import sha256_of
from gate.item_table import EMPTY, JudgedMetric, build_item_table, question_texts
from gate.judging import Judge
from gate.leaks import Progress, excluded_ids, search_corpus, tell_leaks
from gate.metrics import choose_metrics, require_bar_on_scale, resolve_metric
from gate.results import SCHEMA_VERSION, Provenance, Report, RunReport, Status, SuiteReport, Waiver
from gate.scores import read_run
from gate.scores.model import Run
from gate.verdict import decide, share_error_rate
from gate.waivers import Waived, apply_waivers
from gate.wording import names


def run_gate(
    config: GateConfig,
    *,
    command: str = "",
    path: str | None = None,
    progress: Progress | None = None,
    today: date | None = None,
) -> Report:
    """Judge every suite and decide.

    Args:
        config: what to judge, and how.
        command: the shell command that repeats this run, for the report.
        path: the gate.yml that the configuration comes from, if any.
        progress: called now and then while a corpus is read.
        today: the day by which waivers hold; needed where there are any.

    Raises:
        GateError: where an input cannot be judged; it names the suite where there are several.
    """
    several = len(config.suites) > 1
    judged = [_judge_named(suite, config.policies, progress, several=several) for suite in config.suites]
    suites, waivers = _waive(share_error_rate(judged), config, path, today)
    report_provenance = provenance(config, command, path, today=today if waivers else None)
    show_text = config.policies.show_text
    return Report(SCHEMA_VERSION, decide(suites), suites, report_provenance, show_text, waivers=waivers)


def provenance(config: GateConfig, command: str, path: str | None = None, *, today: date | None = None) -> Provenance:
    """What it takes to have the same report again."""
    versions = {"gate": __version__, "numpy": np.__version__}
    digests = {
        file: sha256_of(Path(file)) for file in [*([path] if path is not None else []), *_question_files(config)]
    }
    return Provenance(command, config.policies.seed, versions, config.model_dump(mode="json"), digests, today)


def _question_files(config: GateConfig) -> list[str]:
    chosen = [suite.checks.options("contamination") for suite in config.suites]
    return [each.items for each in chosen if isinstance(each, ContaminationOptions) and each.items is not None]


def _judge_named(suite: SuiteConfig, policies: Policies, progress: Progress | None, *, several: bool) -> SuiteReport:
    try:
        report = _judge_suite(suite, policies, progress)
        _require_a_judgement(report)
    except GateError as error:
        if several:
            error.what = f"suite {suite.name!r}: {error.what}"
        raise
    return report


def _require_a_judgement(report: SuiteReport) -> None:
    """The last line of defence: a suite in which nothing but coverage could be judged must not be green."""
    if all(result.status is Status.NOT_RUN or result.check == coverage.NAME for result in report.results):
        raise ConfigError(
            "no check could be run: nothing would be judged",
            remedy="give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`",
        )


def _waive(suites: Sequence[SuiteReport], config: GateConfig, path: str | None, today: date | None) -> Waived:
    """The suites with what gate.yml waives turned from fail to warn."""
    if not config.waivers:
        return Waived(tuple(suites), ())
    if today is None:
        raise UsageError("waivers hold until a day, and no day is given", remedy="give `run_gate` the day as `today`")
    waivers = config.agreed_waivers()
    judged = {suite.name: tuple(suite.items.metrics) for suite in suites}
    for suite in config.suites:
        # where gate.yml or --metric names the metrics, the waivers have been held against them
        if not suite.metrics:
            _require_judged(waivers, suite.name, judged[suite.name], path)
    return apply_waivers(suites, waivers, today)


def _require_judged(waivers: Sequence[Waiver], suite: str, metrics: tuple[str, ...], path: str | None) -> None:
    """Raise ConfigError at a waiver of a metric that is not judged: nobody may count on it."""
    for index, waiver in enumerate(waivers):
        if waiver.suite == suite and waiver.metric is not None and waiver.metric not in metrics:
            raise ConfigError(
                f"the metric {waiver.metric!r} of a waiver is not judged in suite {suite!r}",
                where=Place(path or "the configuration", part=f"waivers[{index}].metric"),
                remedy=f"name one that is ({names(metrics) or 'there is none'}), or take `metric` out",
            )


def _judge_suite(suite: SuiteConfig, policies: Policies, progress: Progress | None) -> SuiteReport:
    if suite.candidate is None:
        found = search_corpus(suite, {}, progress)
        return SuiteReport(suite.name, None, None, tell_leaks(suite, found, None), EMPTY)
    candidate = _read(suite, suite.candidate)
    baseline = None if suite.baseline is None else _read(suite, suite.baseline)
    alignment = align_alone(candidate) if baseline is None else align(baseline, candidate)
    metrics = _judged_metrics(suite, alignment)
    texts = question_texts(alignment)
    found = search_corpus(suite, texts, progress)
    judge = Judge(suite, alignment, policies.seed, excluded_ids(suite, found))
    results = [result for metric in metrics for result in judge.judge(metric.pairs)]
    return SuiteReport(
        name=suite.name,
        baseline=None if baseline is None else _run_report(baseline),
        candidate=_run_report(candidate, *(note for judged in metrics for note in judged.metric.notes)),
        results=(*results, *tell_leaks(suite, found, alignment)),
        items=build_item_table(alignment, metrics),
        texts=texts,
    )


def _read(suite: SuiteConfig, path: str) -> Run:
    columns = suite.columns.as_columns()
    return read_run(Path(path), format=suite.format, columns=columns, metrics=tuple(suite.metrics) or None)


def _run_report(run: Run, *notes: str) -> RunReport:
    source = run.source
    return RunReport(source.path, source.digest, source.format, run.n_items, run.n_samples, (*run.notes, *notes))


def _judged_metrics(suite: SuiteConfig, alignment: Alignment) -> list[JudgedMetric]:
    runs = (alignment.baseline, alignment.candidate)
    options = suite.checks.options("threshold")
    judged = []
    for name in choose_metrics(tuple(suite.metrics), *runs):
        metric = resolve_metric(name, *runs, direction=suite.metric_direction(name), scale=suite.metric_scale(name))
        if isinstance(options, ThresholdOptions) and options.bar is not None:
            require_bar_on_scale(options.bar, metric)
        pairs = pair_metric(alignment, name, direction=metric.direction, scale=metric.scale)
        judged.append(JudgedMetric(metric, pairs))
    return judged
