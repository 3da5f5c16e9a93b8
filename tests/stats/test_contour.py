import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import beta

from gate.stats import contour
from gate.stats.contour import nonpositive_probability

SHAPES = st.floats(0.05, 1e6)


def probability(*terms: tuple[float, float]) -> float:
    return nonpositive_probability(np.array([weight for weight, _ in terms]), np.array([shape for _, shape in terms]))


@given(SHAPES, SHAPES, st.floats(1e-6, 1e6))
def test_two_terms_are_a_beta_probability_whatever_their_shapes(up: float, down: float, ratio: float) -> None:
    assume(up + down >= 1)
    wanted = float(beta.cdf(1 / (1 + ratio), up, down))
    assert probability((ratio, up), (-1.0, down)) == pytest.approx(wanted, abs=1e-9)


def test_terms_of_one_sign_or_of_none_leave_no_doubt() -> None:
    assert probability((-1.0, 2.0), (-3.0, 0.5)) == 1.0
    assert probability((1.0, 2.0), (3.0, 0.5)) == 0.0
    assert probability((0.0, 3.0)) == 1.0
    assert probability((0.0, 3.0), (1.0, 1.0)) == 0.0


def test_terms_of_no_weight_change_nothing() -> None:
    assert probability((1.0, 2.0), (0.0, 9.0), (-2.0, 1.0)) == probability((1.0, 2.0), (-2.0, 1.0))


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 50)), min_size=2, max_size=6), st.floats(1e-200, 1e200))
def test_only_the_proportions_of_the_weights_matter(terms: list[tuple[float, int]], factor: float) -> None:
    scaled = [(weight * factor, shape) for weight, shape in terms if abs(weight) > 1e-3]
    plain = [(weight, float(shape)) for weight, shape in terms if abs(weight) > 1e-3]
    if plain:
        assert probability(*scaled) == pytest.approx(probability(*plain), abs=1e-9)


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 50)), min_size=2, max_size=6))
def test_a_sum_and_its_mirror_image_have_probabilities_that_add_up_to_one(terms: list[tuple[float, int]]) -> None:
    held = [(weight, float(shape)) for weight, shape in terms if weight != 0]
    if held:
        mirrored = [(-weight, shape) for weight, shape in held]
        assert probability(*held) + probability(*mirrored) == pytest.approx(1.0, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.1, 50)), min_size=1, max_size=5))
def test_a_term_may_come_in_parts(terms: list[tuple[float, float]]) -> None:
    whole = [(-0.3, 1.0), (0.9, 2.0), *terms]
    parts = [(weight, shape / 2) for weight, shape in whole] * 2
    assert probability(*parts) == pytest.approx(probability(*whole), abs=1e-9)


@pytest.mark.parametrize("bulk", [2e-7, -2e-7, 0.0])
def test_a_crowd_of_tiny_terms_acts_as_their_sum_would(bulk: float) -> None:
    outliers = [(-0.6, 1.0), (-0.6001, 1.0), (1.0, 1.0)]
    # the sum of the crowd is all but constant, and so are a thousand times as many terms of a thousandth
    assert probability(*outliers, (bulk, 1e6)) == pytest.approx(probability(*outliers, (bulk / 1e3, 1e9)), abs=1e-6)


def test_each_of_many_scales_at_once_agrees_with_a_finer_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    cases = []
    for _ in range(60):
        weights = rng.choice([-1, 1], 6) * rng.uniform(0.5, 1, 6)
        shapes = rng.integers(1, 4, 6).astype(float)
        shapes[0] = 10.0 ** rng.integers(2, 8)
        weights[0] = -(weights[1:] @ shapes[1:]) / shapes[0] * rng.uniform(0.5, 1.5)
        cases.append((weights, shapes))
    usual = [nonpositive_probability(*case) for case in cases]
    monkeypatch.setattr(contour, "_STEPS", (0.003, 0.003))
    monkeypatch.setattr(contour, "_MOST_BLOCKS", 500)
    monkeypatch.setattr(contour, "_OTHER_BENDS", (0.6, -0.6, 0.2, -0.2, 0.0))
    assert usual == pytest.approx([nonpositive_probability(*case) for case in cases], abs=1e-9)


def test_hopeless_spreads_of_scale_still_give_a_probability() -> None:
    assert probability((1e-280, 1.0), (-1.0, 1.0)) == pytest.approx(1.0)
    assert probability((1.0, 1.0), (-1e-280, 1.0)) == pytest.approx(1e-280, rel=1e-9)
    assert probability((1.0, 1.0), (-5e-324, 1.0)) == 0.0


def test_a_probability_too_small_for_a_double_is_zero_and_not_an_error() -> None:
    assert probability((1.0, 1e6), (-0.5, 1.0)) == 0.0
    assert math.isclose(probability((-1.0, 1e6), (0.5, 1.0)), 1.0)
