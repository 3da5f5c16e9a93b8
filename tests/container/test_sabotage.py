"""Ways to come out green by other means than a better candidate, each committed to a repository: none of them does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.container.local_runner import ROOT, Repository

Act = Callable[..., Any]
Changes = Mapping[str, str | None]
PULL, STEP = "pull-request", "workflow-step"
PULL_REQUEST = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_BASE_REF": "main", "GITHUB_HEAD_REF": "feature"}
BASELINE, CANDIDATE = "results/main.csv", "results/candidate.csv"


@dataclass(frozen=True, slots=True)
class Step:
    """The gate's step of an example's workflow, on the runner's checkouts of a branch; main is the target."""

    act: Act
    folder: Path

    def run(self, repository: Repository, branch: str, workflow: str = "workflow.yml") -> Any:
        text = repository.read(f".github/workflows/{workflow}").replace("${{ github.base_ref }}", "main")
        (job,) = yaml.safe_load(text)["jobs"].values()
        workspace = self.folder / "workspace"
        for checkout in (step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")):
            options = checkout["with"]
            whole = options.get("fetch-depth") == 0
            repository.check_out(options.get("ref", branch), workspace / options.get("path", ""), whole=whole)
        (inputs,) = [step["with"] for step in job["steps"] if step.get("id") == "gate"]
        return self.act(workspace, inputs, env={} if branch == "main" else PULL_REQUEST)


@pytest.fixture
def step(act: Act, tmp_path: Path) -> Step:
    return Step(act, tmp_path)


@pytest.fixture
def repository_of(tmp_path: Path) -> Callable[[str], Repository]:
    return lambda example: Repository.of(ROOT / "examples" / example, tmp_path / "repository")


def delete_the_baseline(_: Repository) -> Changes:
    return {BASELINE: None}


def loosen_gate_yml(repository: Repository) -> Changes:
    strict, _, _ = repository.read("gate.yml").partition("    checks:\n")
    return {"gate.yml": f"{strict}    checks: {{threshold: {{bar: 0.5}}, regression: false}}\n"}


def drop_the_ten_hardest_items(repository: Repository) -> Changes:
    lines = repository.read(CANDIDATE).splitlines(keepends=True)
    failed = [line for line in lines if line.endswith(",0\n")]
    assert len(failed) >= 10
    return {CANDIDATE: "".join(line for line in lines if line not in failed[-10:])}


def cut_within_a_line(repository: Repository) -> Changes:
    return {CANDIDATE: repository.read(CANDIDATE)[:600].rpartition(",")[0]}


def cut_between_lines(repository: Repository) -> Changes:
    return {CANDIDATE: repository.read(CANDIDATE)[:600].rpartition("\n")[0] + "\n"}


def rename_the_metric(repository: Repository) -> Changes:
    return {CANDIDATE: repository.read(CANDIDATE).replace("id,score\n", "id,accuracy\n")}


def assert_red(done: Any, verdict: str) -> None:
    assert done.exit_code != 0
    assert (done.exit_code, done.outputs["verdict"]) == ({"BLOCK": 1, "ERROR": 2}[verdict], verdict)
    assert verdict in done.summary.splitlines()[0]
    assert done.outputs["reason"]


PULLS = [
    (delete_the_baseline, "BLOCK"),
    (loosen_gate_yml, "BLOCK"),
    (drop_the_ten_hardest_items, "BLOCK"),
    (cut_within_a_line, "ERROR"),
    (cut_between_lines, "BLOCK"),
    (rename_the_metric, "ERROR"),
]


on_pulls = pytest.mark.parametrize("workflow", ["workflow.yml", "one-checkout.workflow.yml"])


@on_pulls
@pytest.mark.parametrize(("sabotage", "verdict"), PULLS, ids=[sabotage.__name__ for sabotage, _ in PULLS])
def test_a_pull_request_that_would_be_blocked_stays_red(
    sabotage: Callable[[Repository], Changes],
    verdict: str,
    workflow: str,
    repository_of: Callable[[str], Repository],
    step: Step,
) -> None:
    repository = repository_of(PULL)
    repository.commit(sabotage(repository), branch="feature")
    assert_red(step.run(repository, "feature", workflow), verdict)


@on_pulls
def test_what_a_pull_request_loosens_stands_in_the_first_lines(
    workflow: str, repository_of: Callable[[str], Repository], step: Step
) -> None:
    repository = repository_of(PULL)
    repository.commit(loosen_gate_yml(repository), branch="feature")
    told = "\n".join(step.run(repository, "feature", workflow).summary.splitlines()[:10])
    assert "laxer" in told
    assert "`0.75` → `0.50`" in told


def test_the_loosened_gate_yml_would_have_let_it_pass(repository_of: Callable[[str], Repository], step: Step) -> None:
    repository = repository_of(PULL)
    repository.commit(loosen_gate_yml(repository))
    assert step.run(repository, "main").exit_code == 0


COMMITS = [
    (delete_the_baseline, "ERROR"),
    (cut_within_a_line, "ERROR"),
    (cut_between_lines, "BLOCK"),
    (rename_the_metric, "ERROR"),
]


@pytest.mark.parametrize(("sabotage", "verdict"), COMMITS, ids=[sabotage.__name__ for sabotage, _ in COMMITS])
def test_a_commit_that_would_pass_turns_red(
    sabotage: Callable[[Repository], Changes], verdict: str, repository_of: Callable[[str], Repository], step: Step
) -> None:
    repository = repository_of(STEP)
    repository.commit(sabotage(repository))
    assert_red(step.run(repository, "main"), verdict)


def test_without_sabotage_the_same_commit_passes(repository_of: Callable[[str], Repository], step: Step) -> None:
    assert step.run(repository_of(STEP), "main").exit_code == 0
