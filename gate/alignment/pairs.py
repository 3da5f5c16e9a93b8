"""One metric's scores of both runs side by side, as scored and in the worst case."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gate.alignment.design import Design
from gate.scores.model import Direction, Scale
from gate.scores.reducers import Reduced
from gate.stats.units import Units

# Means of repeats that are equal on paper may differ by rounding: such items are tied.
_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Reference:
    """One metric of a baseline that is of other items than the candidate.

    Attributes:
        ids: (m,).
        scores: float64 (m,), NaN where there is none.
        design: of these items.
    """

    ids: tuple[str, ...]
    scores: NDArray[np.float64]
    design: Design

    def units(self) -> Units:
        """What varies as one, of the items with a score."""
        scored = ~np.isnan(self.scores)
        return self.design.pick(scored).units(self.scores[scored])


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
        unanswered: float64 (n,), 0 to 1: of a scored item, the share of the samples without a score in the candidate,
            those that it lost included, as far as it exceeds the baseline's share.
        imputed: bool (n,): the candidate's score is the worst possible one, put in for a missing one.
        own: float64 (n,), the candidate's scores as they count without regard to the baseline's: ``candidate``, and in
            the worst case also the worst score where neither run has one.
        own_unanswered: ``unanswered``, without regard to the baseline's share.
        floor: float64 (n,), the candidate's score with the worst one for each sample that ``unanswered`` speaks of, and
            for an item without any; NaN where no score of either run tells what the worst is.
        own_floor: likewise by ``own_unanswered``.
        status: str (n,) objects: why the candidate has a score or not: an ItemStatus in lower case, lost or changed.
        new: float64 (m,), the scores of the candidate's new items.
        noise: float64 (n,), the variance that an item's repeats leave to its score in the candidate; NaN where unknown.
        baseline_noise: likewise in the baseline; all NaN without one.
        reduced: what makes the items' scores of their samples, in the candidate.
        design: the items' groups, strata and weights.
        reference: the baseline's scores where they are of other items; ``baseline`` is None then.
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
    own: NDArray[np.float64]
    own_unanswered: NDArray[np.float64]
    floor: NDArray[np.float64]
    own_floor: NDArray[np.float64]
    status: NDArray[np.object_]
    new: NDArray[np.float64]
    noise: NDArray[np.float64]
    baseline_noise: NDArray[np.float64]
    reduced: Reduced
    design: Design = field(default_factory=Design)
    reference: Reference | None = None

    @property
    def sign(self) -> float:
        """What turns a score so that higher is better."""
        return 1.0 if self.direction is Direction.HIGHER else -1.0

    @property
    def turned_scale(self) -> Scale | None:
        """The scale of the scores so turned."""
        if self.scale is None or self.direction is Direction.HIGHER:
            return self.scale
        return Scale(-self.scale.high, -self.scale.low)

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Bool (n,): common items that the candidate has a score for."""
        return self.common & ~np.isnan(self.candidate)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Bool (n,): items for which the baseline has a score and the candidate none that can be compared."""
        wanted = np.ones(len(self.ids), np.bool_) if self.baseline is None else ~np.isnan(self.baseline)
        return wanted & ~self.scored

    @property
    def lacking(self) -> NDArray[np.bool_]:
        """Bool (n,): items that have no score in the candidate, or not all of them, whatever the baseline has."""
        return ~self.scored | (self.own_unanswered > 0)

    def candidate_scores(self) -> NDArray[np.float64]:
        """The candidate's scores of the common items; in the worst case of all items."""
        return self.own[~np.isnan(self.own)]

    def candidate_units(self) -> Units:
        """``candidate_scores`` gathered to what varies as one."""
        return self.design.pick(~np.isnan(self.own)).units(self.candidate_scores())

    @property
    def both(self) -> NDArray[np.bool_]:
        """Bool (n,): items scored in both runs."""
        scored: NDArray[np.bool_] = self.scored & ~np.isnan(self.candidate if self.baseline is None else self.baseline)
        return scored

    def difference_units(self) -> Units:
        """``differences`` gathered to what varies as one."""
        return self.design.pick(self.both).units(self.differences())

    def differences(self) -> NDArray[np.float64]:
        """Candidate minus baseline over the items scored in both, turned so that positive is better; ties are 0."""
        if self.baseline is None:
            return np.empty(0)
        both = self.both
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
            own=self.own[keep],
            own_unanswered=self.own_unanswered[keep],
            floor=self.floor[keep],
            own_floor=self.own_floor[keep],
            status=self.status[keep],
            noise=self.noise[keep],
            baseline_noise=self.baseline_noise[keep],
            design=self.design.pick(keep),
            reference=None if self.reference is None else _without(self.reference, dropped),
        )

    def with_worst_for_missing(self) -> "MetricPairs":
        """The same with the worst possible score for every missing item and sample: of the scale, else of both runs.

        Where no score of either run is left, missing ones stay missing.
        """
        missing, nothing = self.missing, np.zeros(len(self.ids))
        return replace(
            self,
            candidate=np.where(missing | self.scored, self.floor, np.nan),
            common=self.common | missing,
            unanswered=nothing,
            imputed=missing,
            own=self.own_floor,
            own_unanswered=nothing,
        )


def _without(reference: Reference, dropped: Collection[str]) -> Reference:
    keep = np.array([item not in dropped for item in reference.ids], dtype=np.bool_)
    ids = tuple(item for item in reference.ids if item not in dropped)
    return Reference(ids, reference.scores[keep], reference.design.pick(keep))
