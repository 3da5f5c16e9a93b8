"""The texts of `gate show`, `gate validate` and `gate explain`."""

import dataclasses
import glob
import textwrap
from collections.abc import Iterator, Mapping
from datetime import date
from enum import Enum
from pathlib import Path

from gate.baselines import is_in_git, is_there, located
from gate.checks import CHECKS
from gate.checks.contamination import ContaminationOptions
from gate.config import SuiteConfig, load_config
from gate.config.metric import MetricSettings, ReductionSettings
from gate.errors import GateError
from gate.json_text import dump
from gate.reports.answers import render_lines
from gate.results import Waiver
from gate.scores import read_run
from gate.scores.folders import Tasks, find_tasks, is_several
from gate.scores.model import Run, Wanted
from gate.scores.summary import MetricDescription, RunDescription, describe
from gate.wording import count, number

_BAR_WIDTH = 30
_WIDTH = 92
_STATUS = {True: "", False: "  (not there yet)"}


def describe_path(path: str, wanted: Wanted, *, format_name: str | None, as_json: bool) -> str:
    """How a score file was read, or each task's newest in a folder, as lines for a person or as JSON.

    Raises:
        ScoreFileError: where it cannot be read.
    """
    with located(path) as place:
        mirror = place.mirror
        found = find_tasks(place.path, (), mirror) if is_several(place.path) else Tasks({"": place.path}, (), {})
        files = found.files.values()
        runs = [read_run(Path(file), wanted, shown=mirror.shown(file), format=format_name) for file in files]
    if as_json:
        return describe_run_json(runs[0]) if len(runs) == 1 else _json([describe(run) for run in runs])
    head = "".join(f"{render_lines([note])}\n" for note in found.notes)
    return head + "\n".join(map(describe_run, runs))


def describe_run(run: Run) -> str:
    """How a score file was read, as lines for a person."""
    told = describe(run)
    head = [
        f"{told.path}",
        f"  format   {told.format}",
        f"  items    {told.items}" + (f" ({told.samples} samples)" if told.samples != told.items else ""),
        f"  sha256   {told.digest}",
        *([f"  made     {', '.join(f'{name} {value}' for name, value in told.facts.items())}"] if told.facts else []),
        *([f"  groups   {told.groups}"] if told.groups is not None else []),
        f"  texts    {'yes' if told.has_inputs else 'no question text: contamination cannot be searched for'}",
        *(f"  note     {note}" for note in told.notes),
    ]
    body = [line for name, metric in told.metrics.items() for line in _metric_lines(name, metric)]
    return render_lines([*head, *body])


def describe_run_json(run: Run) -> str:
    """The same as JSON, with the keys of RunDescription."""
    return _json(describe(run))


def _json(told: RunDescription | list[RunDescription]) -> str:
    values = [dataclasses.asdict(one) for one in told] if isinstance(told, list) else dataclasses.asdict(told)
    return dump(values, indent=2) + "\n"


def describe_config(path: str, today: date) -> str:
    """What a sound gate.yml would do, its waivers as they stand today.

    Raises:
        ConfigError: where it is not sound.
    """
    config = load_config(Path(path))
    lines = [f"{path}: sound, {count(len(config.suites), 'suite')}, fail on {config.policies.fail_on.value}"]
    for suite in config.suites:
        lines += [f"  {suite.name}", *_suite_lines(suite, has_history=config.history is not None)]
    if config.history is not None:
        lines.append(f"  history {config.history}{_STATUS[_is_there(config.history)]}")
    waivers = config.agreed_waivers()
    if waivers:
        lines += ["  waivers", *(f"    {_waiver_line(waiver, today)}" for waiver in waivers)]
    return render_lines(lines)


def explain_check(name: str) -> str:
    """What a check asks, its options with their defaults, and what to do when it fails."""
    check = CHECKS[name]
    lines = [name, _folded(check.asks, 2), "", f"options, in gate.yml under checks.{name} (false there turns it off)"]
    for option, field in check.options.model_fields.items():
        default = "required" if field.is_required() else f"default {_yaml(field.default)}"
        lines += [f"  {option} ({default})", _folded(field.description or "", 6)]
    return "\n".join([*lines, "", "when it fails", _folded(check.when_it_fails, 2)]) + "\n"


