"""The examples' workflows as committed, run by act in repositories of their own: verdicts, outputs, what is deployed.

What act cannot do is done elsewhere: it gives no token and holds no job to its permissions, so that the comment is
tested against a GitHub of our own making (test_comment.py); it starts no workflow by another, so that each is started
here.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.container.local_runner import ROOT, WORKFLOWS, LocalRunner, Repository, RunOutcome, git, needs_act

Event = dict[str, dict[str, Any]]
Make = Callable[[str], Repository]

EXAMPLES = ROOT / "examples"
BRANCHES = {
    "number": 7,
    "head": {"ref": "feature", "sha": "a" * 40, "repo": {"id": 2}},
    "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1}},
}
PULL_REQUEST: Event = {"pull_request": {"pull_request": BRANCHES}}
FORK = {"id": 2, "owner": {"login": "contributor"}}
RUN = {"id": 1, "event": "pull_request", "head_branch": "feature", "head_sha": "a" * 40, "head_repository": FORK}
EVALUATED: Event = {"workflow_run": {"workflow_run": RUN}}
PUSH: Event = {"push": {}}
pytestmark = [needs_act, pytest.mark.usefixtures("image")]


@pytest.fixture
def runner(image: str, tmp_path: Path) -> LocalRunner:
    return LocalRunner(image, tmp_path)


@pytest.fixture
def repository_of(tmp_path: Path) -> Make:
    return lambda example: Repository.of(EXAMPLES / example, tmp_path / "repository")


def assert_ended(run: RunOutcome, step: tuple[str, str], verdict: str, *, result: str = "failure") -> None:
    """The gate's step has ended so, and the job with it."""
    gate = run.step(*step)
    assert (gate.outputs.get("verdict"), gate.result) == (verdict, result), run.log
    assert gate.summary.startswith("## ")
    assert verdict in gate.summary.splitlines()[0]
    assert (run.exit_code == 0) == (result == "success"), run.log


def report_in(run: RunOutcome, artifact: str) -> str:
    report = json.loads((run.artifacts / artifact / "report.json").read_text(encoding="utf-8"))
    word: str = report["verdict"]["word"]
    return word


def test_the_step_of_a_workflow_passes_and_its_reports_are_kept(repository_of: Make, runner: LocalRunner) -> None:
    run = runner.run(repository_of("workflow-step"), "workflow.yml", PUSH)
    assert_ended(run, ("evaluate", "Judge the candidate"), "PASS", result="success")
    outputs = run.step("evaluate", "Judge the candidate").outputs
    assert (float(outputs["mean"]), float(outputs["low"]), float(outputs["bar"])) == (0.925, 0.875, 0.8)
    assert outputs["report-json"] == "gate-report/report.json"
    assert report_in(run, "gate-report") == "PASS"


on_pulls = pytest.mark.parametrize("workflow", ["workflow.yml", "one-checkout.workflow.yml"])
JUDGED = ("gate", "Judge the candidate")


@on_pulls
def test_a_pull_request_is_blocked_and_its_reports_are_kept(
    workflow: str, repository_of: Make, runner: LocalRunner
) -> None:
    repository = repository_of("pull-request")
    repository.commit(branch="feature")
    run = runner.run(repository, workflow, PULL_REQUEST)
    assert_ended(run, JUDGED, "BLOCK")
    assert run.step(*JUDGED).outputs["reason"].startswith("the candidate is worse: delta -0.092")
    assert run.step(*JUDGED).outputs["comment-url"] == ""
    assert report_in(run, "gate-report") == "BLOCK"


@on_pulls
def test_a_pull_request_that_loosens_gate_yml_is_judged_by_the_target_s_and_tells_on_itself(
    workflow: str, repository_of: Make, runner: LocalRunner
) -> None:
    repository = repository_of("pull-request")
    loose = repository.read("gate.yml").replace("{margin: 0.02}", "false").replace("bar: 0.75", "bar: 0.1")
    repository.commit({"gate.yml": loose, "results/main.csv": None}, branch="feature")
    run = runner.run(repository, workflow, PULL_REQUEST)
    assert_ended(run, JUDGED, "BLOCK")
    assert "`0.75` → `0.10`" in "\n".join(run.step(*JUDGED).summary.splitlines()[:12])


@on_pulls
def test_a_pull_request_that_is_no_worse_passes(workflow: str, repository_of: Make, runner: LocalRunner) -> None:
    repository = repository_of("pull-request")
    repository.commit({"results/candidate.csv": repository.read("results/main.csv")}, branch="feature")
    assert_ended(runner.run(repository, workflow, PULL_REQUEST), JUDGED, "PASS", result="success")


def test_the_baseline_is_the_one_that_the_pull_request_began_with(repository_of: Make, runner: LocalRunner) -> None:
    """The main branch has got better since: that is not the pull request's fault."""
    repository = repository_of("pull-request")
    began, scores = repository.read("results/main.csv"), repository.read("results/main.csv").replace(",0\n", ",1\n")
    repository.commit({"results/candidate.csv": began}, branch="feature")
    git(repository.folder, "switch", "--quiet", "main")
    repository.commit({"results/main.csv": scores})
    git(repository.folder, "switch", "--quiet", "feature")
    run = runner.run(repository, "one-checkout.workflow.yml", PULL_REQUEST)
    assert_ended(run, JUDGED, "PASS", result="success")


