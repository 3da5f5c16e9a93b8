"""The example that promotes on the main branch: the commands of its second job, run in a repository of git."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.baselines.promotion import is_edited, read_promotion, tree_digest
from gate.history.file import read_history

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "baselines.md"
EXAMPLE = ROOT / "examples" / "promote"
JOBS: Mapping[str, Any] = yaml.safe_load((EXAMPLE / "workflow.yml").read_text(encoding="utf-8"))["jobs"]
SHA = "0123456789abcdef0123456789abcdef01234567"
NAMES = ("main.csv", "main.csv.promotion.json", "history.jsonl")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def environment(folder: Path) -> dict[str, str]:
    """As on a runner, with this very gate as the one that was installed."""
    tools = folder.parent / "tools"
    tools.mkdir(exist_ok=True)
    command = tools / "gate"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gate "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder.parent),
        "PYTHONPATH": str(ROOT),
        "GITHUB_SHA": SHA,
        "GITHUB_ACTOR": "ada",
        "SOURCE_DATE_EPOCH": "1775606400",  # 2026-04-08
        "TOKEN": "secret",
    }


def run_job(folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """The steps that run commands, but for the installation, as the runner does: until one fails."""
    done: list[subprocess.CompletedProcess[str]] = []
    for step in JOBS["promote"]["steps"]:
        if "run" not in step or "pip install" in step["run"]:
            continue
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done.append(
            subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
        )
        if done[-1].returncode:
            break
    return done


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone of a repository that holds the example, and in it what the first job hands over."""
    seed, bare, clone = tmp_path / "seed", tmp_path / "bare.git", tmp_path / "clone"
    shutil.copytree(EXAMPLE, seed)
    (seed / "results" / "candidate.csv").unlink()
    git(seed, "init", "--quiet", "--initial-branch=main")
    git(seed, "add", ".")
    git(seed, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "first")
    git(tmp_path, "clone", "--quiet", "--bare", str(seed), str(bare))
    git(tmp_path, "clone", "--quiet", str(bare), str(clone))
    shutil.copy(EXAMPLE / "results" / "candidate.csv", clone / "results")
    check = ["gate", "check", "--config", "gate.yml", "--report", "json:gate-report/report.json"]
    subprocess.run(check, cwd=clone, env=environment(clone), capture_output=True, check=True)
    return clone


def test_the_candidate_becomes_the_baseline_on_the_main_branch(checkout: Path, tmp_path: Path) -> None:
    done = run_job(checkout)
    assert [one.returncode for one in done] == [0, 0], done[-1].stderr
    fresh = tmp_path / "fresh"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "bare.git"), str(fresh))
    baseline = fresh / "results" / "main.csv"
    assert baseline.read_bytes() == (EXAMPLE / "results" / "candidate.csv").read_bytes()
    promotion = read_promotion(str(baseline))
    assert promotion is not None
    assert not is_edited(str(baseline), promotion)
    assert (promotion.commit, promotion.verdict, promotion.promoted_by) == (SHA, "PASS", "ada")
    runs = read_history(str(fresh / "results" / "history.jsonl"))
    assert (len(runs), runs[-1].commit, runs[-1].promoted) == (4, SHA, True)
    assert git(fresh, "show", "--name-only", "--format=%s").split("\n") == [
        f"Promote the scores of {SHA}",
        "",
        *sorted(f"results/{name}" for name in NAMES),
        "",
    ]


def test_the_commands_of_the_docs_find_the_baseline_that_was_promoted_of_a_commit(checkout: Path) -> None:
    run_job(checkout)
    newer = "gate promote results/candidate.csv results/main.csv --force --reason newer --commit fedcba9876543210"
    commands = re.search(r"```sh\n(promoted=.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert commands is not None
    finding = commands[1].replace("5f3c9a1", SHA[:7]).strip()
    newer = "gate promote newer.csv results/main.csv --force --reason newer --commit fedcba9876543210"
    commit = "git -c user.name=a -c user.email=a@b commit --quiet --all --message newer"
    for command in (f"tac results/candidate.csv > newer.csv; {newer}; {commit}", f"{finding} --report json:found.json"):
        subprocess.run(["bash", "-ec", command], cwd=checkout, env=environment(checkout), check=True)
    baseline = json.loads((checkout / "found.json").read_text(encoding="utf-8"))["suites"][0]["baseline"]
    assert baseline["digest"] == tree_digest(EXAMPLE / "results" / "candidate.csv")
    assert baseline["origin"]["commit"] == git(checkout, "rev-parse", "HEAD~1").strip()


def test_a_job_that_is_run_again_changes_nothing(checkout: Path, tmp_path: Path) -> None:
    run_job(checkout)
    head = git(tmp_path / "bare.git", "rev-parse", "main")
    again = run_job(checkout)
    assert [one.returncode for one in again] == [0, 0], again[-1].stderr
    assert "nothing was changed" in again[0].stdout
    assert "nothing was added" in again[0].stdout
    assert git(tmp_path / "bare.git", "rev-parse", "main") == head


def test_what_was_not_judged_is_not_pushed(checkout: Path, tmp_path: Path) -> None:
    """The evaluation's job could hand over another file than the one it showed the gate."""
    head = git(tmp_path / "bare.git", "rev-parse", "main")
    candidate = checkout / "results" / "candidate.csv"
    candidate.write_text(candidate.read_text(encoding="utf-8").replace(",0", ",1"), encoding="utf-8")
    (failed,) = run_job(checkout)
    assert failed.returncode == 2
    assert "not about this candidate" in failed.stderr
    assert git(tmp_path / "bare.git", "rev-parse", "main") == head


def test_a_push_that_comes_too_late_fails_and_changes_nothing(checkout: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "bare.git"), str(other))
    (other / "new").touch()
    git(other, "add", "new")
    git(other, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "newer")
    git(other, "push", "--quiet", "origin", "HEAD:main")
    head = git(tmp_path / "bare.git", "rev-parse", "main")
    assert run_job(checkout)[-1].returncode != 0
    assert git(tmp_path / "bare.git", "rev-parse", "main") == head


def test_only_the_job_that_promotes_may_write() -> None:
    assert "permissions" not in JOBS["gate"]
    assert JOBS["promote"]["permissions"] == {"contents": "write"}


def test_it_promotes_what_passed_or_warned_and_nothing_else() -> None:
    assert JOBS["promote"]["if"] == """contains(fromJSON('["PASS", "WARN"]'), needs.gate.outputs.verdict)"""


def test_the_files_of_the_example_are_of_one_piece() -> None:
    baseline = str(EXAMPLE / "results" / "main.csv")
    promotion = read_promotion(baseline)
    assert promotion is not None
    assert not is_edited(baseline, promotion)
    last = read_history(str(EXAMPLE / "results" / "history.jsonl"))[-1]
    assert (last.suites["tickets"].candidate, last.commit) == (promotion.digest, promotion.commit)