def _folded(text: str, indent: int) -> str:
    margin = " " * indent
    return textwrap.fill(text, _WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


def _metric_lines(name: str, metric: MetricDescription) -> Iterator[str]:
    scale = "scale not stated" if metric.scale is None else f"scale {metric.scale.low:g} to {metric.scale.high:g}"
    better = f"{metric.direction} is better" if metric.doubt is None else "which way is better is in doubt"
    yield f"  metric   {name}: {better}, {scale}"
    if metric.doubt is not None:
        yield f"    {metric.doubt}"
    missing = ", ".join(f"{amount} {status}" for status, amount in metric.missing_by_status.items())
    yield f"    scored {metric.scored}, missing {metric.missing}" + (f" ({missing})" if missing else "")
    if metric.mean is None or metric.min is None or metric.max is None:
        return
    yield f"    mean {number(metric.mean)}, lowest {metric.min:g}, highest {metric.max:g}"
    most = max(bar.count for bar in metric.histogram)
    width = max(len(bar.label) for bar in metric.histogram)
    for bar in metric.histogram:
        # a few among many are still to be seen
        length = max(round(_BAR_WIDTH * bar.count / most), int(bar.count > 0))
        yield f"    {bar.label:>{width}}  {bar.count:>6}  {'#' * length}".rstrip()


def _suite_lines(suite: SuiteConfig, *, has_history: bool) -> Iterator[str]:
    named = [("baseline", suite.baseline), ("candidate", suite.candidate)]
    options = suite.checks.options("contamination")
    if isinstance(options, ContaminationOptions):
        named += [("questions", options.items), ("scan", options.scan), *(("corpus", path) for path in options.corpora)]
    for role, path in named:
        if path is not None:
            yield f"    {role:<10} {path}{_STATUS[_is_there(path)]}"
    if suite.metrics:
        yield f"    metrics    {_with_settings(suite.metrics)}"
    if suite.reduce:
        yield f"    reduce     {_with_settings(suite.reduce)}"
    followed = has_history and suite.kind == "scores" and suite.checks.options("decline") is not None
    on = [
        name
        for name in CHECKS
        if suite.has_grounds(name) or suite.checks.is_asked(name) or (name == "decline" and followed)
    ]
    yield f"    checks     {', '.join(on)}"


def _with_settings(named: Mapping[str, MetricSettings] | Mapping[str, ReductionSettings]) -> str:
    """Metrics, or reducers, each with what gate.yml sets for it alone."""
    return ", ".join(f"{name} ({told})" if (told := _settings(own)) else name for name, own in named.items())


def _settings(own: MetricSettings | ReductionSettings) -> str:
    given = own.model_dump(mode="json", exclude_none=True, exclude={"reduce"})
    told = [f"{key} {value}" for key, value in given.items()]
    if isinstance(own, MetricSettings) and own.reduce:
        told.append(f"reduce {_with_settings(own.reduce)}")
    return ", ".join(told)


def _waiver_line(waiver: Waiver, today: date) -> str:
    what = ", ".join([waiver.suite, *([waiver.metric] if waiver.metric is not None else [])])
    state = "holds until" if waiver.holds(today) else "expired on"
    return f"{waiver.check} ({what}) {state} {waiver.expires.isoformat()}, by {waiver.approved_by}: {waiver.reason}"


def _is_there(path: str) -> bool:
    if is_in_git(path):
        try:
            return is_there(path)
        except GateError:
            return False
    try:
        # a corpus may be a pattern
        return Path(path).exists() or (glob.has_magic(path) and any(glob.iglob(path, recursive=True)))  # noqa: PTH207
    except (OSError, ValueError):  # a folder that may not be looked into, a name too long or with a zero byte
        return False


def _yaml(value: object) -> str:
    if value is None:
        return "none"
    return str(value.value if isinstance(value, Enum) else value)
