import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gate.checks import CHECKS
from gate.descriptions import describe_config, describe_path, describe_run, describe_run_json, explain_check
from gate.errors import ConfigError
from gate.scores import read_run
from gate.scores.model import ItemStatus, Run, Scale, Wanted

MakeRun = Callable[..., Run]

TODAY = date(2026, 2, 1)


# gate show


def test_a_run_is_told_line_by_line(example: Path) -> None:
    lines = describe_run(read_run(example / "run_a.csv", shown="run_a.csv")).splitlines()
    assert lines[:3] == ["run_a.csv", "  format   csv", "  items    20"]
    assert lines[3].startswith("  sha256   55bb34cc")
    assert lines[4] == "  texts    no question text: contamination cannot be searched for"
    assert lines[-6:] == [
        "  metric   score: higher is better, scale not stated",
        "    scored 20, missing 0",
        "    mean 0.900, lowest 0, highest 1",
        "      0       1  ##",
        "    0.5       2  ####",
        "      1      17  ##############################",
    ]


def test_missing_scores_are_told_by_their_reason(make_run: MakeRun) -> None:
    run = make_run([1.0, ItemStatus.TIMEOUT, ItemStatus.ERROR, ItemStatus.ERROR], scale=Scale(0.0, 5.0))
    lines = describe_run(run).splitlines()
    assert "  metric   score: higher is better, scale 0 to 5" in lines
    assert "    scored 1, missing 3 (2 error, 1 timeout)" in lines


def test_a_direction_in_doubt_is_told_with_its_reason(make_run: MakeRun) -> None:
    run = make_run([1.0])
    doubtful = replace(run, metrics={"score": replace(run.metrics["score"], doubt="it was turned round")})
    lines = describe_run(doubtful).splitlines()
    at = lines.index("  metric   score: which way is better is in doubt, scale not stated")
    assert lines[at + 1] == "    it was turned round"
    told = json.loads(describe_run_json(doubtful))["metrics"]["score"]
    assert (told["direction"], told["doubt"]) == (None, "it was turned round")


def test_a_metric_without_any_score_has_no_distribution(make_run: MakeRun) -> None:
    assert describe_run(make_run([ItemStatus.UNSCORED])).splitlines()[-1] == "    scored 0, missing 1 (1 unscored)"


def test_the_rarest_score_is_seen_and_an_empty_bar_is_not(make_run: MakeRun) -> None:
    lines = describe_run(make_run([0.0, *[1.0] * 199])).splitlines()
    assert lines[-2:] == ["    0       1  #", f"    1     199  {'#' * 30}"]
    far = describe_run(make_run([*(row / 100 for row in range(10)), 1.0])).splitlines()
    assert "    [0.5, 0.6)       0" in far


def test_groups_texts_and_notes_are_told_where_there_are_any(make_run: MakeRun) -> None:
    text = describe_run(make_run([1.0, 0.0], groups=("x", "x"), inputs=("a", "b"), notes=("read with care",)))
    assert "  groups   1\n  texts    yes\n  note     read with care\n" in text


