"""Ranks: one more than the number of those who are better."""

import numpy as np
from numpy.typing import NDArray

# Ratings nearer than this share of their spread differ by rounding alone.
_ROUNDING = 1e-9


def ranks_of(ratings: NDArray[np.float64]) -> NDArray[np.intp]:
    """The ranks within each row of (r, m) ratings, 1 for the highest; equal ratings share a rank."""
    order = np.argsort(-ratings)
    sorted_ratings = np.take_along_axis(ratings, order, axis=1)
    gaps = -np.diff(sorted_ratings)
    spread = sorted_ratings[:, :1] - sorted_ratings[:, -1:]
    places = np.zeros(ratings.shape, dtype=np.intp)
    places[:, 1:] = np.where(gaps > _ROUNDING * spread, np.arange(1, ratings.shape[1]), 0)
    ranks = np.empty(ratings.shape, dtype=np.intp)
    np.put_along_axis(ranks, order, np.maximum.accumulate(places, axis=1) + 1, axis=1)
    return ranks


def ranks_within(ratings: NDArray[np.float64], groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """The ranks (r, m) of ratings (r, m) within each of the groups, numbers (m,) from 0 on."""
    ranks = np.empty(ratings.shape, dtype=np.intp)
    for group in range(int(groups.max()) + 1):
        members = np.flatnonzero(groups == group)
        ranks[:, members] = ranks_of(ratings[:, members])
    return ranks
