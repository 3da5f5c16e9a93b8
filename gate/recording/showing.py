"""`gate history show`: every run in a line, and how each metric went."""

import dataclasses
from collections.abc import Iterator, Sequence

from gate.json_text import dump
from gate.reports.answers import render_lines
from gate.reports.drawing import align_columns, draw_trend
from gate.reports.escape import shorten
from gate.results.record import MetricRecord, RunRecord
from gate.wording import count, number

_MOST_POINTS = 60


def render_json(runs: Sequence[RunRecord]) -> str:
    """The runs as one JSON list, each as its line has it."""
    dumped = [{**dataclasses.asdict(run), "date": run.date.isoformat()} for run in runs]
    return dump(dumped, indent=1) + "\n"


def render_text(runs: Sequence[RunRecord]) -> str:
    """The same for a person."""
    return render_lines(_lines(runs))


def _lines(runs: Sequence[RunRecord]) -> Iterator[str]:
    if not runs:
        yield "no run yet"
        return
    yield f"{count(len(runs), 'line')}, {sum(run.promoted for run in runs)} of promoted runs"
    for suite, metric in dict.fromkeys((suite, metric) for run in runs for suite, metric, _ in _metrics(run)):
        yield ""
        yield from _metric(suite, metric, runs)


def _metrics(run: RunRecord) -> Iterator[tuple[str, str, MetricRecord]]:
    for suite, record in run.suites.items():
        for metric, figures in record.metrics.items():
            yield suite, metric, figures


def _metric(suite: str, metric: str, runs: Sequence[RunRecord]) -> Iterator[str]:
    told = [
        (run, record.metrics[metric])
        for run in runs
        if (record := run.suites.get(suite)) is not None and metric in record.metrics
    ]
    # sets of items by number, in the order in which they came: only means of one set are alike
    numbers = {items: index + 1 for index, items in enumerate(dict.fromkeys(figures.items for _, figures in told))}
    last = told[-1][1]
    alike = [figures.mean for _, figures in told if figures.is_like(last)]
    drawn = draw_trend(alike[-_MOST_POINTS:], last.standard_error)
    went = f"from {number(alike[0])} to {number(alike[-1])}" if len(alike) > 1 else number(alike[0])
    yield f"{shorten(suite)}, {shorten(metric)}: {drawn} {went} ({last.direction} is better)"
    columns = [
        ["date", *(run.date.isoformat() for run, _ in told)],
        ["commit", *(run.commit[:7] or "-" for run, _ in told)],
        ["verdict", *(run.verdict.value for run, _ in told)],
        ["promoted", *("yes" if run.promoted else "" for run, _ in told)],
        ["mean", *(number(figures.mean) for _, figures in told)],
        ["95 % interval", *(_interval(figures) for _, figures in told)],
        ["delta", *(_figure(figures.delta) for _, figures in told)],
        ["PSI", *(_figure(figures.psi) for _, figures in told)],
        ["n", *(str(figures.n) for _, figures in told)],
        ["items", *(f"set {numbers[figures.items]}" for _, figures in told)],
    ]
    yield from (f"  {row}" for row in align_columns(columns))


def _interval(figures: MetricRecord) -> str:
    if figures.low is None or figures.high is None:
        return "-"
    return f"[{number(figures.low)}, {number(figures.high)}]"


def _figure(value: float | None) -> str:
    return "-" if value is None else number(value)
