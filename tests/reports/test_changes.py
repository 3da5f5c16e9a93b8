"""Which items got worse: by the metric's direction, worst first."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports.changes import find_changes, has_changed

scores = st.one_of(st.none(), st.floats(-1e6, 1e6))


def test_the_worked_example_has_seven_worse_and_three_better(make: ModuleType) -> None:
    changes = find_changes(make.item_table(), "score")
    assert (changes.worse, changes.better, changes.same) == (7, 3, 10)


def test_the_greatest_loss_comes_first_and_equal_losses_in_id_order(make: ModuleType) -> None:
    table = make.item_table((1.0, 1.0, 1.0, 1.0), (0.5, 0.0, 0.9, 0.5), ids=("d", "c", "b", "a"))
    assert [change.id for change in find_changes(table, "score").worst] == ["c", "a", "d", "b"]


def test_where_lower_is_better_a_rise_is_a_loss(make: ModuleType) -> None:
    table = make.item_table((1.0, 2.0), (3.0, 1.0), direction="lower")
    (worst,) = find_changes(table, "score").worst
    assert (worst.id, worst.baseline, worst.candidate, worst.loss) == ("q01", 1.0, 3.0, 2.0)


def test_only_as_many_as_asked_for_are_named_but_all_are_counted(make: ModuleType) -> None:
    changes = find_changes(make.item_table((1.0,) * 50, (0.0,) * 50), "score", most=3)
    assert changes.worse == 50
    assert [change.id for change in changes.worst] == ["q01", "q02", "q03"]


def test_an_item_without_a_score_in_one_run_is_neither_worse_nor_better(make: ModuleType) -> None:
    changes = find_changes(make.item_table((1.0, None, 1.0), (None, 0.0, 1.0)), "score")
    assert (changes.worse, changes.better, changes.same) == (0, 0, 1)


def test_an_item_whose_content_changed_is_not_compared(make: ModuleType) -> None:
    table = make.item_table((1.0, 1.0), (0.0, 0.0), status=("changed", "scored"))
    assert [change.id for change in find_changes(table, "score").worst] == ["q02"]


def test_a_difference_in_the_last_bit_is_no_change(make: ModuleType) -> None:
    changes = find_changes(make.item_table((0.1 + 0.2,), (0.3,)), "score")
    assert (changes.worse, changes.same) == (0, 1)


@given(pairs=st.lists(st.tuples(scores, scores), max_size=30), direction=st.sampled_from(["higher", "lower"]))
def test_every_scored_pair_is_counted_once(
    make: ModuleType, pairs: list[tuple[float | None, float | None]], direction: str
) -> None:
    baseline, candidate = tuple(before for before, _ in pairs), tuple(after for _, after in pairs)
    changes = find_changes(make.item_table(baseline, candidate, direction=direction), "score", most=5)
    scored = sum(before is not None and after is not None for before, after in pairs)
    assert changes.worse + changes.better + changes.same == scored
    assert len(changes.worst) == min(5, changes.worse)
    assert [change.loss for change in changes.worst] == sorted((change.loss for change in changes.worst), reverse=True)


@given(pairs=st.lists(st.tuples(scores, scores), max_size=30))
def test_turning_the_direction_swaps_worse_and_better(
    make: ModuleType, pairs: list[tuple[float | None, float | None]]
) -> None:
    baseline, candidate = tuple(before for before, _ in pairs), tuple(after for _, after in pairs)
    higher = find_changes(make.item_table(baseline, candidate), "score")
    lower = find_changes(make.item_table(baseline, candidate, direction="lower"), "score")
    assert (higher.worse, higher.better) == (lower.better, lower.worse)


@pytest.mark.parametrize(
    ("baseline", "candidate", "status", "changed"),
    [
        ((1.0, 0.0), (1.0, 0.0), ("scored", "scored"), False),
        ((1.0, 0.0), (1.0, 1.0), ("scored", "scored"), True),
        ((0.1 + 0.2, 0.0), (0.3, 0.0), ("scored", "scored"), False),
        ((1.0, None), (1.0, None), ("scored", "error"), False),
        ((1.0, 0.0), (1.0, None), ("scored", "timeout"), True),
        ((1.0, None), (1.0, 0.0), ("scored", "scored"), True),
        ((1.0, 0.0), (1.0, None), ("scored", "lost"), True),
        ((1.0, None), (1.0, 0.0), ("scored", "new"), True),
        ((1.0, 0.0), (1.0, 0.0), ("scored", "changed"), True),
        ((), (), (), False),
    ],
)
def test_a_suite_has_changed_where_a_score_or_a_status_differs(
    baseline: tuple[float | None, ...],
    candidate: tuple[float | None, ...],
    status: tuple[str, ...],
    changed: bool,
    make: ModuleType,
) -> None:
    assert has_changed(make.item_table(baseline, candidate, status=status)) is changed
