"""How items hang together: the groups, strata and weights of the aligned items."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gate.alignment import Design, align, align_alone, design_of
from gate.errors import AlignmentError
from gate.scores.model import Run

MakeRun = Callable[..., Run]

SCORES = {"a": 1.0, "b": 0.0, "c": 1.0}


def listed(values: np.ndarray | None) -> list[Any] | None:
    return None if values is None else values.tolist()


def test_a_plain_run_has_no_design(make_run: MakeRun) -> None:
    design = design_of(align(make_run(SCORES), make_run(SCORES)))
    assert (design.groups, design.strata, design.weights) == (None, None, None)


def test_items_of_one_group_share_its_number_in_the_order_of_the_names(make_run: MakeRun) -> None:
    design = design_of(align_alone(make_run({"c": 1.0, "a": 1.0, "b": 0.0}, groups=("zoo", "art", "zoo"))))
    assert design.group_names == ("art", "zoo")
    assert listed(design.groups) == [0, 1, 1]


def test_the_baseline_s_groups_count_where_the_candidate_tells_none(make_run: MakeRun) -> None:
    alignment = align(make_run(SCORES, groups=("x", "y", "x")), make_run(SCORES))
    assert listed(design_of(alignment).groups) == [0, 1, 0]


def test_what_only_the_candidate_tells_does_not_count(make_run: MakeRun) -> None:
    told = make_run(SCORES, groups=("x", "x", "x"), strata=("s", "t", "s"), weights=np.array([1.0, 2.0, 3.0]))
    design = design_of(align(make_run(SCORES), told))
    assert (design.groups, design.strata, design.weights) == (None, None, None)


def test_a_lost_item_keeps_its_group(make_run: MakeRun) -> None:
    alignment = align(make_run(SCORES, groups=("x", "y", "x")), make_run({"a": 1.0}, groups=("x",)))
    assert listed(design_of(alignment).groups) == [0, 1, 0]


def test_an_item_of_which_the_baseline_tells_no_group_is_one_of_its_own(make_run: MakeRun) -> None:
    alignment = align(make_run(SCORES, groups=("x", "", "x")), make_run(SCORES, groups=("x", "x", "x")))
    assert listed(design_of(alignment).groups) == [0, 1, 0]


@pytest.mark.parametrize("silent", ["baseline", "candidate"])
def test_of_runs_on_different_items_both_must_have_groups_or_neither(make_run: MakeRun, silent: str) -> None:
    grouped, plain = make_run(SCORES, groups=("x", "y", "x"), path="g.csv"), make_run({"z": 1.0}, path="p.csv")
    candidate, reference = (grouped, plain) if silent == "baseline" else (plain, grouped)
    with pytest.raises(AlignmentError, match="this run does not group its items") as fault:
        design_of(align_alone(candidate, reference=reference))
    assert fault.value.where is not None
    assert fault.value.where.path == "p.csv"


def test_runs_that_put_an_item_into_different_groups_are_refused(make_run: MakeRun) -> None:
    alignment = align(make_run(SCORES, groups=("x", "y", "x")), make_run(SCORES, groups=("x", "x", "x")))
    with pytest.raises(AlignmentError, match='item "b" has the group "y" in the baseline and "x" in the candidate'):
        design_of(alignment)


def test_runs_that_weigh_an_item_differently_are_refused(make_run: MakeRun) -> None:
    ours, theirs = np.array([1.0, 2.0, 1.0]), np.array([1.0, 2.5, 1.0])
    alignment = align(make_run(SCORES, weights=ours), make_run(SCORES, weights=theirs))
    with pytest.raises(AlignmentError, match=r'item "b" has the weight "2\.0" in the baseline'):
        design_of(alignment)


def test_an_item_that_changed_may_have_another_weight(make_run: MakeRun) -> None:
    before = make_run(SCORES, weights=np.array([1.0, 2.0, 1.0]), content_digests=("p", "q", "r"))
    after = make_run(SCORES, weights=np.array([1.0, 9.0, 1.0]), content_digests=("p", "other", "r"))
    assert listed(design_of(align(before, after)).weights) == [1, 2, 1]


def test_a_group_that_lies_in_several_strata_is_refused(make_run: MakeRun) -> None:
    run = make_run(SCORES, groups=("x", "y", "x"), strata=("one", "one", "two"))
    with pytest.raises(AlignmentError, match='the group of item "c" lies in several strata'):
        design_of(align_alone(run))


def test_picking_items_keeps_their_numbers_and_the_names() -> None:
    design = Design(groups=np.array([0, 1, 0]), weights=np.array([1.0, 2.0, 3.0]), group_names=("x", "y"))
    picked = design.pick(np.array([True, False, True]))
    assert listed(picked.groups) == [0, 0]
    assert listed(picked.weights) == [1, 3]
    assert picked.group_names == ("x", "y")


def test_units_are_the_groups_with_the_weights_of_their_items() -> None:
    design = Design(groups=np.array([0, 1, 0]), weights=np.array([1.0, 2.0, 3.0]))
    units = design.units(np.array([1.0, 0.5, 0.0]))
    assert units.totals.tolist() == [1, 1]
    assert units.sizes.tolist() == [4, 2]
