"""Runs of several tasks as one: each item of each task on its own, with its task as stratum."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from gate.errors import Place, ScoreFileError
from gate.scores.model import MetricScores, Run, Source
from gate.scores.quoting import listing, quote, quoted_listing
from gate.wording import count


def merge_runs(runs: Mapping[str, Run], path: str, notes: Sequence[str]) -> Run:
    """One run of the items of all tasks, with the metrics that every task has.

    Args:
        runs: task -> its run, at least one.
        path: the folder or pattern that they were found by.
        notes: what a user should know of the choice.

    Raises:
        ScoreFileError: where no metric stands in every task, or items of two tasks would have one name.
    """
    parts = list(runs.values())
    _require_samples(parts)
    names = _common_metrics(runs, path)
    ids = tuple(f"{task}/{item}" for task, run in runs.items() for item in run.ids)
    _require_distinct(ids, path)
    starts = np.cumsum([0, *(run.n_items for run in parts)])
    return Run(
        source=joined_source([run.source for run in parts], path),
        ids=ids,
        item_of_sample=np.concatenate(
            [run.item_of_sample + start for run, start in zip(parts, starts[:-1], strict=True)]
        ),
        metrics={name: _joined([run.metrics[name] for run in parts]) for name in names},
        groups=_groups(runs),
        strata=tuple(task for task, run in runs.items() for _ in run.ids),
        weights=None,
        inputs=_texts([run.inputs for run in parts], parts),
        targets=_texts([run.targets for run in parts], parts),
        content_digests=_texts([run.content_digests for run in parts], parts),
        content_fields=tuple(dict.fromkeys(field for run in parts for field in run.content_fields)),
        prompt_digests=_texts([run.prompt_digests for run in parts], parts),
        notes=(*notes, *(f"{task}: {note}" for task, run in runs.items() for note in run.notes)),
        facts={
            name: listing(sorted({run.facts[name] for run in parts if name in run.facts}))
            for name in dict.fromkeys(name for run in parts for name in run.facts)
        },
    )


def _require_samples(parts: Sequence[Run]) -> None:
    """Raise ScoreFileError at a report: its scores were made of samples in ways that a folder cannot keep apart."""
    for run in parts:
        if any(column.made for column in run.metrics.values()):
            raise ScoreFileError(
                "this report has scores that were made of several samples, and cannot be read with other files",
                where=Place(run.source.path),
                remedy="name this report alone, or give the score files that the reports were made from",
            )


def _require_distinct(ids: Sequence[str], path: str) -> None:
    """Raise ScoreFileError where one item would stand for another: item ``b/c`` of task ``a``, and ``c`` of ``a/b``."""
    if len(set(ids)) == len(ids):
        return
    doubled = sorted(item for item, times in Counter(ids).items() if times > 1)
    raise ScoreFileError(
        f"{count(len(doubled), 'item has', 'items have')} one name in two tasks: {quoted_listing(doubled)}",
        where=Place(path),
        remedy="judge the tasks as suites of their own (`tasks_as: suites`), or give the files other names",
    )


def _common_metrics(runs: Mapping[str, Run], path: str) -> list[str]:
    names = [name for name in next(iter(runs.values())).metrics if all(name in run.metrics for run in runs.values())]
    if not names:
        told = [f"{task} has {quote(next(iter(run.metrics), 'none'))}" for task, run in runs.items()]
        raise ScoreFileError(
            f"no metric stands in every task: {listing(told)}",
            where=Place(path),
            remedy="judge the tasks as suites of their own (`tasks_as: suites`), or name tasks that share a metric",
        )
    return names


def joined_source(sources: Sequence[Source], path: str) -> Source:
    """Several files, named by ``path``, as one: another content or order of them is another digest."""
    digest = hashlib.sha256("".join(f"{source.digest}\n" for source in sources).encode()).hexdigest()
    formats = listing(list(dict.fromkeys(source.format for source in sources)))
    return Source(path, digest, sum(source.size for source in sources), formats)


def _joined(columns: Sequence[MetricScores]) -> MetricScores:
    """A scale holds for all only where each states the same; directions that are at odds are a doubt."""
    scales = {column.scale for column in columns}
    directions = {column.direction for column in columns} - {None}
    doubts = [column.doubt for column in columns if column.doubt is not None]
    if len(directions) > 1:
        doubts.append("some of its tasks state that higher is better, others that lower is")
    return MetricScores(
        values=np.concatenate([column.values for column in columns]),
        status=np.concatenate([column.status for column in columns]),
        scale=columns[0].scale if len(scales) == 1 else None,
        direction=directions.pop() if len(directions) == 1 else None,
        doubt=doubts[0] if doubts else None,
    )


def _groups(runs: Mapping[str, Run]) -> tuple[str, ...] | None:
    """Groups of two tasks are never one group; without any in one of them each item is its own."""
    if all(run.groups is None for run in runs.values()):
        return None
    return tuple(f"{task}/{group}" for task, run in runs.items() for group in (run.groups or run.ids))


def _texts(values: Sequence[tuple[str, ...] | None], parts: Sequence[Run]) -> tuple[str, ...] | None:
    if all(texts is None for texts in values):
        return None
    return tuple(text for texts, run in zip(values, parts, strict=True) for text in (texts or ("",) * run.n_items))
