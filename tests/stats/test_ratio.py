import numpy as np

from gate.stats import ratio
from gate.stats.pairs import Pairs


def pairs(totals: list[float], sizes: list[float], counts: list[int]) -> Pairs:
    return Pairs(np.array(totals), np.array(sizes), np.array(counts))


def test_the_slope_is_that_of_totals_over_sizes_within_strata() -> None:
    # covariances 30 and 36, variances 2 and 12: 66 / 14 = 4.7
    strata = [pairs([0.0, 30.0], [1.0, 3.0], [1, 1]), pairs([0.0, 12.0], [1.0, 5.0], [3, 1])]
    assert ratio._slope(strata) == 5


def test_sizes_that_are_all_equal_within_their_strata_have_no_slope() -> None:
    assert ratio._slope([pairs([1.0, 5.0], [2.0, 2.0], [1, 1]), pairs([3.0], [4.0], [7])]) == 0
