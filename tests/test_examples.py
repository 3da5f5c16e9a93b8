"""The examples do what they promise: their workflows' own inputs, put to the action as the runner would."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
WORKFLOWS = [*sorted(EXAMPLES.glob("*/workflow.yml")), EXAMPLES / "pre-deploy" / "drift.workflow.yml"]
ONE_CHECKOUT = EXAMPLES / "pull-request" / "one-checkout.workflow.yml"
CALLER = EXAMPLES / "pull-request" / "caller.workflow.yml"
CALLED = ROOT / ".github" / "workflows" / "gate.yml"
# what single jobs may do beyond reading: comment on the pull request; push the baseline
MORE_RIGHTS = {
    "pull-request/workflow.yml": [{"contents": "read", "pull-requests": "write"}],
    "pull-request/one-checkout.workflow.yml": [{"contents": "read", "pull-requests": "write"}],
    "promote/workflow.yml": [{"contents": "write"}],
}
FORK_PARTS = sorted((EXAMPLES / "fork-pull-request").glob("*.workflow.yml"))


def load(workflow: Path) -> dict[Any, Any]:
    parsed: dict[Any, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return parsed


def steps_of(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in load(workflow)["jobs"].values() for step in job["steps"]]


def gate_step(workflow: Path) -> dict[str, Any]:
    (step,) = [step for step in steps_of(workflow) if step.get("uses", "").startswith("OWNER/gate@")]
    return step


def lay_out(workflow: Path, workspace: Path) -> None:
    """The checkouts of the workflow; a second one brings the target branch, with other results than the first."""
    for step in steps_of(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            shutil.copytree(workflow.parent, workspace / step.get("with", {}).get("path", ""), dirs_exist_ok=True)


def run_action(workflow: Path, workspace: Path) -> subprocess.CompletedProcess[str]:
    inputs = {f"INPUT_{name.upper()}": str(value) for name, value in gate_step(workflow)["with"].items()}
    files = {name: str(workspace.parent / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        Path(file).touch()
    environment = {"PATH": os.environ["PATH"], "GITHUB_WORKSPACE": str(workspace), **inputs, **files}
    command = [sys.executable, "-m", "gate.github"]
    return subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True, check=False)


def promised_by(workflow: Path) -> re.Match[str]:
    """The verdict that the example's README expects of the workflow, and the first lines of the summary it shows."""
    readme = (workflow.parent / "README.md").read_text(encoding="utf-8")
    marks = rf"<!-- summary of {re.escape(workflow.name)} -->\n(.*?)<!-- end -->"
    found = re.search(rf"\*\*Expected: (\w+)(?:(?!\*\*Expected: ).)*?{marks}", readme, flags=re.DOTALL)
    assert found is not None
    return found


def beginning(summary: str) -> str:
    """Its lines to the end of the table of checks, quoted."""
    head, table, _ = summary.partition("\n| Check | Finding |\n")
    rows = summary[len(head) + len(table) :].partition("\n\n")[0]
    return "".join(f"> {line}".rstrip() + "\n" for line in f"{head}{table}{rows}".splitlines())


