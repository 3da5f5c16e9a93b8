import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from gate.stats.fisher import fisher_p

TABLES = st.tuples(*[st.integers(0, 60)] * 4).filter(any)


@given(TABLES)
def test_it_is_the_one_sided_test_of_scipy(table: tuple[int, int, int, int]) -> None:
    hits, misses, other_hits, other_misses = table
    found = fisher_p(hits, hits + misses, all_hits=hits + other_hits, units=sum(table))
    wanted = fisher_exact([[hits, misses], [other_hits, other_misses]], alternative="less").pvalue
    assert found == pytest.approx(wanted, rel=1e-9)


def test_the_lady_tasting_tea_fails_all_four_cups_once_in_seventy() -> None:
    assert fisher_p(0, 4, all_hits=4, units=8) == pytest.approx(1 / 70, rel=1e-12)


def test_large_runs_keep_their_digits() -> None:
    found = fisher_p(49_500, 100_000, all_hits=100_000, units=200_000)
    assert found == pytest.approx(hypergeom.cdf(49_500, 200_000, 100_000, 100_000), rel=1e-8)


@pytest.mark.parametrize(("hits", "chosen", "all_hits"), [(0, 0, 5), (5, 5, 9), (0, 5, 0), (3, 9, 3), (4, 4, 9)])
def test_what_cannot_be_otherwise_has_p_one(hits: int, chosen: int, all_hits: int) -> None:
    assert fisher_p(hits, chosen, all_hits=all_hits, units=9) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("hits", "chosen", "all_hits", "units"), [(66, 117, 98, 347), (46, 115, 48, 245), (30, 32, 79, 272)]
)
def test_a_probability_over_one_by_rounding_is_one(hits: int, chosen: int, all_hits: int, units: int) -> None:
    assert fisher_p(hits, chosen, all_hits=all_hits, units=units) == 1.0
