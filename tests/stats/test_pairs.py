import numpy as np
import pytest

from gate.stats.pairs import Pairs, find_steps, pairs_by_stratum, scale_pairs
from gate.stats.units import Units


def pairs(totals: list[float], sizes: list[float], counts: list[int]) -> Pairs:
    return Pairs(np.array(totals), np.array(sizes), np.array(counts))


def test_equal_pairs_are_counted_by_total_and_then_by_size_within_their_stratum() -> None:
    totals, sizes = np.array([2.0, 1.0, 2.0, 2.0, 5.0]), np.array([3.0, 4.0, 3.0, 1.0, 9.0])
    first, second = pairs_by_stratum(Units(totals, sizes, np.array([1, 1, 1, 1, 0])))
    assert [column.tolist() for column in first] == [[5], [9], [1]]
    assert [column.tolist() for column in second] == [[1, 2, 2], [4, 1, 3], [1, 1, 2]]
    assert (first.n, second.n) == (1, 4)


def test_whole_steps_are_as_few_as_can_be_and_the_unit_makes_up_for_it() -> None:
    # totals in steps of 3/10, sizes in steps of 5/2: a step of one over a step of the other is 3/25
    stepped = find_steps([pairs([-0.3, 0.6], [2.5, 10.0], [1, 2]), pairs([0.9], [5.0], [4])])
    assert stepped is not None
    assert (stepped.unit.numerator, stepped.unit.denominator) == (3, 25)
    assert [[column.tolist() for column in own] for own in stepped.strata] == [
        [[-1, 2], [1, 4], [1, 2]],
        [[3], [2], [4]],
    ]


@pytest.mark.parametrize(
    ("totals", "sizes", "counts", "exact"),
    [
        # 1e9 times an even number of units, where 2**52 is 4 503 599.6 of them
        ([0.0, 1e9], [1.0, 2.0], 2_251_799, True),
        ([0.0, 1e9], [1.0, 2.0], 2_251_800, False),
        ([0.0, -1e9], [1.0, 2.0], 2_251_800, False),
        ([0.0, 0.5], [1.0, 5e8], 2_251_799, True),
        ([0.0, 0.5], [1.0, 5e8], 2_251_800, False),
        ([0.0, 2.0**20], [1.0, 2.0], 2**31, True),
    ],
)
def test_steps_whose_sums_would_not_be_exact_are_refused(
    totals: list[float], sizes: list[float], counts: int, exact: bool
) -> None:
    assert (find_steps([pairs(totals, sizes, [counts, counts])]) is not None) == exact


@pytest.mark.parametrize(
    ("totals", "sizes"),
    [([0.1, np.pi], [1.0, 2.0]), ([1.0, 2.0], [1.0, np.pi]), ([1.0, 2.0], [1e-13, 1.0])],
    ids=["totals off a lattice", "sizes off a lattice", "a size that vanishes on it"],
)
def test_what_lies_on_no_lattice_has_no_steps(totals: list[float], sizes: list[float]) -> None:
    assert find_steps([pairs(totals, sizes, [1, 1])]) is None


def test_powers_of_two_are_taken_out_of_all_strata_alike() -> None:
    scaled, exponent = scale_pairs([pairs([3.0, -1.0], [2.0, 64.0], [1, 1]), pairs([0.5], [1e-320], [2])])
    # 4 brings the totals, 128 the sizes into [-1, 1]
    assert exponent == 2 - 7
    assert [own.totals.tolist() for own in scaled] == [[0.75, -0.25], [0.125]]
    assert scaled[0].sizes.tolist() == [2 / 128, 0.5]
    assert 0.0 < scaled[1].sizes[0] < 1e-300
    assert [own.counts.tolist() for own in scaled] == [[1, 1], [2]]
