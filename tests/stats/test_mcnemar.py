import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom, multinomial, norm
from scipy.stats import t as student

from gate.stats.binomial import binomial_pmf
from gate.stats.mcnemar import MOST_EXACT, PassFailDrops, discordance, mcnemar_power, possible_correlations
from gate.stats.paired import sign_flip_p
from gate.stats.power import MOST_ITEMS

RATES = st.floats(0.02, 1.0)
CORRELATIONS = st.floats(-1.0, 0.99)


def drawn(repeats: int, *, p_before: float, p_after: float, rho: float, n: int) -> NDArray[np.int64]:
    """Counts (repeats, 4) of pairs: pass-pass, pass-fail, fail-pass, fail-fail; by hand, without our own code."""
    both = p_before * p_after + rho * math.sqrt(p_before * (1 - p_before) * p_after * (1 - p_after))
    cells = [both, p_before - both, p_after - both, 1 - p_before - p_after + both]
    return np.random.default_rng(7).multinomial(n, cells, size=repeats)


# the published power at .80 -> .75 with 200 items and the correlation .7


def test_the_exact_test_catches_the_published_share() -> None:
    assert mcnemar_power(0.80, 0.75, n=200, rho=0.7) == pytest.approx(0.51, abs=0.005)


def test_a_paired_t_test_would_catch_more_by_breaking_its_promise() -> None:
    counts = drawn(100_000, p_before=0.80, p_after=0.75, rho=0.7, n=200)
    losses, wins = counts[:, 1], counts[:, 2]
    mean = (losses - wins) / 200
    error = np.sqrt(((losses + wins) / 200 - mean**2) / 199)
    assert float(np.mean(mean > student.ppf(0.975, 199) * error)) == pytest.approx(0.61, abs=0.01)


def test_an_unpaired_test_of_the_same_pairs_catches_next_to_nothing() -> None:
    counts = drawn(100_000, p_before=0.80, p_after=0.75, rho=0.7, n=200)
    before, after = (counts[:, 0] + counts[:, 1]) / 200, (counts[:, 0] + counts[:, 2]) / 200
    error = np.sqrt((before * (1 - before) + after * (1 - after)) / 200)
    assert float(np.mean(before - after > 1.959964 * error)) == pytest.approx(0.08, abs=0.01)


# the power


@pytest.mark.parametrize(
    ("before", "after", "rho", "n"),
    [(0.8, 0.75, 0.7, 200), (0.9, 0.8, 0.3, 60), (0.5, 0.5, 0.0, 100), (0.6, 0.3, -0.4, 25), (0.98, 0.93, 0.1, 400)],
)
def test_the_power_is_that_of_a_simulation(before: float, after: float, rho: float, n: int) -> None:
    repeats = 40_000
    counts = drawn(repeats, p_before=before, p_after=after, rho=rho, n=n)
    caught = float(np.mean(binom.cdf(counts[:, 2], counts[:, 1] + counts[:, 2], 0.5) <= 0.025))
    power = mcnemar_power(before, after, n=n, rho=rho)
    assert power == pytest.approx(caught, abs=4 * math.sqrt(power * (1 - power) / repeats) + 1e-6)


@pytest.mark.parametrize(("before", "after", "rho"), [(0.9, 0.3, 0.1), (1.0, 0.4, 0.0), (0.7, 0.4, -0.5)])
def test_the_power_is_the_chance_of_the_gate_s_own_test(before: float, after: float, rho: float) -> None:
    n, shares = 9, discordance(before, after, rho)
    cells = [shares.losses, shares.wins, 1 - shares.share]
    wanted = 0.0
    for losses, wins in itertools.product(range(n + 1), repeat=2):
        if losses + wins <= n:
            differences = np.repeat([-1.0, 1.0, 0.0], [losses, wins, n - losses - wins])
            if sign_flip_p(differences) <= 0.025:
                wanted += multinomial.pmf([losses, wins, n - losses - wins], n, cells)
    assert mcnemar_power(before, after, n=n, rho=rho) == pytest.approx(wanted, rel=1e-9)


