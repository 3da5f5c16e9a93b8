import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gate.stats import lattice as lattice_module
from gate.stats.lattice import count_on_lattice, exact_mean, find_lattice, scale_to_unit

# 198 tenths whose mean is one fifth exactly, and for numpy a little less.
FLOAT_TRAP = np.repeat([0.1, 0.3, 0.9], [129, 59, 10])


def floats(*values: float) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize(
    ("values", "denominator", "steps"),
    [
        ((0.0, 1.0, 1.0), 1, [0, 1, 1]),
        ((0.5, 0.0, 1.0), 2, [1, 0, 2]),
        ((1 / 3, 0.5), 6, [2, 3]),
        ((0.07, 0.29), 100, [7, 29]),
        ((-0.25, 3.0), 4, [-1, 12]),
        ((0.1 + 0.2, 0.3), 10, [3, 3]),
        ((0.3 - 0.1, 0.2), 5, [1, 1]),
        ((0.3 - (0.1 + 0.2), 0.5), 2, [0, 1]),
        ((-0.0, 0.0), 1, [0, 0]),
        ((1 / 999, 2 / 999), 999, [1, 2]),
        ((0.3333, 0.6667), 10_000, [3333, 6667]),
        ((0.0, 70_000.0, 1e9), 1, [0, 70_000, 10**9]),
        ((123456.7, 123456.8), 10, [1234567, 1234568]),
        ((123456.7 + 1e-9, 0.5), 10, [1234567, 5]),
        ((1 / 3 + 0.9e-12,), 3, [1]),
        (tuple(range(9)), 1, list(range(9))),
    ],
)
def test_scores_that_people_write_lie_on_a_lattice(
    values: tuple[float, ...], denominator: int, steps: list[int]
) -> None:
    lattice = find_lattice(floats(*values))
    assert lattice is not None
    assert (lattice.denominator, lattice.steps.tolist()) == (denominator, steps)
    assert lattice.steps.dtype == np.int64


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(floats(math.pi, 1.0), id="irrational"),
        pytest.param(floats(0.12345, 0.5), id="five decimals"),
        pytest.param(floats(0.5, 0.5 + 1e-9), id="a spread of 1e-9 is no rounding"),
        pytest.param(floats(1 / 3 + 1.5e-12), id="nearly a third"),
        pytest.param(floats(1 / 10_007), id="a denominator over 10 000"),
        pytest.param(floats(2e9, 1.0), id="over 1e9"),
        pytest.param(floats(-2e9, 1.0), id="under -1e9"),
        pytest.param(floats(1e-12, 0.0, -1e-13), id="nothing but rounding"),
        pytest.param(np.arange(3000) / 100, id="too many distinct values"),
        pytest.param(1 / np.arange(1.0, 1000.0), id="a common denominator beyond every double"),
        pytest.param(floats(1e300, -1e300), id="squares beyond every double"),
    ],
)
def test_other_scores_lie_on_none(values: NDArray[np.float64]) -> None:
    assert find_lattice(values) is None


def one_by_one(values: NDArray[np.float64]) -> tuple[int, list[int]] | None:
    """The lattice's definition, spelled out."""
    fractions = [Fraction(value).limit_denominator(10_000) for value in values.tolist()]
    if any(abs(float(f) - v) > 1e-12 * max(1.0, abs(v)) for f, v in zip(fractions, values.tolist(), strict=True)):
        return None
    denominator = math.lcm(*(fraction.denominator for fraction in fractions))
    return denominator, [int(fraction * denominator) for fraction in fractions]


