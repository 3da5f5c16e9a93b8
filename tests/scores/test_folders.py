"""Folders and patterns: which file of which task is read."""

import json
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_tasks
from gate.scores.folders import find_tasks, is_several

OLD, NEW = "2026-01-01T10-00-00.123456", "2026-01-02T09-00-00.000001"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder ``runs``, named from where the test stands."""
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    return Path("runs")


def fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


def files(path: str, *wanted: str) -> dict[str, str]:
    return dict(find_tasks(path, wanted).files)


def test_of_lm_evals_folder_the_newest_samples_of_each_task_are_read(folder: Path) -> None:
    fill(folder, f"m/samples_arc_easy_{OLD}.jsonl", f"m/samples_arc_easy_{NEW}.jsonl", f"m/samples_mmlu_{OLD}.jsonl")
    fill(folder, f"m/results_{OLD}.json", f"m/results_{NEW}.json")
    found = find_tasks("runs")
    assert found.files == {
        "arc_easy": f"runs/m/samples_arc_easy_{NEW}.jsonl",
        "mmlu": f"runs/m/samples_mmlu_{OLD}.jsonl",
    }
    assert found.notes[0].startswith(f'read of "runs": "m/samples_arc_easy_{NEW}.jsonl", "m/samples_mmlu_{OLD}.jsonl"')
    assert found.notes[0].endswith(", the newest of each task; 1 older file is left out")


def test_what_gate_wrote_beside_a_baseline_when_it_was_promoted_is_no_file_of_scores(folder: Path) -> None:
    fill(folder, "arc.csv", "arc.csv.promotion.json")
    assert files("runs") == {"arc": "runs/arc.csv"}
    assert list(files("runs/*").values()) == ["runs/arc.csv"]


@pytest.mark.parametrize("path", ["runs", "runs/", "./runs"])
def test_a_folder_may_be_written_in_any_way(folder: Path, path: str) -> None:
    fill(folder, f"m/samples_arc_{OLD}.jsonl")
    assert list(files(path)) == ["arc"]


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_of_inspects_log_folder_the_newest_log_of_each_task_is_read(folder: Path, ending: str) -> None:
    old, new = (f"2026-01-0{day}T10-00-00+00-00_my_task_aB3.{ending}" for day in (1, 2))
    fill(folder, old, new, f"2026-01-01T10-00-00+00-00_other_cD4.{ending}", "logs.txt")
    assert files("runs") == {
        "my_task": f"runs/{new}",
        "other": f"runs/2026-01-01T10-00-00+00-00_other_cD4.{ending}",
    }


def test_of_helms_run_folders_the_task_does_not_name_the_model(folder: Path) -> None:
    run = "mmlu:subject=philosophy,method=joint,model=openai_gpt2,data_augmentation=canonical"
    fill(folder, f"suite/{run}/per_instance_stats.json", f"suite/{run}/stats.json", f"suite/{run}/run_spec.json")
    assert files("runs") == {
        "mmlu:subject=philosophy,method=joint,data_augmentation=canonical": f"runs/suite/{run}/per_instance_stats.json"
    }


def test_of_lightevals_details_the_task_and_the_time_stand_in_the_name(folder: Path) -> None:
    fill(
        folder,
        f"details/org/m/{OLD}/details_gsm8k|0_{OLD}.parquet",
        f"details/org/m/{NEW}/details_gsm8k|0_{NEW}.parquet",
    )
    assert files("runs") == {"gsm8k|0": f"runs/details/org/m/{NEW}/details_gsm8k|0_{NEW}.parquet"}


def test_in_any_other_folder_every_file_is_a_task_named_by_its_path(folder: Path) -> None:
    fill(folder, "b.csv", "deep/a.jsonl.gz")
    assert files("runs") == {"b": "runs/b.csv", "deep/a": "runs/deep/a.jsonl.gz"}


def test_a_pattern_means_the_files_that_it_fits(folder: Path) -> None:
    fill(folder, "x/a.csv", "y/b.csv", "y/c.txt")
    assert files("runs/**/*.csv") == {"runs/x/a": "runs/x/a.csv", "runs/y/b": "runs/y/b.csv"}


def test_tasks_are_chosen_by_name_and_by_pattern(folder: Path) -> None:
    fill(folder, *(f"m/samples_{task}_{OLD}.jsonl" for task in ("arc_easy", "arc_hard", "mmlu")))
    assert list(files("runs", "arc_*")) == ["arc_easy", "arc_hard"]
    assert list(files("runs", "mmlu", "arc_easy")) == ["arc_easy", "mmlu"]


def test_a_task_that_is_named_means_itself_alone(folder: Path) -> None:
    fill(folder, "a?.csv", "ab.csv")
    assert list(files("runs", "a?")) == ["a?"]


def test_a_task_that_is_not_there_is_an_error_with_the_likely_one(folder: Path) -> None:
    fill(folder, f"m/samples_arc_{OLD}.jsonl")
    with pytest.raises(ScoreFileError, match='there is no task "acr"; did you mean "arc"'):
        find_tasks("runs", ["acr"])


def test_runs_of_two_models_are_an_error_since_the_newest_could_be_of_either(folder: Path) -> None:
    fill(folder, f"a/samples_arc_{OLD}.jsonl", f"b/samples_arc_{NEW}.jsonl")
    with pytest.raises(ScoreFileError, match='runs of 2 models: "a", "b"') as fault:
        find_tasks("runs")
    assert fault.value.remedy == "name the folder of one of them"


def test_two_files_of_a_task_of_which_none_is_the_newest_are_an_error(folder: Path) -> None:
    fill(folder, "s1/mmlu,model=x/per_instance_stats.json", "s2/mmlu,model=x/per_instance_stats.json")
    with pytest.raises(ScoreFileError, match='the task "mmlu" has 2 files, and none is the newest'):
        find_tasks("runs")


@pytest.mark.parametrize(("path", "what"), [("runs", "the folder holds no file"), ("runs/*.csv", "no file fits")])
def test_nothing_there_is_an_error(folder: Path, path: str, what: str) -> None:
    assert folder.is_dir()
    with pytest.raises(ScoreFileError, match=what):
        find_tasks(path)


def test_more_files_than_any_evaluation_writes_are_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.scores.folders.MOST_FILES", 2)
    fill(folder, "a", "b", "c")
    with pytest.raises(ScoreFileError, match="there are 3 files, more than 2"):
        find_tasks("runs")


def test_a_file_whose_name_has_the_signs_of_a_pattern_is_that_file(folder: Path) -> None:
    fill(folder, "a[1].csv")
    assert not is_several("runs/a[1].csv")
    assert is_several("runs")
    assert is_several("runs/*.csv")
    assert not is_several("runs/none.csv")


def log(folder: Path, day: int, model: str) -> None:
    """One of Inspect's logs of the task ``quiz``, of that day and that model."""
    sample = {"id": 1, "epoch": 1, "input": "q", "target": "a", "scores": {"match": {"value": "C"}}}
    told = {"task": "quiz", "model": model, "created": f"2026-01-0{day}T10:00:00+00:00", "dataset": {}, "config": {}}
    content = {"version": 2, "status": "success", "eval": told, "results": {}, "samples": [sample]}
    (folder / f"2026-01-0{day}T10-00-00+00-00_quiz_{day}x.json").write_text(json.dumps(content))


def test_logs_of_two_models_whose_names_do_not_tell_are_an_error_too(folder: Path) -> None:
    log(folder, 1, "old")
    log(folder, 2, "new")
    with pytest.raises(ScoreFileError, match=r'a run of the model "new", and ".*1x.json" one of "old"'):
        read_tasks("runs")


def test_of_two_logs_of_one_model_the_newest_is_read(folder: Path) -> None:
    log(folder, 1, "same")
    log(folder, 2, "same")
    assert read_tasks("runs").source.path.endswith("_quiz_2x.json")
