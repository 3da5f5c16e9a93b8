import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom, norm, permutation_test

from gate.stats import paired
from gate.stats.paired import Tally, pairs_to_show, sign_flip_p, smallest_detectable_drop, tally_pairs, typical_fall
from gate.stats.units import gather_units, units_of_items

Floats = NDArray[np.float64]
RNG = np.random.default_rng
FINITE = st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=45).map(np.array)
LATTICES = st.builds(
    lambda numerators, by: np.array([numerator / by for numerator in numerators]),
    st.lists(st.integers(-12, 12), max_size=60),
    st.sampled_from([1, 2, 3, 10, 100]),
)
DIFFERENCES = st.one_of(FINITE, LATTICES, st.lists(st.floats(-1, 1), max_size=45).map(np.array))


def mcnemar(wins: int, losses: int, ties: int = 0) -> Floats:
    return np.repeat([1.0, -1.0, 0.0], [wins, losses, ties])


@pytest.mark.parametrize("wins", [0, 1, 2, 5, 11, 30, 400])
@pytest.mark.parametrize("losses", [0, 1, 3, 6, 17, 25, 460])
def test_on_pass_and_fail_it_is_the_exact_mcnemar_test(wins: int, losses: int) -> None:
    wanted = binom.cdf(wins, wins + losses, 0.5) if wins + losses else 1.0
    assert sign_flip_p(mcnemar(wins, losses, ties=7)) == pytest.approx(wanted, rel=1e-9, abs=2e-16)


@pytest.mark.parametrize(
    ("differences", "wanted"),
    [
        ([], 1),
        ([0.0, 0.0], 1),
        ([0.5], 1),
        ([-0.5], Fraction(1, 2)),
        ([-1.0, -1.0, -1.0, -1.0, -1.0, -1.0], Fraction(1, 64)),
        ([-1.0, 0.5, -0.5], Fraction(3, 8)),  # -2, -1, -1 of -2, -1, -1, 0, 0, 1, 1, 2
        ([-0.5, -0.5, 1.0, 0.0], Fraction(5, 8)),  # and the two zeros
        ([-0.3, 0.1, 0.1], Fraction(4, 8)),  # -.5, -.3, -.3, -.1: -.1 ties with itself though decimals round
    ],
)
def test_hand_worked_samples_have_their_p_value(differences: list[float], wanted: Fraction) -> None:
    assert sign_flip_p(np.array(differences)) == pytest.approx(float(wanted), rel=1e-12)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.sampled_from([1, 7, 10, 1000, math.pi, 1e-9, 1e200]))
def test_any_unit_gives_the_p_value_of_all_signs(numerators: list[int], unit: float) -> None:
    moved = [numerator for numerator in numerators if numerator]
    sums = np.zeros(1, dtype=np.int64)
    for size in moved:
        sums = np.concatenate([sums + size, sums - size])
    wanted = float(np.mean(sums <= sum(moved))) if moved else 1.0
    assert sign_flip_p(np.array(numerators) * unit) == pytest.approx(wanted, abs=1e-12)


@given(DIFFERENCES)
def test_the_p_value_is_a_probability_and_never_zero(differences: Floats) -> None:
    assert 1e-16 <= sign_flip_p(differences) <= 1.0


@given(DIFFERENCES)
def test_the_two_directions_share_the_observed_sum(differences: Floats) -> None:
    assert sign_flip_p(differences) + sign_flip_p(-differences) >= 1.0 - 1e-12


@given(DIFFERENCES, st.randoms(), st.integers(0, 5))
def test_neither_the_order_nor_pairs_without_a_difference_matter(
    differences: Floats, random: object, zeros: int
) -> None:
    other = [*differences.tolist(), *([0.0] * zeros)]
    random.shuffle(other)  # type: ignore[attr-defined]  # hypothesis' random.Random
    assert sign_flip_p(np.array(other)) == pytest.approx(sign_flip_p(differences), rel=1e-12)


@given(LATTICES.filter(lambda differences: bool((differences > 0).any())))
def test_turning_a_win_into_a_loss_never_raises_the_p_value(differences: Floats) -> None:
    worse = differences.copy()
    worse[int(np.argmax(worse > 0))] *= -1
    assert sign_flip_p(worse) <= sign_flip_p(differences) + 1e-12


@pytest.mark.parametrize("factor", [1e-3, 0.5, math.pi, 1e6, 1e300])
@pytest.mark.parametrize("n", [15, 60, 3000])
def test_the_unit_of_the_scores_does_not_matter(factor: float, n: int) -> None:
    differences = RNG(n).normal(-0.1, 1, size=n)
    assert sign_flip_p(differences * factor) == pytest.approx(sign_flip_p(differences), rel=1e-6)


@pytest.mark.parametrize("n", [20, 33, 100, 5000])
def test_equal_losses_are_binomial_whatever_their_size(n: int) -> None:
    wins = n // 2 - int(math.sqrt(n))
    differences = 0.123456789 * mcnemar(wins, n - wins)
    assert sign_flip_p(differences) == pytest.approx(binom.cdf(wins, n, 0.5), rel=1e-9)


