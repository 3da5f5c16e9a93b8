"""Score files to material: two runs, else repeats, else one score an item."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Alignment, Design, align, align_alone, design_of
from gate.baselines import located
from gate.config import SuiteConfig
from gate.errors import Place, ScoreFileError, UsageError
from gate.metrics import Metric, choose_metrics
from gate.mirror import Mirror
from gate.reductions import Reduction, reduce_runs
from gate.scores import read_tasks
from gate.scores.folders import find_tasks, is_several
from gate.scores.model import MetricScores, Run
from gate.scores.reducers import MEAN
from gate.selfcheck.material import Material, Pool, Way, units_of
from gate.selfcheck.question import ASSUMED_RHO, Question
from gate.selfcheck.redraws import Exchange, mixture_of, repeats_of
from gate.suites import resolve_with_options
from gate.wording import count, names

_REPEATED = 2


def gather_material(question: Question, suite: SuiteConfig) -> Material:
    """Read the files and choose the way: two runs, else repeats, else one score an item.

    Raises:
        GateError: where a file cannot be read, compared or judged, or the question does not fit it.
    """
    run = _read(question.file, suite)
    if question.other is not None:
        return _of_two(run, _read(question.other, suite), suite)
    reductions = suite.reductions(choose_metrics(tuple(suite.metrics), None, run))
    run = reduce_runs(reductions, None, run).candidate
    metrics = _metrics(suite, reductions, None if suite.baseline is None else run, run)
    if suite.baseline is None:
        alignment = align_alone(_sorted(run))
    elif suite.paired:
        alignment = align(_sorted(run), _sorted(run))
    else:
        return _of_samples(_sorted(run), metrics, question)
    design = design_of(alignment)
    counts = np.bincount(run.item_of_sample, minlength=run.n_items)
    if np.median(counts) >= _REPEATED:
        return _of_repeats(alignment, design, metrics, question)
    return _of_scores(alignment, design, metrics, question)


def _read(path: str, suite: SuiteConfig) -> Run:
    with located(path) as found:
        _require_one_task(found.path, suite, found.mirror)
        run = read_tasks(
            found.path, suite.wanted("baseline"), format=suite.format, tasks=suite.tasks, mirror=found.mirror
        )
    if any(column.made for column in run.metrics.values()):
        raise ScoreFileError(
            "this report has scores that were made of several samples, and the samples are what is drawn anew here",
            where=Place(run.source.path),
            remedy="give the score file that the report was made from",
        )
    return run


def _require_one_task(path: str, suite: SuiteConfig, mirror: Mirror) -> None:
    """Raise UsageError at a folder of several tasks that ``gate check`` would judge apart: as one they tell no more."""
    if suite.tasks_as == "strata" or not is_several(path):
        return
    tasks = tuple(find_tasks(path, suite.tasks, mirror).files)
    if len(tasks) > 1:
        raise UsageError(
            f"this stands for {count(len(tasks), 'task')}, each of which `gate check` judges as a suite of its own: "
            f"{names(tasks)}",
            where=Place(mirror.shown(path)),
            remedy="name the file of one of them; or give a gate.yml that says `tasks: [NAME]`, or `tasks_as: strata`, "
            "by which they are judged together",
        )


def _metrics(suite: SuiteConfig, reductions: Sequence[Reduction], first: Run | None, last: Run) -> tuple[Metric, ...]:
    return tuple(resolve_with_options(suite, reduction.name, first, last) for reduction in reductions)


def _sorted(run: Run) -> Run:
    """The run with its items, and their samples, in the order of the ids, as an alignment has them."""
    order = sorted(range(run.n_items), key=run.ids.__getitem__)
    place = np.empty(run.n_items, dtype=np.intp)
    place[order] = np.arange(run.n_items)
    items = place[run.item_of_sample]
    samples = np.argsort(items, kind="stable")
    return replace(
        run,
        ids=tuple(run.ids[row] for row in order),
        item_of_sample=items[samples],
        metrics={
            name: replace(column, values=column.values[samples], status=column.status[samples])
            for name, column in run.metrics.items()
        },
        weights=None if run.weights is None else run.weights[order],
        groups=_reordered(run.groups, order),
        strata=_reordered(run.strata, order),
        inputs=_reordered(run.inputs, order),
        targets=_reordered(run.targets, order),
        content_digests=_reordered(run.content_digests, order),
        prompt_digests=_reordered(run.prompt_digests, order),
    )


def _reordered(values: Sequence[str] | None, order: Sequence[int]) -> tuple[str, ...] | None:
    return None if values is None else tuple(values[row] for row in order)


def _of_two(first: Run, second: Run, suite: SuiteConfig) -> Material:
    if not suite.paired:
        raise UsageError(
            "the suite compares runs of different items, and two runs are given",
            remedy="leave OTHER out: runs of other items are drawn from the one file",
        )
    reductions = suite.reductions(choose_metrics(tuple(suite.metrics), first, second))
    reduced = reduce_runs(reductions, first, second)
    first, second = reduced.baseline or first, reduced.candidate
    metrics = _metrics(suite, reductions, first, second)
    real = align(first, second)
    rows = np.flatnonzero(real.common)
    places = []
    for run, index in ((first, real.baseline_index), (second, real.candidate_index)):
        place = np.full(run.n_items, -1, dtype=np.intp)
        place[index[rows]] = np.arange(rows.size)
        places.append(place[run.item_of_sample])
    items, runs = np.concatenate(places), np.repeat([0, 1], [first.n_samples, second.n_samples])
    kept = items >= 0
    pool = Pool(items[kept], {metric.name: _joined(first, second, metric.name, kept) for metric in metrics})
    design = design_of(real).pick(real.common)
    shell = Run(second.source, tuple(real.ids[row] for row in rows.tolist()), np.arange(rows.size), {})
    left_out = len({*first.ids, *second.ids}) - rows.size
    notes = (f"{count(left_out, 'item')} that the two files do not share {'is' if left_out == 1 else 'are'} left out",)
    return Material(
        alignment=align_alone(shell) if suite.baseline is None else align(shell, shell),
        design=design,
        metrics=metrics,
        pool=pool,
        way=Way.EXCHANGE,
        redraw=Exchange(runs[kept], pool.items, units_of(design, rows.size)),
        notes=notes if left_out else (),
    )


def _joined(first: Run, second: Run, metric: str, kept: NDArray[np.bool_]) -> MetricScores:
    ours, theirs = first.metrics[metric], second.metrics[metric]
    return replace(
        theirs,
        values=np.concatenate([ours.values, theirs.values])[kept],
        status=np.concatenate([ours.status, theirs.status])[kept],
    )


def _of_repeats(alignment: Alignment, design: Design, metrics: tuple[Metric, ...], question: Question) -> Material:
    run = alignment.candidate
    if question.rho is not None:
        raise UsageError("--rho is given, and the file has repeats, which have their own", remedy="leave --rho out")
    counts = np.bincount(run.item_of_sample, minlength=run.n_items)
    single = int((counts < _REPEATED).sum())
    notes = (
        [f"{count(single, 'item')} with one score only: {'it' if single == 1 else 'they'} never change"]
        if single
        else []
    )
    return Material(
        alignment=alignment,
        design=design,
        metrics=metrics,
        pool=Pool(run.item_of_sample, {metric.name: run.metrics[metric.name] for metric in metrics}),
        way=Way.REPEATS,
        redraw=repeats_of(run.item_of_sample, units_of(design, run.n_items)),
        repeats=int(np.median(counts)),
        notes=tuple(notes),
    )


def _of_scores(alignment: Alignment, design: Design, metrics: tuple[Metric, ...], question: Question) -> Material:
    run, rho = alignment.candidate, ASSUMED_RHO if question.rho is None else question.rho
    repeated = run.n_samples > run.n_items
    return Material(
        alignment=alignment,
        design=design,
        metrics=metrics,
        pool=_collapsed(run, metrics),
        way=Way.MIXTURE,
        redraw=mixture_of(units_of(design, run.n_items), rho, strata=design.strata, weights=design.weights),
        rho=rho,
        notes=("fewer than half of the items have repeats: each counts by its mean",) if repeated else (),
    )


def _of_samples(run: Run, metrics: tuple[Metric, ...], question: Question) -> Material:
    if question.rho is not None:
        raise UsageError("--rho is given, and the suite compares runs of different items", remedy="leave --rho out")
    alignment = align_alone(run, reference=run)
    design = design_of(alignment)
    return Material(
        alignment=alignment,
        design=design,
        metrics=metrics,
        pool=_collapsed(run, metrics),
        way=Way.SAMPLES,
        redraw=mixture_of(units_of(design, run.n_items), 0.0, strata=design.strata, weights=design.weights),
        notes=("repeats count by their mean",) if run.n_samples > run.n_items else (),
    )


def _collapsed(run: Run, metrics: tuple[Metric, ...]) -> Pool:
    """One score an item."""
    columns = {}
    for metric in metrics:
        values, status = run.item_scores(metric.name)
        columns[metric.name] = replace(run.metrics[metric.name], values=values, status=status, reducer=MEAN)
    return Pool(np.arange(run.n_items), columns)
