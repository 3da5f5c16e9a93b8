import numpy as np
import pytest

from gate.stats.null_psi import DriftTest, own_p_values, share_at_least, share_of_all

DRAWS = np.array([0.0] * 80 + [0.15] * 10 + [0.2] * 6 + [0.3] * 3 + [0.9])


def test_the_observed_index_is_one_more_draw() -> None:
    assert share_at_least(0.3, DRAWS) == (5 / 101, True)
    assert share_at_least(0.3 + 1e-14, DRAWS).p_value == 5 / 101
    assert share_at_least(2.0, DRAWS) == (1 / 101, False)


def test_a_single_draw_that_reaches_the_observed_index_resolves_it() -> None:
    assert share_at_least(0.9, DRAWS) == (2 / 101, True)


def test_where_every_swap_is_known_the_observed_index_is_one_of_them() -> None:
    assert share_of_all(0.3, DRAWS) == 4 / 100
    assert share_of_all(0.9 + 1e-14, DRAWS) == 1 / 100
    assert share_of_all(2.0, DRAWS) == 1 / 100


def test_the_shares_over_the_bands_are_those_of_the_draws() -> None:
    test = DriftTest(0.5, DRAWS)
    assert (test.moderate_share, test.significant_share) == (0.20, 0.04)


def test_each_draw_has_its_own_p_value_whatever_their_order() -> None:
    values = np.array([0.3, 0.0, 0.9, 0.3])
    assert own_p_values(values) == pytest.approx([4 / 5, 1, 2 / 5, 4 / 5])