def test_differences_that_are_rounding_alone_are_none() -> None:
    rounding = 0.3 - (0.1 + 0.2)
    assert rounding < 0
    assert sign_flip_p(np.full(30, rounding)) == 1.0
    assert sign_flip_p(np.append(np.full(30, rounding), -0.1234567)) == 0.5
    assert sign_flip_p(np.append(np.full(30, rounding), -1.0)) == 0.5


def test_decimals_that_tie_but_for_rounding_tie() -> None:
    trap = np.array([0.3 - 0.1, -0.2, 0.7 - 0.9, 1.2 - 1.0, 0.1 - 0.3])
    assert np.unique(np.abs(trap)).size > 1
    assert sign_flip_p(trap) == pytest.approx(binom.cdf(2, 5, 0.5), rel=1e-12)


def test_many_tiny_losses_are_not_rounded_away() -> None:
    tiny, large = -0.0007, [1.0, -1.0] * 10
    differences = np.concatenate([np.full(1900, tiny), large])
    # the tiny ones sum to -1.33: the 20 large ones, all even sums, must come to -2 or less
    assert sign_flip_p(differences) == pytest.approx(binom.cdf(9, 20, 0.5), rel=1e-3)
    assert sign_flip_p(np.append(RNG(0).uniform(-0.003, -0.001, size=60), 1e-3)) < 1e-6


def test_a_loss_of_every_pair_counts_down_to_the_least_p_value() -> None:
    assert sign_flip_p(np.full(30, -1.0)) == pytest.approx(2.0**-30, rel=1e-6)
    assert sign_flip_p(np.full(2000, -1.0)) <= 1e-15
    assert sign_flip_p(RNG(1).uniform(-1, -0.5, size=2000)) == 1e-16


@pytest.mark.parametrize("n", [28, 32])
def test_enumeration_and_inversion_agree_where_one_hands_over_to_the_other(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    differences = RNG(n).normal(-0.3, 1, size=n)
    enumerated = sign_flip_p(differences)
    monkeypatch.setattr(paired, "_MAX_ENUMERATED", 0)
    assert sign_flip_p(differences) != enumerated
    assert sign_flip_p(differences) == pytest.approx(enumerated, rel=2e-3)


def test_a_lattice_too_fine_to_transform_is_enumerated_or_inverted() -> None:
    few = np.append(-1e9, RNG(2).integers(-(10**6), 10**6, size=24).astype(float))
    assert sign_flip_p(few) == pytest.approx(0.5 * (1 + sign_flip_p(few[1:])) - 0.5, rel=1e-6)
    many = RNG(3).integers(-5000, 4800, size=1500).astype(float)
    z = float(many.sum()) / math.sqrt(float(np.sum(many**2)))
    assert sign_flip_p(many) == pytest.approx(norm.cdf(z), rel=2e-2)


@pytest.mark.parametrize("z", [-4.5, -1.96, 0.0, 2.0])
def test_a_million_floats_have_the_normal_p_value(z: float) -> None:
    differences = RNG(4).normal(size=1_000_000)
    differences += z / 1000 - differences.mean()
    exact_z = float(differences.sum()) / math.sqrt(float(np.sum(differences**2)))
    assert sign_flip_p(differences) == pytest.approx(norm.cdf(exact_z), rel=1e-3)


def test_a_million_differences_on_a_lattice_are_quick_and_normal() -> None:
    differences = np.round(RNG(5).normal(-0.002, 1, size=1_000_000), 1)
    z = float(differences.sum()) / math.sqrt(float(np.sum(differences**2)))
    assert sign_flip_p(differences) == pytest.approx(norm.cdf(z), rel=1e-2)


def test_unchanged_runs_are_blocked_no_more_often_than_promised() -> None:
    rng = RNG(6)
    for draw in (lambda: rng.choice([-1.0, 0.0, 1.0], size=60), lambda: rng.standard_t(3, size=16)):
        blocked = np.mean([sign_flip_p(draw()) <= 0.025 for _ in range(1500)])
        assert blocked <= 0.025 + 4 * math.sqrt(0.025 * 0.975 / 1500)


def detectable(differences: Floats) -> float | None:
    return smallest_detectable_drop(units_of_items(differences), differences)


def fallen(unchanged: Floats, drop: float, fall: float, rng: np.random.Generator) -> Floats:
    """Another pair of runs as noisy, in which items fall so far until the mean is lower by ``drop``."""
    signs, hit = rng.choice([-1.0, 1.0], unchanged.size), rng.random(unchanged.size) < drop / fall
    changed: Floats = unchanged * signs - fall * hit
    return changed


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=40).filter(lambda values: len(set(values)) > 1))
@example([-3, 1])
def test_the_smallest_detectable_drop_follows_its_formula(values: list[int]) -> None:
    differences = np.array(values) / 10
    drop, fall = detectable(differences), typical_fall(differences)
    assert drop is not None
    assert fall is not None
    noise = float(np.var(differences, ddof=1)) + fall * drop
    wanted = norm.ppf(0.975) * math.sqrt(noise) + norm.ppf(0.8) * math.sqrt(max(0.0, noise - drop**2))
    assert drop == pytest.approx(wanted / math.sqrt(len(values)), rel=1e-6)
    assert detectable(-differences) == pytest.approx(drop, rel=1e-9)


