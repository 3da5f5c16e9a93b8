"""The bootstrap of Bradley-Terry strengths: battles, or clusters of them, drawn anew and fitted anew."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.battles import Battles, Shares, count_battles, share_out
from gate.stats.bradley_terry import BradleyTerryFit, regularise, require_comparable
from gate.stats.bradley_terry_newton import follow_chord, inverse_information, maximise
from gate.stats.connectivity import unbounded_models
from gate.stats.distributions import Interval
from gate.stats.logistic import chances_of, logit
from gate.stats.ranks import ranks_within

_BATCH_CELLS = 1_000_000
# Up to so many draws a unit it is quicker to draw one unit after the other than a binomial number of each.
_FEW_DRAWS = 4


@dataclass(frozen=True, slots=True)
class BootstrapStrengths:
    """A ``StrengthDistribution`` by r resamples.

    Attributes:
        fit: the strengths, of m models, without resampling.
        draws: float64 (r, m), the log-strengths of each resample, with mean 0 in each component of ``fit``.
        n_regularised: how many resamples had no finite likeliest strengths in some component, and are regularised there
            as a fit is: by half a win each way on each pair that met in the battles themselves.
        n_unconverged: how many did not come to their end; to be told if not 0.
    """

    fit: BradleyTerryFit
    draws: NDArray[np.float64]
    n_regularised: int
    n_unconverged: int

    def strength_intervals(self, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution."""
        return _percentiles(self.draws, alpha)

    def relative_intervals(self, anchor: int, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution."""
        intervals = _percentiles(self.draws - self.draws[:, [anchor]], alpha)
        return np.where(self.fit.connectivity.comparable[anchor][:, None], intervals, np.nan)

    def rank_intervals(self, alpha: float) -> NDArray[np.intp]:
        """See StrengthDistribution."""
        ranks = ranks_within(self.draws, self.fit.connectivity.weak)
        ends = np.quantile(ranks, [alpha / 2, 1 - alpha / 2], axis=0, method="inverted_cdf")
        return ends.T.astype(np.intp)

    def probability_intervals(self, alpha: float) -> NDArray[np.float64]:
        """See StrengthDistribution."""
        models = range(self.draws.shape[1])
        return np.stack([chances_of(-self.relative_intervals(model, alpha)[:, ::-1]) for model in models])

    def probability_interval(self, one: int, other: int, *, alpha: float) -> Interval:
        """See StrengthDistribution."""
        low, high = chances_of(_percentiles(self._gaps(one, other), alpha)).tolist()
        return Interval(low, high)

    def p_below(self, one: int, other: int, *, limit: float) -> float:
        """See StrengthDistribution: of the resamples, and the battles themselves, those at the limit or above."""
        contrary = int((self._gaps(one, other) >= logit(limit)).sum())
        return (1 + contrary) / (1 + len(self.draws))

    def p_above(self, one: int, other: int, *, limit: float) -> float:
        """See StrengthDistribution."""
        return self.p_below(other, one, limit=1 - limit)

    def _gaps(self, one: int, other: int) -> NDArray[np.float64]:
        require_comparable(self.fit.connectivity, one, other)
        return np.asarray(self.draws[:, one] - self.draws[:, other])


def bootstrap_strengths(
    fit: BradleyTerryFit,
    battles: Battles,
    *,
    clusters: NDArray[np.intp] | None = None,
    n_resamples: int,
    rng: np.random.Generator,
) -> BootstrapStrengths:
    """Draw as many battles as there are, or clusters, with replacement; fit; again.

    Battles are drawn by a multinomial over their kinds, so that neither memory nor time grows much with their number.

    Args:
        fit: of the same battles; each resample's fit starts from it.
        battles: n battles, n >= 1.
        clusters: intp (n,), any numbers, such as that of the prompt: battles with the same one are drawn as one; None:
            each battle by itself.
        n_resamples: how many to draw, >= 1.
        rng: the source of randomness.

    Raises:
        ValueError: where there is no battle.

    Source: Efron and Tibshirani (1993), chapter 8; of clusters, Davison and Hinkley, Bootstrap Methods and their
    Application (1997), section 3.8.
    """
    if len(battles) == 0:
        raise ValueError("without a battle there is nothing to draw from")
    urn = _urn_of(battles, clusters)
    inverse = inverse_information(fit.wins, fit.log_strengths, fit.connectivity.comparable)
    size, draws, n_regularised, n_unconverged = battles.n_models, [], 0, 0
    batch = max(1, _BATCH_CELLS // size**2)
    for start in range(0, n_resamples, batch):
        wins = np.stack([urn.draw(rng) for _ in range(min(batch, n_resamples - start))])
        found = _fit_resamples(fit, inverse, wins)
        draws.append(found.log_strengths)
        n_regularised += found.n_regularised
        n_unconverged += found.n_unconverged
    return BootstrapStrengths(fit, np.concatenate(draws), n_regularised, n_unconverged)


class _Urn(NamedTuple):
    """What is drawn from: units of a number of kinds."""

    shares: Shares
    counts: NDArray[np.int64]

    def draw(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """The win matrix of a resample."""
        n, kinds = int(self.counts.sum()), self.counts.size
        if n > _FEW_DRAWS * kinds:
            return self.shares.win_matrix(rng.multinomial(n, self.counts / n))
        drawn = rng.integers(n, size=n)
        if n > kinds:
            drawn = np.repeat(np.arange(kinds), self.counts)[drawn]
        return self.shares.win_matrix(np.bincount(drawn, minlength=kinds))


def _urn_of(battles: Battles, clusters: NDArray[np.intp] | None) -> _Urn:
    if clusters is None:
        counted = count_battles(battles)
        return _Urn(share_out(counted.battles), counted.counts)
    shares = share_out(battles, clusters)
    return _Urn(shares, np.ones(shares.n_units, dtype=np.int64))


class _Resamples(NamedTuple):
    log_strengths: NDArray[np.float64]
    n_regularised: int
    n_unconverged: int


def _fit_resamples(fit: BradleyTerryFit, inverse: NDArray[np.float64], wins: NDArray[np.float64]) -> _Resamples:
    comparable, met = fit.connectivity.comparable, fit.wins + fit.wins.T > 0
    unbounded = unbounded_models(wins, comparable)
    fitted = regularise(wins, unbounded, met=met)
    log_strengths, found = follow_chord(fitted, inverse, fit.log_strengths)
    failed, n_unconverged = np.flatnonzero(~found), 0
    if failed.size:
        start = np.repeat(fit.log_strengths[None], failed.size, axis=0)
        best = maximise(fitted[failed], comparable, start)
        log_strengths[failed], n_unconverged = best.log_strengths, int((~best.converged).sum())
    return _Resamples(log_strengths, int(unbounded.any(axis=1).sum()), n_unconverged)


def _percentiles(values: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """The percentile interval (..., 2) of (r, ...) draws."""
    return np.moveaxis(np.quantile(values, [alpha / 2, 1 - alpha / 2], axis=0), 0, -1)
