"""Log-odds and probabilities."""

import math

import numpy as np
from numpy.typing import NDArray


def logit(limit: float) -> float:
    """The log-odds of a probability in (0, 1).

    Raises:
        ValueError: where it is not in (0, 1).
    """
    if not 0 < limit < 1:
        raise ValueError(f"the limit {limit} is not in (0, 1)")
    return math.log(limit) - math.log1p(-limit)


def chances_of(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of log-odds of any shape; NaN of NaN."""
    against = np.exp(-np.abs(log_odds))
    return np.asarray(np.where(log_odds < 0, against, 1.0) / (1 + against))