def test_an_item_falls_as_far_as_those_that_changed_did() -> None:
    assert typical_fall(np.array([0.5, -1.0, 0.0, 1e-15])) == 0.75
    assert typical_fall(np.zeros(3)) is None


@pytest.mark.parametrize(
    "differences",
    [[0.5], [0.0] * 20, [0.2] * 20, [0.3 - 0.1, 0.2, 0.9 - 0.7], [1e-12, -1e-12], [1e-12, 2e-12]],
)
def test_without_a_spread_the_smallest_detectable_drop_is_unknown(differences: list[float]) -> None:
    assert detectable(np.array(differences)) is None


def test_groups_that_vary_as_one_can_show_less() -> None:
    differences, groups = np.repeat(RNG(1).normal(size=400), 4), np.repeat(np.arange(400), 4)
    together = smallest_detectable_drop(gather_units(differences, groups=groups), differences)
    alone = detectable(differences)
    assert alone is not None
    assert together == pytest.approx(2 * alone, rel=0.1)


def test_extreme_differences_do_not_overflow() -> None:
    huge = detectable(np.array([1.7e308, -1.7e308] * 50))
    assert huge is not None
    assert 4.7e307 < huge < 7e307
    assert sign_flip_p(np.array([1.7e308, -1.6e308, -1.7e308])) == pytest.approx(4 / 8)


@pytest.mark.parametrize(
    "unchanged",
    [
        mcnemar(0, 1, 99),
        mcnemar(1, 3, 196),
        mcnemar(12, 8, 180),
        RNG(7).normal(size=100).round(2),
        RNG(8).choice([-1.0, -0.5, 0, 0, 0, 0.5, 1], 150),
    ],
    ids=["one loss", "few changes", "many changes", "irregular", "three marks"],
)
@pytest.mark.simulation
def test_the_smallest_detectable_drop_is_shown_four_times_in_five(unchanged: Floats) -> None:
    rng, drop, fall = RNG(9), detectable(unchanged), typical_fall(unchanged)
    assert drop is not None
    assert fall is not None
    shown = [sign_flip_p(np.round(fallen(unchanged, drop, fall, rng), 4)) <= 0.025 for _ in range(400)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.09)


def test_with_one_change_in_a_hundred_no_three_points_are_shown() -> None:
    # the exact test needs six losses to show anything: a spread without the drop's own would promise 0.028
    drop = detectable(mcnemar(0, 1, 99))
    assert drop is not None
    assert drop > 0.06


@pytest.mark.parametrize("differences", [mcnemar(6, 8, 86), RNG(3).normal(0, 0.2, 80)])
def test_as_many_pairs_as_a_drop_takes_show_just_that_drop(differences: Floats) -> None:
    drop = detectable(differences)
    assert drop is not None
    units = units_of_items(differences)
    assert pairs_to_show(drop, units, differences) == pytest.approx(differences.size, abs=1)
    fewer, more = pairs_to_show(2 * drop, units, differences), pairs_to_show(drop / 2, units, differences)
    assert fewer is not None
    assert more is not None
    assert fewer < differences.size < more
    assert pairs_to_show(0.1, units_of_items(np.zeros(4)), np.zeros(4)) is None


def test_a_difference_that_is_rounding_is_a_tie() -> None:
    differences = np.array([0.3 - (0.1 + 0.2), (0.1 + 0.2) - 0.3, 0.5, -0.5, -0.5, 0.0])
    assert tally_pairs(differences) == Tally(wins=1, losses=2, ties=3)


def test_a_difference_of_a_millionth_of_a_millionth_is_still_rounding() -> None:
    rounding = np.array([1e-12, -1e-12])
    assert tally_pairs(rounding) == Tally(wins=0, losses=0, ties=2)
    assert sign_flip_p(-np.abs(rounding)) == 1.0
    assert typical_fall(rounding) is None


@pytest.mark.parametrize("seed", range(6))
def test_it_is_scipys_permutation_test_of_paired_samples(seed: int) -> None:
    rng = RNG(seed)
    before, after = (np.round(rng.random(11), 1 + seed % 3) for _ in range(2))
    peer = permutation_test(
        (after, before), lambda first, second: (first - second).sum(), permutation_type="samples",
        alternative="less", n_resamples=np.inf,
    )  # fmt: skip
    assert sign_flip_p(after - before) == pytest.approx(float(peer.pvalue), abs=1e-9)
