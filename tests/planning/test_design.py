import math

import pytest

from gate.errors import UsageError
from gate.planning.design import Design, Origin, expected_design
from gate.planning.question import Question
from gate.scores.model import Direction, Scale
from gate.stats.mcnemar import PassFailDrops
from gate.stats.power import MeanDrops, items_for_bar


def test_a_pass_rate_alone_gives_pass_fail_scores_with_an_assumed_correlation() -> None:
    design = expected_design(Question(p=0.8))
    assert (design.pass_fail, design.rho, design.rho_origin) == (True, 0.5, Origin.ASSUMED)
    assert (design.sd, design.sd_of_differences) == pytest.approx((0.4, 0.4))
    assert design.drops == PassFailDrops(0.8, 0.5)


def test_a_correlation_that_is_given_is_no_assumption() -> None:
    design = expected_design(Question(p=0.8, rho=0.7))
    assert design.rho_origin is Origin.GIVEN
    assert design.sd_of_differences == pytest.approx(math.sqrt(2 * 0.16 * 0.3))


def test_a_spread_makes_scores_that_are_not_pass_or_fail() -> None:
    design = expected_design(Question(p=0.8, sd=0.2, rho=0.0))
    assert not design.pass_fail
    assert design.drops == MeanDrops(0.2 * math.sqrt(2), 0.8)


def test_a_spread_alone_has_no_scale_and_no_end() -> None:
    design = expected_design(Question(sd=12.0))
    assert (design.mean, design.scale, design.width, design.room) == (None, None, None, math.inf)
    assert design.items_for_bar(70.0, 0.8) is None


@pytest.mark.parametrize(("p", "sd"), [(0.8, 0.41), (1.0, 0.1)])
def test_a_spread_that_no_scores_can_have_is_an_error(p: float, sd: float) -> None:
    with pytest.raises(UsageError, match="is too large for scores of 0 to 1"):
        expected_design(Question(p=p, sd=sd))


def test_a_spread_that_is_that_of_pass_fail_scores_is_possible() -> None:
    assert expected_design(Question(p=0.8, sd=0.4)).sd == 0.4


def design_of(mean: float, *, direction: Direction, pass_fail: bool, scale: Scale | None) -> Design:
    return Design(
        mean=mean, sd=0.4, rho=0.5, rho_origin=Origin.GIVEN, sd_of_differences=0.4, pass_fail=pass_fail,
        direction=direction, scale=scale,
    )  # fmt: skip


def test_an_error_rate_is_planned_as_the_pass_rate_that_it_leaves() -> None:
    design = design_of(0.1, direction=Direction.LOWER, pass_fail=True, scale=Scale(0.0, 1.0))
    assert design.room == 0.9
    assert design.items_for_bar(0.2, 0.8) == items_for_bar(0.9, 0.8, 0.8)


@pytest.mark.parametrize(
    ("direction", "bar", "room"), [(Direction.HIGHER, 60.0, 70.0), (Direction.LOWER, 80.0, 30.0)], ids=str
)
def test_other_scales_are_planned_in_their_own_unit(direction: Direction, bar: float, room: float) -> None:
    design = design_of(70.0, direction=direction, pass_fail=False, scale=Scale(0.0, 100.0))
    assert (design.width, design.room) == (100.0, room)
    # so little spread that only the exact bound for equal scores counts
    wanted = math.ceil(math.log(0.025) / math.log(1 - 10 / room))
    assert design.items_for_bar(bar, 0.8) == wanted


@pytest.mark.parametrize(
    ("direction", "bar"), [(Direction.HIGHER, 0.7), (Direction.LOWER, 0.7), (Direction.LOWER, 0.6)]
)
def test_a_bar_that_the_mean_does_not_clear_has_no_number_of_items(direction: Direction, bar: float) -> None:
    design = design_of(0.7, direction=direction, pass_fail=False, scale=Scale(0.0, 1.0))
    assert design.items_for_bar(bar, 0.8) is None


def test_a_margin_on_an_unknown_scale_is_planned_by_the_spread() -> None:
    design = design_of(0.7, direction=Direction.HIGHER, pass_fail=False, scale=None)
    assert design.items_for_margin(0.1, 0.8) == math.ceil(((1.959964 + 0.841621) * 4) ** 2)
