"""How numbers are written."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.wording import amount, count, limit, names, number, number_beside, percent, probability, rounded


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.55, "0.550"), (-0.175, "-0.175"), (12.34567, "12.346"), (-0.0, "0.000"), (-0.0004, "0.000"), (0.0, "0.000")],
)
def test_a_figure_has_three_decimals_and_zero_has_no_sign(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "bar", "text"),
    [
        (0.55, 0.7, "0.550"),
        (0.7, 0.7, "0.700"),
        (0.69996, 0.7, "0.69996"),
        (0.70004, 0.7, "0.70004"),
        (0.2501, 0.25, "0.2501"),
        (-0.0004, 0.0, "-0.0004"),
        (0.7 + 1e-15, 0.7, repr(0.7 + 1e-15)),
    ],
)
def test_a_figure_beside_a_limit_never_looks_like_it_unless_it_is(value: float, bar: float, text: str) -> None:
    assert number_beside(value, bar) == text


@given(value=st.floats(-100, 100), bar=st.floats(-100, 100))
@example(value=0.6996, bar=0.6999)
@example(value=0.69951, bar=0.7004)
def test_a_figure_beside_a_limit_stands_on_its_true_side(value: float, bar: float) -> None:
    shown = float(number_beside(value, bar))
    if value < bar:
        assert shown < float(f"{bar:.12f}") or shown < bar
    elif value > bar:
        assert shown > float(f"{bar:.12f}") or shown > bar


@pytest.mark.parametrize(
    ("value", "text"), [(0.7, "0.70"), (0.975, "0.975"), (70, "70.00"), (1e-7, "1e-07"), (1 / 3, "0.3333333333333333")]
)
def test_a_limit_stands_as_its_author_wrote_it_with_two_decimals_at_least(value: float, text: str) -> None:
    assert limit(value) == text


@pytest.mark.parametrize(("size", "text"), [(0.05, "0.05"), (0.1234, "0.1234"), (5.0, "5.00"), (1 / 3, "0.333")])
def test_a_drop_stands_as_it_was_given_and_one_that_was_computed_to_three_decimals(size: float, text: str) -> None:
    assert amount(size) == text


@pytest.mark.parametrize(
    ("value", "told"), [(1 / 3, 0.333333), (123456789.0, 123457000.0), (0.05, 0.05), (-2e-9, -2e-9)]
)
def test_a_figure_that_machines_may_disagree_on_is_told_to_six_digits(value: float, told: float) -> None:
    assert rounded(value) == told


@given(st.floats(-1e6, 1e6))
def test_a_limit_loses_nothing(value: float) -> None:
    assert float(limit(value)) == value


@pytest.mark.parametrize(
    ("value", "text"), [(0.0242, "= 0.024"), (1.0, "= 1.000"), (0.00099, "< 0.001"), (0.0, "< 0.001")]
)
def test_a_probability_is_never_zero(value: float, text: str) -> None:
    assert probability(value) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.95, "95 %"), (0.125, "12.5 %"), (1.0, "100 %"), (0.0, "0 %"), (0.001, "0.1 %")]
)
def test_a_share_is_in_percent_without_needless_decimals(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(("n", "text"), [(0, "0 items"), (1, "1 item"), (2, "2 items")])
def test_a_noun_follows_its_number(n: int, text: str) -> None:
    assert count(n, "item") == text


@pytest.mark.parametrize(("n", "text"), [(0, "0 ids stand"), (1, "1 id stands"), (2, "2 ids stand")])
def test_what_takes_more_than_an_s_is_given_for_several(n: int, text: str) -> None:
    assert count(n, "id stands", "ids stand") == text


@pytest.mark.parametrize(
    ("items", "text"),
    [((), ""), (("a",), "a"), (("a", "b", "c"), "a, b, c"), (("a", "b", "c", "d", "e"), "a, b, c and 2 more")],
)
def test_a_long_list_says_how_many_more(items: tuple[str, ...], text: str) -> None:
    assert names(items) == text
