"""What gate.yml of a commit takes from the working tree, and what it does not."""

import html
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from gate.cli import run
from gate.config import load_config
from gate.unguarded import find_unguarded
from tests.conftest import Sandbox

IN_FORCE = "git:main:evals/gate.yml"
SCORES = "id,score\n1,1\n2,0\n"


def gate_yml(*suites: str, tail: str = "") -> str:
    return "version: 1\nsuites:\n" + "".join(f"  - {{{suite}}}\n" for suite in suites) + tail


def told(sandbox: Sandbox, content: str, path: str = IN_FORCE) -> Sequence[tuple[str, str]]:
    sandbox.commit(**{"evals/gate.yml": content})
    config = load_config(Path(path))
    return [(each.what, each.path) for each in find_unguarded(config, path)]


def test_plain_paths_are_told_the_baseline_first(sandbox: Sandbox) -> None:
    scanned = "name: a, candidate: c.csv, baseline: runs/*.csv, checks: {contamination: {scan: s.json, items: q.csv}}"
    assert told(sandbox, gate_yml(scanned, tail="history: h.jsonl\n")) == [
        ("the baseline", "evals/runs/*.csv"),
        ("the history", "evals/h.jsonl"),
        ("the scan", "evals/s.json"),
        ("the file of questions", "evals/q.csv"),
    ]


def test_suites_are_named_where_there_are_several(sandbox: Sandbox) -> None:
    first = "name: a, candidate: c.csv, baseline: git:main:b.csv, checks: {contamination: {corpus: [x, s3://b/y]}}"
    assert told(sandbox, gate_yml(first, "name: b, candidate: c.csv, baseline: ../b.csv")) == [
        ("the baseline of b", "b.csv"),
        ("the corpus of a", "evals/x"),
    ]


def test_what_is_in_git_a_url_or_outside_is_not_told(sandbox: Sandbox) -> None:
    outside = sandbox.root.parent / "b.csv"
    assert told(sandbox, gate_yml("name: a, candidate: c.csv, baseline: git:main:b.csv")) == []
    assert told(sandbox, gate_yml(f"name: a, candidate: c.csv, baseline: {outside}")) == []


def test_another_checkout_is_no_part_of_the_working_tree_and_a_submodule_is(sandbox: Sandbox) -> None:
    content = gate_yml("name: a, candidate: c.csv, baseline: ../target/b.csv")
    assert told(sandbox, content) == [("the baseline", "target/b.csv")]
    (sandbox.root / "target" / ".git").mkdir(parents=True)
    assert told(sandbox, content) == []
    (sandbox.root / "target" / ".git").rmdir()
    (sandbox.root / "target" / ".git").write_text("gitdir: ../.git/modules/target\n", encoding="utf-8")
    config = load_config(Path(IN_FORCE))
    assert [each.path for each in find_unguarded(config, IN_FORCE)] == ["target/b.csv"]


def test_a_gate_yml_of_the_working_tree_is_in_no_better_hands_than_what_it_names(sandbox: Sandbox) -> None:
    content = gate_yml("name: a, candidate: c.csv, baseline: b.csv")
    assert told(sandbox, content, "evals/gate.yml") == []


@pytest.mark.parametrize("form", ["markdown", "json", "text", "html", "junit"])
def test_every_report_tells_it(form: str, sandbox: Sandbox, tmp_path: Path) -> None:
    content = gate_yml("name: a, candidate: c.csv, baseline: b.csv")
    sandbox.commit(**{"evals/gate.yml": content, "evals/b.csv": SCORES, "evals/c.csv": SCORES})
    report = tmp_path / "report"
    assert run(["check", "--config", IN_FORCE, "--report", f"{form}:{report}"]) == 0
    written = report.read_text(encoding="utf-8")
    assert "evals/b.csv" in written
    if form == "json":
        assert json.loads(written)["from_working_tree"] == [{"what": "the baseline", "path": "evals/b.csv"}]
    else:
        assert "the working tree's, which a pull request may have changed" in html.unescape(written)
    if form in {"markdown", "text"}:
        assert "the baseline: " in "".join(written.splitlines(keepends=True)[:6])
