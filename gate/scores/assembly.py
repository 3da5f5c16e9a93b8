"""Samples -> Run: repeats gathered under their item, doubled ids refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.model import MetricScores, Run
from gate.scores.quoting import quote
from gate.scores.samples import Samples, Texts, no_items, refuse_doubles
from gate.wording import count


@dataclass(frozen=True, slots=True)
class _Items:
    """The distinct ids and, for each, its first sample."""

    ids: tuple[str, ...]
    of_sample: NDArray[np.intp]
    first: list[int]


def assemble(
    file: ScoreFile, format_name: str, samples: Samples, metrics: Mapping[str, MetricScores], *, notes: Iterable[str]
) -> Run:
    """The run of these samples.

    Raises:
        ScoreFileError: where there is none, an id is doubled without being a repeat, or the repeats of one item
            differ in content, group, stratum or weight.
    """
    if not samples.ids:
        raise no_items(file)
    items = _gather(samples)
    if len(items.ids) < len(samples.ids):
        refuse_doubles(file, samples)
    _require_alike(file, items, samples, samples.content_digests, "different inputs or targets")
    _require_alike(file, items, samples, samples.groups, "different groups")
    _require_alike(file, items, samples, samples.strata, "different strata")
    _require_alike(file, items, samples, samples.weights, "different weights")
    return Run(
        source=file.source(format_name),
        ids=items.ids,
        item_of_sample=items.of_sample,
        metrics=metrics,
        groups=_by_item(items, samples.groups),
        strata=_by_item(items, samples.strata),
        weights=None if samples.weights is None else np.array(samples.weights, dtype=np.float64)[items.first],
        inputs=_by_item(items, samples.inputs),
        targets=_by_item(items, samples.targets),
        content_digests=_by_item(items, samples.content_digests),
        content_fields=samples.content_fields,
        prompt_digests=_by_item(items, samples.prompt_digests),
        id_fields=samples.id_fields,
        notes=(*notes, *_repeat_note(items)),
    )


def _gather(samples: Samples) -> _Items:
    index: dict[str, int] = {}
    of_sample = np.empty(len(samples.ids), dtype=np.intp)
    first: list[int] = []
    for sample, item_id in enumerate(samples.ids):
        item = index.setdefault(item_id, len(index))
        if item == len(first):
            first.append(sample)
        of_sample[sample] = item
    return _Items(tuple(index), of_sample, first)


def _by_item(items: _Items, values: Texts | None) -> tuple[str, ...] | None:
    """Each item's value, that of its first sample; None where no item has one."""
    if values is None:
        return None
    found = tuple([values[sample] or "" for sample in items.first])
    return found if any(found) else None


def _require_alike(
    file: ScoreFile, items: _Items, samples: Samples, values: Sequence[str | float | None] | None, what: str
) -> None:
    if values is None or len(items.ids) == len(samples.ids):
        return
    for sample, item in enumerate(items.of_sample.tolist()):
        first = items.first[item]
        if values[sample] != values[first]:
            raise ScoreFileError(
                f"the repeats of item {quote(samples.ids[sample])} have {what} here and on {samples.name(first)}",
                where=samples.place(file, sample),
                remedy="give different items different ids; repeats are samples of one and the same item",
            )


def _repeat_note(items: _Items) -> list[str]:
    if len(items.ids) == len(items.of_sample):
        return []
    counts = np.bincount(items.of_sample)
    least, most = int(counts.min()), int(counts.max())
    each = f"{least}" if least == most else f"{least} to {most}"
    return [f"{len(items.of_sample)} samples of {count(len(items.ids), 'item')}, {each} for each"]
