import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.selfcheck import Question, measure, progress_on, render_json, render_text

WriteCsv = Callable[..., str]


def test_the_text_tells_rates_causes_and_what_was_assumed(write_csv: WriteCsv) -> None:
    path = write_csv("a.csv", [1] * 14 + [0] * 6)
    text = render_text(measure(Question(file=path, threshold=0.6, runs=20)))
    lines = text.splitlines()
    assert lines[0] == path
    assert lines[1] == "score: mean 0.700, 20 items"
    assert "20 pairs of unchanged runs: " in text
    assert "at a correlation of 0.90: BLOCK " in text
    assert "predicted by the gate's own summary: BLOCK " in text
    assert "\nadvice  " in text
    assert "\nnote    the correlation is assumed: " in text
    (row,) = [line for line in lines if line.startswith("unchanged run")]
    assert "threshold" in row


def test_where_nothing_is_advised_it_is_said(write_csv: WriteCsv) -> None:
    text = render_text(measure(Question(file=write_csv("a.csv", [1] * 150 + [0] * 50), drop=0.4, rho=0.8, runs=20)))
    assert "\nadvice  there is nothing to advise\n" in text


def test_the_text_tells_gate_yml_and_the_second_run(write_csv: WriteCsv, tmp_path: Path) -> None:
    config = tmp_path / "gate.yml"
    config.write_text("version: 1\nsuites: [{name: answers}]\n", encoding="utf-8")
    first, second = write_csv("a.csv", [1, 0, 1]), write_csv("b.csv", [1, 1, 0])
    lines = render_text(measure(Question(file=first, other=second, config=str(config), runs=20))).splitlines()
    assert lines[:2] == [f"{first} and {second}", f"{config}, suite answers"]


@pytest.mark.parametrize("name", ["\x1b[31mred", "::error::x", "##[group]", "a\u202eb"])
def test_a_hostile_metric_name_does_no_harm(write_csv: WriteCsv, name: str) -> None:
    path = write_csv("a.csv", {"id": ["x\x1b[2J", "y", "z"], name: [1, 0, 1]})
    found = measure(Question(file=path, metrics=(name,), drop=0.1, runs=20))
    text = render_text(found)
    assert not {"\x1b", "\u202e"}.intersection(text)
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in text.splitlines())
    assert json.loads(render_json(found))["metrics"][0]["name"] == name


def test_the_json_holds_all_fields_by_stable_names(write_csv: WriteCsv) -> None:
    told = json.loads(render_json(measure(Question(file=write_csv("a.csv", [1, 0, 1, 1]), threshold=0.5, runs=20))))
    assert list(told) == [
        "file", "other", "config", "suite", "metrics", "items", "units", "way", "rho", "rho_assumed", "runs", "seed",
        "unchanged", "dropped", "beside", "predicted", "advice", "notes",
    ]  # fmt: skip
    assert list(told["unchanged"]) == ["block", "warn", "passed", "failing", "causes"]
    assert list(told["unchanged"]["block"]) == ["share", "low", "high"]
    assert list(told["unchanged"]["causes"][0]) == ["check", "status", "reason", "share"]
    assert list(told["dropped"][0]) == ["metric", "drop", "room", "block", "warn", "failing"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_alone_and_leaves_nothing_behind() -> None:
    assert progress_on(io.StringIO()) is None
    terminal = Terminal()
    tell = progress_on(terminal)
    assert tell is not None
    tell(1, 2)
    tell(2, 2)
    assert terminal.getvalue() == "\r\x1b[Kjudging unchanged runs: 1 of 2\r\x1b[K"
