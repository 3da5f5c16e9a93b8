"""Fisher's exact test, one-sided: the tail of the hypergeometric distribution."""

import numpy as np


def fisher_p(hits: int, chosen: int, *, all_hits: int, units: int) -> float:
    """P(at most ``hits`` hits among ``chosen`` units drawn from ``units``, of which ``all_hits`` are hits).

    Computed by the logarithms of the ratios of neighbouring probabilities, so that neither large numbers nor small
    probabilities are lost; below 1e-300 it may be zero.

    Args:
        hits: from what is possible: at least ``chosen + all_hits - units`` and 0, at most ``chosen`` and ``all_hits``.
        chosen: 0 to ``units``.
        all_hits: 0 to ``units``.
        units: >= 1.

    Source: Fisher, Statistical Methods for Research Workers (1934), section 21.02.
    """
    lowest = max(0, chosen + all_hits - units)
    below = np.arange(lowest, min(chosen, all_hits), dtype=np.float64)
    up = (all_hits - below) * (chosen - below)
    ratios = np.log(up) - np.log((below + 1) * (units - all_hits - chosen + below + 1))
    logs = np.concatenate([np.zeros(1), np.cumsum(ratios)])
    shares = np.exp(logs - logs.max())
    return min(1.0, float(shares[: hits - lowest + 1].sum() / shares.sum()))
