import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats import pooled
from gate.stats.dirichlet import exact_p
from gate.stats.pooled import pool
from gate.stats.units import units_of_items

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=60, unique=True).map(np.array)


@pytest.fixture
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooled, "_MOST_POINTS", 3)


def test_equal_values_are_counted_in_order() -> None:
    assert [part.tolist() for part in pool(np.array([1.0, 0.5, 1.0, 0.0]))] == [[0, 0.5, 1], [1, 1, 2]]


def test_values_read_in_chunks_are_counted_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).integers(0, 9, 1000) / 8
    whole = pool(values)
    monkeypatch.setattr(pooled, "_CHUNK", 7)
    assert [part.tolist() for part in pool(values)] == [part.tolist() for part in whole]


def test_up_to_ten_thousand_values_are_counted_as_they_are() -> None:
    values = np.arange(10_000.0) ** 2
    assert [part.tolist() for part in pool(values)] == [values.tolist(), [1] * 10_000]
    assert pool(np.append(values, 0.5)).values.size <= 10_001
    assert 0.5 not in pool(np.append(values, 0.5)).values


@pytest.mark.usefixtures("few_points")
@given(VALUES)
def test_a_grid_keeps_number_mean_and_range(values: np.ndarray) -> None:
    points, counts = pool(values)
    width = values.max() - values.min()
    assert points.size <= 4
    assert (counts > 0).all()
    assert counts.sum() == pytest.approx(values.size)
    assert points @ counts == pytest.approx(values.sum(), abs=1e-9 * width * values.size + 1e-9)
    assert (points[0], points[-1]) == pytest.approx((values.min(), values.max()), rel=1e-12, abs=1e-14 * width)
    assert points[-1] <= values.max()


def test_the_spread_that_a_grid_adds_is_a_millionth_or_so_and_never_less_than_none() -> None:
    values = np.random.default_rng(2).normal(size=50_000)
    points, counts = pool(values)
    assert 2_000 < points.size <= 10_000
    variance = counts @ (points - values.mean()) ** 2 / values.size
    assert 1.0 <= variance / values.var() < 1.00001


def test_one_far_outlier_leaves_the_others_resolved() -> None:
    values = np.append(np.random.default_rng(3).random(50_000), 1000.0)
    assert (pool(values).values <= 1).sum() > 500


def test_pooling_on_a_grid_never_makes_a_small_p_value_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = units_of_items(np.random.default_rng(4).beta(8, 2, 2_000))
    limits = np.linspace(0.775, 0.797, 12).tolist()
    apart = [exact_p(scores, limit, lowest=0.0) for limit in limits]
    monkeypatch.setattr(pooled, "_MOST_POINTS", 50)
    gridded = [exact_p(scores, limit, lowest=0.0) for limit in limits]
    assert all(one <= other <= 1.2 * one for one, other in zip(apart, gridded, strict=True) if one < 0.1)
    assert any(one < 0.1 for one in apart)


def test_the_widest_range_of_doubles_is_pooled_without_overflow() -> None:
    values = np.linspace(-1.7e308 / 2, 1.7e308 / 2, 20_001) * 2
    points, counts = pool(values)
    assert np.isfinite(points).all()
    assert counts.sum() == pytest.approx(20_001)
