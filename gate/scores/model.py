"""Run: the one canonical shape of a score file, in columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.scores.reducers import MEAN, ItemSamples, Reduced, Reducer


class Direction(StrEnum):
    """Which way a metric is better."""

    HIGHER = "higher"
    LOWER = "lower"


class Scale(NamedTuple):
    """The lowest and the highest score that a metric can take, both finite, low < high."""

    low: float
    high: float


class ItemStatus(IntEnum):
    """Why a sample has a score, or has none. A missing score is never a zero."""

    SCORED = 0
    UNSCORED = 1
    ERROR = 2
    TIMEOUT = 3
    SKIPPED = 4
    NOT_SUBMITTED = 5


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column or key of a plain file holds what; None means: guess by the usual names.

    ``id`` may name several columns, whose values together identify an item. ``stratum`` and ``weight`` are never
    guessed.
    """

    id: tuple[str, ...] | None = None
    score: str | None = None
    group: str | None = None
    sample: str | None = None
    inputs: str | None = None
    target: str | None = None
    prompt: str | None = None
    stratum: str | None = None
    weight: str | None = None


GUESSED = Columns()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a file is asked for.

    Attributes:
        columns: the mapping of a plain file.
        metrics: the metrics to read, by name or by a pattern such as ``exact_match*``; empty means all.
        variant: the variant to read, by name or by a pattern; None where the file has but one.
        unfinished: also a run whose own status says that it did not end is to be read.
        suite: the name of the suite that it is for, which chooses among the suites of a report.
        shared: the variant is meant for both runs, so that a report, whose variants are its suites, need not have it.
        whole_texts: the questions are wanted from end to end, to be searched for; otherwise long ones are kept in their
            short form, whose ends are as much as reports quote.
        targets: the expected answers are wanted, to be searched for; otherwise nothing but their digests is kept.
    """

    columns: Columns = GUESSED
    metrics: tuple[str, ...] = ()
    variant: str | None = None
    unfinished: bool = False
    whole_texts: bool = True
    targets: bool = False
    suite: str | None = None
    shared: bool = False


EVERYTHING = Wanted()


# What a run may tell of how it was made. Another task or version of it, split, judge or version of the tool is no
# like with like, and warns; another model is what most gates are for.
COMPARABLE = ("task", "task version", "split", "judge", "tool version")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a run came from: the path as given, the SHA-256 of its bytes, its size in bytes, and how it was read."""

    path: str
    digest: str
    size: int
    format: str


class Record(NamedTuple):
    """One sample as a reader found it.

    Attributes:
        id: the item's id as text.
        scores: metric -> a finite score, or the status that stands in its place.
        line: where it stands in the file, counted from 1 (a line, or a record where lines mean nothing).
        group: the passage, document or task that the item belongs to.
        inputs: the question as the data set words it, without few-shot examples or template.
        target: the expected answer.
        prompt: the rendered prompt; it does not identify the item, a change of it is only told.
        content: what identifies the item's content, where inputs and target alone do not.
        variant: which of several ways of running the same items it is from: a filter, a provider, a split, a turn.
            Where it has parts (a model and a turn), those that are the same throughout the file need not be named.
        stratum: the category that the item was drawn from.
        facts: how this sample was made, by the names that Run's facts have, where the record itself tells it.
    """

    id: str
    scores: Mapping[str, float | ItemStatus]
    line: int
    group: str | None = None
    inputs: str | None = None
    target: str | None = None
    prompt: str | None = None
    content: str | None = None
    variant: str | tuple[str, ...] | None = None
    stratum: str | None = None
    facts: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class MetricScores:
    """One metric's column.

    Attributes:
        values: float64 (n_samples,), NaN where the sample has no score.
        status: uint8 (n_samples,), an ItemStatus each.
        scale: as the format states it; None where it does not.
        direction: as the format or the file states it; None where neither does, and higher is what is usual.
        doubt: why the direction can be neither read nor assumed, as a sentence without a full stop; None where it can.
            Whoever judges the metric must be told the direction.
        reducer: what makes one score of an item's samples.
        made: it has been made already, as an earlier report has it: each scored sample of an item has the item's own
            score, and what the samples were is not known.
    """

    values: NDArray[np.float64]
    status: NDArray[np.uint8]
    scale: Scale | None = None
    direction: Direction | None = None
    doubt: str | None = None
    reducer: Reducer = MEAN
    made: bool = False


