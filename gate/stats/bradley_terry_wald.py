"""Wald intervals of Bradley-Terry strengths: from the Hessian, and robust to battles that come in clusters."""

import math
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gate.stats.battles import Battles, Shares, share_out
from gate.stats.bradley_terry import BradleyTerryFit, require_comparable
from gate.stats.bradley_terry_newton import inverse_information, win_chances
from gate.stats.distributions import Interval
from gate.stats.logistic import chances_of, logit
from gate.stats.student import student_quantile, student_tail

_NORMAL = NormalDist()
_BATCH_CELLS = 2_000_000
# A robust variance below this share of the model's is none: its clusters happen to cancel out.
_NOTHING = 1e-9
# With more clusters than this Student's t is the normal to four digits.
_MANY = 100_000
# A model that is seen in fewer clusters fits them so closely that what is left of them is too small.
_FEW = 20


@dataclass(frozen=True, slots=True)
class WaldStrengths:
    """A ``StrengthDistribution`` by the normal approximation, on the scale of log-strengths.

    Attributes:
        fit: the strengths, of m models.
        covariance: float64 (m, m), of the centred log-strengths; 0 across components, where nothing is compared.
        variances: float64 (m, m), of the difference of row's and column's log-strength; NaN across components.
        freedoms: intp (m, m), >= 1: of the differences, degrees of freedom of Student's t, on the diagonal those of
            each log-strength; None: the normal.
    """

    fit: BradleyTerryFit
    covariance: NDArray[np.float64]
    variances: NDArray[np.float64]
    freedoms: NDArray[np.intp] | None = None

    def strength_intervals(self, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution."""
        # the diagonal is 0 or more but for rounding, and for a component of one model it is 0
        variances = np.maximum(self.covariance.diagonal(), 0.0)
        return _around(self.fit.log_strengths, self._reach(alpha).diagonal() * np.sqrt(variances))

    def relative_intervals(self, anchor: int, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution."""
        return _around(self.fit.relative_to(anchor), self._reach(alpha)[anchor] * np.sqrt(self.variances[anchor]))

    def rank_intervals(self, alpha: float) -> NDArray[np.intp]:
        """See StrengthDistribution: between those that are surely better and those that are surely worse, pair by pair.

        A pair is sure where the interval of its difference leaves out 0.
        """
        gaps = self.fit.log_strengths[None, :] - self.fit.log_strengths[:, None]
        # NaN, across components, is sure of nothing
        sure = np.abs(gaps) > self._reach(alpha) * np.sqrt(self.variances)
        better, worse = (sure & (gaps > 0)).sum(axis=1), (sure & (gaps < 0)).sum(axis=1)
        return np.stack([1 + better, self.fit.connectivity.comparable.sum(axis=1) - worse], axis=1)

    def probability_intervals(self, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution: on the logit scale, so that they lie in [0, 1]."""
        gaps = self.fit.log_strengths[:, None] - self.fit.log_strengths[None, :]
        return chances_of(_around(gaps, self._reach(alpha) * np.sqrt(self.variances)))

    def probability_interval(self, one: int, other: int, *, alpha: float) -> Interval:
        """See StrengthDistribution."""
        require_comparable(self.fit.connectivity, one, other)
        gap = self.fit.log_strengths[one] - self.fit.log_strengths[other]
        reach = self._reach(alpha)[one, other] * np.sqrt(self.variances[one, other])
        low, high = chances_of(_around(gap, reach)).tolist()
        return Interval(low, high)

    def p_below(self, one: int, other: int, *, limit: float) -> float:
        """See StrengthDistribution."""
        require_comparable(self.fit.connectivity, one, other)
        gap = float(self.fit.log_strengths[one] - self.fit.log_strengths[other])
        statistic = (logit(limit) - gap) / math.sqrt(float(self.variances[one, other]))
        freedom = None if self.freedoms is None else int(self.freedoms[one, other])
        if freedom is None or freedom > _MANY:
            return 0.5 * math.erfc(statistic / math.sqrt(2))
        return student_tail(statistic, freedom)

    def p_above(self, one: int, other: int, *, limit: float) -> float:
        """See StrengthDistribution."""
        return self.p_below(other, one, limit=1 - limit)

    def _reach(self, alpha: float) -> NDArray[np.float64]:
        """Float64 (m, m): how many standard errors an interval reaches to each side."""
        normal = _NORMAL.inv_cdf(1 - alpha / 2)
        if self.freedoms is None:
            return np.full(self.variances.shape, normal)
        distinct, places = np.unique(self.freedoms, return_inverse=True)
        reaches = [normal if freedom > _MANY else student_quantile(1 - alpha / 2, freedom) for freedom in distinct]
        return np.array(reaches)[places].reshape(self.freedoms.shape)


def _around(values: NDArray[np.float64], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(reach)[..., None], np.nan, np.stack([values - reach, values + reach], axis=-1))


def wald(fit: BradleyTerryFit) -> WaldStrengths:
    """How well the strengths are known if every battle is independent, from the Hessian at the fit.

    With ties, which vary less than wins and losses do, it errs on the wide side. A weight counts as so many battles.

    Source: the inverse of the Fisher information, e.g. Hunter (2004), section 6.
    """
    covariance = inverse_information(fit.wins, fit.log_strengths, fit.connectivity.comparable)
    return WaldStrengths(fit, covariance, _variances(fit, covariance))


def robust_wald(fit: BradleyTerryFit, battles: Battles, clusters: NDArray[np.intp] | None = None) -> WaldStrengths:
    """How well the strengths are known if only battles of different clusters are independent.

    It holds for weights that are no counts, and for ties as well. Student's t takes the place of the normal, with one
    degree of freedom less than there are clusters with the model, of two models the one with fewer. Where these are
    fewer than 20, or cancel out so that a difference would seem to have no variance at all, a difference has at least
    the variance that ``wald`` gives it. By simulation no more than 3 % of equal models are then called worse at the
    level of 2.5 %, however few the clusters, where the plain sandwich would call up to 19 %.

    Args:
        fit: of the same battles.
        battles: n battles.
        clusters: intp (n,), any numbers, such as that of the prompt; None: each battle by itself.

    Raises:
        ValueError: where there are fewer than two clusters.

    Source: the sandwich of Huber (1967) and White (1982), Maximum Likelihood Estimation of Misspecified Models, with
    the scores summed over clusters, Liang and Zeger (1986), and the factor g / (g - 1).
    """
    shares = share_out(battles, clusters) if clusters is not None else None
    units = len(battles) if shares is None else shares.n_units
    if units < 2:  # noqa: PLR2004
        raise ValueError(f"{units} clusters do not show how much clusters differ: two are the least")
    bread, chances = wald(fit).covariance, win_chances(fit.log_strengths)
    meat = _meat_of_battles(battles, chances) if shares is None else _meat_of_clusters(shares, chances)
    covariance = bread @ meat @ bread * (units / (units - 1))
    seen = _clusters_by_model(battles, shares)
    fewer = np.minimum(seen[:, None], seen)
    modelled, robust = _variances(fit, bread) * _mean_weight(battles), _variances(fit, covariance)
    floor = np.where(fewer < _FEW, modelled, 0.0)
    variances = np.maximum(np.where(robust > _NOTHING * modelled, robust, modelled), floor)
    return WaldStrengths(fit, covariance, variances, np.maximum(fewer - 1, 1))


def _clusters_by_model(battles: Battles, shares: Shares | None) -> NDArray[np.intp]:
    """Intp (m,): in how many clusters each model is."""
    if shares is None:
        return np.bincount(np.concatenate([battles.first, battles.second]), minlength=battles.n_models)
    size = shares.n_models
    seen = np.unique(np.concatenate([shares.units * size + models for models in (shares.winners, shares.losers)]))
    return np.bincount(seen % size, minlength=size)


def _mean_weight(battles: Battles) -> float:
    """How many battles the Hessian takes one for: the mean weight, of which heavy battles have a larger share."""
    return 1.0 if battles.weights is None else float((battles.weights**2).sum() / battles.weights.sum())


def _variances(fit: BradleyTerryFit, covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    own = covariance.diagonal()
    # rounding must not leave a negative one
    spread = np.maximum(own[:, None] + own - 2 * covariance, 0.0)
    return np.where(fit.connectivity.comparable, spread, np.nan)


def _meat_of_battles(battles: Battles, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the squared scores, each of which is a residual at one model and its negative at the other."""
    size = len(chances)
    residuals = battles.outcomes - chances[battles.first, battles.second]
    weighted = residuals if battles.weights is None else residuals * battles.weights
    squares = np.bincount(battles.first * size + battles.second, weights=weighted**2, minlength=size**2)
    between = squares.reshape(size, size) + squares.reshape(size, size).T
    return np.asarray(np.diag(between.sum(axis=1)) - between)


def _meat_of_clusters(shares: Shares, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over clusters of the outer products of their scores, in batches of bounded memory."""
    size = shares.n_models
    residuals = shares.amounts * (1 - chances[shares.winners, shares.losers])
    meat = np.zeros((size, size))
    batch = min(shares.n_units, max(1, _BATCH_CELLS // size))
    for start in range(0, shares.n_units, batch):
        entries = slice(*np.searchsorted(shares.units, [start, start + batch]).tolist())
        rows = (shares.units[entries] - start) * size
        add = partial(np.bincount, weights=residuals[entries], minlength=batch * size)
        scores = (add(rows + shares.winners[entries]) - add(rows + shares.losers[entries])).reshape(batch, size)
        meat += scores.T @ scores
    return meat
