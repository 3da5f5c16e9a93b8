"""Records -> Run: what every reader of a tool's own format does once it has its records."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gate.errors import ScoreFileError
from gate.scores.assembly import assemble
from gate.scores.content import ScoreFile
from gate.scores.gathering import Gathering
from gate.scores.model import Columns, Direction, ItemStatus, MetricScores, Record, Run, Scale, Wanted
from gate.scores.reader import Item, ReadItems
from gate.scores.tabulation import refuse_columns, select_metrics
from gate.scores.variants import choose_variant

UNIT = Scale(0.0, 1.0)


class Traits(NamedTuple):
    """What a tool's documentation fixes of a metric: its scale, where it has one, and which way is better.

    ``direction`` and ``doubt`` are as in MetricScores.
    """

    scale: Scale | None = None
    direction: Direction | None = Direction.HIGHER
    doubt: str | None = None


RATE = Traits(UNIT)


def no_traits(metric: str) -> None:
    """For a tool that fixes nothing of any metric."""


class Form(NamedTuple):
    """How a format's records are to be understood.

    Attributes:
        name: the format's.
        repeats: an id that stands several times is one item with several samples.
        remedy: what to do where an id stands several times and that is no repeat.
        traits: of each metric, by its name; None where the tool fixes nothing. Asked after the last record, so that it
            may tell what the records have shown.
        part: how a record is named where lines mean nothing: ``results[{index}]`` (from 0) or ``sample {number}``
            (from 1); None where records stand on lines of their own.
        left_out: what the records have scores of and turned out to be no metric, such as a column of texts whose first
            rows are empty; asked after the last record, too.
    """

    name: str
    repeats: bool = False
    remedy: str = "run the evaluation again into a new file; an id must stand once"
    traits: Callable[[str], Traits | None] = no_traits
    part: str | None = None
    left_out: Callable[[], Collection[str]] = tuple


def run_of_records(
    file: ScoreFile,
    form: Form,
    records: Iterable[Record],
    wanted: Wanted,
    *,
    notes: Iterable[str] = (),
    facts: Mapping[str, str] | None = None,
) -> Run:
    """The run of the records of the variant asked for, with the metrics asked for.

    Args:
        file: where they are from.
        form: how they are to be understood.
        records: read one by one, and their texts let go: a file may be larger than the memory.
        wanted: what of them is asked for.
        notes: as in Run; iterated after the last record, so that a generator may tell what was met on the way.
        facts: as in Run, what is told of the file as a whole; looked at after the last record, too.

    Raises:
        ScoreFileError: where columns are mapped, the variant or a metric is not there or not named, an id is doubled.
    """
    refuse_columns(wanted.columns, form.name, file)
    gathered = Gathering(file, form.part, wanted)
    for record in records:
        gathered.add(record)
    chosen = choose_variant(gathered.variants(), wanted.variant, file)
    samples = gathered.samples(chosen, repeats=form.repeats, remedy=form.remedy)
    no_metrics = form.left_out()
    found = {name: scores for name, scores in gathered.metrics(chosen).items() if name not in no_metrics}
    metrics = select_metrics(
        {name: _with_traits(scores, form.traits(name)) for name, scores in found.items()}, wanted.metrics, file
    )
    return replace(
        assemble(file, form.name, samples, metrics, notes=(*notes, *chosen.notes)),
        facts={**(facts or {}), **gathered.facts(chosen)},
    )


def items_of_records(file: ScoreFile, form: Form, records: Iterable[Record], columns: Columns) -> tuple[Item, ...]:
    """The questions of the records, one for each id, whatever the variants and repeats."""
    refuse_columns(columns, form.name, file)
    items: dict[str, Item] = {}
    for record in records:
        items.setdefault(record.id, Item(record.id, record.inputs or "", record.line, record.target))
    return tuple(items.values())


def without_questions(what: str, *, remedy: str) -> ReadItems:
    """The ``read_items`` of a format that holds no questions: it raises ScoreFileError with the way to them."""

    def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:  # noqa: ARG001  # the protocol's signature
        raise ScoreFileError(what, where=file.place(), remedy=remedy)

    return read_items


def _with_traits(scores: MetricScores, traits: Traits | None) -> MetricScores:
    """A scale holds only where the scores keep to it: a fork may write percents under the same name."""
    if traits is None:
        return scores
    scored = scores.values[scores.status == ItemStatus.SCORED]
    keeps = traits.scale is not None and bool(np.all((scored >= traits.scale.low) & (scored <= traits.scale.high)))
    return replace(
        scores, direction=traits.direction, doubt=traits.doubt, scale=traits.scale if keeps else scores.scale
    )
