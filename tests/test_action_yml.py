"""action.yml says what the program does: its inputs, outputs and defaults are held against the code."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.github.comment_settings import Mode
from gate.github.inputs import DEFAULT_REPORT_DIR, INPUTS
from gate.github.outputs import OUTPUTS
from gate.github.workspace import REPORT_FILES
from gate.results import FailOn, Word

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
DESCRIBED = [(kind, name) for kind in ("inputs", "outputs") for name in ACTION[kind]]


def description(kind: str, name: str) -> str:
    text: str = ACTION[kind][name]["description"]
    return text


def test_it_satisfies_githubs_own_schema() -> None:
    linter = Path(sys.executable).with_name("check-jsonschema")
    command = [str(linter), "--builtin-schema", "vendor.github-actions", "action.yml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_its_inputs_are_those_of_the_program_in_the_same_order() -> None:
    assert tuple(ACTION["inputs"]) == INPUTS


def test_its_outputs_are_those_of_the_program_in_the_same_order() -> None:
    assert tuple(ACTION["outputs"]) == OUTPUTS


@pytest.mark.parametrize(("kind", "name"), DESCRIBED)
def test_each_is_named_in_kebab_case_and_described_in_a_sentence(kind: str, name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert re.fullmatch(r"[A-Z].{20,}\.", description(kind, name))


def test_the_defaults_are_the_program_s_and_the_job_s_own_token() -> None:
    defaults = {name: given["default"] for name, given in ACTION["inputs"].items() if "default" in given}
    # a default for fail-on would win over gate.yml, since an input overrides it
    assert defaults == {"github-token": "${{ github.token }}", "report-dir": DEFAULT_REPORT_DIR}


def test_nothing_is_left_to_required_which_github_does_not_enforce() -> None:
    assert [name for name, given in ACTION["inputs"].items() if "required" in given] == []


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("inputs", "fail-on", list(FailOn)),
        ("inputs", "comment", list(Mode)),
        ("inputs", "report-dir", list(REPORT_FILES.values())),
        ("outputs", "verdict", list(Word)),
    ],
)
def test_a_description_names_every_choice(kind: str, name: str, words: list[str]) -> None:
    assert set(words) <= set(re.findall(r"[\w.]+\w", description(kind, name)))


@pytest.mark.parametrize("name", ["metric", "reduce", "corpus"])
def test_a_list_says_how_it_is_written(name: str) -> None:
    assert description("inputs", name).endswith("Several: one on each line.")


def test_it_runs_the_dockerfile_beside_it_without_arguments() -> None:
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile"}


def test_the_container_starts_the_action_out_of_the_workspace_s_reach() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (entrypoint,) = re.findall(r"^ENTRYPOINT (\[.*\])$", dockerfile, flags=re.MULTILINE)
    python, *arguments = json.loads(entrypoint)
    assert Path(python).is_absolute()
    # -I: a folder `gate` in the workspace must not be imported; -B: nothing is written beside the modules
    assert arguments == ["-I", "-B", "-m", "gate.github"]


def test_it_is_fit_for_the_marketplace() -> None:
    assert ACTION["branding"] == {"icon": "shield", "color": "green"}
    assert len(ACTION["description"]) <= 125
