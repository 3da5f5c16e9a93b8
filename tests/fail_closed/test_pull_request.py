"""What a pull request whose candidate lost may try: gate.yml and the baseline are the target branch's throughout."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.cli import run
from tests.conftest import Sandbox
from tests.fail_closed.case import CONFIG, IDS, SCORES, csv, scored, suite


def gate_yml(lines: str = "", baseline: str = "git:main:main.csv") -> str:
    content = suite(lines, baseline=baseline)["gate.yml"]
    assert isinstance(content, bytes)
    return content.decode()


IN_FORCE = gate_yml("    checks:\n      regression: {margin: 0.05}\n      threshold: {bar: 0.2}\n")
LOST = [0] * 20 + [int(str(score)) for score in SCORES[20:]]
FROM_TARGET = ("--config", "git:main:gate.yml")
RENAMED = [item if score else f"new{item}" for item, score in zip(IDS, LOST, strict=True)]
EASY = b"".join(b"easy%d,1\n" % row for row in range(999))
WAIVER = "waivers:\n  - {check: regression, reason: please, approved_by: me, expires: 2999-01-01}\n"

Attack = Callable[[Sandbox], object]


def written(path: str, content: str | bytes) -> Attack:
    def attack(tree: Sandbox) -> None:
        tree.write(path, content if isinstance(content, str) else content.decode())

    return attack


def removed(path: str) -> Attack:
    return lambda tree: (tree.root / path).unlink()


def linked(path: str, target: str) -> Attack:
    def attack(tree: Sandbox) -> None:
        (tree.root / path).unlink(missing_ok=True)
        (tree.root / path).symlink_to(target)

    return attack


LOOSENED = {
    "a lower bar": IN_FORCE.replace("0.2", "0.1"),
    "a wider margin": IN_FORCE.replace("0.05", "0.9"),
    "a waiver": IN_FORCE + WAIVER,
    "another baseline": IN_FORCE.replace("git:main:main.csv", "easy.csv"),
    "no suite": "version: 1\nsuites: []\n",
}
ATTACKS: dict[str, Attack] = {
    "the baseline is made easier": written("main.csv", scored([0] * 40)),
    "the baseline is deleted": removed("main.csv"),
    "the baseline is a link to the candidate": linked("main.csv", "candidate.csv"),
    "a promotion is written by hand": written("main.csv.promotion.json", "{}"),
    "attributes of git would change what is read": written(".gitattributes", "*.csv export-ignore eol=crlf ident\n"),
    "gate.yml is deleted": removed("gate.yml"),
    "gate.yml is a link": linked("gate.yml", "/etc/passwd"),
    "gate.yml is broken": written("gate.yml", "suites: [\n"),
    "the hard items are dropped": written(
        "candidate.csv",
        csv({"id": [item for item, score in zip(IDS, LOST, strict=True) if score], "score": [1] * sum(LOST)}),
    ),
    "the hard items time out": written("candidate.csv", scored([score or "timeout" for score in LOST])),
    "the hard items have new ids": written("candidate.csv", scored([1] * 40, RENAMED)),
    "easy items are added": written("candidate.csv", scored(LOST) + EASY),
    "the metric is renamed": written("candidate.csv", scored(LOST).replace(b"score", b"accuracy")),
    "the candidate is empty": written("candidate.csv", ""),
    "the candidate is deleted": removed("candidate.csv"),
    **{f"gate.yml has {name}": written("gate.yml", content) for name, content in LOOSENED.items()},
}


@pytest.fixture
def tree(sandbox: Sandbox) -> Sandbox:
    """A branch made from main, whose candidate lost."""
    sandbox.commit(**{"main.csv": scored(SCORES).decode(), "gate.yml": IN_FORCE})
    sandbox.git("checkout", "--quiet", "-b", "proposed")
    sandbox.commit(**{"candidate.csv": scored(LOST).decode()})
    return sandbox


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_nothing_that_a_pull_request_tries_makes_its_candidate_pass(
    attack: Attack, tree: Sandbox, tmp_path: Path
) -> None:
    attack(tree)
    tree.commit()
    report = tmp_path / "report.json"
    assert run(["check", *FROM_TARGET, "--report", f"json:{report}"]) in {1, 2}
    assert json.loads(report.read_bytes())["verdict"]["word"] in {"BLOCK", "ERROR"}


def move_folder(tree: Sandbox, *targets: str) -> None:
    """The folder of gate.yml becomes a link to another, step by step."""
    shutil.rmtree(tree.root / "evals")
    for name, target in zip(("evals", *targets), targets, strict=False):
        (tree.root / name).symlink_to(target)


def elsewhere(tree: Sandbox) -> None:
    """The folder of gate.yml becomes a submodule, of a repository that has a main and an easy baseline, too."""
    other = Sandbox(tree.root.parent / "other", environ={"GIT_ALLOW_PROTOCOL": "file"})
    other.root.mkdir()
    other.git("init", "--quiet", "--initial-branch", "main")
    other.commit(**{"main.csv": scored(LOST).decode(), "candidate.csv": scored(LOST).decode()})
    shutil.rmtree(tree.root / "evals")
    tree.git("rm", "-r", "--quiet", "evals")
    tree.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "evals")


def bare(tree: Sandbox) -> None:
    """The folder of gate.yml becomes a bare repository, which git does not mind to have in a tree."""
    other = Sandbox(tree.root / "evals")
    other.git("init", "--quiet", "--bare", "--initial-branch", "main")


FOLDER_ATTACKS: dict[str, Attack] = {
    "a link to an easier folder of the target branch": lambda tree: move_folder(tree, "easy"),
    "two links to it": lambda tree: move_folder(tree, "between", "easy"),
    "a submodule": elsewhere,
    "a bare repository": bare,
}


@pytest.mark.parametrize("attack", FOLDER_ATTACKS.values(), ids=FOLDER_ATTACKS)
@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
@pytest.mark.parametrize("baseline", ["git:main:main.csv", "git:main:./main.csv", "git:main:../evals/main.csv"])
def test_what_stands_in_place_of_the_folder_of_gate_yml_leads_to_no_other_baseline(
    attack: Attack, baseline: str, sandbox: Sandbox, *, absolute: bool
) -> None:
    in_force = gate_yml("    checks:\n      regression: {margin: 0.05}\n", baseline=baseline)
    easy = {"easy/main.csv": scored(LOST).decode(), "easy/candidate.csv": scored(LOST).decode()}
    sandbox.commit(**{"evals/main.csv": scored(SCORES).decode(), "evals/gate.yml": in_force, **easy})
    sandbox.git("checkout", "--quiet", "-b", "proposed")
    sandbox.commit(**{"evals/candidate.csv": scored(LOST).decode()})
    attack(sandbox)
    sandbox.commit()
    folder = f"{sandbox.root}/evals" if absolute else "evals"
    assert run(["check", "--config", f"git:main:{folder}/gate.yml"]) in {1, 2}


@pytest.mark.parametrize("proposed", LOOSENED.values(), ids=LOOSENED)
def test_what_a_pull_request_loosens_is_told_before_all_else(proposed: str, tree: Sandbox, tmp_path: Path) -> None:
    tree.commit(**{"gate.yml": proposed})
    summary = tmp_path / "summary.md"
    assert run(["check", *FROM_TARGET, "--report", f"markdown:{summary}"]) == 1
    assert "gate.yml" in "".join(summary.read_text(encoding="utf-8").splitlines()[:5])


def test_what_it_loosens_is_told_of_a_run_that_cannot_be_judged_too(tree: Sandbox, tmp_path: Path) -> None:
    tree.commit(**{"gate.yml": LOOSENED["a waiver"], "candidate.csv": ""})
    summary = tmp_path / "summary.md"
    assert run(["check", *FROM_TARGET, "--report", f"markdown:{summary}"]) == 2
    assert "waiver" in summary.read_text(encoding="utf-8")


def test_without_the_target_branch_s_gate_yml_the_same_attack_goes_through(tree: Sandbox) -> None:
    """What the target branch is for: by the pull request's own gate.yml it passes."""
    tree.commit(**{"gate.yml": gate_yml(baseline="main.csv"), "main.csv": scored(LOST).decode()})
    assert run(["check", *CONFIG]) == 0
    assert run(["check", *FROM_TARGET]) == 1
