"""A suite of battles in gate.yml, end to end; and the commands that have no use for battles."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.cli import run
from gate.errors import ScoreFileError
from gate.results import Report, Status, Word

ROWS = "model_a,model_b,winner,question_id,judge\n" + "".join(
    f"new,old,{winner},{number},j\n" for number, winner in enumerate(["model_a", "model_b", "tie", "model_a"] * 5)
)
GATE = """version: 1
suites:
  - name: bots
    kind: battles
    candidate: battles.csv
    checks: {arena: {model: new, against: old}}
"""
Judge = Callable[..., Report]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with battles and a gate.yml that judges them."""
    (tmp_path / "battles.csv").write_text(ROWS)
    (tmp_path / "gate.yml").write_text(GATE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suite(**others: object) -> dict[str, object]:
    arena = {"arena": {"model": "new", "against": "old"}}
    return {"kind": "battles", "candidate": "battles.csv", "checks": arena, **others}


@pytest.mark.usefixtures("folder")
def test_its_report_tells_prompts_battles_and_the_judge(judge: Judge) -> None:
    report = judge(suite())
    (told,) = report.suites
    assert report.verdict.word is Word.PASS
    assert [(result.check, result.status) for result in told.results] == [("arena", Status.PASS)]
    assert told.candidate is not None
    assert (told.candidate.n_items, told.candidate.n_samples, told.candidate.facts) == (20, 20, {"judge": "j"})
    assert told.baseline is None


def test_models_that_are_new_or_gone_are_told(folder: Path, judge: Judge) -> None:
    (folder / "before.csv").write_text("model_a,model_b,winner\nold,older,tie\n")
    candidate = judge(suite(baseline="before.csv")).suites[0].candidate
    assert candidate is not None
    assert candidate.notes == ('models that are new: "new"', 'models that are gone: "older"')


@pytest.mark.usefixtures("folder")
def test_a_model_that_the_battles_do_not_name_is_an_error_that_lists_them(judge: Judge) -> None:
    with pytest.raises(ScoreFileError, match='no model "newer"') as caught:
        judge(suite(checks={"arena": {"model": "newer", "against": "old"}}))
    assert '"new", "old"' in caught.value.remedy


def test_a_crowd_of_judges_is_cut_short_in_the_facts(folder: Path, judge: Judge) -> None:
    rows = "".join(f"new,old,tie,voter {number}\n" for number in range(100))
    (folder / "battles.csv").write_text(f"model_a,model_b,winner,judge\n{rows}")
    candidate = judge(suite()).suites[0].candidate
    assert candidate is not None
    assert candidate.facts["judge"].endswith("90 more")


def test_the_seed_of_the_policies_is_that_of_the_bootstrap(folder: Path, judge: Judge) -> None:
    checks = {"arena": {"model": "new", "against": "old", "interval": "bootstrap", "n_resamples": 200}}
    one, same, other = (judge(suite(checks=checks), seed=seed).suites[0].results[0] for seed in (1, 1, 2))
    assert folder.exists()
    assert one == same
    assert one.figures["low"] != other.figures["low"]


# flags over it


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--metric", "win"),
        ("--threshold", "0.5"),
        ("--select", "x"),
        ("--reduce", "best"),
        ("--corpus", "corpus"),
        ("--allow-unfinished", None),
        ("--format", "csv"),
    ],
)
def test_a_flag_that_has_no_meaning_for_battles_is_an_error_that_names_it(
    flag: str, value: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "--config", "gate.yml", flag, *([] if value is None else [value])]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"ERROR: {flag}: ")
    assert "battles" in told
    assert "\n  remedy: " in told


def test_files_and_the_format_may_be_given_by_flags(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.csv").write_text(ROWS.replace("model_a,1", "model_b,1"))
    more = ["--baseline", "battles.csv", "--candidate", "other.csv", "--format", "arena"]
    assert run(["check", "--config", "gate.yml", *more]) == 0
    assert capsys.readouterr().out.startswith("PASS: ")


# commands about scores


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command",
    [
        ["init", "battles.csv"],
        ["power", "battles.csv"],
        ["selfcheck", "battles.csv"],
        ["show", "battles.csv"],
        ["check", "--candidate", "battles.csv", "--threshold", "0.5"],
    ],
)
def test_a_table_of_battles_given_as_scores_is_an_error_that_names_gate_arena(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (Path("battles.csv")).write_text("model_a,model_b,winner\nnew,old,tie\n")
    assert run(command) == 2
    told = capsys.readouterr().err
    assert "these are battles of two models, not scores of items" in told
    assert "`gate arena FILE`" in told


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", ["", "    baseline: battles.csv\n"])
def test_selfcheck_of_a_suite_of_battles_is_an_error_with_a_remedy(
    more: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("gate.yml").write_text(GATE + more)
    Path("scores.csv").write_text("id,score\na,1\nb,0\n")
    assert run(["selfcheck", "scores.csv", "--config", "gate.yml"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("ERROR: gate.yml: suite 'bots' is one of battles")
    assert "\n  remedy: " in told


@pytest.mark.usefixtures("folder")
def test_validate_takes_a_suite_of_battles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "gate.yml"]) == 0
    assert capsys.readouterr().err == ""
