"""Which items two runs hold in common, which are lost, new or changed."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.errors import AlignmentError, Place
from gate.scores.ids import content_digest
from gate.scores.model import Run
from gate.scores.quoting import quoted_listing
from gate.scores.roles import plain_name

ABSENT = -1
_INPUTS = "inputs"


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
        reference: the run to compare with where the two are of different items; ``baseline`` is None then.
    """

    baseline: Run | None
    candidate: Run
    ids: tuple[str, ...]
    baseline_index: NDArray[np.intp]
    candidate_index: NDArray[np.intp]
    changed: NDArray[np.bool_]
    new: tuple[str, ...]
    prompts_changed: int
    reference: Run | None = None

    @property
    def common(self) -> NDArray[np.bool_]:
        """Bool (n,): the candidate holds the same item."""
        held: NDArray[np.bool_] = (self.candidate_index != ABSENT) & ~self.changed
        return held

    @property
    def samples_more(self) -> NDArray[np.intp]:
        """Intp (n,): how many more samples the candidate has of an item, below 0 for fewer; 0 where a run lacks it."""
        if self.baseline is None:
            return np.zeros(len(self.ids), np.intp)
        ours = np.bincount(self.baseline.item_of_sample, minlength=self.baseline.n_items)[self.baseline_index]
        theirs = np.bincount(self.candidate.item_of_sample, minlength=self.candidate.n_items)[self.candidate_index]
        return np.where(self.candidate_index == ABSENT, 0, theirs - ours)

    @property
    def has_uneven_samples(self) -> bool:
        """Whether some common items have more samples than in the baseline, and others have not as many times as many.

        A candidate with as many samples of each item is even, whatever the baseline lost.
        """
        common = self.common
        more = self.samples_more[common]
        theirs = np.bincount(self.candidate.item_of_sample, minlength=self.candidate.n_items)
        counts = theirs[self.candidate_index[common]]
        times = counts / np.maximum(counts - more, 1)
        return bool((more > 0).any() and np.ptp(counts) > 0 and np.ptp(times) > 0)

    @property
    def doubled(self) -> tuple[str, ...]:
        """Ids with repeats whose number differs between the runs, in id order."""
        return tuple(self.ids[row] for row in np.flatnonzero(self.samples_more).tolist())

    @property
    def compared(self) -> frozenset[str]:
        """The ids of the common items."""
        return frozenset(item for item, held in zip(self.ids, self.common.tolist(), strict=True) if held)


class _Match(NamedTuple):
    """Where each aligned item stands in both runs; fields as in Alignment."""

    baseline: Run
    candidate: Run
    baseline_index: NDArray[np.intp]
    candidate_index: NDArray[np.intp]

    def content_differs(self) -> NDArray[np.bool_]:
        """Bool (n,): the candidate's content is another one, or is untold where the baseline tells it."""
        known = self.baseline.content_digests
        if known is None or not has_comparable_contents(self.baseline, self.candidate):
            return np.zeros(len(self.baseline_index), np.bool_)
        told = _contents_as(self.baseline, self.candidate)
        rows = zip(self.baseline_index.tolist(), self.candidate_index.tolist(), strict=True)
        return np.array(
            [there != ABSENT and known[here] not in ("", told[there]) for here, there in rows], dtype=np.bool_
        )

    def prompt_differs(self) -> NDArray[np.bool_]:
        """Bool (n,): both runs know the item's rendered prompt, and the two differ."""
        ours, theirs = self.baseline.prompt_digests, self.candidate.prompt_digests
        if ours is None or theirs is None:
            return np.zeros(len(self.baseline_index), np.bool_)
        rows = zip(self.baseline_index.tolist(), self.candidate_index.tolist(), strict=True)
        return np.array(
            [
                there != ABSENT and "" not in (ours[here], theirs[there]) and ours[here] != theirs[there]
                for here, there in rows
            ],
            dtype=np.bool_,
        )


def align(baseline: Run, candidate: Run) -> Alignment:
    """Pair two runs by item id and tell what is lost, new or changed.

    Raises:
        AlignmentError: where no item can be compared, or the runs name their items by different columns.
    """
    _require_same_names(baseline, candidate)
    ids = tuple(sorted(baseline.ids))
    match = _Match(baseline, candidate, rows_of(baseline, ids), rows_of(candidate, ids))
    changed = match.content_differs()
    alignment = Alignment(
        baseline=baseline,
        candidate=candidate,
        ids=ids,
        baseline_index=match.baseline_index,
        candidate_index=match.candidate_index,
        changed=changed,
        new=tuple(sorted(set(candidate.ids).difference(ids))),
        prompts_changed=int((match.prompt_differs() & ~changed).sum()),
    )
    if not alignment.common.any():
        raise _nothing_in_common(alignment)
    return alignment


def align_alone(candidate: Run, *, reference: Run | None = None) -> Alignment:
    """The candidate's items in id order, for a suite without a baseline or with one that is of other items."""
    ids = tuple(sorted(candidate.ids))
    return Alignment(
        baseline=None,
        candidate=candidate,
        ids=ids,
        baseline_index=np.full(len(ids), ABSENT, dtype=np.intp),
        candidate_index=rows_of(candidate, ids),
        changed=np.zeros(len(ids), np.bool_),
        new=(),
        prompts_changed=0,
        reference=reference,
    )


def rows_of(run: Run, ids: tuple[str, ...]) -> NDArray[np.intp]:
    """Intp (n,): each id's place in the run, -1 where the run lacks it."""
    place = {item: index for index, item in enumerate(run.ids)}
    return np.array([place.get(item, ABSENT) for item in ids], dtype=np.intp)


def has_comparable_contents(baseline: Run, candidate: Run) -> bool:
    """Whether what the baseline tells of its items' contents can be held against the candidate's."""
    told, telling = set(baseline.content_fields), set(candidate.content_fields)
    return told == telling or (told == {_INPUTS} and _INPUTS in telling and candidate.inputs is not None)


def _contents_as(baseline: Run, candidate: Run) -> tuple[str, ...]:
    """Digests of the candidate's items, of what the baseline tells of them: a column more must not hide a change."""
    if set(baseline.content_fields) == set(candidate.content_fields):
        return candidate.content_digests or ("",) * candidate.n_items
    return tuple((content_digest(text, None) or "") if text else "" for text in candidate.inputs or ())


def _require_same_names(baseline: Run, candidate: Run) -> None:
    """Raise AlignmentError where two files of one format name their items by columns that were guessed differently."""
    ours, theirs = (sorted(map(plain_name, run.id_fields)) for run in (baseline, candidate))
    if baseline.source.format == candidate.source.format and ours and theirs and ours != theirs:
        raise AlignmentError(
            f"the baseline's items are named by {quoted_listing(baseline.id_fields)}, "
            f"the candidate's by {quoted_listing(candidate.id_fields)}",
            where=Place(candidate.source.path),
            remedy="name the column that both files have in gate.yml: `columns: {id: ...}`",
        )


def _nothing_in_common(alignment: Alignment) -> AlignmentError:
    where = Place(alignment.candidate.source.path)
    if alignment.changed.any() and alignment.candidate.content_digests is None:
        return AlignmentError(
            "inputs and target of every item are empty, so none can be held against the baseline's",
            where=where,
            remedy="write them as they stand in the baseline's file",
        )
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
        remedy="compare two runs of one data set, or name the id column in `columns: {id: ...}`; in gate.yml say "
        "`paired: false` where the items are meant to be different ones",
    )
