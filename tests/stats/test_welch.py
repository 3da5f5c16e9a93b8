import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ttest_ind

from gate.stats.bootstrap import Interval
from gate.stats.units import Units, gather_units, units_of_items
from gate.stats.welch import two_sample_detectable_drop, two_sample_interval, welch_p

DrawRun = Callable[[np.random.Generator, int], NDArray[np.float64]]
EMPTY = units_of_items(np.empty(0))


def items(*scores: float) -> Units:
    return units_of_items(np.array(scores))


def interval(baseline: Units, candidate: Units, alpha: float = 0.05) -> Interval:
    found = two_sample_interval(baseline, candidate, alpha)
    assert found is not None
    return found


@pytest.mark.parametrize(("n", "m"), [(2, 2), (5, 40), (300, 300)])
def test_on_single_items_it_is_the_welch_test_of_scipy(n: int, m: int) -> None:
    draw = np.random.default_rng(n)
    a, b = draw.normal(size=n), draw.normal(0.3, 2.0, size=m)
    wanted = ttest_ind(b, a, equal_var=False, alternative="less")
    assert welch_p(units_of_items(a), units_of_items(b)) == pytest.approx(wanted.pvalue, rel=1e-9)
    reach = ttest_ind(b, a, equal_var=False).confidence_interval(0.9)
    found = interval(units_of_items(a), units_of_items(b), alpha=0.1)
    assert found == pytest.approx((reach.low, reach.high), rel=1e-9)


def test_items_that_repeat_in_groups_count_once() -> None:
    a, b = np.array([0.0, 1.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0, 1.0, 0.5])
    grouped = [gather_units(np.repeat(run, 6), groups=np.repeat(np.arange(run.size), 6)) for run in (a, b)]
    assert interval(grouped[0], grouped[1]) == pytest.approx(interval(units_of_items(a), units_of_items(b)), rel=1e-9)


def test_strata_that_explain_the_scores_narrow_it() -> None:
    scores, strata = np.repeat([0.1, 0.2, 0.1, 0.8, 0.9, 0.9], 5), np.repeat([0, 1], 15)
    plain, layered = units_of_items(scores), gather_units(scores, strata=strata)
    assert np.ptp(interval(layered, layered)) < np.ptp(interval(plain, plain))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9, 1e300])
def test_the_unit_of_the_scores_does_not_matter(scale: float) -> None:
    a, b = np.array([0.25, 0.5, 1.0]), np.array([0.75, 0.0, 0.5, 0.25])
    plain = interval(units_of_items(a), units_of_items(b))
    scaled = interval(units_of_items(a * scale), units_of_items(b * scale))
    assert (scaled.low / scale, scaled.high / scale) == pytest.approx(plain, rel=1e-9)
    drop = two_sample_detectable_drop(units_of_items(a), units_of_items(b))
    scaled_drop = two_sample_detectable_drop(units_of_items(a * scale), units_of_items(b * scale))
    assert drop is not None
    assert scaled_drop == pytest.approx(drop * scale, rel=1e-9)


@pytest.mark.parametrize("shift", [-10.0, 10.0])
def test_scores_far_from_zero_are_as_doubtful_as_near_it(shift: float) -> None:
    a, b = np.array([0.25, 0.5, 1.0]), np.array([0.75, 0.0, 0.5, 0.25])
    far = interval(units_of_items(a + shift), units_of_items(b + shift))
    assert far == pytest.approx(interval(units_of_items(a), units_of_items(b)), rel=1e-9)


@pytest.mark.parametrize(("scores", "doubtful"), [((0.0, 0.9e-12), False), ((0.0, 1.5e-12), True)])
def test_a_spread_of_up_to_a_millionth_of_a_millionth_is_rounding(scores: tuple[float, ...], doubtful: bool) -> None:
    assert (two_sample_interval(items(*scores), items(*scores), 0.05) is not None) == doubtful


def test_what_is_rounding_grows_with_the_scores() -> None:
    large = items(1e9, math.nextafter(1e9, math.inf), 1e9)
    assert two_sample_interval(large, large, 0.05) is None


def test_a_run_whose_scores_are_all_equal_borrows_the_spread_of_the_other() -> None:
    varied = items(1, 0, 1, 1, 0, 1)
    one, twice = interval(items(1, 1, 1), varied), interval(varied, varied)
    assert np.ptp(one) > np.ptp(twice)
    assert np.ptp(interval(varied, items(1, 1, 1))) == pytest.approx(np.ptp(one))


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        (EMPTY, items(1, 0)),
        (items(1, 0), EMPTY),
        (EMPTY, EMPTY),
        (items(1), items(1, 0, 1)),
        (items(1, 0), items(0.5)),
        (items(1, 1, 1), items(0.5, 0.5)),
        (items(0.1 + 0.2, 0.3), items(0.3, 0.3)),
        (items(1.7e308, 1.7e308), items(-1.7e308, -1.7e308)),
    ],
)
def test_where_the_data_show_no_doubt_there_is_no_interval(baseline: Units, candidate: Units) -> None:
    assert two_sample_interval(baseline, candidate, 0.05) is None
    assert two_sample_detectable_drop(baseline, candidate) is None
    assert welch_p(baseline, candidate) is None


def test_items_alone_in_their_strata_show_no_spread() -> None:
    alone = units_of_items(np.array([0.0, 1.0]))._replace(strata=np.array([0, 1]))
    assert two_sample_interval(alone, items(0, 1, 1), 0.05) is None


def coverage(draw_run: DrawRun, n: int, m: int) -> float:
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(1000):
        runs = [units_of_items(draw_run(rng, size)) for size in (n, m)]
        found = two_sample_interval(runs[0], runs[1], 0.05)
        missed += found is not None and not found.low <= 0 <= found.high
    return missed / 1000


def pass_fail(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return (rng.random(n) < 0.8).astype(np.float64)


def three_values(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.choice([0.0, 0.5, 1.0], size=n, p=[0.1, 0.2, 0.7])


def normal(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.normal(size=n)


@pytest.mark.parametrize("draw_run", [pass_fail, three_values, normal])
@pytest.mark.parametrize(("n", "m"), [(10, 10), (10, 30), (40, 40)])
@pytest.mark.simulation
def test_it_misses_the_truth_in_about_five_per_cent_of_cases_at_most(draw_run: DrawRun, n: int, m: int) -> None:
    # lopsided scores and unequal lengths cost one or two points
    assert coverage(draw_run, n, m) <= 0.08


@pytest.mark.simulation
def test_the_detectable_drop_is_shown_four_times_in_five() -> None:
    rng = np.random.default_rng(6)
    drop = two_sample_detectable_drop(units_of_items(rng.normal(size=60)), units_of_items(rng.normal(size=40)))
    assert drop is not None
    true = (1.95996 + 0.84162) * math.sqrt(1 / 60 + 1 / 40)
    assert drop == pytest.approx(true, rel=0.25)
    shown = [
        (welch_p(units_of_items(rng.normal(size=60)), units_of_items(rng.normal(-true, size=40))) or 1) <= 0.025
        for _ in range(1000)
    ]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.06)
