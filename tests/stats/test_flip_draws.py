import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from gate.stats import flip_draws
from gate.stats.flip_draws import draw_flips, flip_p_values
from gate.stats.paired import sign_flip_p

RNG = np.random.default_rng
NONE = np.empty((50, 0))


def test_the_sums_are_those_of_random_signs() -> None:
    sizes = RNG(1).random(50)
    sums = draw_flips(sizes, NONE, rng=RNG(2)).sums
    assert sums.size == 4000
    assert sums.mean() == pytest.approx(0, abs=4 * math.sqrt(sizes @ sizes / 4000))
    assert sums.std() == pytest.approx(math.sqrt(sizes @ sizes), rel=0.05)


def test_vectors_change_their_sign_with_their_unit() -> None:
    sizes = np.array([1.0, 2.0, 0.0])
    drawn = draw_flips(sizes, np.array([[1.0, -1.0], [3.0, 0.0], [0.0, 5.0]]), rng=RNG(3))
    assert drawn.moves is not None
    first, second = (drawn.sums == 3) | (drawn.sums == -1), (drawn.sums == 3) | (drawn.sums == 1)
    signs = np.where(first, 1, -1), np.where(second, 1, -1)
    assert drawn.moves[:, 0].tolist() == (signs[0] + 3 * signs[1]).tolist()
    # a unit whose difference is zero may still move between buckets
    assert set((drawn.moves[:, 1] + signs[0]).tolist()) == {-5.0, 5.0}


@pytest.mark.parametrize(("units", "draws"), [(1, 4000), (1600, 2500), (4000, 1000)])
def test_there_are_fewer_draws_of_many_units(units: int, draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # the bound of 4 000 000 signs, and with it that of the draws
    monkeypatch.setattr(flip_draws, "_BATCH_CELLS", 500_000)
    drawn = draw_flips(np.ones(units), np.empty((units, 0)), rng=RNG(1))
    assert drawn.sums.size == draws
    assert drawn.sums.std() == pytest.approx(math.sqrt(units), rel=0.1)
    assert drawn.moves is not None
    assert drawn.moves.shape == (draws, 0)


def test_units_that_did_not_move_do_not_count_as_many() -> None:
    differences = np.append(np.full(5000, 1e-16), [1.0, 2.0])
    drawn = draw_flips(differences, np.zeros((5002, 1)), rng=RNG(1))
    assert drawn.moves is not None
    assert set(drawn.sums.tolist()) == {-3.0, -1.0, 1.0, 3.0}


def test_units_that_did_not_move_draw_no_sign() -> None:
    vectors = np.array([[1.0, -1.0], [0.0, 0.0], [3.0, 0.0]])
    with_one_still = draw_flips(np.array([1.0, 0.0, 2.0]), vectors, rng=RNG(3))
    without = draw_flips(np.array([1.0, 2.0]), vectors[[0, 2]], rng=RNG(3))
    assert with_one_still.sums.tolist() == without.sums.tolist()
    assert with_one_still.moves is not None
    assert without.moves is not None
    assert with_one_still.moves.tolist() == without.moves.tolist()


def test_where_nothing_moved_all_sums_are_zero() -> None:
    drawn = draw_flips(np.zeros(5), np.zeros((5, 2)), rng=RNG(1))
    assert not drawn.sums.any()
    assert drawn.moves is not None
    assert not drawn.moves.any()
    assert flip_p_values(np.zeros(5), drawn.sums).tolist() == [1.0] * drawn.sums.size


def test_beyond_some_thousand_units_the_sums_are_normal_and_vectors_are_left_out() -> None:
    sizes = 1e-3 * RNG(1).random(5000)
    drawn = draw_flips(sizes, np.ones((5000, 1)), rng=RNG(2))
    assert drawn.sums.mean() == pytest.approx(0, abs=4 * math.sqrt(sizes @ sizes / 4000))
    assert drawn.moves is None
    assert drawn.sums.std() == pytest.approx(math.sqrt(sizes @ sizes), rel=0.05)
    p_values = flip_p_values(sizes, np.array([-2.0, 0.0]) * math.sqrt(sizes @ sizes))
    assert p_values == pytest.approx([norm.cdf(-2), 0.5])


def test_memory_stays_bounded_by_drawing_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = draw_flips(np.ones(50), NONE, rng=RNG(5)).sums
    monkeypatch.setattr(flip_draws, "_BATCH_CELLS", 500)
    assert draw_flips(np.ones(50), NONE, rng=RNG(5)).sums.tolist() == whole.tolist()


def test_one_unit_is_exchanged_or_not() -> None:
    assert flip_p_values(np.array([0.0, 2.0]), np.array([-2.0, 2.0])).tolist() == [0.5, 1.0]


def test_sums_beyond_all_that_has_a_probability_have_none_or_all_below() -> None:
    low, high = flip_p_values(np.ones(2000), np.array([-2000.0, 2000.0])).tolist()
    assert 0.0 <= low < 1e-15
    assert high == 1.0


def test_on_a_lattice_the_p_values_are_exact() -> None:
    moved = np.repeat([1.0, -1.0], [12, 8])
    sums = np.arange(-20.0, 21.0, 2.0)
    assert flip_p_values(moved, sums) == pytest.approx(binom.cdf((20 + sums) / 2, 20, 0.5), abs=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e9, 1e-9])
def test_off_a_lattice_a_p_value_is_the_share_of_exchanges_at_most_as_high(scale: float) -> None:
    # each of the four exchanges once, one of them twice, the second time less by rounding
    low, high = scale * math.e, scale * math.pi
    sums = np.array([low + high, -low - high, low - high, high - low, math.nextafter(high - low, 0)])
    assert flip_p_values(np.array([low, 0.0, -high]), sums).tolist() == [1.0, 0.2, 0.4, 0.8, 0.8]


@pytest.mark.parametrize("sizes", [np.array([0.5, 0.25, 1.0, 0.75, 0.5, 1.0]), RNG(7).random(40)])
def test_the_p_value_of_the_observed_sum_is_that_of_the_test(sizes: np.ndarray) -> None:
    signed = sizes * RNG(8).choice([-1, 1], sizes.size)
    drawn = draw_flips(signed, np.empty((sizes.size, 0)), rng=RNG(9)).sums
    with_observed = flip_p_values(signed, np.append(drawn, signed.sum()))
    assert with_observed[-1] == pytest.approx(sign_flip_p(signed), abs=0.03)
