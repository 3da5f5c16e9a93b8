"""Whole runs with a baseline in git: which version it is, how old, and what happens where there is none."""

import hashlib
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gate.baselines.promotion import PROMOTION_VERSION, Promotion, tree_digest, write_promotion
from gate.config import load_config
from gate.console import Console
from gate.entry import Conclusion, ReportTarget, Request, conclude, this_day
from gate.errors import ExitCode, GitError, RecordError, UsageError
from gate.pipeline import run_gate
from gate.reports import REPORTS
from gate.results import Effect, Origin, Report, Status, Word
from tests.conftest import Sandbox

A = "id,score\n" + "".join(f"q{row},{int(row % 5 > 0)}\n" for row in range(40))
TODAY = date(2026, 3, 1)
PROMOTION = Promotion(
    PROMOTION_VERSION, hashlib.sha256(A.encode()).hexdigest(), date(2026, 1, 1), "abcdef1", "BLOCK", "0" * 64,
    reason="the judge was broken",
)  # fmt: skip
GATE = """\
version: 1
suites:
  - name: answers
    baseline: git:main:results/main.csv
    candidate: candidate.csv
    checks:
      regression: {margin: 0.1}
"""


def judged(gate: str = GATE, *, today: date | None = TODAY, path: str = "gate.yml") -> Report:
    if path == "gate.yml":
        Path(path).write_text(gate)
    Path("candidate.csv").write_text(A)
    return run_gate(load_config(Path(path)), path=path, command="gate check", today=today)


def concluded(**asked: object) -> Conclusion:
    return conclude(Request(**asked), Console(io.StringIO(), io.StringIO()))  # type: ignore[arg-type]  # of many fields


def found(report: Report) -> list[tuple[str, Status, str]]:
    return [(result.check, result.status, result.reason) for result in report.suites[0].results]


def test_the_version_of_the_baseline_stands_in_every_report(sandbox: Sandbox) -> None:
    changed = sandbox.commit(**{"results/main.csv": A})
    commit = sandbox.commit(other="1")
    report = judged()
    run = report.suites[0].baseline
    assert run is not None
    assert run.origin == Origin(commit, date(2026, 1, 1), 59, "git", "main", changed)
    told = f"commit `{commit[:10]}` (main), last changed 2026-01-01 in `{changed[:10]}`, 59 days ago"
    assert f"Baseline: `git:main:results/main.csv`, {told}" in REPORTS["markdown"](report)
    assert f"baseline: git:main:results/main.csv, {told}" in REPORTS["text"](report)
    origin = json.loads(REPORTS["json"](report))["suites"][0]["baseline"]["origin"]
    assert origin == {
        "commit": commit, "date": "2026-01-01", "age_days": 59, "told_by": "git", "ref": "main", "changed_in": changed,
    }  # fmt: skip


def test_two_runs_on_one_day_have_the_same_bytes_and_tell_the_day(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A})
    first, second = judged(), judged()
    for render in REPORTS.values():
        assert render(first) == render(second)
    assert first.provenance.today == TODAY
    assert judged(today=None).provenance.today is None


@pytest.mark.parametrize(
    ("max_age", "reason"), [(59, None), (60, None), (58, "baseline-too-old"), (0, "baseline-too-old")]
)
def test_a_baseline_over_its_age_warns(max_age: int, reason: str | None, sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A})
    report = judged(f"{GATE}    max_age: {max_age}\n")
    warned = [reason for _, status, reason in found(report) if status is Status.WARN]
    assert warned == ([] if reason is None else [reason])
    assert report.verdict.word is (Word.PASS if reason is None else Word.WARN)


@pytest.mark.usefixtures("sandbox")
def test_a_baseline_of_unknown_age_warns_where_an_age_is_asked_for() -> None:
    Path("old.csv").write_text(A)
    report = judged(GATE.replace("git:main:results/main.csv", "old.csv") + "    max_age: 30\n")
    assert found(report)[0] == ("coverage", Status.WARN, "baseline-age-unknown")
    assert "`git:REF:PATH`" in report.verdict.reasons[0].remedy


def test_a_shallow_clone_that_cannot_tell_the_age_is_met_with_the_lines_that_mend_it(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(**{"results/main.csv": A})
    sandbox.commit(other="1")
    monkeypatch.chdir(sandbox.clone(tmp_path / "shallow", "--depth", "1").root)
    report = judged(f"{GATE}    max_age: 30\n")
    assert report.verdict.reasons[0].reason == "baseline-age-unknown"
    assert "`fetch-depth: 0`" in report.verdict.reasons[0].remedy
    assert ", age not known" in REPORTS["text"](report)


def test_a_day_that_is_yet_to_come_is_no_age(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A})
    report = judged(f"{GATE}    max_age: 30\n", today=date(2025, 12, 30))
    assert report.verdict.reasons[0].sentence == (
        "the age of the baseline is not known: 2026-01-01 lies after the day of this run"
    )
    assert judged(f"{GATE}    max_age: 0\n", today=date(2025, 12, 31)).verdict.word is Word.PASS


