import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from gate.alignment import align_alone, pair_metric
from gate.checks import threshold
from gate.checks.threshold import ThresholdOptions
from gate.config import load_config
from gate.console import Console
from gate.entry import Request, carry_out
from gate.errors import AlignmentError, ScoreFileError, UsageError
from gate.metrics import Metric, ScaleOrigin
from gate.results import Status
from gate.scores.model import Direction, Run, Scale
from gate.starter import _proven_bar, write_starter

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "".join(f"{','.join(map(str, row))}\n" for row in [header, *rows])


def lines(records: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def lm_eval(item: int) -> dict[str, object]:
    question = f"What is {item} plus {item}?"
    return {
        "doc_id": item, "doc": {"question": question}, "target": str(2 * item),
        "arguments": {"gen_args_0": {"arg_0": f"Q: {question}", "arg_1": {}}}, "resps": [["4"]],
        "filtered_resps": ["4"], "filter": "none", "metrics": ["exact_match"], "doc_hash": f"d{item}",
        "prompt_hash": f"p{item}", "target_hash": f"t{item}", "exact_match": float(item % 3 != 0),
    }  # fmt: skip


FORMATS = {
    "csv": table(["id", "score"], [[f"q{n}", n % 2] for n in range(12)]),
    "csv of percents": table(["id", "score"], [[f"q{n}", f"{n}%"] for n in range(12)]),
    "csv on 0 to 100": table(["id", "score"], [[f"q{n}", 50 + n] for n in range(12)]),
    "csv of several metrics": table(["id", "acc", "f1", "rouge"], [[f"q{n}", n % 2, 0.5, n] for n in range(12)]),
    "csv of very many metrics": table(
        ["id", *(f"a_rather_long_name_of_metric_{m:03d}" for m in range(99))],
        [[n, *[n % 2] * 99] for n in range(9)],
    ),
    "csv of odd names": table(["id", '"a: ""b"" # {c}\'[%]\x07\u2028\U0001f600"'], [[n, n % 2] for n in range(12)]),
    "json lines": lines([{"id": n, "question": f"what is {n}?", "score": n % 2 == 0} for n in range(12)]),
    "json": json.dumps({f"q{n}": n / 12 for n in range(12)}),
    "human-eval": lines(
        [
            {"task_id": f"HumanEval/{n}", "completion": "", "result": "passed", "passed": True}
            for n in range(6)
            for _ in range(2)
        ]
    ),
    "lm-eval": lines([lm_eval(n) for n in range(12)]),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


Write = Callable[..., list[str]]


@pytest.fixture
def write(here: Path) -> Write:
    """Writes a text under one or more names and returns them."""

    def write_files(text: str, *names: str) -> list[str]:
        for name in names:
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_text(text, encoding="utf-8")
        return list(names)

    return write_files


def code_of_check(config: str = "gate.yml") -> int:
    return carry_out(Request(config=config), Console(sys.stdout, sys.stderr))


def workflow(folder: Path) -> dict[str, Any]:
    text = (folder / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    return document


@pytest.mark.parametrize("names", [("b",), ("a", "b")], ids=["candidate", "pair"])
@pytest.mark.parametrize("kind", FORMATS)
def test_the_configuration_runs_unedited(kind: str, names: Sequence[str], write: Write) -> None:
    written = write_starter(write(FORMATS[kind], *names), Path(), force=False)
    assert written == [Path("gate.yml"), Path(".github/workflows/gate.yml")]
    assert code_of_check() == 0


@pytest.mark.parametrize("kind", FORMATS)
def test_both_files_are_clean_to_a_linter(kind: str, write: Write, here: Path) -> None:
    write_starter(write(FORMATS[kind], "a", "b"), Path(), force=False)
    command = [str(BIN / "yamllint"), "--strict", "--config-file", str(ROOT / ".yamllint"), "gate.yml", ".github"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    "name",
    [
        "two words.csv",
        "größe.csv",
        "emoji 😀.csv",
        "quote\"'\\.csv",
        "a: b #c.csv",
        "- x.csv",
        "run\n.csv",
        "\u200b.csv",
    ],
)
def test_a_file_name_is_quoted_so_that_it_is_found(name: str, write: Write) -> None:
    write_starter(write(FORMATS["csv"], name), Path(), force=False)
    assert load_config(Path("gate.yml")).suites[0].candidate == name
    assert code_of_check() == 0


def test_two_files_turn_the_paired_checks_on_and_one_file_off(write: Write) -> None:
    files = write(FORMATS["csv"], "a.csv", "b.csv")
    write_starter(files, Path(), force=False)
    (pair,) = load_config(Path("gate.yml")).suites
    write_starter(files[1:], Path(), force=True)
    (alone,) = load_config(Path("gate.yml")).suites
    assert [(suite.baseline, suite.candidate) for suite in (pair, alone)] == [("a.csv", "b.csv"), (None, "b.csv")]
    for check in ("regression", "drift"):
        assert pair.checks.is_asked(check)
        assert alone.checks.options(check) is None


@pytest.mark.parametrize(
    ("kind", "metric", "scale"),
    [
        ("csv", "score", (0, 1)),
        ("csv of percents", "score", (0, 100)),
        ("csv on 0 to 100", "score", (50, 61)),
        ("csv of several metrics", "acc", (0, 1)),
        ("human-eval", "passed", (0, 1)),
    ],
)
def test_metric_and_scale_are_those_of_the_file(
    kind: str, metric: str, scale: tuple[float, float] | None, write: Write
) -> None:
    write_starter(write(FORMATS[kind], "b"), Path(), force=False)
    (suite,) = load_config(Path("gate.yml")).suites
    assert (list(suite.metrics), suite.scale, suite.direction) == ([metric], scale, Direction.HIGHER)


def test_the_other_metrics_are_named_in_a_comment(write: Write) -> None:
    write_starter(write(FORMATS["csv of several metrics"], "b"), Path(), force=False)
    text = Path("gate.yml").read_text(encoding="utf-8")
    assert '\n    # also there: "f1", "rouge"\n    metrics: ["acc"]\n' in text


def test_a_metric_that_both_files_have_is_chosen(write: Write) -> None:
    baseline = write(table(["id", "f1", "old"], [["q1", 1, 1]]), "a.csv")
    candidate = write(table(["id", "new", "f1"], [["q1", 1, 1]]), "b.csv")
    write_starter([*baseline, *candidate], Path(), force=False)
    assert list(load_config(Path("gate.yml")).suites[0].metrics) == ["f1"]


def test_paths_are_written_from_the_folder_of_the_configuration(write: Write, here: Path) -> None:
    (path,) = write(FORMATS["csv"], "runs/b.csv")
    write_starter([path], Path("evals"), force=False)
    assert 'candidate: "../runs/b.csv"\n' in Path("evals/gate.yml").read_text(encoding="utf-8")
    assert code_of_check("evals/gate.yml") == 0
    write_starter([str(here / path)], here, force=False)
    assert 'candidate: "runs/b.csv"\n' in Path("gate.yml").read_text(encoding="utf-8")


def test_an_absolute_path_to_another_place_stays(
    write: Write, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(write(FORMATS["csv"], "b.csv")[0], elsewhere)
    write_starter([str(elsewhere / "b.csv")], here / "repository", force=False)
    text = Path("repository/gate.yml").read_text(encoding="utf-8")
    assert f'candidate: "{elsewhere / "b.csv"}"\n' in text


@pytest.mark.parametrize("there", ["gate.yml", ".github/workflows/gate.yml"])
def test_what_is_there_is_not_overwritten_unless_forced(there: str, write: Write, here: Path) -> None:
    write("keep me", there)
    files = write(FORMATS["csv"], "b.csv")
    with pytest.raises(UsageError, match="the file is there already") as caught:
        write_starter(files, Path(), force=False)
    assert str(caught.value.where) == there
    assert "--force" in caught.value.remedy
    assert [str(path.relative_to(here)) for path in here.rglob("gate.yml")] == [there]
    assert Path(there).read_text(encoding="utf-8") == "keep me"
    write_starter(files, Path(), force=True)
    assert Path(there).read_text(encoding="utf-8") != "keep me"
    assert code_of_check() == 0


def test_three_files_are_a_usage_error(write: Write) -> None:
    with pytest.raises(UsageError, match="more than two files"):
        write_starter(write(FORMATS["csv"], "a", "b", "c"), Path(), force=False)


def test_files_that_cannot_be_compared_are_an_error_and_nothing_is_written(write: Write, here: Path) -> None:
    baseline = write(table(["id", "score"], [["q1", 1]]), "a.csv")
    candidate = write(table(["id", "score"], [["r1", 1]]), "b.csv")
    with pytest.raises(AlignmentError, match="no item id stands in both files"):
        write_starter([*baseline, *candidate], Path(), force=False)
    assert sorted(path.name for path in here.iterdir()) == ["a.csv", "b.csv"]


def test_files_without_a_metric_in_common_are_an_error(write: Write) -> None:
    baseline = write(table(["id", "acc"], [["q1", 1]]), "a.csv")
    candidate = write(table(["id", "f1"], [["q1", 1]]), "b.csv")
    with pytest.raises(ScoreFileError, match="the two files share no metric"):
        write_starter([*baseline, *candidate], Path(), force=False)


def test_a_file_that_is_no_score_file_is_an_error(write: Write) -> None:
    with pytest.raises(ScoreFileError):
        write_starter(write("no scores in here\n", "b.csv"), Path(), force=False)


def test_the_workflow_is_one_to_github(write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False)
    command = [
        str(BIN / "check-jsonschema"),
        "--builtin-schema",
        "vendor.github-workflows",
        ".github/workflows/gate.yml",
    ]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_workflow_may_read_and_no_more(write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False)
    document = workflow(here)
    assert document["permissions"] == {"contents": "read"}
    assert list(document["jobs"]) == ["gate"]


def test_the_workflow_installs_nothing_from_an_index(write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False)
    assert [list(step) for step in steps(here) if "run" in step] == []


def test_the_action_is_a_placeholder_that_says_so(write: Write) -> None:
    write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False)
    text = Path(".github/workflows/gate.yml").read_text(encoding="utf-8")
    assert "\n        uses: OWNER/gate@v1  # the repository and tag of the action\n" in text


@pytest.mark.parametrize("uses", ["me/gate@v1.2", "me/gate/sub@0a1b2c", "./gate", "docker://ghcr.io/me/gate:1"])
def test_the_action_is_the_one_asked_for(uses: str, write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False, uses=uses)
    assert gate_step(here)["uses"] == uses


@pytest.mark.parametrize("uses", ["", "two words", "x\n      - run: echo", "x # y", "${{ x }}"])
def test_what_can_be_no_action_is_an_error_and_nothing_is_written(uses: str, write: Write, here: Path) -> None:
    with pytest.raises(UsageError, match="is no action"):
        write_starter(write(FORMATS["csv"], "b.csv"), Path(), force=False, uses=uses)
    assert [path.name for path in here.iterdir()] == ["b.csv"]


def steps(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow(folder)["jobs"]["gate"]["steps"]
    return found


def gate_step(folder: Path) -> dict[str, Any]:
    (step,) = [step for step in steps(folder) if step.get("id") == "gate"]
    return step


def run_action(repository: Path, workspace: Path) -> subprocess.CompletedProcess[str]:
    """Lay the workspace out as the workflow's checkouts say, and put the step's inputs to the action as they are."""
    for step in steps(repository):
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
            shutil.copytree(repository, workspace / step["with"].get("path", ""), dirs_exist_ok=True)
    inputs = {f"INPUT_{name.upper()}": str(value) for name, value in gate_step(repository)["with"].items()}
    files = {name: str(workspace.parent / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        Path(file).touch()
    environment = {"PATH": os.environ["PATH"], "GITHUB_WORKSPACE": str(workspace), **inputs, **files}
    command = [sys.executable, "-m", "gate.github"]
    return subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("names", [("results/b.csv",), ("results/a.csv", "results/b.csv")], ids=["candidate", "pair"])
def test_the_workflow_judges_as_it_is(
    names: Sequence[str], write: Write, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write_starter(write(FORMATS["csv"], *names), Path(), force=False)
    outside = tmp_path_factory.mktemp("runner")
    done = run_action(here, outside / "workspace")
    assert done.returncode == 0, done.stdout
    assert "\nPASS\n" in (outside / "github_output").read_text(encoding="utf-8")
    assert (outside / "github_step_summary").read_text(encoding="utf-8").startswith("## 🟢 PASS: ")


def test_a_pull_request_cannot_move_its_own_bar(
    write: Write, here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write_starter(write(FORMATS["csv"], "a.csv", "b.csv"), Path(), force=False)
    workspace = tmp_path_factory.mktemp("runner") / "workspace"
    assert run_action(here, workspace).returncode == 0
    worse = table(["id", "score"], [[f"q{n}", 0] for n in range(12)])
    # the pull request brings worse scores, a baseline that is as bad, and a gate.yml that asks for nothing
    for name, text in {"a.csv": worse, "b.csv": worse, "gate.yml": "version: 1\nsuites: []\n"}.items():
        (workspace / name).write_text(text, encoding="utf-8")
    inputs = {f"INPUT_{name.upper()}": value for name, value in gate_step(here)["with"].items()}
    environment = {"PATH": os.environ["PATH"], "GITHUB_WORKSPACE": str(workspace), **inputs}
    command = [sys.executable, "-m", "gate.github"]
    done = subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout


@pytest.mark.parametrize("directory", ["", "evals"])
def test_of_a_folder_in_a_repository_the_workflow_goes_to_the_root_and_judges_as_it_is(
    directory: str, write: Write, here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (here / ".git").mkdir()
    write(FORMATS["csv"], "evals/runs/a.csv", "evals/runs/b.csv")
    folder = "" if directory else "evals"
    monkeypatch.chdir(here / folder)
    files = [str(Path(directory, "runs", name)) for name in ("a.csv", "b.csv")]
    written = [str(path.resolve().relative_to(here)) for path in write_starter(files, Path(directory), force=False)]
    assert written == ["evals/gate.yml", ".github/workflows/gate.yml"]
    monkeypatch.chdir(here)
    asked = gate_step(here)["with"]
    assert (asked["config"], asked["proposed-config"]) == ("target/evals/gate.yml", "evals/gate.yml")
    outside = tmp_path_factory.mktemp("runner")
    done = run_action(here, outside / "workspace")
    assert done.returncode == 0, done.stdout
    assert "\nPASS\n" in (outside / "github_output").read_text(encoding="utf-8")


def test_a_file_name_is_no_expression_to_github(write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "${{ x }}.csv"), Path(), force=False)
    assert gate_step(here)["with"]["candidate"] == "${{ '${{' }} x }}.csv"


# the bar that one file proves


def bar_and_comment(text: str) -> tuple[str, str]:
    found = re.search(r"\n      # (.*)\n      threshold: \{bar: (.*)\}\n", text)
    assert found is not None
    return found[2], found[1]


@pytest.mark.parametrize(
    ("scores", "bar"),
    [
        ([1] * 20, "0.83"),  # Clopper and Pearson's .8316: the bootstrap's 1 is too sure
        ([0.123] * 20, "0.1"),
        ([0] * 20, "0"),
        ([1] * 17 + [0.5, 0.5, 0], "0.7"),  # the exact low is .7015
        (["90%", "80%"] * 10, "70.56"),
        (["1%", "0%"] * 10, "0"),  # a bar of 0.3 would be taken for a slip of the unit
        ([50, 60] * 10, "52.71"),
        ([7] * 20, "5.82"),
        ([-7.5] * 20, "-7.5"),
        ([1] * 19 + ["error"], "0.75"),  # what is missing counts with the worst
    ],
)
def test_the_bar_is_what_the_file_proves_rounded_down(scores: Sequence[object], bar: str, write: Write) -> None:
    write_starter(write(table(["id", "score"], list(enumerate(scores))), "b.csv"), Path(), force=False)
    found, comment = bar_and_comment(Path("gate.yml").read_text(encoding="utf-8"))
    assert found == bar
    assert comment == (
        "The bar the mean must prove to clear: as a start, what this file proves (the end of its 95 % interval)."
    )
    assert code_of_check() == 0


def test_a_scale_that_is_not_known_is_what_was_seen_and_says_so(write: Write) -> None:
    rows = list(enumerate([0.00001234, 97.123456789, 50]))
    write_starter(write(table(["id", "score"], rows), "b.csv"), Path(), force=False)
    line = "scale: [0.00001234, 97.123456789]     # only what was seen: correct it to the lowest and highest possible"
    assert f"\n    {line}\n" in Path("gate.yml").read_text(encoding="utf-8")
    assert code_of_check() == 0


def test_with_two_files_no_bar_is_set(write: Write) -> None:
    write_starter(write(FORMATS["csv"], "a.csv", "b.csv"), Path(), force=False)
    assert "      # threshold: {bar: 0.70}\n" in Path("gate.yml").read_text(encoding="utf-8")


def test_where_lower_is_better_the_bar_is_what_the_high_ends_prove_rounded_up(make_run: Callable[..., Run]) -> None:
    run = make_run([0.1, 0.105, 0.2, 0.31], direction=Direction.LOWER)
    metric = Metric("score", Direction.LOWER, Scale(0.0, 1.0), ScaleOrigin.ASSUMED)
    bar = _proven_bar(run, metric)
    pairs = pair_metric(align_alone(run), "score", direction=Direction.LOWER, scale=metric.scale)
    rng = np.random.default_rng(0)
    assert threshold.check(pairs, ThresholdOptions(bar=bar), rng).status is Status.PASS
    assert threshold.check(pairs, ThresholdOptions(bar=bar - 0.01), rng).status is not Status.PASS
