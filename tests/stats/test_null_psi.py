import numpy as np
import pytest

from gate.stats.buckets import Buckets
from gate.stats.null_psi import DriftTest, share_at_least
from gate.stats.swaps import swap_test

DRAWS = np.array([0.0] * 80 + [0.15] * 10 + [0.2] * 6 + [0.3] * 3 + [0.9])


def test_the_observed_index_is_one_more_draw() -> None:
    assert share_at_least(0.3, DRAWS) == (5 / 101, True)
    assert share_at_least(0.3 + 1e-14, DRAWS).p_value == 5 / 101
    assert share_at_least(2.0, DRAWS) == (1 / 101, False)


def test_the_shares_over_the_bands_and_the_mean_are_those_of_the_draws() -> None:
    test = DriftTest(0.5, DRAWS)
    assert (test.moderate_share, test.significant_share) == (0.20, 0.04)
    assert test.mean == pytest.approx(DRAWS.mean())


def test_by_the_bands_every_draw_over_them_counts() -> None:
    assert DriftTest(0.5, DRAWS).rates(0.025, "bands") == pytest.approx((0.04, 0.16))


def test_by_the_calibrated_rule_a_draw_must_be_unlikely_too() -> None:
    test = DriftTest(0.5, DRAWS)
    # at or above: 0.9 once, 0.3 four times, 0.2 ten times
    assert test.rates(0.025, "calibrated") == pytest.approx((0.01, 0.0))
    assert test.rates(5 / 101, "calibrated") == pytest.approx((0.04, 0.0))
    assert test.rates(11 / 101, "calibrated") == pytest.approx((0.04, 0.06))


def test_so_few_draws_that_none_is_unlikely_enough_are_never() -> None:
    assert DriftTest(1.0, np.array([0.3, 0.4, 0.5])).rates(0.025, "calibrated") == (0.0, 0.0)


@pytest.mark.parametrize("n", [12, 40, 400])
def test_the_calibrated_rule_spends_no_more_than_alpha_on_unchanged_runs(n: int) -> None:
    draw = np.random.default_rng(n)
    runs = draw.choice(3, size=(2, n), p=[0.2, 0.3, 0.5])
    test = swap_test(Buckets(("a", "b", "c"), runs[0], runs[1]), n_swaps=4000, rng=draw)
    calibrated, bands = test.rates(0.025, "calibrated"), test.rates(0.025, "bands")
    assert sum(calibrated) <= 0.025
    assert calibrated.fail <= bands.fail == test.significant_share
    assert sum(bands) == pytest.approx(test.moderate_share)
