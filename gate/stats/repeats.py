"""Noise between items told apart from noise between the repeats of one item."""

import numpy as np
from numpy.typing import NDArray


def share_of_repeats(scores: NDArray[np.float64], noise: NDArray[np.float64]) -> float | None:
    """The share of a mean's variance that endless repeats of the same items would take away, 0 to 1.

    Args:
        scores: float64 (n,), each item's mean over its repeats, or the difference of two such means.
        noise: float64 (n,), the variance of that score as the repeats show it; NaN where an item has but one.

    Returns:
        None where no item has repeats, or where the scores do not vary.

    Source: the one-way random-effects analysis of variance, e.g. Searle, Casella and McCulloch, Variance Components
    (1992), chapter 3; for evals, Miller, Adding Error Bars to Evals (2024), section 3.
    """
    known = ~np.isnan(noise)
    if scores.size < 2 or not known.any():  # noqa: PLR2004  # a variance needs two
        return None
    total, within = float(np.var(scores, ddof=1)), float(noise[known].mean())
    if total <= 0.0:
        return None
    return min(1.0, within / total)
