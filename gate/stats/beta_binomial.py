"""Tasks whose pass rates differ as a beta distribution: what n samples of each can show of pass@k."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.pass_at_k import Counts, pass_at_k

Floats = NDArray[np.float64]
# Nearer to 0 or 1, tasks are all alike, or each passes always or never.
_EDGE = 1e-9
_LEAST_TASKS = 2


class TaskRates(NamedTuple):
    """How the pass rates of tasks are spread.

    Attributes:
        mean: in (0, 1).
        rho: the correlation of two samples of one task, in [0, 1]: 0 where all tasks have one rate, 1 where each passes
            always or never.
    """

    mean: float
    rho: float

    @property
    def sd(self) -> float:
        """The standard deviation of the tasks' rates."""
        return math.sqrt(self.rho * self.mean * (1 - self.mean))

    def variance(self, n: int, k: int) -> float:
        """The variance of a task's pass@k of n samples: between the tasks, and of the samples of each; k <= n."""
        chances, values = _chances(self, n), pass_at_k(np.full(n + 1, n), np.arange(n + 1, dtype=np.int64), k)
        mean = float(chances @ values)
        return float(chances @ (values - mean) ** 2)

    def variance_between(self, k: int) -> float:
        """The same for endless samples: what only more tasks take away."""
        if self.rho < _EDGE:
            return 0.0
        if self.rho > 1 - _EDGE:
            return self.mean * (1 - self.mean)
        a, b = _shape(self)
        return _missing(a, b, 2 * k) - _missing(a, b, k) ** 2

    def mean_of(self, k: int) -> float:
        """The mean of pass@k over such tasks."""
        if self.rho < _EDGE:
            return -math.expm1(k * math.log1p(-self.mean))
        if self.rho > 1 - _EDGE:
            return self.mean
        return 1 - _missing(*_shape(self), k)


def fit_rates(n: Counts, c: Counts) -> TaskRates | None:
    """The spread that measured tasks show, by the method of moments; None where too little is there to show one.

    That takes two tasks or more, one of them with two samples or more, and samples that pass and samples that do not.

    Args:
        n: int64 (t,), samples of each task, >= 1.
        c: int64 (t,), how many of them pass.

    Source: an estimator of the intraclass correlation by analysis of variance, e.g. Ridout, Demetrio
    and Firth, Estimating Intraclass Correlation for Binary Data (1999).
    """
    mean = float((c / n).mean())
    repeated = n > 1
    if n.size < _LEAST_TASKS or not repeated.any() or not 0.0 < mean < 1.0:
        return None
    pairs = n[repeated] * (n[repeated] - 1.0)
    # the share of pairs of samples of one task that differ is 2 p (1 - p), on average over the tasks
    differing = 2.0 * c[repeated] * (n - c)[repeated] / pairs
    return TaskRates(mean, max(0.0, 1 - float(differing.mean()) / (2 * mean * (1 - mean))))


def _chances(rates: TaskRates, n: int) -> Floats:
    """Float64 (n + 1,): the probabilities of 0 to n passes."""
    if rates.rho > 1 - _EDGE:
        return np.concatenate([[1 - rates.mean], np.zeros(n - 1), [rates.mean]])
    c = np.arange(n, dtype=np.float64)
    steps = np.log(n - c) - np.log(c + 1)
    if rates.rho < _EDGE:
        steps += math.log(rates.mean) - math.log1p(-rates.mean)
    else:
        a, b = _shape(rates)
        # in this order, for a small b to outlive the sum
        steps += np.log(a + c) - np.log(b + (n - c - 1))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chances: Floats = np.exp(logs - logs.max())
    return chances / float(chances.sum())


def _shape(rates: TaskRates) -> tuple[float, float]:
    """The two parameters of the beta distribution."""
    size = (1 - rates.rho) / rates.rho
    return rates.mean * size, (1 - rates.mean) * size


def _missing(a: float, b: float, k: int) -> float:
    """The mean of (1 - p)**k: the product of (b + i) / (a + b + i) for i under k, exact where a + b is large."""
    return math.exp(float(np.log1p(-a / (a + b + np.arange(k))).sum()))