def found(values: NDArray[np.float64], few: int) -> tuple[int, list[int]] | None:
    """The same by ``find_lattice``, which fits all values at once where more than so many differ."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice_module, "_FEW", few)
        lattice = find_lattice(values)
    return None if lattice is None else (lattice.denominator, lattice.steps.tolist())


@given(
    st.lists(
        st.one_of(
            st.builds(lambda k, by: k / by, st.integers(-20_000, 20_000), st.integers(1, 60)),
            st.builds(lambda k: k / 10_000, st.integers(-(10**9), 10**9)),
            st.builds(lambda k, noise: k / 100 + noise * 1e-13, st.integers(-500, 500), st.integers(-15, 15)),
            st.floats(-1e9, 1e9),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_the_lattice_is_that_of_the_closest_fractions(numbers: list[float]) -> None:
    values = np.array(numbers)
    wanted = one_by_one(values)
    assume(float(np.abs(values).max()) > 1e-12 or not values.any())
    assume(wanted is None or wanted[0] * max(1, math.ceil(np.abs(values).max())) * values.size <= 2**62)
    assert found(values, few=8) == found(values, few=0) == wanted


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(np.append(np.arange(12) / 10, [1 / 3, 7 / 9, 40 / 11]), id="tenths and others"),
        pytest.param(np.append(np.arange(12) / 10, 1 / 3 + 0.9e-12), id="a third within rounding"),
        pytest.param(np.append(np.arange(12) / 3, 1 / 3 + 1.5e-12), id="beside a third"),
        pytest.param(np.append(np.arange(12) / 10, 99_999.7 + 1e-9), id="a large tenth within its rounding"),
        pytest.param(np.append(np.arange(12) / 9_999, 5_000 / 9_998), id="denominators side by side"),
        pytest.param(-np.arange(12) / 7, id="negative"),
    ],
)
def test_many_values_at_once_have_the_lattice_that_they_have_one_by_one(values: NDArray[np.float64]) -> None:
    assert found(values, few=8) == one_by_one(values)


def test_one_denominator_tells_the_fractions_of_many_values_in_lowest_terms() -> None:
    values = floats(0.1, 0.3, 0.5, -0.7, 0.0, 99_999.7 + 1e-9, 1 / 3, 0.1 + 1.5e-12, 1 / 30)
    fractions = lattice_module._fit(values, 10)
    assert fractions.numerators.tolist() == [1, 3, 1, -7, 0, 999_997, 0, 0, 0]
    assert fractions.denominators.tolist() == [10, 10, 2, 10, 1, 10, 0, 0, 0]


def test_a_fraction_that_another_may_be_closer_than_is_left_to_be_looked_at_alone() -> None:
    # fractions of up to ten thousandths may lie 1e-6 from a hundredth; of a million, 1e-6 is rounding
    fractions = lattice_module._fit(floats(1_000_000.01 + 7e-7, 1_000_000.01 + 3e-7), 100)
    assert fractions.denominators.tolist() == [0, 100]


def test_as_many_distinct_values_as_are_counted_lie_on_a_lattice_and_one_more_does_not() -> None:
    values = np.resize(np.arange(2048.0), 70_000)
    assert count_on_lattice([values]) is not None
    assert find_lattice(np.arange(2048.0)) is not None
    assert find_lattice(np.arange(2049.0)) is None
    assert count_on_lattice([np.arange(1500.0), np.arange(1000.0, 2049.0)]) is None


@pytest.mark.parametrize(("n", "fits"), [(460, True), (480, False)])
def test_so_many_values_share_a_lattice_as_sums_of_steps_fit_into_62_bits(n: int, fits: bool) -> None:
    # the product of the four primes is 9.83e15, and 2**62 holds 469 of it
    values = np.append(np.zeros(n - 4), 1 / np.array([9973.0, 9967.0, 9949.0, 9941.0]))
    lattice = find_lattice(values)
    assert (lattice is not None) == fits
    if lattice is not None:
        assert lattice.steps[-4:].tolist() == [
            math.prod({9973, 9967, 9949, 9941} - {p}) for p in (9973, 9967, 9949, 9941)
        ]


@given(st.lists(st.lists(st.integers(-40, 40), min_size=1, max_size=30), min_size=1, max_size=3), st.integers(1, 12))
def test_samples_are_counted_on_the_lattice_that_they_share(numerators: list[list[int]], by: int) -> None:
    samples = [np.array(own) / by for own in numerators]
    counted, whole = count_on_lattice(samples), find_lattice(np.concatenate(samples))
    assert counted is not None
    assert whole is not None
    assert counted.denominator == whole.denominator
    repeated = [np.repeat(own.points, own.counts).tolist() for own in counted.samples]
    ends = np.cumsum([own.size for own in samples])[:-1]
    assert repeated == [sorted(own.tolist()) for own in np.split(whole.steps, ends)]


def test_scores_that_differ_by_rounding_are_counted_as_one() -> None:
    counted = count_on_lattice([floats(0.1, 0.1 + 0.2, 0.3, 0.3, 0.5)])
    assert counted is not None
    assert counted.samples[0].points.tolist() == [1, 3, 5]
    assert counted.samples[0].counts.tolist() == [1, 3, 1]


def test_one_sample_off_the_lattice_takes_all_off_it() -> None:
    assert count_on_lattice([floats(0.5), floats(math.pi)]) is None
    assert count_on_lattice([floats(0.5), np.arange(3000) / 7]) is None


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_reading_in_pieces_changes_nothing(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scores, other = np.random.default_rng(1).integers(0, 40, 200) / 40, np.random.default_rng(2).random(200)
    whole, mean, counts = find_lattice(scores), exact_mean(other), count_on_lattice([scores])
    monkeypatch.setattr(lattice_module, "CHUNK", chunk)
    pieces, pieces_counts = find_lattice(scores), count_on_lattice([scores])
    assert whole is not None
    assert counts is not None
    assert pieces_counts is not None
    assert pieces_counts.samples[0].counts.tolist() == counts.samples[0].counts.tolist()
    assert pieces is not None
    assert np.array_equal(pieces.steps, whole.steps)
    assert exact_mean(other) == mean


def test_a_lattice_whose_sum_would_not_fit_into_64_bits_is_refused() -> None:
    values = np.broadcast_to(np.float64(999_999_999.999), 6_000_000)
    assert find_lattice(values[:1000]) is not None
    assert find_lattice(values) is None


@given(st.lists(st.integers(-300, 300), min_size=1, max_size=40), st.integers(1, 1000), st.randoms())
def test_the_mean_is_the_correctly_rounded_fraction_in_any_order(
    numerators: list[int], by: int, random: object
) -> None:
    wanted = float(Fraction(sum(numerators), by * len(numerators)))
    values = np.array([numerator / by for numerator in numerators])
    assert exact_mean(values) == wanted
    random.shuffle(values)  # type: ignore[attr-defined]  # hypothesis' random.Random
    assert exact_mean(values) == wanted


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_the_mean_of_any_scores_lies_within_their_range_and_ignores_their_order(values: list[float]) -> None:
    mean = exact_mean(np.array(values))
    slack = 2e-12 * max(1.0, *map(abs, values))
    assert min(values) - slack <= mean <= max(values) + slack
    assert mean == exact_mean(np.array(values[::-1]))


def test_the_mean_of_decimals_does_not_fall_below_an_equal_bar() -> None:
    assert FLOAT_TRAP.size == 198
    assert float(np.mean(FLOAT_TRAP)) < 0.2  # the trap
    assert exact_mean(FLOAT_TRAP) == 0.2


def test_the_mean_of_equal_scores_is_that_score() -> None:
    assert float(np.mean(np.full(6, 0.1))) < 0.1  # the trap
    assert exact_mean(np.full(6, 0.1)) == 0.1
    assert exact_mean(np.full(7, 0.123456789)) == 0.123456789


def test_the_mean_of_the_largest_doubles_does_not_overflow() -> None:
    assert exact_mean(np.full(20, 1.7e308)) == 1.7e308
    assert exact_mean(floats(1.7e308, -1.7e308, 1.5e308)) == pytest.approx(0.5e308)


def test_the_mean_of_many_floats_is_correctly_rounded() -> None:
    values = np.random.default_rng(0).normal(size=10_001)
    assert exact_mean(values) == math.fsum(values.tolist()) / 10_001


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=10))
def test_scaling_takes_out_a_power_of_two_and_puts_it_back(values: list[float]) -> None:
    scaled, exponent = scale_to_unit(np.array(values))
    largest = float(np.abs(scaled).max())
    assert largest == 0.0 or 0.5 <= largest < 1.0
    back = np.ldexp(scaled, exponent)
    assert back == pytest.approx(np.array(values), rel=0, abs=max(map(abs, values)) * 2.0**-1000)
