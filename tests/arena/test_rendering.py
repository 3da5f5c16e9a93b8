"""The leaderboard as text, markdown and JSON, and the command that prints it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.arena import render_json, render_markdown, render_text
from gate.arena.board import Board
from gate.cli import run

BoardOf = Callable[..., Board]
Write = Callable[..., Path]
HOSTILE = [
    "a\x1b[31mred",
    "|x|`y`",
    "\n::error::hi",
    "<script>alert(1)</script>",
    "@everyone #1",
    "n" * 5000,
    "![i](http://x)",
]


@pytest.fixture
def hostile(write: Write, board_of: BoardOf) -> Board:
    return board_of(
        write([(name, HOSTILE[0], "tie") for name in HOSTILE[1:]], judge="|\x1b[2J\n::warning::j"), trace=True
    )


def test_the_text_shows_the_published_figures(bots: Path, board_of: BoardOf) -> None:
    text = render_text(board_of(bots, trace=True))
    assert re.search(r"^ +1 +1-3 +A +1327\.9 +\[1022\.6, 1633\.3\] +9 +8 +0 +1$", text, re.MULTILINE)
    assert re.search(r"^A +0\.755 +0\.934 +0\.978$", text, re.MULTILINE)
    assert re.search(r"^A +1083\.7 ", text, re.MULTILINE)
    assert re.search(r"^ +20 +0\.7015 +0\.2314 +0\.0506 +0\.0164$", text, re.MULTILINE)
    assert "no check looks at it" in text.replace("\n     ", "")


def test_no_line_of_the_text_ends_in_a_space_or_is_wide_by_a_note(bots: Path, board_of: BoardOf) -> None:
    lines = render_text(board_of(bots)).splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert all(len(line) <= 80 for line in lines if line.startswith(("note", "      ")))


def test_the_markdown_has_the_same_tables(bots: Path, board_of: BoardOf) -> None:
    text = render_markdown(board_of(bots))
    assert "| 1 | 1-3 | `A` | 1327.9 | [1022.6, 1633.3] | 9 | 8 | 0 | 1 |" in text
    assert "| `B` | 0.245 |  | 0.821 | 0.934 |" in text
    assert text.endswith("no check looks at it\n")


def test_groups_have_a_column_only_where_there_are_several(write: Write, bots: Path, board_of: BoardOf) -> None:
    assert "group" not in render_text(board_of(bots))
    text = render_text(board_of(write([("a", "b", "tie"), ("x", "y", "tie")])))
    assert re.search(r"^group +rank ", text, re.MULTILINE)
    assert re.search(r"^ +2 +1 +1-2 +x ", text, re.MULTILINE)


def test_of_many_models_ten_are_in_the_table_of_chances_and_all_in_the_json(write: Write, board_of: BoardOf) -> None:
    board = board_of(write([(f"m{row:02d}", f"m{(row + 1) % 13:02d}", "tie") for row in range(13)]))
    text = render_text(board)
    head = next(line for line in text.splitlines() if line.startswith("model ") and "rating" not in line)
    assert len(re.findall(r"m\d\d", head)) == 10
    assert "3 models more in the table of chances: --json has all" in text
    found = json.loads(render_json(board))
    assert (len(found["rows"]), len(found["chances"]), len(found["chances"][0])) == (13, 13, 13)


def test_a_large_count_is_written_out(write: Write, board_of: BoardOf) -> None:
    text = render_text(board_of(write([("x", "y", "model_a"), ("x", "y", "model_b")], weight=654321.5)))
    assert "1308643" in text
    assert "e+" not in text


def refuse_constant(name: str) -> None:
    raise AssertionError(name)


def test_the_json_is_strict_and_whole(bots: Path, board_of: BoardOf) -> None:
    board = board_of(bots, trace=True, anchor="C")
    found = json.loads(render_json(board), parse_constant=refuse_constant)
    assert found["rows"][0]["model"] == "A"
    assert found["rows"][0]["tally"] == {"battles": 9, "won": 8, "tied": 0, "lost": 1}
    assert found["chances"][0][0] is None
    assert (found["anchor"], found["n_battles"], found["trace"]["converged"]) == ("C", 18, True)


def test_the_json_of_groups_that_never_met_has_no_nan(write: Write, board_of: BoardOf) -> None:
    board = board_of(write([("a", "b", "model_a"), ("x", "y", "tie")]), anchor="a")
    for interval in ("wald", "bootstrap"):
        text = render_json(board_of(write([("a", "b", "model_a"), ("x", "y", "tie")]), anchor="a", interval=interval))
        assert json.loads(text, parse_constant=refuse_constant)["rows"]
    assert json.loads(render_json(board), parse_constant=refuse_constant)["regularised"] is True


def test_hostile_names_do_nothing_in_a_terminal(hostile: Board) -> None:
    text = render_text(hostile)
    assert "\x1b" not in text
    assert not re.search(r"^::", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) < 1000


def test_hostile_names_do_nothing_in_markdown(hostile: Board) -> None:
    text = render_markdown(hostile)
    assert "\x1b" not in text
    assert not re.search(r"^::", text, re.MULTILINE)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"<script|@everyone|!\[i\]", outside)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_hostile_names_stand_whole_in_the_json(hostile: Board) -> None:
    assert {row["model"] for row in json.loads(render_json(hostile))["rows"]} == set(HOSTILE)


# the command


def test_the_command_prints_one_of_three_forms(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for form in ([], ["--markdown"], ["--json"]):
        assert run(["arena", str(bots), "--orders", "20", *form]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0].startswith(f"{bots}: 18 battles of 4 models, read as arena\n")
    assert "| rank | range |" in printed[1]
    assert json.loads(printed[2])["n_orders"] == 20


def test_the_command_gives_the_same_bytes_twice(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for _ in range(2):
        run(["arena", str(bots), "--interval", "bootstrap", "--resamples", "200", "--json"])
        printed.add(capsys.readouterr().out)
    assert len(printed) == 1


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (["--anchor", "E"], "--anchor: the battles name no model"),
        (["--k", "0"], "--k 0.0 is out of range"),
        (["--k", "1e308"], "--k 1e+308 is out of range"),
        (["--orders", "0"], "--orders 0 is out of range"),
        (["--resamples", "1"], "--resamples 1 is out of range"),
        (["--format", "csv"], 'there is no format "csv"'),
        (["none.csv"], "none.csv"),
    ],
)
def test_a_wrong_argument_is_an_error_with_a_remedy(
    more: list[str], what: str, bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["arena", str(bots), *more]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ERROR: ")
    assert what in captured.err
    assert "\n  remedy: " in captured.err
