"""pass@k and pass^k of tasks from n samples each, c of which pass; and how noisy they are."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
Estimator = Callable[[Counts, Counts, int], Floats]

# exp of less is nothing beside 1, so that no further factor can matter.
_NOTHING = -60.0
# So many logarithms are taken at once: enough to outweigh a step of the loop, few enough for a cache.
_BLOCK = 1 << 14


def pass_at_k(n: Counts, c: Counts, k: int) -> Floats:
    """The chance that of k samples drawn from n without replacement at least one passes: 1 - C(n - c, k) / C(n, k).

    Unbiased for 1 - (1 - p)**k where the n samples are independent and each passes with chance p.

    Args:
        n: int64 (t,), samples of each task, k <= n; to about 1e6 each.
        c: int64 (t,), how many of them pass, 0 <= c <= n.
        k: how many are drawn, >= 1.

    Returns:
        float64 (t,), each in [0, 1]; exactly 1 where n - c < k.

    Source: Chen et al., Evaluating Large Language Models Trained on Code (2021), equation 1.
    """
    return -np.expm1(_log_no_hit(n, c, k)) + 0.0


def pass_hat_k(n: Counts, c: Counts, k: int) -> Floats:
    """The chance that of k samples drawn from n without replacement all pass: C(c, k) / C(n, k).

    Args and the form of the result as in ``pass_at_k``; unbiased for p**k.

    Source: Yao et al., tau-bench (2024), section 4.
    """
    return np.exp(_log_no_hit(n, n - c, k))


def plug_in_pass_at_k(n: Counts, c: Counts, k: int) -> Floats:
    """1 - (1 - c / n)**k, which draws with replacement: it lies below pass@k, and its expectation below the truth."""
    with np.errstate(divide="ignore"):
        chances: Floats = -np.expm1(k * np.log1p(-c / n)) + 0.0
    return chances


def jackknife_variance(n: Counts, c: Counts, k: int, estimator: Estimator) -> Floats:
    """The variance of a task's estimate over its samples, as leaving each of them out shows it.

    Args:
        n: as in ``pass_at_k``.
        c: likewise.
        k: likewise.
        estimator: ``pass_at_k`` or ``pass_hat_k``.

    Returns:
        float64 (t,), >= 0; NaN where n - 1 < k, which leaves nothing to leave out.

    Source: Efron and Stein, The Jackknife Estimate of Variance (1981).
    """
    variance = np.full(n.shape, np.nan)
    known = n - 1 >= k
    all_, passed = n[known], c[known]
    # leaving out a sample that passes, which there must be for that to count; and one that does not
    without_pass = estimator(all_ - 1, np.maximum(passed - 1, 0), k)
    without_fail = estimator(all_ - 1, np.minimum(passed, all_ - 1), k)
    share = passed / all_
    variance[known] = (all_ - 1) * share * (1 - share) * (without_fail - without_pass) ** 2
    return variance


def _log_no_hit(n: Counts, hits: Counts, k: int) -> Floats:
    """Log of C(n - hits, k) / C(n, k), the chance that k draws miss all the hits; -inf where they cannot.

    The product has min(hits, k) factors, and the loop ends where the chance is nothing beside 1: after some
    sqrt(60 n) of them at the latest.
    """
    if k < 1 or np.any(n < k) or np.any(hits < 0) or np.any(hits > n):
        raise ValueError("each task needs 0 <= c <= n and 1 <= k <= n")
    # few tasks differ in both numbers, so that a million cost no more than their kinds
    width = int(n.max(initial=0)) + 1
    kinds, place = np.unique(n * width + hits, return_inverse=True)
    all_, marked = np.divmod(kinds, width)
    fewer, more = np.minimum(marked, k), np.maximum(marked, k)
    logs = np.where(all_ - marked < k, -np.inf, 0.0)
    done, live = 0, np.flatnonzero((fewer > 0) & (logs > _NOTHING))
    while live.size:
        factors = np.arange(done, done + max(1, _BLOCK // live.size))
        shares = more[live, None] / np.maximum(all_[live, None] - factors, 1)
        logs[live] += np.log1p(-np.where(factors < fewer[live, None], shares, 0.0)).sum(axis=1)
        done += factors.size
        live = live[(done < fewer[live]) & (logs[live] > _NOTHING)]
    placed: Floats = logs[place]
    return placed
