"""`gate history add` and `gate history show`, as a shell sees them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.cli import run
from gate.history.file import read_history

Captured = pytest.CaptureFixture[str]
COMMIT = "abcdef1234567"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")  # 2026-01-01
    monkeypatch.delenv("GITHUB_SHA", raising=False)


@pytest.fixture
def report(write_csv: Callable[..., str], capsys: Captured) -> Callable[..., str]:
    def judge(scores: list[int], *arguments: str, name: str = "report.json") -> str:
        candidate = write_csv("b.csv", scores)
        run(["check", "--candidate", candidate, "--threshold", "0.5", *arguments, "--report", f"json:{name}", "-q"])
        capsys.readouterr()
        return name

    return judge


GOOD = [1] * 18 + [0] * 2


def add(report: str, *more: str) -> int:
    return run(["history", "add", report, "--to", "history.jsonl", "--commit", COMMIT, *more])


def test_a_run_is_added_with_its_figures(report: Callable[..., str], capsys: Captured) -> None:
    assert add(report(GOOD), "--promoted") == 0
    assert capsys.readouterr().out == "added to history.jsonl: PASS, promoted, 1 metric\n"
    (told,) = read_history("history.jsonl")
    assert (told.date.isoformat(), told.commit, told.promoted) == ("2026-01-01", COMMIT, True)
    assert told.suites["scores"].metrics["score"].mean == 0.9


def test_the_same_run_is_told_and_not_doubled(report: Callable[..., str], capsys: Captured) -> None:
    written = report(GOOD)
    add(written)
    capsys.readouterr()
    assert add(written) == 0
    assert capsys.readouterr().out == "history.jsonl has this run already: nothing was added\n"
    assert len(read_history("history.jsonl")) == 1


def test_a_blocked_run_is_kept_too(report: Callable[..., str]) -> None:
    assert add(report([1] * 10 + [0] * 10)) == 0
    assert read_history("history.jsonl")[0].verdict == "BLOCK"


def test_a_run_that_could_not_be_judged_is_refused(report: Callable[..., str], capsys: Captured) -> None:
    assert add(report(GOOD, "--baseline", "nowhere.csv")) == 2
    assert "could not be judged" in capsys.readouterr().err
    assert not Path("history.jsonl").exists()


def test_a_damaged_history_is_refused_with_its_line(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD))
    path = Path("history.jsonl")
    path.write_text(path.read_text(encoding="utf-8") + "rubbish\n", encoding="utf-8")
    capsys.readouterr()
    assert add(report([1] * 20)) == 2
    told = capsys.readouterr().err
    assert told.startswith("ERROR: history.jsonl, line 2: this is no line of a history")
    assert path.read_text(encoding="utf-8").endswith("rubbish\n")


def test_the_runs_are_shown_with_a_trend(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD), "--promoted")
    add(report([1] * 16 + [0] * 4))
    add(report([1] * 9 + [0] * 1))
    capsys.readouterr()
    assert run(["history", "show", "history.jsonl"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "3 lines, 1 of promoted runs"
    assert told[2] == "scores, score: ▅ 0.900 (higher is better)"  # the last set of items has one run
    assert [line.split() for line in told[3:]] == [
        ["date", "commit", "verdict", "promoted", "mean", "95", "%", "interval", "delta", "PSI", "n", "items"],
        ["2026-01-01", "abcdef1", "PASS", "yes", "0.900", "[0.756,", "1.000]", "-", "-", "20", "set", "1"],
        ["2026-01-01", "abcdef1", "PASS", "0.800", "[0.608,", "0.992]", "-", "-", "20", "set", "1"],
        ["2026-01-01", "abcdef1", "PASS", "0.900", "[0.674,", "1.000]", "-", "-", "10", "set", "2"],
    ]


def test_means_of_the_same_items_are_drawn_as_one_line(report: Callable[..., str], capsys: Captured) -> None:
    for right in (20, 18, 16):
        add(report([1] * right + [0] * (20 - right)))
    capsys.readouterr()
    run(["history", "show", "history.jsonl"])
    assert "scores, score: ▇▅▂ from 1.000 to 0.800 (higher is better)" in capsys.readouterr().out


def test_the_same_as_json(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD))
    capsys.readouterr()
    assert run(["history", "show", "history.jsonl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [json.loads(Path("history.jsonl").read_text(encoding="utf-8"))]


def test_an_empty_history_has_no_run_yet(capsys: Captured) -> None:
    Path("history.jsonl").touch()
    assert run(["history", "show", "history.jsonl"]) == 0
    assert capsys.readouterr().out == "no run yet\n"


def test_a_missing_history_is_an_error(capsys: Captured) -> None:
    assert run(["history", "show", "nowhere.jsonl"]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_hostile_names_are_shown_and_not_obeyed(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD))
    path = Path("history.jsonl")
    text = path.read_text(encoding="utf-8").replace('"scores"', '"\\u001b[31m::error::\\n##[group]"')
    path.write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert run(["history", "show", "history.jsonl"]) == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert "##[" not in told
    assert not any(line.lstrip().startswith("::") for line in told.splitlines())


def test_a_history_that_a_report_would_be_written_over_is_safe(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD))
    before = Path("history.jsonl").read_bytes()
    Path("b.csv").write_text("id,score\na,1\n", encoding="utf-8")
    arguments = ["check", "--candidate", "b.csv", "--threshold", "0.5", "--history", "history.jsonl"]
    assert run([*arguments, "--report", "json:history.jsonl"]) == 2
    assert "would overwrite the history" in capsys.readouterr().err
    assert Path("history.jsonl").read_bytes() == before


def test_the_flag_wins_over_gate_yml_and_holds_for_several_suites(report: Callable[..., str], capsys: Captured) -> None:
    add(report(GOOD))
    Path("b.csv").write_text("id,score\na,1\nb,1\nc,1\n", encoding="utf-8")
    suites = "".join(f"  - {{name: {name}, candidate: b.csv, checks: {{threshold: {{bar: 0.1}}}}}}\n" for name in "ab")
    Path("gate.yml").write_text(f"version: 1\nhistory: nowhere.jsonl\nsuites:\n{suites}", encoding="utf-8")
    capsys.readouterr()
    assert run(["check", "--config", "gate.yml"]) == 2
    assert "nowhere.jsonl: there is no such file" in capsys.readouterr().err
    assert run(["check", "--config", "gate.yml", "--history", "history.jsonl"]) == 0
    assert "trend of a: ▅ 1.000, the first run of these items in the history (n = 3)" in capsys.readouterr().out


def test_an_empty_flag_is_an_error(report: Callable[..., str], capsys: Captured) -> None:
    report(GOOD)
    assert run(["check", "--candidate", "b.csv", "--history", ""]) == 2
    assert "--history is empty" in capsys.readouterr().err


def test_the_folder_is_made_where_there_is_none(report: Callable[..., str]) -> None:
    assert run(["history", "add", report(GOOD), "--to", "deep/er/history.jsonl"]) == 0
    assert read_history("deep/er/history.jsonl")[0].commit == ""