def name_of(workflow: Path) -> str:
    return f"{workflow.parent.name}/{workflow.name}"


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name_of)
def test_a_workflow_ends_as_its_readme_promises(workflow: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    lay_out(workflow, workspace)
    done = run_action(workflow, workspace)
    summary = (tmp_path / "github_step_summary").read_text(encoding="utf-8")
    promised = promised_by(workflow)
    if os.environ.get("GATE_REWRITE"):
        readme = workflow.parent / "README.md"
        mark, text = f"<!-- summary of {workflow.name} -->\n", readme.read_text(encoding="utf-8")
        readme.write_text(text.replace(mark + promised[2], mark + beginning(summary)), encoding="utf-8")
        return
    verdict = promised[1]
    assert done.returncode == (0 if verdict == "PASS" else 1), done.stdout
    assert f"\n{verdict}\n" in (tmp_path / "github_output").read_text(encoding="utf-8")
    assert verdict in summary.splitlines()[0]
    assert promised[2] == beginning(summary)


@pytest.mark.parametrize("part", FORK_PARTS, ids=lambda path: path.name)
def test_both_workflows_for_forks_end_as_their_readme_promises(part: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    lay_out(part, workspace)
    for name, place in (("results/candidate.csv", "candidate"), ("gate.yml", "proposed-config")):
        proposed = workspace / gate_step(part)["with"][place]
        proposed.parent.mkdir(parents=True, exist_ok=True)
        text = (part.parent / name).read_text(encoding="utf-8")
        proposed.write_text(text.replace("bar: 0.75", "bar: 0.1"), encoding="utf-8")
    done = run_action(part, workspace)
    assert done.returncode == 1, done.stdout
    promised = (part.parent / "README.md").read_text(encoding="utf-8")
    assert "**Expected: BLOCK** in both" in promised
    assert "\nBLOCK\n" in (tmp_path / "github_output").read_text(encoding="utf-8")
    assert "`0.75` → `0.10`" in (tmp_path / "github_step_summary").read_text(encoding="utf-8")


def test_what_the_second_workflow_reads_is_what_the_first_has_handed_on() -> None:
    evaluate, comment = (EXAMPLES / "fork-pull-request" / f"{part}.workflow.yml" for part in ("evaluate", "comment"))
    (handed_on,) = [step["with"]["path"] for step in steps_of(evaluate) if "upload-artifact" in step.get("uses", "")]
    asked = gate_step(comment)["with"]
    assert [f"proposed/{path}" for path in handed_on.split()] == [asked["candidate"], asked["proposed-config"]]


def test_the_workflow_that_may_write_runs_nothing_of_the_pull_request_s() -> None:
    part = EXAMPLES / "fork-pull-request" / "comment.workflow.yml"
    assert load(part)["permissions"] == {}
    assert [step["uses"].partition("@")[0] for step in steps_of(part)] == [
        "actions/checkout",
        "actions/download-artifact",
        "OWNER/gate",
    ]
    checkout, artifact, _ = steps_of(part)
    assert checkout["with"] == {"persist-credentials": False}  # no `ref`: the default branch
    assert artifact["with"]["path"] == "proposed"


def test_the_workflow_that_runs_foreign_code_may_only_read() -> None:
    part = EXAMPLES / "fork-pull-request" / "evaluate.workflow.yml"
    assert load(part)["permissions"] == {"contents": "read"}
    assert [job for job in load(part)["jobs"].values() if "permissions" in job] == []
    assert "secrets" not in part.read_text(encoding="utf-8")


def test_the_pull_request_cannot_move_its_own_bar(tmp_path: Path) -> None:
    workflow = EXAMPLES / "pull-request" / "workflow.yml"
    workspace = tmp_path / "workspace"
    lay_out(workflow, workspace)
    (workspace / "gate.yml").write_text("version: 1\nsuites: []\n", encoding="utf-8")
    shutil.copy(workspace / "results/candidate.csv", workspace / "results/main.csv")
    assert run_action(workflow, workspace).returncode == 1


@pytest.mark.parametrize("workflow", [*WORKFLOWS, ONE_CHECKOUT], ids=name_of)
def test_a_workflow_asks_for_no_more_than_it_needs(workflow: Path) -> None:
    assert load(workflow)["permissions"] == {"contents": "read"}
    more = [job["permissions"] for job in load(workflow)["jobs"].values() if "permissions" in job]
    assert more == MORE_RIGHTS.get(name_of(workflow), [])
    for step in steps_of(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_the_called_workflow_has_the_inputs_of_the_action_and_hands_them_all_on() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    handed_on = gate_step(CALLED)["with"]
    assert handed_on == {name: f"${{{{ inputs.{name} }}}}" for name in action["inputs"] if name != "github-token"}
    inputs = load(CALLED)[True]["workflow_call"]["inputs"]  # YAML's `on`
    own = {"artifact", "ref", "propose", "report-artifact"}
    assert set(inputs) == set(handed_on) | own
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, flags=re.MULTILINE)) == own


def test_the_called_workflow_has_the_rights_of_its_caller_who_gives_no_more_than_it_needs() -> None:
    called = load(CALLED)
    assert "permissions" not in called
    assert [job for job in called["jobs"].values() if "permissions" in job] == []
    assert load(CALLER)["permissions"] == {"contents": "read"}
    assert load(CALLER)["jobs"]["gate"]["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_a_caller_gives_the_called_workflow_inputs_that_it_has() -> None:
    given = load(CALLER)["jobs"]["gate"]
    assert given["uses"].startswith("OWNER/gate/.github/workflows/gate.yml@")
    assert set(given["with"]) <= set(load(CALLED)[True]["workflow_call"]["inputs"])


def test_the_digits_are_what_their_script_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, EXAMPLES / "digits/make_scores.py", tmp_path], check=True)
    for name in ("neighbours.csv", "naive_bayes.csv"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / "digits" / name).read_bytes()


def test_the_demo_blocks_both_of_its_runs_and_exits_0() -> None:
    done = subprocess.run([sys.executable, EXAMPLES / "demo.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert re.findall(r"^BLOCK: .*", done.stdout, flags=re.MULTILINE) == [
        "BLOCK: answers: low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25",
        "BLOCK: low 0.782 is under the bar 0.80; the candidate is worse: delta -0.148, p < 0.001",
    ]
