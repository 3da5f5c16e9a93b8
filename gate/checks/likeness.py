"""Whether two runs whose items are all there can be compared as like and like; all that is found is a warning."""

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Alignment, MetricPairs, has_comparable_contents
from gate.checks.base import Outcome
from gate.reductions import samples_agree
from gate.results import Status
from gate.scores.model import COMPARABLE, Run
from gate.scores.reducers import MEAN
from gate.wording import count, names

# Items that are drawn alike differ in the sizes of their groups, and hardly by as much.
_LEAST_UNITS = 2 / 3


def find_unlikeness(alignment: Alignment, pairs: MetricPairs, min_coverage: float) -> Outcome | None:
    """The first thing that keeps the runs, or their samples, from telling what they are taken to tell.

    Args:
        alignment: the two runs, item by item.
        pairs: one metric of them.
        min_coverage: the share of the baseline's number of items that unpaired runs must have.
    """
    return (
        _baseline_in_doubt(alignment)
        or _contents_unknown(alignment)
        or _groups_unknown(alignment)
        or _fewer_items(pairs, min_coverage)
        or _fewer_units(pairs)
        or _made_otherwise(alignment)
        or _more_samples(alignment, pairs)
        or _uneven_samples(alignment, pairs)
        or _samples_agree(alignment, pairs)
    )


def _baseline_in_doubt(alignment: Alignment) -> Outcome | None:
    """A bar that was moved by hand since it was agreed on."""
    before = alignment.baseline or alignment.reference
    if before is None or not before.doubt:
        return None
    return Outcome(
        Status.WARN, "baseline-edited", before.doubt,
        "take the file that was promoted from the repository, or promote a candidate anew with `gate promote`",
    )  # fmt: skip


def _contents_unknown(alignment: Alignment) -> Outcome | None:
    """A candidate that no longer tells what its items ask, or tells it otherwise, could hide that they are easier."""
    before, now = alignment.baseline, alignment.candidate
    if before is None or not before.content_fields or has_comparable_contents(before, now):
        return None
    told, telling = before.content_fields, now.content_fields
    untold = " and ".join(field for field in told if field not in telling)
    how = (
        f"no longer tells the items' {untold}"
        if untold
        else f"tells the items' {' and '.join(telling)}, the baseline the {' and '.join(told)} alone"
    )
    return Outcome(
        Status.WARN, "contents-unknown",
        f"the candidate {how}: whether they changed cannot be told",
        "write both files with the same columns of inputs and target",
    )  # fmt: skip


def _groups_unknown(alignment: Alignment) -> Outcome | None:
    """Groups that the candidate brings along do not count: they would decide what its own scores prove."""
    if alignment.baseline is None or alignment.baseline.groups is not None or alignment.candidate.groups is None:
        return None
    return Outcome(
        Status.WARN, "groups-unknown",
        "only the candidate groups its items: they are judged one by one, as the baseline has them",
        "write the groups into the baseline too, with every row filled in",
    )  # fmt: skip


def _fewer_items(pairs: MetricPairs, min_coverage: float) -> Outcome | None:
    """Where items are not paired, those that the candidate leaves out have no names: only their number can tell."""
    if pairs.reference is None:
        return None
    before, now = int((~np.isnan(pairs.reference.scores)).sum()), int(pairs.scored.sum())
    if now >= min_coverage * before:
        return None
    return Outcome(
        Status.WARN, "fewer-items",
        f"the candidate has {count(now, 'scored item')}, the baseline {before}: what it leaves out cannot be told",
        "run the candidate on as many items, drawn the same way",
    )  # fmt: skip