@given(RATES, CORRELATIONS, st.integers(0, 3000))
def test_an_unchanged_run_is_blocked_at_most_as_often_as_promised(p: float, rho: float, n: int) -> None:
    assert 0.0 <= mcnemar_power(p, p, n=n, rho=rho) <= 0.025


@pytest.mark.parametrize(
    ("n", "first", "last"),
    [
        # half of the pairs differ: nine deviations of 50, and 81 more, about 5000
        (10_000, 5000 - 531, 5000 + 531),
        (100, 0, 100),
    ],
)
def test_numbers_of_discordant_pairs_that_do_not_occur_are_left_out(
    n: int, first: int, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[NDArray[np.int64]] = []

    def spying(counts: NDArray[np.int64], *rest: Any) -> NDArray[np.float64]:
        seen.append(counts)
        return binomial_pmf(counts, *rest)

    monkeypatch.setattr("gate.stats.mcnemar.binomial_pmf", spying)
    mcnemar_power(0.5, 0.5, n=n, rho=0.0)
    assert seen[0].tolist() == list(range(first, last + 1))


@pytest.mark.parametrize("n", range(6))
def test_fewer_than_six_pairs_show_nothing(n: int) -> None:
    assert mcnemar_power(1.0, 0.0, n=n, rho=0.0) == 0.0


def test_six_losses_out_of_six_are_shown() -> None:
    assert mcnemar_power(1.0, 0.0, n=6, rho=0.0) == 1.0


@pytest.mark.parametrize("n", [100, 5000])
def test_rounding_takes_no_power_beyond_one(n: int) -> None:
    assert mcnemar_power(0.9, 0.3, n=n, rho=0.0) == 1.0


def test_runs_that_never_differ_show_nothing() -> None:
    assert mcnemar_power(0.8, 0.8, n=1000, rho=1.0) == 0.0


# correlation


@given(RATES, RATES, CORRELATIONS)
def test_the_shares_make_up_the_pass_rates_and_the_correlation(before: float, after: float, rho: float) -> None:
    low, high = possible_correlations(before, after)
    losses, wins = discordance(before, after, rho)
    both = before - losses
    assert both + wins == pytest.approx(after, abs=1e-12)
    assert min(both, losses, wins, 1 - both - losses - wins) >= -1e-12
    spread = math.sqrt(before * (1 - before) * after * (1 - after))
    assert both - before * after == pytest.approx(min(high, max(low, rho)) * spread, abs=1e-12)


@pytest.mark.parametrize(
    ("before", "after", "low", "high"),
    [(0.8, 0.8, -0.25, 1.0), (0.5, 0.5, -1.0, 1.0), (0.9, 0.5, -1 / 3, 1 / 3), (1.0, 0.7, 0.0, 0.0)],
)
def test_pass_rates_leave_some_correlations_possible(before: float, after: float, low: float, high: float) -> None:
    assert possible_correlations(before, after) == pytest.approx((low, high))


def test_rounding_takes_no_correlation_beyond_one() -> None:
    rates = [percent / 100 for percent in range(1, 100)]
    assert max(possible_correlations(p, p).high for p in rates) == 1.0
    assert min(possible_correlations(p, 1 - p).low for p in rates) == -1.0


def test_where_the_correlation_is_the_highest_possible_nothing_gets_better() -> None:
    losses, wins = discordance(0.9, 0.5, 0.9)
    assert (losses, wins) == pytest.approx((0.4, 0.0))


# planning by it


@given(RATES, st.floats(0.0, 0.95), st.integers(2, 3000), st.floats(0.05, 1.0))
def test_more_items_never_catch_a_drop_less_often(p: float, rho: float, n: int, share: float) -> None:
    drops = PassFailDrops(p, rho)
    assert drops.chance(p * share, n + 1) >= drops.chance(p * share, n) - 1e-9


@given(RATES, st.floats(0.0, 0.95), st.integers(2, 1000), st.floats(0.05, 0.95))
def test_a_larger_drop_is_never_caught_less_often(p: float, rho: float, n: int, share: float) -> None:
    drops = PassFailDrops(p, rho)
    assert drops.chance(p * (share + 0.05), n) >= drops.chance(p * share, n) - 1e-9


@given(st.floats(0.3, 0.95), st.floats(0.0, 0.9), st.integers(200, 1000))
def test_with_hundreds_of_items_a_higher_correlation_never_catches_a_drop_less_often(
    p: float, rho: float, n: int
) -> None:
    assert PassFailDrops(p, rho + 0.05).chance(0.1, n) >= PassFailDrops(p, rho).chance(0.1, n) - 1e-9


@given(RATES, st.floats(0.0, 0.95), st.integers(2, 300), st.integers(0, 100))
@pytest.mark.simulation
def test_more_items_never_need_a_larger_drop(p: float, rho: float, n: int, more: int) -> None:
    drops = PassFailDrops(p, rho)
    fewer, many = drops.smallest(n, 0.8), drops.smallest(n + more, 0.8)
    assert fewer is None or (many is not None and many <= fewer + 1e-6)


@pytest.mark.parametrize(("p", "drop", "rho"), [(0.8, 0.05, 0.5), (0.95, 0.1, 0.2), (1.0, 0.02, 0.0), (0.5, 0.5, 0.0)])
def test_the_items_needed_are_the_first_that_suffice(p: float, drop: float, rho: float) -> None:
    drops = PassFailDrops(p, rho)
    needed = drops.items(drop, 0.8)
    assert needed is not None
    assert drops.chance(drop, needed) >= 0.8 > drops.chance(drop, needed - 1)


@pytest.mark.parametrize("n", [20, 200, 5000])
def test_the_smallest_drop_is_caught_with_the_power_and_a_smaller_one_is_not(n: int) -> None:
    drops = PassFailDrops(0.8, 0.5)
    smallest = drops.smallest(n, 0.8)
    assert smallest is not None
    assert drops.chance(smallest, n) >= 0.8 > drops.chance(smallest - 2e-6, n)


def test_too_few_items_catch_no_drop_at_all() -> None:
    assert PassFailDrops(0.8, 0.5).smallest(6, 0.8) is None


def test_many_items_are_planned_by_the_normal_approximation_which_agrees_where_the_exact_test_ends() -> None:
    drops = PassFailDrops(0.8, 0.5)
    exact, approximate = drops.chance(0.0035, MOST_EXACT), drops.chance(0.0035, MOST_EXACT + 1)
    assert exact == pytest.approx(approximate, abs=0.01)
    needed = drops.items(0.001, 0.8)
    assert needed is not None
    assert drops.chance(0.001, needed) == pytest.approx(0.8, abs=1e-5)


def test_where_nothing_gets_better_many_items_are_planned_by_the_published_formula() -> None:
    # rho as high as it may be leaves no wins: the losses are the drop
    share, drop = 5e-5, 5e-5
    root = (norm.ppf(0.975) * math.sqrt(share) + norm.ppf(0.8) * math.sqrt(share - drop**2)) / drop
    assert PassFailDrops(0.9, 1.0).items(drop, 0.8) == math.ceil(root**2)


def test_where_nothing_gets_better_a_drop_is_caught_by_the_published_formula() -> None:
    share, drop, n = 8e-5, 8e-5, MOST_EXACT + 1
    z = (drop * math.sqrt(n) - norm.ppf(0.975) * math.sqrt(share)) / math.sqrt(share - drop**2)
    assert PassFailDrops(0.9, 1.0).chance(drop, n) == pytest.approx(norm.cdf(z), rel=1e-9)


def test_a_hundred_thousand_pairs_are_still_planned_by_the_exact_test() -> None:
    assert PassFailDrops(0.8, 0.5).chance(0.003, MOST_EXACT) == mcnemar_power(0.8, 0.797, n=MOST_EXACT, rho=0.5)


def test_a_drop_too_small_for_any_eval_has_no_number_of_items() -> None:
    needed = PassFailDrops(0.8, 0.5).items(4e-5, 0.8)
    assert needed is not None
    assert needed < MOST_ITEMS
    assert PassFailDrops(0.8, 0.5).items(3.5e-5, 0.8) is None


def test_a_certain_loss_is_certain_among_many_items() -> None:
    assert PassFailDrops(1.0, 0.0).chance(1.0, MOST_EXACT + 1) == 1.0