def test_a_pull_request_from_a_fork_is_judged_without_a_token_and_its_scores_are_handed_on(
    repository_of: Make, runner: LocalRunner
) -> None:
    repository = repository_of("fork-pull-request")
    repository.commit({"gate.yml": repository.read("gate.yml").replace("bar: 0.75", "bar: 0.1")}, branch="feature")
    judge = ("evaluate", "Judge the candidate, which is the check that the pull request shows")
    assert_ended(runner.run(repository, "evaluate.workflow.yml", PULL_REQUEST), judge, "BLOCK")
    git(repository.folder, "switch", "--quiet", "main")
    run = runner.run(repository, "comment.workflow.yml", EVALUATED)
    comment = ("comment", "Judge the candidate, and tell the pull request")
    assert_ended(run, comment, "BLOCK")
    assert run.step(*comment).outputs["comment-url"] == ""
    assert "no token" in run.step(*comment).summary
    assert "`0.75` → `0.10`" in run.step(*comment).summary


GATE, DEPLOY = ("gate", "Judge the release"), ("deploy", "Deploy")


def test_what_is_not_clean_is_not_deployed(repository_of: Make, runner: LocalRunner) -> None:
    run = runner.run(repository_of("pre-deploy"), "workflow.yml", {"workflow_dispatch": {}})
    assert_ended(run, GATE, "WARN")
    assert run.step(*DEPLOY).result == "skipped"


def test_what_passes_is_deployed(repository_of: Make, runner: LocalRunner) -> None:
    repository = repository_of("pre-deploy")
    repository.commit({"results/release.csv": repository.read("results/release.csv").replace("timeout", "1")})
    run = runner.run(repository, "workflow.yml", {"workflow_dispatch": {}})
    assert_ended(run, GATE, "PASS", result="success")
    assert run.step(*DEPLOY).result == "success"


def test_what_cannot_be_judged_is_not_deployed(repository_of: Make, runner: LocalRunner) -> None:
    repository = repository_of("pre-deploy")
    repository.commit({"results/release.csv": None})
    run = runner.run(repository, "workflow.yml", {"workflow_dispatch": {}})
    assert_ended(run, GATE, "ERROR")
    assert run.step(*DEPLOY).result == "skipped"


def test_the_watch_sees_a_drift_that_the_mean_hides(repository_of: Make, runner: LocalRunner) -> None:
    run = runner.run(repository_of("pre-deploy"), "drift.workflow.yml", {"schedule": {}})
    assert_ended(run, ("watch", "Judge the live system"), "BLOCK")
    outputs = run.step("watch", "Judge the live system").outputs
    assert float(outputs["delta"]) > 0
    assert float(outputs["psi"]) > 0.25
    assert report_in(run, "drift-report") == "BLOCK"


def test_the_called_workflow_judges_a_pull_request_by_the_target_branch(
    repository_of: Make, runner: LocalRunner
) -> None:
    repository = repository_of("pull-request")
    loose = repository.read("gate.yml").replace("bar: 0.75", "bar: 0.1")
    repository.commit({"gate.yml": loose, "results/main.csv": None}, branch="feature")
    run = runner.run(repository, "caller.workflow.yml", PULL_REQUEST)
    assert_ended(run, ("gate", "Judge the candidate"), "BLOCK")
    assert "`0.75` → `0.10`" in run.step("gate", "Judge the candidate").summary
    assert run.step(*DEPLOY).result == "skipped"
    assert report_in(run, "gate-report") == "BLOCK"


def test_the_called_workflow_hands_its_verdict_to_the_job_that_deploys(
    repository_of: Make, runner: LocalRunner
) -> None:
    repository = repository_of("pull-request")
    repository.commit({"results/candidate.csv": repository.read("results/main.csv")})
    run = runner.run(repository, "caller.workflow.yml", PUSH)
    assert_ended(run, ("gate", "Judge the candidate"), "PASS", result="success")
    assert run.step(*DEPLOY).result == "success"


def test_the_guard_that_asks_for_no_block_lets_an_error_deploy(repository_of: Make, runner: LocalRunner) -> None:
    """Both guards as the page shows them, behind a gate whose score file is gone."""
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```yaml\n(- name: Judge .*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    repository = repository_of("pre-deploy")
    steps = [{"uses": "actions/checkout@v4"}, *yaml.safe_load(shown)]
    workflow = {"on": "push", "jobs": {"release": {"runs-on": "ubuntu-latest", "steps": steps}}}
    repository.commit({str(WORKFLOWS / "guards.yml"): yaml.safe_dump(workflow), "results/release.csv": None})
    run = runner.run(repository, "guards.yml", PUSH)
    assert run.step("release", "Judge the release").outputs["verdict"] == "ERROR"
    assert run.step("release", "Wrong").result == "success"
    assert run.step("release", "Right").result == "skipped"