def _fewer_units(pairs: MetricPairs) -> Outcome | None:
    """Groups and weights of other items are the candidate's own word: a few large ones can prove or hide anything."""
    if pairs.reference is None or pairs.candidate_scores().size == 0 or np.isnan(pairs.reference.scores).all():
        return None
    before, now = (_effective_number(units.sizes) for units in (pairs.reference.units(), pairs.candidate_units()))
    items_before, items_now = int((~np.isnan(pairs.reference.scores)).sum()), int(pairs.scored.sum())
    if now / items_now >= _LEAST_UNITS * before / items_before:
        return None
    return Outcome(
        Status.WARN, "fewer-units",
        f"by its own groups and weights the candidate is worth {count(round(now), 'item')} on their own, the baseline "
        f"{round(before)}: what they hide cannot be told",
        "run the candidate on items that are drawn, grouped and weighted the same way",
    )  # fmt: skip


def _effective_number(sizes: NDArray[np.float64]) -> float:
    """How many units of one size tell as much as units of these sizes (Kish: the sum squared over that of squares)."""
    shares = sizes / sizes.max()
    return float(shares.sum() ** 2 / (shares**2).sum())


def _made_otherwise(alignment: Alignment) -> Outcome | None:
    """A fall or a rise can be the judge's or the tool's, and the scores alone cannot tell."""
    before = alignment.baseline or alignment.reference
    if before is None:
        return None
    now = alignment.candidate.facts
    other = [name for name in COMPARABLE if name in before.facts and name in now and before.facts[name] != now[name]]
    if not other:
        return None
    told = names(tuple(f"{name} {before.facts[name]} -> {now[name]}" for name in other))
    return Outcome(
        Status.WARN, "made-otherwise",
        f"the two runs were not made alike: {told}",
        "run the baseline again in the same way; where the change is meant, accept the candidate as the new baseline",
    )  # fmt: skip


def _more_samples(alignment: Alignment, pairs: MetricPairs) -> Outcome | None:
    """The best of ten is better than the best of five, and samples may have been added because they pass."""
    reducer = pairs.reduced.reducer
    if reducer == MEAN:
        return None
    more = int((alignment.common & (alignment.samples_more > 0)).sum())
    told = f"{count(more, 'item')} {'has' if more == 1 else 'have'} more samples than in the baseline" if more else ""
    if alignment.reference is not None and not reducer.estimates:
        told = _more_on_average(alignment.reference, alignment.candidate)
    if not told:
        return None
    return Outcome(
        Status.WARN, "more-samples",
        f"{told}, so that {reducer} does not compare like with like",
        "run the baseline again with as many samples of every item as the candidate has",
    )  # fmt: skip


def _uneven_samples(alignment: Alignment, pairs: MetricPairs) -> Outcome | None:
    """An item that failed can be run again until its mean is a good one; more samples of each item are no fault."""
    if pairs.reduced.reducer != MEAN or not alignment.has_uneven_samples:
        return None
    more = int((alignment.common & (alignment.samples_more > 0)).sum())
    told = f"{count(more, 'item')} {'has' if more == 1 else 'have'} more samples than in the baseline, and others not"
    return Outcome(
        Status.WARN, "uneven-samples",
        f"{told}: those may have been added because they are better",
        "run the candidate with as many samples of every item",
    )  # fmt: skip


def _more_on_average(before: Run, now: Run) -> str:
    """Which items have more cannot be told where they are other ones."""
    more = now.n_samples / now.n_items > before.n_samples / before.n_items
    return "the candidate has more samples an item than the baseline, on average" if more else ""


def _samples_agree(alignment: Alignment, pairs: MetricPairs) -> Outcome | None:
    """Samples that cannot differ, as at temperature 0, make pass@5 or a majority a dearer pass@1."""
    reducer = pairs.reduced.reducer
    of_one = reducer == MEAN or (reducer.draws and reducer.k == 1)
    if of_one or not samples_agree(alignment.candidate, pairs.metric):
        return None
    return Outcome(
        Status.WARN, "samples-agree",
        f"all samples of every item agree, so that {reducer} tells no more than one sample does",
        "draw the samples at a temperature above 0, each with a seed of its own; or judge their mean",
    )  # fmt: skip
