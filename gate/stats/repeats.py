"""Noise between items told apart from noise between the repeats of one item."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class NoiseSplit(NamedTuple):
    """Where the doubt about a mean over items comes from.

    Attributes:
        within_share: the share of the mean's variance that endless repeats of the same items would take away, 0 to 1.
        between_sd: the standard deviation of the items' true scores, >= 0.
    """

    within_share: float
    between_sd: float


def split_noise(scores: NDArray[np.float64], noise: NDArray[np.float64]) -> NoiseSplit | None:
    """Split the variance of items' scores into what lies between the items and what their repeats leave.

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
    return NoiseSplit(min(1.0, within / total), math.sqrt(max(0.0, total - within)))
