"""Drift: did the distribution of scores change its shape, even where the mean did not move?"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, FiniteFloat, model_validator

from gate.alignment import MetricPairs, Reference
from gate.checks.base import Options, Outcome
from gate.evidence import BucketEvidence
from gate.results import CheckResult, Status
from gate.scores.model import Direction
from gate.stats.buckets import Buckets, count_buckets, sort_into_buckets
from gate.stats.distinct import find_distinct
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.null_psi import DriftTest
from gate.stats.paired import sign_flip_p
from gate.stats.pooling import RunGroups, pooled_test
from gate.stats.psi import MODERATE, SIGNIFICANT, Psi, items_for_bands, psi
from gate.stats.swaps import swap_test
from gate.stats.unpaired import two_sample_p
from gate.wording import count, limit, number, number_beside, percent, probability, stated_p

NAME = "drift"
ASKS = "Do the two runs distribute their scores alike? The population stability index (PSI) compares the shapes."
WHEN_IT_FAILS = (
    "Look at the buckets that contribute most: partial answers where there were right ones, missing scores, a grader "
    "that changed. At small n prefer `rule: calibrated`, which asks chance first."
)
_MOST_CONTRIBUTORS = 2
# The share of unchanged runs that may be over a band that means something, as items_for_bands() has it.
_RARELY = 0.05


def _rising(edges: Sequence[float]) -> Sequence[float]:
    if any(low >= high for low, high in pairwise(edges)):
        raise ValueError("edges must rise")
    return edges


class DriftOptions(Options):
    """Options of the drift check."""

    rule: Literal["calibrated", "bands"] = Field(
        default="calibrated",
        description="`calibrated`: a band counts only where chance does not explain it (p <= 0.025). "
        "`bands`: the published rule, over 0.25 fails and 0.10 to 0.25 warns at any n.",
    )
    edges: Annotated[tuple[FiniteFloat, ...], AfterValidator(_rising)] | None = Field(
        default=None, min_length=1, max_length=100,
        description="Inner edges of the buckets; by default the distinct scores, or from 21 on the baseline's deciles.",
    )  # fmt: skip
    quantiles: int | None = Field(
        default=None, ge=2, le=50,
        description="Sort by so many quantiles of the baseline instead, however few scores are distinct.",
    )  # fmt: skip
    n_swaps: int = Field(default=10_000, ge=1_000, le=1_000_000, description="Random swaps behind the p-value.")

    @model_validator(mode="after")
    def _one_way_to_sort(self) -> Self:
        if self.edges is not None and self.quantiles is not None:
            raise ValueError("edges and quantiles are two ways to sort: give one of them")
        return self


def check(pairs: MetricPairs, options: DriftOptions, rng: np.random.Generator) -> CheckResult:
    """Judge the PSI over the common items, those without a score being a bucket of their own."""
    if pairs.baseline is None and pairs.reference is None:
        return CheckResult(NAME, Status.NOT_RUN, "no-baseline", "no baseline to compare with", metric=pairs.metric)
    found = _find(pairs, options, rng)
    if found is None:
        return CheckResult(
            NAME, Status.FAIL, "no-pairs", "no item is left in both runs", metric=pairs.metric,
            remedy="look at the coverage and contamination lines: they say where the items went",
        )  # fmt: skip
    buckets, test = found.buckets, found.test
    k = len(buckets.labels)
    counts = (count_buckets(buckets.baseline, k), count_buckets(buckets.candidate, k))
    index = psi(*counts)
    outcome = _outcome(index.value, found, options.rule)
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=f"{_band(index.value)}, p {probability(test.p_value)}, {_sizes(buckets)}",
        remedy="" if outcome.status is Status.PASS else "look at the buckets that contribute most, and at their items",
        notes=(*_notes(index, test, buckets, options.rule), *_design_notes(pairs)),
        metric=pairs.metric,
        figures={
            "psi": index.value,
            "p": stated_p(test.p_value),
            "unchanged_over_moderate": test.moderate_share,
            "unchanged_over_significant": test.significant_share,
            "n": int(buckets.candidate.size),
        },
        p_value=test.p_value if options.rule == "calibrated" else None,
        evidence=BucketEvidence(
            buckets.labels, tuple(counts[0].tolist()), tuple(counts[1].tolist()), tuple(index.contributions.tolist())
        ),
    )


class _Found(NamedTuple):
    """The scores in buckets, and what can be said of their PSI.

    Attributes:
        buckets: of both runs.
        test: what chance does to the PSI.
        improved: the candidate is shown better.
        too_few: they are so few groups that no PSI could be shown not to be chance.
    """

    buckets: Buckets
    test: DriftTest
    improved: bool
    too_few: bool = False


def _find(pairs: MetricPairs, options: DriftOptions, rng: np.random.Generator) -> _Found | None:
    """None where there is nothing to compare."""
    candidate = np.where(pairs.imputed, np.nan, pairs.candidate)[pairs.common]
    groups, reference = pairs.design.pick(pairs.common).groups, pairs.reference
    if pairs.baseline is not None and candidate.size:
        before = pairs.baseline[pairs.common]
        buckets = sort_into_buckets(before, candidate, edges=options.edges, quantiles=options.quantiles)
        test = swap_test(buckets, n_swaps=options.n_swaps, rng=rng, groups=groups)
        improved = sign_flip_p(-pairs.difference_units().totals) <= ERROR_SHARE
        # a swap of all of them gives the same PSI
        too_few = groups is not None and 2 * 0.5 ** find_distinct(groups).size > ERROR_SHARE
        return _Found(buckets, test, improved, too_few)
    if reference is not None and candidate.size and reference.scores.size:
        buckets = sort_into_buckets(reference.scores, candidate, edges=options.edges, quantiles=options.quantiles)
        together = groups_of_both(reference.design.groups, groups, buckets)
        test = pooled_test(buckets, n_permutations=options.n_swaps, rng=rng, groups=together)
        return _Found(buckets, test, _is_better(pairs, reference, options, rng))
    return None


def groups_of_both(
    baseline: NDArray[np.intp] | None, candidate: NDArray[np.intp] | None, buckets: Buckets
) -> RunGroups | None:
    """The groups of two runs on different items; in a run without any, every item is its own."""
    if baseline is None and candidate is None:
        return None
    return RunGroups(
        np.arange(buckets.baseline.size) if baseline is None else baseline,
        np.arange(buckets.candidate.size) if candidate is None else candidate,
    )


def _is_better(pairs: MetricPairs, reference: Reference, options: DriftOptions, rng: np.random.Generator) -> bool:
    """Whether a candidate of other items is shown better: the test of a drop with the runs exchanged."""
    if pairs.candidate_scores().size == 0 or np.isnan(reference.scores).all():
        return False
    runs = (reference.units(), pairs.candidate_units())
    before, now = runs if pairs.direction is Direction.HIGHER else runs[::-1]
    return two_sample_p(now, before, n_permutations=options.n_swaps, rng=rng) <= ERROR_SHARE


def _sizes(buckets: Buckets) -> str:
    before, now = buckets.baseline.size, buckets.candidate.size
    return f"n = {now}" if before == now else f"n = {before} and {now}"


def _design_notes(pairs: MetricPairs) -> tuple[str, ...]:
    return () if pairs.design.weights is None else ("the PSI counts items, not their weights",)


def _outcome(value: float, found: _Found, rule: str) -> Outcome:
    by_chance = rule == "calibrated" and found.test.p_value > ERROR_SHARE
    if value <= MODERATE:
        return Outcome(Status.PASS, "stable", f"PSI {number_beside(value, MODERATE)} is at most {limit(MODERATE)}")
    over = SIGNIFICANT if value > SIGNIFICANT else MODERATE
    sentence = f"PSI {number_beside(value, over)} is over {limit(over)}"
    if by_chance and found.too_few and value > SIGNIFICANT:
        return Outcome(
            Status.WARN, "too-few-groups", f"{sentence}, and so few groups cannot show that it is not chance"
        )
    if by_chance:
        return Outcome(Status.PASS, "chance", f"{sentence}, which chance explains at this n")
    if value <= SIGNIFICANT:
        return Outcome(Status.WARN, "moderate-drift", sentence)
    if found.improved:
        return Outcome(Status.WARN, "drift-by-improvement", f"{sentence}, and the candidate is shown better")
    return Outcome(Status.FAIL, "significant-drift", sentence)


def _band(value: float) -> str:
    if value > SIGNIFICANT:
        return "significant"
    return "moderate" if value > MODERATE else "stable"


def _notes(index: Psi, test: DriftTest, buckets: Buckets, rule: str) -> tuple[str, ...]:
    n = buckets.baseline.size
    notes = [
        f"at n = {n} an unchanged run like this one is over {limit(SIGNIFICANT)} in "
        f"{percent(test.significant_share)} and over {limit(MODERATE)} in {percent(test.moderate_share)} of cases"
        + (f"; this PSI has p {probability(test.p_value)}" if rule == "bands" else "")
    ]
    too_few = _too_few(test, buckets)
    if too_few:
        notes.append(too_few)
    if index.value > MODERATE:
        notes.append(f"the PSI comes most from {_contributors(index, buckets)}")
    if index.smoothed:
        notes.append("a bucket is empty in one run: 1/2 was added to each bucket")
    return tuple(notes)


def _too_few(test: DriftTest, buckets: Buckets) -> str:
    """From how many items on a band means something, where n is below it and unchanged runs are over it too often."""
    held = find_distinct(np.concatenate([buckets.baseline, buckets.candidate])).size
    needed = [
        f"{limit(band)} from {items_for_bands(held, band)}"
        for band, share in ((MODERATE, test.moderate_share), (SIGNIFICANT, test.significant_share))
        # on the same items, which agree in part, fewer may do
        if buckets.baseline.size < items_for_bands(held, band) and share > _RARELY
    ]
    if not needed:
        return ""
    return f"with {count(held, 'bucket')} a band takes so many items to mean something: {', '.join(needed)}"


def _contributors(index: Psi, buckets: Buckets) -> str:
    most = np.argsort(-index.contributions, kind="stable")[:_MOST_CONTRIBUTORS]
    return ", ".join(f"{buckets.labels[bucket]}: {number(float(index.contributions[bucket]))}" for bucket in most)
