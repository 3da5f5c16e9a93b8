"""The normal distribution, for many values at once."""

import math

import numpy as np
from numpy.typing import NDArray


def normal_cdf(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(Z <= value) for each of (r,) values, Z standard normal; precise in both tails."""
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in values.tolist()])
