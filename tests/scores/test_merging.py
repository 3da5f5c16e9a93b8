"""Several tasks read as one run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run, read_tasks
from gate.scores.merging import merge_runs
from gate.scores.model import Direction, Run, Scale

MakeRun = Callable[..., Run]


@pytest.fixture
def run(tmp_path: Path) -> Callable[[str], Run]:
    def read(content: str) -> Run:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.csv"
        path.write_text(content)
        return read_run(path)

    return read


def test_each_item_of_each_task_stands_on_its_own_with_its_task_as_stratum(run: Callable[[str], Run]) -> None:
    merged = merge_runs({"a": run("id,score\n1,1\n2,0\n"), "b": run("id,score\n1,0.5\n")}, "runs", ["a note"])
    assert merged.ids == ("a/1", "a/2", "b/1")
    assert merged.strata == ("a", "a", "b")
    assert merged.item_scores("score").values.tolist() == [1.0, 0.0, 0.5]
    assert merged.source.path == "runs"
    assert merged.notes[0] == "a note"


def test_repeats_stay_samples_of_their_item(run: Callable[[str], Run]) -> None:
    repeated = run("id,epoch,score\n1,1,1\n1,2,0\n")
    merged = merge_runs({"a": repeated, "b": repeated}, "runs", [])
    assert merged.item_of_sample.tolist() == [0, 0, 1, 1]
    assert merged.item_scores("score").values.tolist() == [0.5, 0.5]


def test_only_metrics_that_every_task_has_are_kept(run: Callable[[str], Run]) -> None:
    merged = merge_runs({"a": run("id,f1,em\n1,1,0\n"), "b": run("id,em\n1,1\n")}, "runs", [])
    assert list(merged.metrics) == ["em"]


def test_tasks_without_a_metric_in_common_are_an_error_that_tells_each(run: Callable[[str], Run]) -> None:
    with pytest.raises(ScoreFileError, match='no metric stands in every task: a has "f1", b has "em"') as fault:
        merge_runs({"a": run("id,f1\n1,1\n"), "b": run("id,em\n1,1\n")}, "runs", [])
    assert "tasks_as: suites" in fault.value.remedy


def test_a_file_that_is_added_gives_no_item_of_another_task_its_score(run: Callable[[str], Run]) -> None:
    hard, easy = run("id,score\nmath/1,0\nmath/2,1\n"), run("id,score\n1,1\n")
    with pytest.raises(ScoreFileError, match=r'1 item has one name in two tasks: "gsm/math/1"') as fault:
        merge_runs({"gsm": hard, "gsm/math": easy}, "runs", [])
    assert "tasks_as: suites" in fault.value.remedy


def test_a_scale_holds_only_where_every_task_states_it(run: Callable[[str], Run]) -> None:
    percents, plain = run("id,acc\n1,50%\n"), run("id,acc\n1,0.5\n")
    assert merge_runs({"a": percents, "b": percents}, "runs", []).metrics["acc"].scale == Scale(0.0, 100.0)
    assert merge_runs({"a": percents, "b": plain}, "runs", []).metrics["acc"].scale is None


def test_a_direction_that_tasks_state_holds_for_all_and_opposite_ones_are_a_doubt(make_run: MakeRun) -> None:
    silent, higher, lower = (make_run([1.0], direction=way) for way in (None, Direction.HIGHER, Direction.LOWER))
    agreed = merge_runs({"a": silent, "b": lower}, "runs", []).metrics["score"]
    assert (agreed.direction, agreed.doubt) == (Direction.LOWER, None)
    torn = merge_runs({"a": higher, "b": lower}, "runs", []).metrics["score"]
    assert (torn.direction, torn.doubt) == (
        None, "some of its tasks state that higher is better, others that lower is"
    )  # fmt: skip


def test_a_doubt_of_one_task_is_one_of_all(make_run: MakeRun) -> None:
    run = make_run([1.0], direction=Direction.LOWER)
    doubtful = replace(run, metrics={"score": replace(run.metrics["score"], direction=None, doubt="it was turned")})
    assert merge_runs({"a": run, "b": doubtful}, "runs", []).metrics["score"].doubt == "it was turned"


def test_groups_of_two_tasks_are_never_one(run: Callable[[str], Run]) -> None:
    grouped, alone = run("id,group,score\n1,g,1\n2,g,0\n"), run("id,score\n1,1\n")
    merged = merge_runs({"a": grouped, "b": grouped, "c": alone}, "runs", [])
    assert merged.groups == ("a/g", "a/g", "b/g", "b/g", "c/1")


def test_the_digest_is_another_where_one_file_is(run: Callable[[str], Run]) -> None:
    one, other = run("id,score\n1,1\n"), run("id,score\n1,0\n")
    digests = {merge_runs(runs, "runs", []).source.digest for runs in ({"a": one, "b": other}, {"a": one, "b": one})}
    assert len(digests) == 2


def test_the_only_task_of_a_folder_keeps_its_ids(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,score\n1,1\n")
    read = read_tasks(str(tmp_path))
    assert read.ids == ("1",)
    assert read.notes[0].startswith("read of ")


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,score\n1,1\n")
    assert read_tasks(str(path)).ids == ("1",)