def test_repeats_are_told_beside_the_items(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("id,sample,score\nq1,1,1\nq1,2,0\nq2,1,1\nq2,2,1\n", encoding="utf-8")
    assert "  items    2 (4 samples)\n" in describe_run(read_run(path))


def test_foreign_names_cannot_command_the_terminal(make_run: MakeRun) -> None:
    text = describe_run(make_run([1.0], metric="\x1b[31m::x", path="\n::error::x", notes=("##[error]\u202e",)))
    assert "\x1b" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert "##[" not in text


def test_the_same_is_told_as_json(example: Path) -> None:
    told = json.loads(describe_run_json(read_run(example / "run_b.csv", shown="run_b.csv")))
    assert (told["path"], told["format"], told["items"], told["samples"]) == ("run_b.csv", "csv", 20, 20)
    score = told["metrics"]["score"]
    assert (score["scored"], score["mean"], score["direction"]) == (20, 0.725, "higher")
    assert [(bar["label"], bar["count"]) for bar in score["histogram"]] == [("0", 3), ("0.5", 5), ("1", 12)]


# gate validate


def test_a_sound_configuration_is_told_suite_by_suite(example: Path) -> None:
    lines = describe_config(str(example / "gate.yml"), TODAY).splitlines()
    assert lines == [
        f"{example / 'gate.yml'}: sound, 2 suites, fail on block",
        "  answers",
        f"    baseline   {example / 'run_a.csv'}",
        f"    candidate  {example / 'run_b.csv'}",
        "    checks     coverage, threshold, regression, drift",
        "  questions",
        f"    questions  {example / 'questions.jsonl'}",
        f"    corpus     {example / 'corpus'}",
        "    checks     contamination",
    ]


def test_files_that_are_not_there_yet_are_marked(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    path = tmp_path / "gate.yml"
    path.write_text(
        "version: 1\npolicies: {fail_on: warn}\nsuites:\n  - name: one\n    baseline: a.csv\n    candidate: b.csv\n"
        "    metrics: [acc, f1]\n    checks: {drift: off}\n",
        encoding="utf-8",
    )
    assert describe_config(str(path), TODAY).splitlines() == [
        f"{path}: sound, 1 suite, fail on warn",
        "  one",
        f"    baseline   {tmp_path / 'a.csv'}",
        f"    candidate  {tmp_path / 'b.csv'}  (not there yet)",
        "    metrics    acc, f1",
        "    checks     coverage, regression",
    ]


@pytest.mark.parametrize("name", ["x" * 300, "a\\0b"])
def test_a_path_that_cannot_be_is_not_there(name: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(f'version: 1\nsuites: [{{name: one, baseline: x, candidate: "{name}"}}]\n', encoding="utf-8")
    assert "(not there yet)" in describe_config(str(path), TODAY)


def test_the_files_of_contamination_are_looked_for_too(tmp_path: Path) -> None:
    (tmp_path / "here.txt").touch()
    path = tmp_path / "gate.yml"
    corpus = "[here.txt, 'h*.txt', 'n*.txt', nowhere]"
    path.write_text(
        f"version: 1\nsuites: [{{name: q, checks: {{contamination: {{items: q.jsonl, corpus: {corpus}}}}}}}]\n",
        encoding="utf-8",
    )
    assert describe_config(str(path), TODAY).splitlines()[2:] == [
        f"    questions  {tmp_path / 'q.jsonl'}  (not there yet)",
        f"    corpus     {tmp_path / 'here.txt'}",
        f"    corpus     {tmp_path / 'h*.txt'}",
        f"    corpus     {tmp_path / 'n*.txt'}  (not there yet)",
        f"    corpus     {tmp_path / 'nowhere'}  (not there yet)",
        "    checks     contamination",
    ]


def test_a_check_that_was_asked_for_without_its_data_is_on(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(
        "version: 1\nsuites: [{name: one, candidate: b, checks: {regression: on, threshold: {bar: 1}}}]\n",
        encoding="utf-8",
    )
    assert describe_config(str(path), TODAY).splitlines()[-1] == "    checks     coverage, threshold, regression"


def test_waivers_are_listed_as_they_stand_today(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(
        "version: 1\nsuites: [{name: one, baseline: a, candidate: b}]\nwaivers:\n"
        "  - {check: drift, reason: new graders, approved_by: Ada, expires: 2026-01-31}\n"
        "  - {check: regression, metric: f1, reason: shorter prompt, approved_by: Bob, expires: 2026-02-01}\n",
        encoding="utf-8",
    )
    assert describe_config(str(path), TODAY).splitlines()[-3:] == [
        "  waivers",
        "    drift (one) expired on 2026-01-31, by Ada: new graders",
        "    regression (one, f1) holds until 2026-02-01, by Bob: shorter prompt",
    ]


def test_an_unsound_configuration_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="the key 'suites' is missing"):
        describe_config(str(path), TODAY)


# gate explain


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_is_explained_with_all_its_options(name: str) -> None:
    text = explain_check(name)
    words = " ".join(text.split())
    assert text.startswith(f"{name}\n")
    assert CHECKS[name].asks in words
    assert CHECKS[name].when_it_fails in words
    for option, field in CHECKS[name].options.model_fields.items():
        assert f"\n  {option} (" in text
        assert field.description
        assert field.description in words


@pytest.mark.parametrize("name", CHECKS)
def test_an_explanation_fits_a_terminal(name: str) -> None:
    assert max(map(len, explain_check(name).splitlines())) <= 100


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("drift", "  rule (default calibrated)"),
        ("drift", "  edges (default none)"),
        ("threshold", "  alpha (default 0.05)"),
        ("contamination", "  corpus (default none)"),
        ("arena", "  model (required)"),
    ],
)
def test_an_option_is_explained_with_its_default(name: str, line: str) -> None:
    assert line in explain_check(name).splitlines()


def test_each_task_of_a_folder_is_told(tmp_path: Path) -> None:
    for task in ("a", "b"):
        (tmp_path / f"{task}.csv").write_text("id,score\n1,1\n")
    told = describe_path(str(tmp_path), Wanted(), format_name=None, as_json=False)
    assert told.startswith("read of ")
    assert [line for line in told.splitlines() if line.endswith(".csv")] == [str(tmp_path / f"{x}.csv") for x in "ab"]
    parsed = json.loads(describe_path(str(tmp_path), Wanted(), format_name=None, as_json=True))
    assert [one["items"] for one in parsed] == [1, 1]


def test_what_a_file_tells_of_its_making_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,score\n1,1\n")
    run = replace(read_run(tmp_path / "a.csv"), facts={"model": "m", "judge": "j"})
    assert "  made     model m, judge j" in describe_run(run).splitlines()
