"""The paired permutation test of the PSI: each item's two scores may as well have come from the other run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.buckets import Buckets, count_buckets
from gate.stats.homogeneity import balance_p
from gate.stats.null_psi import DriftTest, share_at_least, share_of_all
from gate.stats.psi import psi, psi_of_each

_FEW_MOVES = 512
# A move made by so many units is drawn as one binomial number, which costs as much as their coins.
_MANY_UNITS = 64
_MAX_COINS = 200_000_000
_LEAST_SWAPS = 1000
_BATCH_CELLS = 2_000_000


def swap_test(
    buckets: Buckets, *, n_swaps: int, rng: np.random.Generator, groups: NDArray[np.intp] | None = None
) -> DriftTest:
    """Swap the runs of each item, or of each whole group of items, by the toss of a coin.

    The PSI depends on counts alone, so a unit is what it moves from bucket to bucket, and units that move the same are
    drawn at once, as a binomial number; where there are no more swaps than draws, each is taken once. Beyond what so
    many swaps can tell, the Stuart-Maxwell test goes on: many suites may share one error rate.

    Args:
        buckets: the (n,) items, the same in both runs.
        n_swaps: how many random swaps to draw, >= 1; fewer, but at least 1000, where 2e8 coins would not do.
        rng: the source of randomness.
        groups: intp (n,), any numbers: items with the same one are swapped together; None: each item on its own.

    Source: Fisher, The Design of Experiments (1935), section 21; see ``balance_p`` for what lies beyond.
    """
    k = len(buckets.labels)
    counts_a, counts_b = count_buckets(buckets.baseline, k), count_buckets(buckets.candidate, k)
    moves = _moves_of_items(buckets, k) if groups is None else _moves_of_groups(buckets, k, groups)
    if 2 ** int((moves.there + moves.back).sum()) <= n_swaps:
        every = np.sort(_every_psi(counts_a + counts_b, moves))
        return DriftTest(share_of_all(psi(counts_a, counts_b).value, every), every)
    draws = np.sort(_drawn_psi(counts_a + counts_b, moves, n_swaps=n_swaps, rng=rng))
    p_value, resolved = share_at_least(psi(counts_a, counts_b).value, draws)
    if not resolved:
        p_value = min(p_value, balance_p(moves.vectors, moves.there, moves.back))
    return DriftTest(p_value, draws)


class _Moves(NamedTuple):
    """The ways in which units differ between the runs.

    Attributes:
        vectors: int64 (d, k), how many more of a unit's items lie in each bucket in the baseline; each up to its sign.
        there: int64 (d,), how many units differ so.
        back: int64 (d,), and how many by the negative of it.
    """

    vectors: NDArray[np.int64]
    there: NDArray[np.int64]
    back: NDArray[np.int64]


def _moves_of_items(buckets: Buckets, k: int) -> _Moves:
    table = np.bincount(buckets.baseline * k + buckets.candidate, minlength=k * k).reshape(k, k)
    low, high = np.nonzero(np.triu(table + table.T, 1))
    vectors = np.zeros((low.size, k), dtype=np.int64)
    vectors[np.arange(low.size), low] = 1
    vectors[np.arange(low.size), high] = -1
    return _Moves(vectors, table[low, high], table[high, low])


def _moves_of_groups(buckets: Buckets, k: int, groups: NDArray[np.intp]) -> _Moves:
    moved = buckets.baseline != buckets.candidate
    names, unit = np.unique(groups[moved], return_inverse=True)
    cells = names.size * k
    net = np.bincount(unit * k + buckets.baseline[moved], minlength=cells)
    net = (net - np.bincount(unit * k + buckets.candidate[moved], minlength=cells)).reshape(names.size, k)
    net = net[net.any(axis=1)]
    first = net[np.arange(net.shape[0]), np.argmax(net != 0, axis=1)]
    vectors, kind = np.unique(net * np.sign(first)[:, None], axis=0, return_inverse=True)
    kind = kind.ravel()  # numpy 2.0 gave it a second axis
    there = np.bincount(kind[first > 0], minlength=vectors.shape[0])
    return _Moves(vectors, there, np.bincount(kind[first < 0], minlength=vectors.shape[0]))


def _drawn_psi(
    both: NDArray[np.int64], moves: _Moves, *, n_swaps: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The PSI of random swaps: float64 (r,), given (k,) counts of both runs together."""
    units = moves.there + moves.back
    # few kinds of moves take few binomial numbers, however few units make each
    many = units >= (_MANY_UNITS if units.size > _FEW_MOVES else 0)
    coins = np.repeat(moves.vectors[~many], units[~many], axis=0).astype(np.float64)
    n_swaps = min(n_swaps, max(_LEAST_SWAPS, _MAX_COINS // max(1, coins.shape[0])))
    # all units turned against the baseline: each coin and each binomial number turns units back
    turned = (both - units @ moves.vectors) // 2
    batch = max(1, _BATCH_CELLS // max(both.size, coins.shape[0]))
    drawn = np.empty(n_swaps)
    for start in range(0, n_swaps, batch):
        stop = min(start + batch, n_swaps)
        baseline = np.tile(turned, (stop - start, 1))
        for vector, number in zip(moves.vectors[many], units[many].tolist(), strict=True):
            held = np.flatnonzero(vector)
            baseline[:, held] += rng.binomial(number, 0.5, size=stop - start)[:, None] * vector[held]
        if coins.size:
            # sums of whole numbers are exact in floats, and many times faster
            baseline += (_toss(stop - start, coins.shape[0], rng) @ coins).astype(np.int64)
        drawn[start:stop] = psi_of_each(baseline, both - baseline)
    return drawn


def _every_psi(both: NDArray[np.int64], moves: _Moves) -> NDArray[np.float64]:
    """The PSI of all 2**units swaps."""
    units = moves.there + moves.back
    each = np.repeat(moves.vectors, units, axis=0)
    turned = (both - units @ moves.vectors) // 2
    swaps = (np.arange(1 << each.shape[0])[:, None] >> np.arange(each.shape[0])) & 1
    baseline = turned + swaps @ each
    return psi_of_each(baseline, both - baseline)


def _toss(rows: int, coins: int, rng: np.random.Generator) -> NDArray[np.float64]:
    width = (coins + 7) // 8
    tossed = np.frombuffer(rng.bytes(rows * width), dtype=np.uint8).reshape(rows, width)
    return np.unpackbits(tossed, axis=1, count=coins).astype(np.float64)