def test_a_first_run_warns_and_judges_what_needs_no_baseline(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    report = judged(f"{GATE}      threshold: {{bar: 0.5}}\n      drift: {{}}\n")
    assert found(report) == [
        ("coverage", Status.WARN, "no-baseline-yet"),
        ("coverage", Status.PASS, "complete"),
        ("threshold", Status.PASS, "clears-bar"),
        ("regression", Status.NOT_RUN, "no-baseline"),
        ("drift", Status.NOT_RUN, "no-baseline"),
        ("contamination", Status.NOT_RUN, "no-corpus"),
    ]
    assert report.verdict.word is Word.WARN
    assert report.suites[0].baseline is None
    reason = report.verdict.reasons[0]
    assert reason.sentence == "there is no baseline yet: no commit ever held git:main:results/main.csv"
    assert "`gate promote`" in reason.remedy


def test_a_first_run_without_anything_else_to_judge_by_is_a_warning_and_no_pass(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    assert judged().verdict.word is Word.WARN


def test_a_first_run_that_misses_its_bar_blocks(sandbox: Sandbox) -> None:
    sandbox.commit(a="1")
    assert judged(f"{GATE}      threshold: {{bar: 0.9}}\n").verdict.word is Word.BLOCK


def test_a_baseline_that_was_deleted_is_an_error(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A})
    (sandbox.root / "results/main.csv").unlink()
    sandbox.commit()
    with pytest.raises(GitError, match="was deleted since"):
        judged()


@pytest.mark.usefixtures("sandbox")
def test_a_plain_path_that_is_not_there_stays_an_error() -> None:
    Path("candidate.csv").write_text(A)
    conclusion = concluded(baseline="nowhere.csv", candidate="candidate.csv")
    assert conclusion.code is ExitCode.USAGE
    assert conclusion.report.verdict.word is Word.ERROR
    assert conclusion.report.fault is not None
    assert "where there is none yet, leave it out and give a bar" in conclusion.report.fault.remedy


def test_gate_yml_itself_may_come_from_git_and_its_paths_are_those_of_the_working_tree(sandbox: Sandbox) -> None:
    sandbox.commit(**{"evals/results/main.csv": A, "evals/gate.yml": GATE})
    sandbox.write("evals/gate.yml", "version: 1\nsuites: []\n")
    sandbox.write("evals/candidate.csv", A)
    report = judged(path="git:main:evals/gate.yml")
    assert report.verdict.word is Word.PASS
    suite = report.suites[0]
    assert suite.baseline is not None
    assert suite.candidate is not None
    assert (suite.baseline.path, suite.candidate.path) == ("git:main:evals/results/main.csv", "evals/candidate.csv")
    assert list(report.provenance.digests) == ["git:main:evals/gate.yml"]
    assert concluded(config="git:main:evals/gate.yml").report.verdict.word is Word.PASS


def test_what_the_working_tree_makes_of_a_gate_yml_in_git_is_told_unasked(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A, "gate.yml": GATE})
    Path("candidate.csv").write_text(A)
    Path("gate.yml").write_text(GATE.replace("margin: 0.1", "margin: 0.3"))
    [change] = concluded(config="git:main:gate.yml").report.config_changes
    assert (change.key, change.effect) == ("suites[answers].checks.regression.margin", Effect.LAXER)
    Path("gate.yml").unlink()
    [change] = concluded(config="git:main:gate.yml").report.config_changes
    assert (change.key, change.effect) == ("gate.yml", Effect.DELETED)


def test_an_unchanged_gate_yml_is_not_told_of(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A, "gate.yml": GATE})
    Path("candidate.csv").write_text(A)
    Path("gate.yml").write_text(GATE)
    assert concluded(config="git:main:gate.yml").report.config_changes == ()


def test_a_fault_of_gate_yml_in_git_is_told_with_its_line(sandbox: Sandbox) -> None:
    sandbox.commit(**{"gate.yml": f"{GATE}    candidat: x\n"})
    fault = concluded(config="git:HEAD:gate.yml").report.fault
    assert fault is not None
    assert fault.where == "git:HEAD:gate.yml, line 8, suites[0].candidat"


