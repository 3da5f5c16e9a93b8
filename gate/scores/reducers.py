"""Reducers: how the samples of an item become its one score."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.pass_at_k import Estimator, jackknife_variance, pass_at_k, pass_hat_k
from gate.wording import count

Floats = NDArray[np.float64]
MOST_DRAWN = 1_000_000
_NUMBERED = re.compile(r"pass(?P<sign>[@^])(?P<k>[1-9][0-9]{0,6})", re.ASCII)


class Kind(StrEnum):
    """What is made of an item's samples."""

    MEAN = "mean"
    PASS_AT = "pass@"  # noqa: S105  # no password
    PASS_HAT = "pass^"  # noqa: S105  # no password
    MAJORITY = "majority"
    BEST = "best"
    WORST = "worst"


class ItemSamples(NamedTuple):
    """The scored samples of a run's items.

    Attributes:
        items: intp (s,), the item of each sample.
        scores: float64 (s,), its score, never NaN.
        n_items: how many items there are, those without a scored sample included.
    """

    items: NDArray[np.intp]
    scores: Floats
    n_items: int

    @property
    def counts(self) -> NDArray[np.int64]:
        """Int64 (n_items,): each item's scored samples."""
        return np.bincount(self.items, minlength=self.n_items).astype(np.int64)

    @property
    def passes(self) -> NDArray[np.int64]:
        """Int64 (n_items,): those of them that pass, of scores that are 0 or 1."""
        return np.bincount(self.items, weights=self.scores, minlength=self.n_items).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Reducer:
    """One way to make a score of an item's samples.

    Attributes:
        kind: which.
        k: of pass@k and pass^k, how many samples are drawn, >= 1; 1 elsewhere.
    """

    kind: Kind = Kind.MEAN
    k: int = 1

    def __str__(self) -> str:
        return (
            f"{self.kind.value}{self.k}" if self.counts_passes and self.kind is not Kind.MAJORITY else self.kind.value
        )

    @property
    def draws(self) -> bool:
        """Whether it speaks of k samples drawn from all of them."""
        return self.kind in {Kind.PASS_AT, Kind.PASS_HAT}

    @property
    def estimates(self) -> bool:
        """Whether more samples make it a better figure of the same thing; the best of more is another thing."""
        return self.draws or self.kind is Kind.MEAN

    @property
    def counts_passes(self) -> bool:
        """Whether it is of samples that pass or fail: scores of 0 and 1."""
        return self.draws or self.kind is Kind.MAJORITY

    def reduce(self, samples: ItemSamples, *, lower_is_better: bool = False) -> Floats:
        """Float64 (n_items,): each item's score; NaN where it has none, or fewer than k scored samples."""
        match self.kind:
            case Kind.MEAN:
                return _mean(samples)
            case Kind.MAJORITY:
                return _majority(samples)
            case Kind.PASS_AT | Kind.PASS_HAT:
                return _estimated(samples, _ESTIMATORS[self.kind], self.k)
            case Kind.BEST | Kind.WORST:
                return _extreme(samples, highest=(self.kind is Kind.BEST) is not lower_is_better)

    def noise(self, samples: ItemSamples) -> Floats:
        """Float64 (n_items,): the variance that the samples leave to the item's score; NaN where they cannot tell."""
        if self.kind is Kind.MEAN:
            return _noise_of_mean(samples)
        if self.kind in _ESTIMATORS:
            return jackknife_variance(samples.counts, samples.passes, self.k, _ESTIMATORS[self.kind])
        return np.full(samples.n_items, np.nan)


_ESTIMATORS: dict[Kind, Estimator] = {Kind.PASS_AT: pass_at_k, Kind.PASS_HAT: pass_hat_k}
MEAN = Reducer()


class Reduced(NamedTuple):
    """What a score is made of.

    Attributes:
        reducer: how.
        fewest: samples that any item has.
        most: samples that any item has: the nominal n, whether all of them are scored or not.
    """

    reducer: Reducer
    fewest: int
    most: int

    def __str__(self) -> str:
        return f"{self.reducer} of {self.samples} each"

    @property
    def samples(self) -> str:
        """How many samples the items have, in words."""
        if self.fewest < self.most:
            return f"{self.fewest} to {self.most} samples"
        return count(self.most, "sample")


def parse_reducer(text: str) -> Reducer:
    """The reducer of a name: ``mean``, ``pass@5``, ``pass^5``, ``majority``, ``best``, ``worst``.

    Raises:
        ValueError: at any other text.
    """
    numbered = _NUMBERED.fullmatch(text)
    if numbered is not None and int(numbered["k"]) <= MOST_DRAWN:
        return Reducer(Kind.PASS_AT if numbered["sign"] == "@" else Kind.PASS_HAT, int(numbered["k"]))
    if text in {Kind.MEAN, Kind.MAJORITY, Kind.BEST, Kind.WORST}:
        return Reducer(Kind(text))
    raise ValueError(f"there is no reducer {text!r}; there are mean, pass@K, pass^K, majority, best and worst")


def reduced_name(metric: str, reducer: Reducer) -> str:
    """What a metric is called once it is reduced so: ``passed pass@5``; the mean keeps the metric's own name."""
    return metric if reducer == MEAN else f"{metric} {reducer}"


def _mean(samples: ItemSamples) -> Floats:
    """The order of the samples makes no difference to the last bit."""
    order = np.lexsort((samples.scores, samples.items))
    sums = np.bincount(samples.items[order], weights=samples.scores[order], minlength=samples.n_items)
    counts, means = samples.counts, np.full(samples.n_items, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def _estimated(samples: ItemSamples, estimator: Estimator, k: int) -> Floats:
    counts, scores = samples.counts, np.full(samples.n_items, np.nan)
    enough = counts >= k
    scores[enough] = estimator(counts[enough], samples.passes[enough], k)
    return scores


def _majority(samples: ItemSamples) -> Floats:
    """1 where more samples pass than fail, 0 where fewer do, 1/2 where as many."""
    counts, scores = samples.counts, np.full(samples.n_items, np.nan)
    balance = np.sign(2 * samples.passes - counts)
    scores[counts > 0] = (balance[counts > 0] + 1) / 2
    return scores


def _extreme(samples: ItemSamples, *, highest: bool) -> Floats:
    scores = np.full(samples.n_items, np.nan)
    (np.fmax if highest else np.fmin).at(scores, samples.items, samples.scores)
    return scores


def _noise_of_mean(samples: ItemSamples) -> Floats:
    counts = samples.counts
    apart = samples.scores - MEAN.reduce(samples)[samples.items]
    squares = np.bincount(samples.items, weights=apart**2, minlength=samples.n_items)
    noise = np.full(samples.n_items, np.nan)
    np.divide(squares, counts * (counts - 1.0), out=noise, where=counts > 1)
    return noise
