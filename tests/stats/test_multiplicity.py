import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.multiplicity import ERROR_SHARE, holm

PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        # by hand: sorted .01 .02 .03 .04, times 4 3 2 1 = .04 .06 .06 .04, then never falling
        ([0.04, 0.01, 0.03, 0.02], [0.06, 0.04, 0.06, 0.06]),
        # .005 x 3, .011 x 2, .02 x 1 (which may not fall below .022)
        ([0.005, 0.011, 0.02], [0.015, 0.022, 0.022]),
        ([0.5, 0.9, 0.4], [1.0, 1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.3], [0.3]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([], []),
    ],
)
def test_holm_agrees_with_the_hand_worked_figures(raw: list[float], adjusted: list[float]) -> None:
    assert holm(raw) == pytest.approx(adjusted, rel=1e-12)


@given(PROBABILITIES)
def test_adjusting_never_lowers_a_p_value_nor_leaves_the_unit_interval(raw: list[float]) -> None:
    assert all(before <= after <= 1.0 for before, after in zip(raw, holm(raw), strict=True))


@given(PROBABILITIES)
def test_adjusting_keeps_the_order_of_the_p_values(raw: list[float]) -> None:
    adjusted = [after for _, after in sorted(zip(raw, holm(raw), strict=True))]
    assert adjusted == sorted(adjusted)


@given(PROBABILITIES)
def test_the_least_p_value_pays_for_all_tests(raw: list[float]) -> None:
    assert min(holm(raw)) == min(1.0, len(raw) * min(raw))


@given(PROBABILITIES, st.sampled_from([0.01, 0.025, 0.05, 0.3]))
def test_rejections_are_those_of_the_step_down_procedure(raw: list[float], alpha: float) -> None:
    rejected = 0
    for rank, p_value in enumerate(sorted(raw)):
        if (len(raw) - rank) * p_value > alpha:
            break
        rejected += 1
    assert sum(p_value <= alpha for p_value in holm(raw)) == rejected


def test_regression_and_drift_share_five_per_cent_of_false_blocks() -> None:
    assert ERROR_SHARE == 0.05 / 2
