from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gate.errors import AlignmentError, UsageError
from gate.selfcheck import Question, measure, render_text
from gate.selfcheck.material import Way
from tests.selfcheck.conftest import PAIR, WriteCsv, pass_fail, repeated


def column(scores: object, **columns: object) -> dict[str, object]:
    values = list(scores)  # type: ignore[call-overload]  # any numbers
    return {"id": [f"i{row:04d}" for row in range(len(values))], "score": values, **columns}


def test_two_runs_are_exchanged_item_by_item(write_csv: WriteCsv) -> None:
    rng = np.random.default_rng(0)
    first, second = (write_csv(f"{name}.csv", rng.integers(0, 2, 80).tolist()) for name in "ab")
    found = measure(Question(file=first, other=second, runs=40))
    assert (found.way, found.rho, found.beside) == (Way.EXCHANGE, None, None)
    assert found.unchanged.block.low < 0.05


def test_items_that_stand_in_one_run_only_are_left_out_and_told(write_csv: WriteCsv) -> None:
    first, second = write_csv("a.csv", pass_fail(30, 20)), write_csv("b.csv", pass_fail(28, 20))
    found = measure(Question(file=first, other=second, runs=20))
    assert found.items == 28
    assert "2 items that the two files do not share are left out" in found.notes


def test_two_runs_without_a_common_item_are_an_error(write_csv: WriteCsv) -> None:
    other = write_csv("b.csv", {"id": ["x", "y"], "score": [1, 0]})
    with pytest.raises(AlignmentError):
        measure(Question(file=write_csv("a.csv", pass_fail(5, 3)), other=other))


def test_the_order_of_the_rows_makes_no_difference(write_csv: WriteCsv) -> None:
    rng = np.random.default_rng(3)
    ids, scores, other = [f"i{row:03d}" for row in range(40)], rng.integers(0, 2, 40), rng.integers(0, 2, 40)
    order = rng.permutation(40)
    plain = write_csv("a.csv", {"id": ids, "score": scores.tolist()})
    mixed = write_csv("a.csv", {"id": [ids[row] for row in order], "score": scores[order].tolist()})
    second = write_csv("b.csv", {"id": ids, "score": other.tolist()})
    for rest in (None, second):
        ours, theirs = (measure(Question(file=path, other=rest, runs=20)) for path in (plain, mixed))
        assert (ours.unchanged, ours.dropped) == (theirs.unchanged, theirs.dropped)


def test_repeats_are_drawn_anew(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", repeated(40, 3))
    found = measure(Question(file=path, runs=40, drop=0.02))
    assert (found.way, found.items, found.rho) == (Way.REPEATS, 40, None)
    assert found.unchanged.block.low < 0.05
    assert any("repeats of each instead of 3" in sentence for sentence in found.advice)
    with pytest.raises(UsageError, match="the file has repeats"):
        measure(Question(file=path, rho=0.5))


def test_where_few_items_have_repeats_their_means_are_mixed(write_csv: WriteCsv) -> None:
    ids = ["a", "a", "b", "c", "d"]
    path = write_csv("a.csv", {"id": ids, "sample": [0, 1, 0, 0, 0], "score": [1, 0, 1, 0, 1]})
    found = measure(Question(file=path, runs=20))
    assert found.way is Way.MIXTURE
    assert found.metrics[0].mean == 0.625


def test_groups_stay_together(write_csv: WriteCsv, config: Callable[[str], str]) -> None:
    groups = [f"g{row // 20}" for row in range(120)]
    scores = [float(row // 20 % 2) for row in range(120)]
    checks = config(f"{PAIR}checks: {{drift: false}}")
    grouped = measure(Question(file=write_csv("a.csv", column(scores, group=groups)), config=checks, runs=60, rho=0.2))
    assert (grouped.units, grouped.items) == (6, 120)
    assert "120 items in 6 groups" in render_text(grouped)
    # whole passages that change sides would be shown as a regression, were their items taken for so many witnesses
    assert grouped.unchanged.block.low < 0.05


def test_runs_of_different_items_are_drawn_from_one_file(write_csv: WriteCsv, config: Callable[[str], str]) -> None:
    path, checks = write_csv("a.csv", pass_fail(30, 20)), config(f"{PAIR}paired: false")
    found = measure(Question(file=path, config=checks, runs=20))
    assert found.way is Way.SAMPLES
    for wrong in (Question(file=path, config=checks, other=path), Question(file=path, config=checks, rho=0.5)):
        with pytest.raises(UsageError):
            measure(wrong)


def test_a_correlation_that_nobody_stated_is_told_with_another_beside_it(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", pass_fail(20, 15))
    assumed, given = (measure(Question(file=path, runs=20, rho=rho)) for rho in (None, 0.5))
    assert (assumed.rho, assumed.rho_assumed, given.rho_assumed) == (0.5, True, False)
    assert assumed.beside is not None
    assert (assumed.beside.rho, assumed.beside.runs, given.beside) == (0.9, 10, None)
    assert assumed.unchanged == given.unchanged


def test_a_missing_score_may_come_up_elsewhere_in_a_new_run(write_csv: WriteCsv) -> None:
    scores: list[object] = [*pass_fail(38, 30), "", ""]
    found = measure(Question(file=write_csv("a.csv", scores), runs=20))
    assert {cause.check for cause in found.unchanged.causes} >= {"coverage"}
    assert any("missing scores are what coverage warns of" in sentence for sentence in found.advice)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two tasks, of ten items each."""
    found = tmp_path / "runs"
    found.mkdir()
    for task in ("arc", "mmlu"):
        rows = "".join(f"i{row},{int(row > 2)}\n" for row in range(10))
        (found / f"{task}.csv").write_text(f"id,score\n{rows}", encoding="utf-8")
    return found


@pytest.mark.parametrize("lines", [None, f"{PAIR}tasks_as: suites"])
def test_tasks_that_a_check_judges_apart_are_not_measured_as_one(
    folder: Path, config: Callable[[str], str], lines: str | None
) -> None:
    given = None if lines is None else config(lines)
    with pytest.raises(UsageError, match=r"this stands for 2 tasks, .*: arc, mmlu") as caught:
        measure(Question(file=str(folder), config=given, runs=20))
    assert str(caught.value.where) == str(folder)
    assert "name the file of one of them" in caught.value.remedy


@pytest.mark.parametrize(
    ("lines", "items"), [("tasks_as: strata", 20), ("tasks: [arc]", 10), ("tasks: [arc]\n    tasks_as: strata", 10)]
)
def test_tasks_that_a_check_judges_together_or_one_alone_are_measured(
    folder: Path, config: Callable[[str], str], lines: str, items: int
) -> None:
    found = measure(Question(file=str(folder), config=config(f"{PAIR}{lines}"), runs=20, rho=0.5))
    assert found.items == items
