"""PAIR: which items both runs hold, and each metric's scores side by side."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.errors import AlignmentError, Place
from gate.scores.model import Direction, ItemStatus, Run, Scale

_ABSENT = -1
# Means of repeats that are equal on paper may differ by rounding: such items are tied.
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two runs item by item; without a baseline, the candidate's items alone.

    Attributes:
        baseline: the reference run, or None.
        candidate: the run that asks to ship.
        ids: (n,) the baseline's items (without one: the candidate's), in id order.
        baseline_index: intp (n,) into ``baseline.ids``; -1 throughout without a baseline.
        candidate_index: intp (n,) into ``candidate.ids``; -1 where the candidate lacks the item.
        changed: bool (n,): the same id stands for other inputs or another target.
        new: ids that only the candidate has, in id order.
        prompts_changed: how many common items were asked by another rendered prompt.
        doubled: ids with repeats whose number differs between the runs, in id order.
    """

    baseline: Run | None
    candidate: Run
    ids: tuple[str, ...]
    baseline_index: NDArray[np.intp]
    candidate_index: NDArray[np.intp]
    changed: NDArray[np.bool_]
    new: tuple[str, ...]
    prompts_changed: int
    doubled: tuple[str, ...]

    @property
    def common(self) -> NDArray[np.bool_]:
        """Bool (n,): the candidate holds the same item."""
        held: NDArray[np.bool_] = (self.candidate_index != _ABSENT) & ~self.changed
        return held


@dataclass(frozen=True, slots=True)
class MetricPairs:
    """One metric over the aligned items: what a check judges.

    Attributes:
        metric: its name.
        direction: which way is better.
        scale: lowest and highest possible score, or None.
        ids: (n,).
        baseline: float64 (n,), NaN where the baseline has no score; None without a baseline.
        candidate: float64 (n,), NaN where the candidate has none.
        common: bool (n,): the candidate holds the same item, scored or not.
        unanswered: float64 (n,), 0 to 1: of a scored item, the share of the candidate's samples that have no score, as
            far as it exceeds the baseline's share.
        imputed: bool (n,): the candidate's score is the worst possible one, put in for a missing one.
        status: str (n,) objects: why the candidate has a score or not: an ItemStatus in lower case, lost or changed.
        new: float64 (m,), the scores of the candidate's new items.
    """

    metric: str
    direction: Direction
    scale: Scale | None
    ids: tuple[str, ...]
    baseline: NDArray[np.float64] | None
    candidate: NDArray[np.float64]
    common: NDArray[np.bool_]
    unanswered: NDArray[np.float64]
    imputed: NDArray[np.bool_]
    status: NDArray[np.object_]
    new: NDArray[np.float64]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Bool (n,): common items that the candidate has a score for."""
        return self.common & ~np.isnan(self.candidate)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Bool (n,): items for which the baseline has a score and the candidate none that can be compared."""
        wanted = np.ones(len(self.ids), np.bool_) if self.baseline is None else ~np.isnan(self.baseline)
        return wanted & ~self.scored

    def candidate_scores(self) -> NDArray[np.float64]:
        """The candidate's scores of the common items."""
        return self.candidate[self.scored]

    def differences(self) -> NDArray[np.float64]:
        """Candidate minus baseline over the items scored in both, turned so that positive is better; ties are 0."""
        if self.baseline is None:
            return np.empty(0)
        both = self.scored & ~np.isnan(self.baseline)
        ours, theirs = self.baseline[both], self.candidate[both]
        difference = ours - theirs if self.direction is Direction.LOWER else theirs - ours
        size = np.maximum(1.0, np.maximum(np.abs(ours), np.abs(theirs)))
        return np.where(np.abs(difference) <= _TIE * size, 0.0, difference)

    def ids_where(self, mask: NDArray[np.bool_]) -> tuple[str, ...]:
        """The ids of the rows that a bool (n,) mask picks."""
        return tuple(self.ids[row] for row in np.flatnonzero(mask).tolist())

    def without(self, ids: Collection[str]) -> "MetricPairs":
        """The same without the items of these ids."""
        dropped = set(ids)
        keep = np.array([item not in dropped for item in self.ids], dtype=np.bool_)
        return replace(
            self,
            ids=tuple(item for item in self.ids if item not in dropped),
            baseline=None if self.baseline is None else self.baseline[keep],
            candidate=self.candidate[keep],
            common=self.common[keep],
            unanswered=self.unanswered[keep],
            imputed=self.imputed[keep],
            status=self.status[keep],
        )

    def with_worst_for_missing(self) -> "MetricPairs":
        """The same with the worst possible score for every missing item and sample: of the scale, else of both runs.

        Where no score of either run is left, missing ones stay missing.
        """
        missing, worst = self.missing, self._worst_score()
        return replace(
            self,
            candidate=np.where(missing, worst, self.candidate + self.unanswered * (worst - self.candidate)),
            common=self.common | missing,
            unanswered=np.zeros(len(self.ids)),
            imputed=missing,
        )

    def _worst_score(self) -> float:
        lower_is_better = self.direction is Direction.LOWER
        if self.scale is not None:
            return self.scale.high if lower_is_better else self.scale.low
        seen = np.concatenate([self.candidate, self.candidate[:0] if self.baseline is None else self.baseline])
        scored = seen[~np.isnan(seen)]
        if scored.size == 0:
            return float("nan")
        return float(scored.max() if lower_is_better else scored.min())


