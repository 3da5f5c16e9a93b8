"""The permutation test of the PSI for runs on different items: each item may as well have been the other run's."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.buckets import Buckets, count_buckets
from gate.stats.homogeneity import homogeneity_p
from gate.stats.null_psi import DriftTest, share_at_least
from gate.stats.psi import psi, psi_of_each
from gate.stats.relabelling import relabelled_sums


class RunGroups(NamedTuple):
    """The groups of either run's items; the same number in both runs does not make them one group.

    Attributes:
        baseline: intp (n,), any numbers: items with the same one stay together.
        candidate: intp (m,), likewise.
    """

    baseline: NDArray[np.intp]
    candidate: NDArray[np.intp]


def pooled_test(
    buckets: Buckets, *, n_permutations: int, rng: np.random.Generator, groups: RunGroups | None = None
) -> DriftTest:
    """Deal the items of both runs, or their whole groups, out to the runs anew.

    Beyond what so many permutations can tell, the chi-square test of homogeneity goes on.

    Args:
        buckets: the (n,) items of the baseline and the (m,) of the candidate.
        n_permutations: how many to draw, >= 1; fewer, but at least 1000, where there are very many unlike groups.
        rng: the source of randomness.
        groups: None: each item on its own.

    Returns:
        With p 1.0 where either run is empty.
    """
    k = len(buckets.labels)
    counts_a, counts_b = count_buckets(buckets.baseline, k), count_buckets(buckets.candidate, k)
    both = counts_a + counts_b
    units = _items(counts_a, counts_b) if groups is None else _groups(buckets, k, groups)
    sums = relabelled_sums(
        units.vectors.astype(np.float64),
        units.baseline + units.candidate,
        int(units.baseline.sum()),
        n_draws=n_permutations,
        rng=rng,
    )
    baseline = np.rint(sums).astype(np.int64)
    draws = np.sort(psi_of_each(baseline, both - baseline))
    p_value, resolved = share_at_least(psi(counts_a, counts_b).value, draws)
    if not resolved:
        p_value = min(p_value, homogeneity_p(units.vectors, units.baseline, units.candidate))
    return DriftTest(p_value, draws)


class _Units(NamedTuple):
    """The distinct units, by their items in each bucket.

    Attributes:
        vectors: int64 (d, k).
        baseline: int64 (d,), how many such units the baseline has.
        candidate: int64 (d,), and the candidate.
    """

    vectors: NDArray[np.int64]
    baseline: NDArray[np.int64]
    candidate: NDArray[np.int64]


def _items(counts_a: NDArray[np.int64], counts_b: NDArray[np.int64]) -> _Units:
    held = counts_a + counts_b > 0
    return _Units(np.eye(counts_a.size, dtype=np.int64)[held], counts_a[held], counts_b[held])


def _groups(buckets: Buckets, k: int, groups: RunGroups) -> _Units:
    baseline = _group_counts(buckets.baseline, groups.baseline, k)
    candidate = _group_counts(buckets.candidate, groups.candidate, k)
    vectors, kind = np.unique(np.concatenate([baseline, candidate]), axis=0, return_inverse=True)
    kind = kind.ravel()  # numpy 2.0 gave it a second axis
    d, size = vectors.shape[0], baseline.shape[0]
    return _Units(vectors, np.bincount(kind[:size], minlength=d), np.bincount(kind[size:], minlength=d))


def _group_counts(index: NDArray[np.intp], groups: NDArray[np.intp], k: int) -> NDArray[np.int64]:
    names, unit = np.unique(groups, return_inverse=True)
    return np.bincount(unit * k + index, minlength=names.size * k).reshape(names.size, k)
