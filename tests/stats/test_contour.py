import math
from typing import Any

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


def test_weights_whose_sum_would_overflow_are_scaled_first() -> None:
    assert probability((1.7e308, 1e6), (-1.7e308, 1e6)) == pytest.approx(0.5)


def test_the_saddlepoint_is_where_the_derivative_is_none() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights, shapes = np.append(rng.normal(size=5), -2.0), rng.uniform(0.2, 30, 6)
        weights /= -weights.min()
        saddle = contour._find_saddle(weights, shapes)
        assert -1 < saddle < 0
        assert float(shapes @ (saddle * weights / (1 - saddle * weights))) == pytest.approx(1.0, abs=1e-9)


def test_the_search_for_the_saddlepoint_starts_on_its_far_side(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, shapes = np.array([0.7, -1.0, 0.0, 0.3, -0.4]), np.array([3.0, 2.0, 50.0, 4.0, 1.0])
    saddle = contour._find_saddle(weights, shapes)
    monkeypatch.setattr(contour, "_MOST_NEWTON_STEPS", 0)
    start = contour._find_saddle(weights, shapes)
    # of the lowest weight alone and the positive ones, taken for 1, the sum is 1 at -8 / 10 and therefore more in truth
    assert start == pytest.approx(-0.8)
    assert start < saddle


@pytest.mark.parametrize("bend", [0.0, 0.4, -0.7])
def test_the_slope_of_a_contour_is_its_derivative(bend: float) -> None:
    hyperbola, at, step = contour._Hyperbola(1.7, bend), np.linspace(0, 3, 7), 1e-6
    ends = [hyperbola.real(at + move) + 1j * hyperbola.imaginary(at + move) for move in (step, -step)]
    assert hyperbola.slope(at) == pytest.approx((ends[0] - ends[1]) / (2j * step), rel=1e-8)
    start = np.zeros(1)
    assert (hyperbola.real(start)[0], hyperbola.imaginary(start)[0]) == (0.0, 0.0)
    # a hyperbola: the distances from its centre at ``reach * sin(bend)``, each by its axis
    real = (hyperbola.real(at) - 1.7 * math.sin(bend)) / (1.7 * math.sin(bend)) if bend else -np.cosh(at)
    assert real**2 - (hyperbola.imaginary(at) / (1.7 * math.cos(bend))) ** 2 == pytest.approx(np.ones(7))


def test_where_no_contour_leads_anywhere_the_peak_alone_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contour, "_MOST_BLOCKS", 0)
    # Laplace's method: half of a normal density of precision 2 * 0.25 + 3 * 0.04
    assert contour._integrate(np.array([-0.5, 0.2]), np.array([2.0, 3.0])) == pytest.approx(
        math.sqrt(2 * math.pi / (2 * 0.25 + 3 * 0.04)) / 2
    )


def test_a_sum_is_judged_by_that_of_twice_the_step() -> None:
    value, error = contour._judge(np.array([2.0, 1.0, 0.5, 0.25]), 0.1)
    assert value == pytest.approx(0.1 * (1.0 + 1.0 + 0.5 + 0.25))
    assert error == pytest.approx((0.2 * (1.0 + 0.5) - 0.275) / 0.275)
    assert contour._judge(np.array([-2.0, 1.0, 0.0]), 0.1).error == math.inf


@pytest.mark.parametrize("n", [3, 20, 1000])
def test_along_the_steepest_descent_one_sum_does(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sums: list[float] = []

    def counted(*args: Any) -> Any:
        sums.append(args[1])
        return along(*args)

    along = contour._sum_along
    monkeypatch.setattr(contour, "_sum_along", counted)
    values = np.random.default_rng(2).random(n)
    for scores in (values, values**4, 1 - values**4):
        mean, sd = float(scores.mean()), float(scores.std()) / math.sqrt(n)
        for deviates in (0.5, 2.0, 4.0):
            sums.clear()
            limit = max(mean - deviates * sd, mean / 100)
            nonpositive_probability(np.append(scores - limit, -limit), np.ones(n + 1))
            assert sums == [0.08]