def test_the_merge_base_is_told_with_its_commit(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    fork = sandbox.commit(**{"results/main.csv": A})
    sandbox.git("checkout", "--quiet", "-b", "feature")
    sandbox.commit(b="1")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.commit(**{"results/main.csv": A.replace("q1,1", "q1,0")})
    sandbox.git("checkout", "--quiet", "feature")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    run = judged(GATE.replace("git:main:", "git:merge-base:")).suites[0].baseline
    assert run is not None
    assert run.origin is not None
    assert (run.origin.commit, run.origin.ref) == (fork, "merge-base")


def test_battles_are_read_from_git_too(sandbox: Sandbox) -> None:
    rows = "".join(f"{n},m,n,model_{'ab'[n % 2]}\n" for n in range(20))
    battles = f"question_id,model_a,model_b,winner\n{rows}"
    sandbox.commit(**{"old.csv": battles, "new.csv": battles})
    gate = (
        "version: 1\nsuites:\n  - {name: b, kind: battles, baseline: 'git:main:old.csv', candidate: new.csv,\n"
        "     max_age: 9, checks: {arena: {model: m, against: n}}}\n"
    )
    suite = judged(gate).suites[0]
    assert suite.baseline is not None
    assert suite.baseline.path == "git:main:old.csv"
    assert suite.results[0].reason == "baseline-too-old"
    first = judged(gate.replace("old.csv", "never.csv")).suites[0]
    assert first.results[0].reason == "no-baseline-yet"


def test_the_day_can_be_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert this_day() == date(1970, 1, 2)
    for wrong in ("yesterday", "9" * 30, "1.5"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH is no time"):
            this_day()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    assert this_day() > TODAY


@pytest.mark.parametrize("spec", ["results/main.csv", "git:main:results/main.csv"])
def test_by_whose_word_it_is_the_baseline_is_told_wherever_it_lies(spec: str, sandbox: Sandbox) -> None:
    sandbox.write("results/main.csv", A)
    write_promotion("results/main.csv", PROMOTION)
    sandbox.commit()
    run = judged(GATE.replace("git:main:results/main.csv", spec)).suites[0].baseline
    assert run is not None
    assert run.notes[-1] == "promoted on 2026-01-01 of commit abcdef1, judged BLOCK, by force: the judge was broken"


@pytest.mark.parametrize("spec", ["results/main.csv", "git:main:results/main.csv", "git:main:results/"])
def test_a_baseline_that_was_edited_since_it_was_promoted_warns_wherever_it_lies(spec: str, sandbox: Sandbox) -> None:
    sandbox.write("results/main.csv", A)
    promoted = spec.removeprefix("git:main:")
    write_promotion(promoted, replace(PROMOTION, digest=tree_digest(Path(promoted))))
    sandbox.commit(**{"results/main.csv": A.replace("q1,1", "q1,0")})
    reason = judged(GATE.replace("git:main:results/main.csv", spec)).verdict.reasons[0]
    assert reason.reason == "baseline-edited"
    assert reason.sentence == "the baseline is not what was promoted on 2026-01-01: it was changed since"


def test_a_promotion_in_git_that_cannot_be_read_is_told_by_its_spec(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A, "results/main.csv.promotion.json": "{}"})
    with pytest.raises(RecordError, match=r"^git:main:results/main\.csv\.promotion\.json"):
        judged()


def test_a_config_that_is_no_whole_spec_is_an_error_of_usage() -> None:
    conclusion = concluded(config="git:HEAD", targets=(ReportTarget("json", os.devnull),))
    assert conclusion.code is ExitCode.USAGE
    assert conclusion.report.fault is not None
    assert conclusion.report.fault.what == "this is not git:REF:PATH"


def test_a_command_line_that_is_stopped_leaves_no_copy_behind(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.commit(**{"results/main.csv": A})
    Path("candidate.csv").write_text(A)
    (tmp_path / "t").mkdir()
    stop = (
        "import os, signal, gate.suites\n"
        "gate.suites.align = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
        "import sys; sys.argv[1:] = 'check --baseline git:main:results/main.csv --candidate candidate.csv'.split()\n"
        "from gate.__main__ import main; main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", stop],
        env={**os.environ, "TMPDIR": str(tmp_path / "t")},
        check=False,
        capture_output=True,
    )
    assert done.returncode == ExitCode.TERMINATED
    assert not list((tmp_path / "t").iterdir())


def test_reports_of_a_run_may_be_written_beside(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/main.csv": A})
    Path("candidate.csv").write_text(A)
    request = Request(
        baseline="git:main:results/main.csv", candidate="candidate.csv", targets=(ReportTarget("json", "report.json"),)
    )
    assert conclude(request, Console(io.StringIO(), io.StringIO())).code is ExitCode.OK
    assert json.loads(Path("report.json").read_text())["suites"][0]["baseline"]["origin"]["told_by"] == "git"
