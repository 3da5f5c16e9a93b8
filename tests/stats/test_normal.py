import numpy as np
import pytest
from scipy.stats import norm

from gate.stats.normal import normal_cdf


def test_it_is_scipys_in_the_middle_and_in_both_tails() -> None:
    values = np.array([-30.0, -8.0, -1.96, 0.0, 0.5, 3.0, 30.0])
    assert normal_cdf(values) == pytest.approx(norm.cdf(values), rel=1e-12)


def test_of_no_values_there_are_none() -> None:
    assert normal_cdf(np.empty(0)).size == 0
