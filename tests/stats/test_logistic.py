import math

import numpy as np
import pytest
from scipy.special import expit
from scipy.special import logit as scipy_logit

from gate.stats.logistic import chances_of, logit


@pytest.mark.parametrize("limit", [1e-300, 1e-9, 0.25, 0.5, 0.9, 1 - 1e-12])
def test_the_log_odds_are_those_of_scipy(limit: float) -> None:
    assert logit(limit) == pytest.approx(float(scipy_logit(limit)), rel=1e-12)


@pytest.mark.parametrize("limit", [-0.5, 0.0, 1.0, 1.5, math.nan])
def test_what_is_no_chance_between_zero_and_one_has_no_log_odds(limit: float) -> None:
    with pytest.raises(ValueError, match=rf"^the limit {limit} is not in \(0, 1\)$"):
        logit(limit)


def test_the_chances_are_those_of_scipy_in_both_tails() -> None:
    log_odds = np.array([[-800.0, -40.0, -1.0], [0.0, 2.5, 800.0]])
    assert chances_of(log_odds) == pytest.approx(expit(log_odds), rel=1e-14)
    assert np.isnan(chances_of(np.array([math.nan]))).all()
