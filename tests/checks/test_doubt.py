"""What the doubt about a mean rests on, in words."""

import numpy as np
import pytest

from gate.alignment import Design
from gate.checks.doubt import design_notes, noise_notes, tell_n

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
    assert note.startswith("6 items in 3 groups that vary as one: design effect 2.500, as much as 2 items")


def test_one_group_is_worth_one_item() -> None:
    (note,) = design_notes(SCORES, Design(groups=np.zeros(6, dtype=np.intp)))
    assert note == "6 items in 1 group that vary as one: design effect 6.000, as much as 1 item on their own"


def test_strata_and_weights_are_told() -> None:
    scores, strata = np.tile([0.0, 1.0], 20), np.repeat([0, 4], 20)
    notes = design_notes(scores, Design(strata=strata, weights=np.ones(40)))
    assert notes == ("resampled within 2 strata", "items count by their weights")


def test_strata_that_are_taken_together_are_told() -> None:
    scores, strata = np.tile([0.0, 1.0], 16), np.repeat([0, 1, 2], [20, 7, 5])
    assert design_notes(scores, Design(strata=strata)) == (
        "resampled within 2 strata, the small ones of 3 taken together",
    )


@pytest.mark.parametrize(
    ("noise", "advice"), [(0.2, "more repeats help, and so do more items"), (0.01, "more repeats hardly")]
)
def test_what_would_help_is_said(noise: float, advice: str) -> None:
    (note,) = noise_notes(SCORES, np.full(6, noise))
    assert note.endswith(advice)


def test_without_repeats_nothing_is_said_of_them() -> None:
    assert noise_notes(SCORES, np.full(6, np.nan)) == ()
