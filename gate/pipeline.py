"""The story on one page: find the tasks; read, pair and judge each; decide."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from gate import __version__
from gate.baselines import finding_baselines
from gate.checks.contamination import ContaminationOptions
from gate.config import GateConfig
from gate.error_rates import tell_rates
from gate.errors import ConfigError, CorpusError, GateError, Place, RecordError, ScoreFileError, UsageError
from gate.history.following import follow_history
from gate.leaks import Progress
from gate.results import SCHEMA_VERSION, Provenance, Report, SuiteReport, Waiver
from gate.results.naming import is_of
from gate.suites import judge_suite
from gate.tasks import spread_tasks
from gate.unchanged import digests_of, require_one_version, require_same
from gate.verdict import decide, share_error_rate
from gate.waivers import Waived, apply_waivers
from gate.wording import names

# A clock that stands before it is wrong (1970 of a machine without one, 1980 of reproducible builds), and every waiver
# would hold for ever.
_EARLIEST = date(2025, 1, 1)


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
        today: the day by which waivers hold, and ages are told; needed where there are waivers.

    Raises:
        GateError: where an input cannot be judged; it names the suite where there are several. Also where there are
            waivers and the day cannot be right.
    """
    beside = _files_beside_scores(config)
    before = digests_of(beside)
    with finding_baselines({suite.name: suite.baseline for suite in config.suites}, today) as found:
        tasks = [task for suite in config.suites for task in spread_tasks(suite, found.get(suite.name))]
        several = len(tasks) > 1
        judged = [judge_suite(task, config.policies, progress, several=several, today=today) for task in tasks]
    require_one_version([one.report for one in judged])
    followed = follow_history(share_error_rate([one.report for one in judged]), config)
    suites, waivers = _waive(followed.suites, config, path, today)
    is_dated = bool(waivers) or any(_has_age(suite) for suite in suites)
    told = provenance(config, command, path, today=today if is_dated else None)
    require_same(before, told.digests, beside)
    return Report(
        schema_version=SCHEMA_VERSION,
        verdict=decide(suites),
        suites=suites,
        provenance=told,
        show_text=config.policies.show_text,
        waivers=waivers,
        error_rates=tell_rates(
            [rates for one in judged for rates in one.rates],
            [contest for one in judged for contest in one.contests],
            decline=followed.at_stake,
        ),
        trends=followed.trends,
    )


def provenance(config: GateConfig, command: str, path: str | None = None, *, today: date | None = None) -> Provenance:
    """What it takes to have the same report again."""
    versions = {"gate": __version__, "numpy": np.__version__}
    files = [*([path] if path is not None else []), *_files_beside_scores(config)]
    digests = digests_of(files)
    return Provenance(command, config.policies.seed, versions, config.model_dump(mode="json"), digests, today)


def _has_age(suite: SuiteReport) -> bool:
    origin = None if suite.baseline is None else suite.baseline.origin
    return origin is not None and origin.age_days is not None


def _files_beside_scores(config: GateConfig) -> dict[str, type[GateError]]:
    """Each with the kind of error that is told of it."""
    chosen = [suite.checks.options("contamination") for suite in config.suites]
    asked = [each for each in chosen if isinstance(each, ContaminationOptions)]
    named: list[tuple[str | None, type[GateError]]] = [(config.history, RecordError)]
    named += [pair for each in asked for pair in ((each.items, ScoreFileError), (each.scan, CorpusError))]
    return {file: kind for file, kind in named if file is not None}


def _waive(suites: Sequence[SuiteReport], config: GateConfig, path: str | None, today: date | None) -> Waived:
    """The suites with what gate.yml waives turned from fail to warn."""
    if not config.waivers:
        return Waived(tuple(suites), ())
    if today is None:
        raise UsageError("waivers hold until a day, and no day is given", remedy="give `run_gate` the day as `today`")
    if today < _EARLIEST:
        raise UsageError(
            f"waivers hold until a day, and the clock says {today.isoformat()}",
            remedy="set the clock of the machine, or SOURCE_DATE_EPOCH to the day of the run",
        )
    waivers = config.agreed_waivers()
    for suite in config.suites:
        # where gate.yml or --metric names the metrics, the waivers have been held against them
        if not suite.metrics:
            tasks = [task for task in suites if is_of(task.name, suite.name)]
            judged = tuple(dict.fromkeys(metric for task in tasks for metric in task.items.metrics))
            _require_judged(waivers, suite.name, judged, path)
    return apply_waivers(suites, waivers, today)


def _require_judged(waivers: Sequence[Waiver], suite: str, metrics: tuple[str, ...], path: str | None) -> None:
    """Raise ConfigError at a waiver of a metric that is not judged: nobody may count on it."""
    for index, waiver in enumerate(waivers):
        if is_of(waiver.suite, suite) and waiver.metric is not None and waiver.metric not in metrics:
            raise ConfigError(
                f"the metric {waiver.metric!r} of a waiver is not judged in suite {suite!r}",
                where=Place(path or "the configuration", part=f"waivers[{index}].metric"),
                remedy=f"name one that is ({names(metrics) or 'there is none'}), or take `metric` out",
            )