class ItemScores(NamedTuple):
    """One metric by item.

    Attributes:
        values: float64 (n_items,): what the metric's reducer makes of the item's scored samples, NaN where it cannot.
        status: uint8 (n_items,): SCORED where there is a value, else the first other ItemStatus that a sample has.
    """

    values: NDArray[np.float64]
    status: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Run:
    """One evaluation run. A row of the metrics is a sample; samples with one id are repeats of one item.

    Attributes:
        source: the file.
        ids: (n_items,) unique item ids, in order of first appearance.
        item_of_sample: intp (n_samples,), the index into ``ids`` of each sample.
        metrics: name -> column.
        groups: (n_items,) or None where the file has none.
        strata: (n_items,) the category each item was drawn from, or None.
        weights: float64 (n_items,), how much each item counts, > 0, or None: all alike.
        inputs: (n_items,) question texts, as whole as they were wanted, or None where the file has none.
        targets: (n_items,) expected answers, "" where there is none, or None where they were not wanted or the file has
            none.
        content_digests: (n_items,) hex digest of inputs and target, "" where unknown; None where the file has neither.
        content_fields: what those digests are made of, e.g. inputs and target: only like can be compared with like.
        prompt_digests: likewise of the rendered prompt.
        id_fields: the columns that the items are named by; empty where the format fixes that, or where the ids are
            made of the questions' text.
        notes: sentences on how the file was read that a user should see.
        facts: how the run was made, by the names in COMPARABLE, ``model`` and ``created``.
        doubt: why the file may not be what it is taken for, as a sentence without a full stop; empty where it is.
    """

    source: Source
    ids: tuple[str, ...]
    item_of_sample: NDArray[np.intp]
    metrics: Mapping[str, MetricScores]
    groups: tuple[str, ...] | None = None
    strata: tuple[str, ...] | None = None
    weights: NDArray[np.float64] | None = None
    inputs: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    content_digests: tuple[str, ...] | None = None
    content_fields: tuple[str, ...] = ()
    prompt_digests: tuple[str, ...] | None = None
    id_fields: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    facts: Mapping[str, str] = field(default_factory=dict)
    doubt: str = ""

    @property
    def n_items(self) -> int:
        """The number of distinct items."""
        return len(self.ids)

    @property
    def n_samples(self) -> int:
        """The number of samples, all repeats counted."""
        return len(self.item_of_sample)

    def reduced(self, metric: str) -> Reduced:
        """What makes the items' scores, and of how many samples."""
        counts = np.bincount(self.item_of_sample, minlength=self.n_items)
        return Reduced(self.metrics[metric].reducer, int(counts.min()), int(counts.max()))

    def item_samples(self, metric: str) -> ItemSamples:
        """The scored samples of each item."""
        column = self.metrics[metric]
        scored = column.status == ItemStatus.SCORED
        return ItemSamples(self.item_of_sample[scored], column.values[scored], self.n_items)

    def item_scores(self, metric: str) -> ItemScores:
        """Each item's score, made of its scored samples by the metric's reducer, and its status."""
        column = self.metrics[metric]
        if self.n_samples == self.n_items and column.reducer == MEAN:
            return ItemScores(column.values, column.status)
        values = self._reduce(metric)
        unscored = column.status != ItemStatus.SCORED
        status = np.full(self.n_items, np.iinfo(np.uint8).max, dtype=np.uint8)
        np.minimum.at(status, self.item_of_sample[unscored], column.status[unscored])
        status[~np.isnan(values)] = ItemStatus.SCORED
        return ItemScores(values, status)

    def offers(self, metric: str) -> bool:
        """Whether it has the metric, or a score that was made of the metric's samples."""
        made = (str(column.reducer) for column in self.metrics.values() if column.made)
        return metric in self.metrics or any(f"{metric} {reducer}" in self.metrics for reducer in made)

    def _reduce(self, metric: str) -> NDArray[np.float64]:
        column, samples = self.metrics[metric], self.item_samples(metric)
        if not column.made:
            return column.reducer.reduce(samples, lower_is_better=column.direction is Direction.LOWER)
        values = np.full(self.n_items, np.nan)
        values[samples.items] = samples.scores
        return values

    def repeat_noise(self, metric: str) -> NDArray[np.float64]:
        """The variance that an item's samples leave to its score: float64 (n_items,), NaN where they cannot tell."""
        if self.metrics[metric].made:
            return np.full(self.n_items, np.nan)
        return self.metrics[metric].reducer.noise(self.item_samples(metric))