class _Match(NamedTuple):
    """Where each aligned item stands in both runs; fields as in Alignment."""

    baseline: Run
    candidate: Run
    baseline_index: NDArray[np.intp]
    candidate_index: NDArray[np.intp]

    def differs(self, ours: tuple[str, ...] | None, theirs: tuple[str, ...] | None) -> NDArray[np.bool_]:
        """Bool (n,): both runs know this digest of the item, and the two differ."""
        if ours is None or theirs is None:
            return np.zeros(len(self.baseline_index), np.bool_)
        rows = zip(self.baseline_index.tolist(), self.candidate_index.tolist(), strict=True)
        return np.array(
            [
                there != _ABSENT and "" not in (ours[here], theirs[there]) and ours[here] != theirs[there]
                for here, there in rows
            ],
            dtype=np.bool_,
        )

    def uneven_repeats(self) -> NDArray[np.bool_]:
        """Bool (n,): both runs hold the item, with different numbers of samples."""
        ours = np.bincount(self.baseline.item_of_sample, minlength=self.baseline.n_items)[self.baseline_index]
        theirs = np.bincount(self.candidate.item_of_sample, minlength=self.candidate.n_items)[self.candidate_index]
        uneven: NDArray[np.bool_] = (self.candidate_index != _ABSENT) & (ours != theirs)
        return uneven


def align(baseline: Run, candidate: Run) -> Alignment:
    """Pair two runs by item id and tell what is lost, new or changed.

    Raises:
        AlignmentError: where no item can be compared.
    """
    ids = tuple(sorted(baseline.ids))
    match = _Match(baseline, candidate, _rows(baseline, ids), _rows(candidate, ids))
    comparable = baseline.content_fields == candidate.content_fields
    changed = match.differs(baseline.content_digests if comparable else None, candidate.content_digests)
    alignment = Alignment(
        baseline=baseline,
        candidate=candidate,
        ids=ids,
        baseline_index=match.baseline_index,
        candidate_index=match.candidate_index,
        changed=changed,
        new=tuple(sorted(set(candidate.ids).difference(ids))),
        prompts_changed=int((match.differs(baseline.prompt_digests, candidate.prompt_digests) & ~changed).sum()),
        doubled=tuple(ids[row] for row in np.flatnonzero(match.uneven_repeats())),
    )
    if not alignment.common.any():
        raise _nothing_in_common(alignment)
    return alignment


def align_alone(candidate: Run) -> Alignment:
    """The candidate's items in id order, for a suite without a baseline."""
    ids = tuple(sorted(candidate.ids))
    return Alignment(
        baseline=None,
        candidate=candidate,
        ids=ids,
        baseline_index=np.full(len(ids), _ABSENT, dtype=np.intp),
        candidate_index=_rows(candidate, ids),
        changed=np.zeros(len(ids), np.bool_),
        new=(),
        prompts_changed=0,
        doubled=(),
    )


def pair_metric(alignment: Alignment, metric: str, *, direction: Direction, scale: Scale | None) -> MetricPairs:
    """One metric's scores side by side, in id order."""
    baseline = alignment.baseline
    scores = alignment.candidate.item_scores(metric).values
    return MetricPairs(
        metric=metric,
        direction=direction,
        scale=scale,
        ids=alignment.ids,
        baseline=None if baseline is None else baseline.item_scores(metric).values[alignment.baseline_index],
        candidate=np.where(alignment.common, scores[alignment.candidate_index], np.nan),
        common=alignment.common,
        unanswered=_unanswered(alignment, metric),
        imputed=np.zeros(len(alignment.ids), np.bool_),
        status=_status(alignment, metric),
        new=scores[_rows(alignment.candidate, alignment.new)],
    )


def _unanswered(alignment: Alignment, metric: str) -> NDArray[np.float64]:
    share = _unscored_share(alignment.candidate, metric)[alignment.candidate_index]
    if alignment.baseline is not None:
        share = share - _unscored_share(alignment.baseline, metric)[alignment.baseline_index]
    scored = alignment.candidate.item_scores(metric).status[alignment.candidate_index] == ItemStatus.SCORED
    return np.where(alignment.common & scored, np.maximum(share, 0.0), 0.0)


def _unscored_share(run: Run, metric: str) -> NDArray[np.float64]:
    """Float64 (n_items,): the share of each item's samples that have no score."""
    unscored = run.item_of_sample[run.metrics[metric].status != ItemStatus.SCORED]
    return np.bincount(unscored, minlength=run.n_items) / np.bincount(run.item_of_sample, minlength=run.n_items)


def _status(alignment: Alignment, metric: str) -> NDArray[np.object_]:
    words = np.array([status.name.lower() for status in ItemStatus], dtype=object)
    status = words[alignment.candidate.item_scores(metric).status][alignment.candidate_index]
    status[alignment.changed] = "changed"
    status[alignment.candidate_index == _ABSENT] = "lost"
    return status


def _rows(run: Run, ids: tuple[str, ...]) -> NDArray[np.intp]:
    """Intp (n,): each id's place in the run, -1 where the run lacks it."""
    place = {item: index for index, item in enumerate(run.ids)}
    return np.array([place.get(item, _ABSENT) for item in ids], dtype=np.intp)


def _nothing_in_common(alignment: Alignment) -> AlignmentError:
    where = Place(alignment.candidate.source.path)
    if alignment.changed.any():
        return AlignmentError(
            "every item that both files name has other inputs or another target: the data set changed",
            where=where,
            remedy="run the baseline again on the candidate's data set",
        )
    return AlignmentError(
        f"no item id stands in both files (baseline e.g. {alignment.ids[0]!r}, "
        f"candidate e.g. {min(alignment.candidate.ids)!r})",
        where=where,
        remedy="compare two runs of one data set, or name the id column in `columns: {id: ...}`",
    )
