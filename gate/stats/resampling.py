"""The Monte Carlo form of the bootstrap: resamples actually drawn, in batches of bounded memory."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.stats.distributions import ResampledDistribution
from gate.stats.lattice import count_on_lattice, exponent_of
from gate.stats.pairs import Pairs, find_steps, pairs_by_stratum, scale_pairs, values_by_stratum
from gate.stats.units import Units

_BATCH_CELLS = 4_000_000


def resample_mean(values: NDArray[np.float64], *, n_resamples: int, rng: np.random.Generator) -> ResampledDistribution:
    """The Monte Carlo form of ``bootstrap_mean``: multinomial counts over the distinct values.

    Args:
        values: float64 (n,), n >= 1, finite.
        n_resamples: how many resamples to draw, >= 1.
        rng: the source of randomness.
    """
    return _resample_even([values], n_resamples, rng)


def resample_ratio(units: Units, *, n_resamples: int, rng: np.random.Generator) -> ResampledDistribution:
    """The Monte Carlo form of ``bootstrap_ratio``: multinomial counts, within strata, over the distinct units.

    Args:
        units: (g,) units, g >= 1, finite.
        n_resamples: how many resamples to draw, >= 1.
        rng: the source of randomness.
    """
    if units.even:
        return _resample_even(values_by_stratum(units), n_resamples, rng)
    strata = pairs_by_stratum(units)
    stepped = find_steps(strata)
    if stepped is not None:
        # whole steps add up exactly, and on every machine alike
        sums = _draw_sums([_urn(pairs) for pairs in stepped.strata], n_resamples, rng)
        means = sums[:, 0] * stepped.unit.numerator / (sums[:, 1] * stepped.unit.denominator)
        return ResampledDistribution(np.sort(means), exact=True)
    scaled, exponent = scale_pairs(strata)
    sums = _draw_sums([_urn(pairs) for pairs in scaled], n_resamples, rng)
    means = np.ldexp(np.sort(sums[:, 0] / sums[:, 1]), exponent)
    return ResampledDistribution(np.clip(means, units.values.min(), units.values.max()))


class _Urn(NamedTuple):
    """What one stratum draws from: distinct rows (d, k), and how often each is there (d,)."""

    rows: NDArray[np.float64] | NDArray[np.int64]
    counts: NDArray[np.int64]


def _urn(pairs: Pairs) -> _Urn:
    return _Urn(np.stack([pairs.totals, pairs.sizes], axis=1), pairs.counts)


def _resample_even(
    samples: Sequence[NDArray[np.float64]], n_resamples: int, rng: np.random.Generator
) -> ResampledDistribution:
    n = sum(sample.size for sample in samples)
    lattice = count_on_lattice(samples)
    if lattice is not None:
        urns = [_Urn(own.points[:, None], own.counts) for own in lattice.samples]
        sums = _draw_sums(urns, n_resamples, rng)[:, 0]
        return ResampledDistribution(np.sort(sums / (n * lattice.denominator)), exact=True)
    exponent = max(exponent_of(sample) for sample in samples)
    distinct = [np.unique(sample, return_counts=True) for sample in samples]
    urns = [_Urn(np.ldexp(values, -exponent)[:, None], counts) for values, counts in distinct]
    return ResampledDistribution(np.ldexp(np.sort(_draw_sums(urns, n_resamples, rng)[:, 0] / n), exponent))


def _draw_sums(urns: Sequence[_Urn], n_resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The sums (n_resamples, k) over all urns, each drawn from as often as it has rows."""
    sums = np.zeros((n_resamples, urns[0].rows.shape[1]))
    for rows, counts in urns:
        n, batch = int(counts.sum()), max(1, _BATCH_CELLS // counts.size)
        for start in range(0, n_resamples, batch):
            stop = min(start + batch, n_resamples)
            sums[start:stop] += rng.multinomial(n, counts / n, size=stop - start) @ rows
    return sums
