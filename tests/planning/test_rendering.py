import json
import re
from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from gate.planning import Plan, Question, make_plan, render_json, render_text
from gate.planning.chart import draw_chart
from gate.scores.model import Direction

WriteCsv = Callable[..., str]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(Question(p=0.8, rho=0.7, n=200, drop=0.05, margin=0.05, bar=0.75))


def test_the_statements_come_first(plan: Plan) -> None:
    assert render_text(plan).splitlines()[:10] == [
        "pass/fail scores, pass rate 0.800",
        "correlation 0.700 between two runs' scores of an item (given)",
        "",
        "items needed, each for a chance of 80 %",
        "       360  to show a drop of 0.050",
        "       302  to show it no worse than the margin 0.05 where nothing changed",
        "       553  to prove the bar 0.75 at this mean",
        "with 200 items",
        "     0.068  is the smallest drop shown with a chance of 80 %",
        "      51 %  is the chance that a drop of 0.050 is shown",
    ]


def test_the_table_follows(plan: Plan) -> None:
    lines = render_text(plan).splitlines()
    start = lines.index("items  smallest drop  chance to show 0.050")
    assert lines[start + 1 : start + 4] == [
        "   50          0.154                   7 %",
        "  100          0.099                  23 %",
        "  200          0.068                  51 %",
    ]
    assert lines[start + 7] == " 5000          0.013                > 99 %"


def test_the_chart_is_drawn_in_plain_characters_with_a_line_at_the_power(plan: Plan) -> None:
    lines = draw_chart(plan)
    assert "\n".join(lines).isascii()
    assert lines[0] == "100 % |                                *****************************"
    assert lines[2].startswith(" 80 % |------------------")
    assert sum(line.count("*") for line in lines) == len(plan.curve)
    assert lines[-1] == "      50       100      200         500     1000     2000        5000"


def test_every_column_of_the_chart_stands_at_its_chance(plan: Plan) -> None:
    rows = draw_chart(plan)[:11]
    for column, point in enumerate(plan.curve):
        (height,) = [10 - row for row, line in enumerate(rows) if line[7 + column : 8 + column] == "*"]
        assert height == pytest.approx(point.chance * 10, abs=0.5001)


@pytest.mark.parametrize(
    "question",
    [Question(p=0.8, drop=1e-7, n=10**9), Question(p=0.8, drop=0.5, n=23), Question(sd=1e90), Question(p=1e-9)],
)
def test_no_line_is_wider_than_eighty_columns(question: Question) -> None:
    assert max(map(len, render_text(make_plan(question)).splitlines())) <= 80


def test_notes_stand_last_and_are_folded() -> None:
    text = render_text(make_plan(Question(p=0.8)))
    assert text.endswith(
        "note  no drop was named, and 0.050 is assumed: it is 5 % of the scale; --drop\n      names another\n"
    )


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (Question(p=0.8, bar=0.9), " no number  to prove the bar 0.90 at this mean"),
        (Question(p=0.8, drop=1e-7), " over 10^9  to show a drop of 1e-07"),
        (Question(p=0.8, n=5), "      none  no drop is shown with a chance of 80 %"),
        (Question(p=0.8, n=5), "     < 1 %  is the chance that a drop of 0.050 is shown"),
        (Question(p=0.8, n=50_000), "    > 99 %  is the chance that a drop of 0.050 is shown"),
        (Question(p=0.7, sd=0.25), "scores, mean 0.700, standard deviation 0.250"),
        (Question(sd=12.0), "scores, standard deviation 12.000"),
    ],
)  # fmt: skip
def test_what_is_told_in_words(question: Question, line: str) -> None:
    assert line in render_text(make_plan(question)).splitlines()


def test_pilots_are_named_and_cannot_command_the_terminal(write_csv: WriteCsv) -> None:
    columns = {"id": range(4), "\x1b[31mred": [1, 0, 1, 1]}
    path = write_csv("pilot.csv", columns)
    lines = render_text(make_plan(Question(pilots=(path,)))).splitlines()
    assert lines[0] == f"pilot {path}"
    assert lines[1] == r"\x1b[31mred: pass/fail scores, pass rate 0.750"


def test_where_lower_is_better_the_bar_is_a_ceiling() -> None:
    plan = replace(make_plan(Question(p=0.2, bar=0.1)), direction=Direction.LOWER)
    text = render_text(plan)
    assert " no number  to prove the ceiling 0.10 at this mean\n" in text


def test_the_json_has_every_field_and_the_same_bytes_each_time(plan: Plan) -> None:
    text = render_json(plan)
    loaded = json.loads(text)
    assert list(loaded) == [field.name for field in fields(Plan)]
    assert loaded["items_for_margin"] == 302
    assert loaded["given"] == {"n": 200, "smallest_drop": pytest.approx(0.0680, abs=1e-3), "chance": 0.5075}
    assert (loaded["scale"], loaded["direction"], loaded["rho_origin"]) == ([0.0, 1.0], "higher", "given")
    again = make_plan(Question(p=0.8, rho=0.7, n=200, drop=0.05, margin=0.05, bar=0.75))
    assert render_json(again) == text


def test_figures_of_the_json_have_six_digits_at_most(plan: Plan) -> None:
    assert not re.search(r"\d\.\d*[1-9]\d{6,}", render_json(plan))
