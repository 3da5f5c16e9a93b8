"""What the doubt about a mean rests on, in words."""

import numpy as np
import pytest

from gate.alignment import Design
from gate.checks.doubt import design_notes, noise_notes, tell_n
from gate.stats.units import design_effect

SCORES = np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0])
GROUPS = np.array([0, 0, 1, 1, 2, 2])


def test_without_a_design_only_n_is_told() -> None:
    design = Design()
    assert tell_n(6, design.units(SCORES), design) == "n = 6"
    assert design_notes(SCORES, design) == ()


def test_groups_are_counted_and_their_design_effect_told() -> None:
    design = Design(groups=GROUPS)
    assert tell_n(6, design.units(SCORES), design) == "n = 6 in 3 groups"
    (note,) = design_notes(SCORES, design)
    # 6 / 2.5 = 2.4
    assert note == ("6 items in 3 groups that vary as one: design effect 2.500, as much as 2 items on their own")


def test_a_design_effect_under_one_makes_no_items() -> None:
    # in each group one is right and one wrong: all groups have one mean
    (note,) = design_notes(np.array([1.0, 0.0] * 3), Design(groups=GROUPS))
    assert note == "6 items in 3 groups that vary as one: design effect 0.000, as much as 6 items on their own"


def test_of_weighted_items_in_groups_both_are_told() -> None:
    weights = np.array([1.0, 2.0, 1.0, 2.0, 1.0, 2.0])
    first, second = design_notes(SCORES, Design(groups=GROUPS, weights=weights))
    design = Design(groups=GROUPS, weights=weights)
    effect = design_effect(SCORES, design.units(SCORES), weights)
    assert first.startswith(f"6 items in 3 groups that vary as one: design effect {effect:.3f}, ")
    assert second == "items count by their weights"


def test_one_group_is_worth_one_item() -> None:
    (note,) = design_notes(SCORES, Design(groups=np.zeros(6, dtype=np.intp)))
    assert note == "6 items in 1 group that vary as one: design effect 6.000, as much as 1 item on their own"


def test_of_two_groups_the_design_effect_is_that_of_their_means() -> None:
    # the variance of two means 0.5 / 2, against that of four items alone 1/3 / 4
    (note,) = design_notes(np.array([1.0, 1.0, 0.0, 0.0]), Design(groups=np.array([0, 0, 1, 1])))
    assert note == "4 items in 2 groups that vary as one: design effect 3.000, as much as 1 item on their own"


def test_strata_and_weights_are_told() -> None:
    scores, strata = np.tile([0.0, 1.0], 20), np.repeat([0, 4], 20)
    notes = design_notes(scores, Design(strata=strata, weights=np.ones(40)))
    assert notes == ("resampled within 2 strata", "items count by their weights")


def test_one_stratum_is_told_as_one() -> None:
    assert design_notes(SCORES, Design(strata=np.zeros(6, dtype=np.intp))) == ("resampled within 1 stratum",)


def test_strata_that_are_taken_together_are_told() -> None:
    scores, strata = np.tile([0.0, 1.0], 16), np.repeat([0, 1, 2], [20, 7, 5])
    assert design_notes(scores, Design(strata=strata)) == (
        "resampled within 2 strata, the small ones of 3 taken together",
    )


@pytest.mark.parametrize(
    ("noise", "share", "advice"),
    [
        (0.2, "75 %", "more repeats help, and so do more items"),
        (0.13, "49 %", "more items help, more repeats hardly"),
        (0.01, "4 %", "more items help, more repeats hardly"),
    ],
)
def test_what_would_help_is_said(noise: float, share: str, advice: str) -> None:
    # four right of six have a variance of 4/15
    (note,) = noise_notes(SCORES, np.full(6, noise))
    assert note == f"{share} of the doubt is noise between repeats of one item: {advice}"


def test_half_of_the_doubt_is_enough_for_more_repeats_to_help() -> None:
    (note,) = noise_notes(np.array([0.0, 1.0]), np.array([0.25, 0.25]))
    assert note.startswith("50 % of the doubt is noise between repeats of one item: more repeats help")


def test_without_repeats_nothing_is_said_of_them() -> None:
    assert noise_notes(SCORES, np.full(6, np.nan)) == ()
