"""The comment's text: whole bodies character by character, sizes, and foreign text that must neither link nor ping."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate.github.comment_body import LIMIT, render
from gate.github.comment_settings import RunPage
from gate.results import ConfigChange, Effect, Fault, ItemTable, MetricColumn, Report, Status
from tests.reports.conftest import CASES, RUN_A, item_table, report_of, suite_of, threshold

GOLDEN = Path(__file__).parent / "golden"
PAGE = RunPage("https://github.com", "owner/repository", (12, 1))
SHA = "0123456789abcdef0123456789abcdef01234567"
ACTIVE = ["@octocat", "@org/team", "#1", "owner/repo#2", "GH-3", "deadbeef1", SHA, "https://x.io", "www.x.io", ":tada:"]


def outside_of_code(body: str) -> str:
    """The text that GitHub looks for mentions, references and links in."""
    fenced = re.sub(r"^(`{3,})\n.*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", fenced)


@pytest.mark.parametrize("case", list(CASES))
def test_the_comment_reads_as_it_always_did(case: str) -> None:
    body = render(CASES[case](), PAGE, sha=SHA, key="" if case == "passing" else f"leg {case}")
    file = GOLDEN / f"{case}.md"
    if os.environ.get("GATE_REWRITE"):
        file.write_bytes(body.encode())
    assert body == file.read_bytes().decode()


@pytest.mark.parametrize("case", list(CASES))
def test_verdict_and_reason_stand_in_the_first_line(case: str) -> None:
    report = CASES[case]()
    first = render(report, PAGE).splitlines()[0]
    assert re.match(rf"### \S+ {report.verdict.word}: [`\w]", first)


def test_where_all_is_well_there_are_three_short_lines_and_no_fold() -> None:
    body = render(CASES["passing"](), PAGE, sha=SHA)
    assert len([line for line in body.splitlines() if line]) == 3
    assert "<details>" not in body


def test_where_something_is_wrong_the_numbers_stand_above_the_fold() -> None:
    top = render(CASES["worked"](), PAGE).partition("<details>")[0]
    for figure in ("low 0.550 is under the bar 0.70", "95 % interval", "n = 20", "delta -0.175"):
        assert figure in top


def test_of_several_legs_each_says_which_it_is_in_its_first_line() -> None:
    assert render(CASES["worked"](), PAGE, key="model a").startswith("### 🔴 BLOCK (`model a`): low 0.550")


@pytest.mark.parametrize("case", list(CASES))
def test_commit_and_run_are_linked(case: str) -> None:
    body = render(CASES[case](), PAGE, sha=SHA)
    assert f"[`0123456`](https://github.com/owner/repository/commit/{SHA})" in body
    assert "(https://github.com/owner/repository/actions/runs/12)" in body


def test_what_is_not_known_is_not_linked() -> None:
    body = render(CASES["passing"](), RunPage("", "", (0, 0)))
    assert "](" not in body
    assert "`0123456`" in render(CASES["passing"](), RunPage("", "", (0, 0)), sha=SHA)


def test_two_comments_without_a_key_are_told_apart_by_workflow_and_job() -> None:
    page = replace(PAGE, job="evals / gate [a](b)")
    last = render(CASES["passing"](), page, sha=SHA).strip().splitlines()[-1]
    assert last.endswith("/actions/runs/12), job `evals / gate [a](b)`</sub>")
    assert "job" not in render(CASES["passing"](), page, sha=SHA, key="small").strip().splitlines()[-1]


def test_no_picture_is_shown() -> None:
    for case in CASES.values():
        assert not re.search(r"!\[|<img", outside_of_code(render(case(), PAGE, sha=SHA)))


# foreign text


def hostile_report(text: str) -> Report:
    """The text in every place that a score file or gate.yml can fill."""
    found = threshold(
        sentence=f"the item {text} fails", detail=text, remedy=f"look at {text}", metric=text, notes=(text,)
    )
    other = threshold(metric="score", check="regression", status=Status.WARN)
    items = ItemTable(
        (text, "q2"), (), (), {text: MetricColumn("higher", None, "unknown", (1, 1), (0, 1), ("scored",) * 2)}
    )
    return report_of(suite_of(found, other, name=text, items=items), suite_of(found, name="plain"))


@pytest.mark.parametrize("text", ACTIVE)
def test_no_id_mentions_refers_or_links(text: str) -> None:
    body = outside_of_code(render(hostile_report(text), PAGE, key=text))
    assert text not in body


@pytest.mark.parametrize(
    "text",
    [
        "<!-- gate-comment 0 -->", "-->", "</details>", "<script>x</script>", "[x](http://x.io)", "![x](http://x.io)",
        "a|b", "`", "``` x", "q\n### PASS", "q\r\n<!-- gate-run 9.9 -->", "\u202e", "\x1b[31m", "\ud800", "$\\alpha$",
    ],
)  # fmt: skip
def test_no_id_is_markup(text: str) -> None:
    body = render(hostile_report(text), PAGE, key=text)
    plain = outside_of_code(body)
    assert "<!--" not in plain
    assert plain.count("</details>") == plain.count("<details")
    assert "<script" not in plain
    assert not re.search(r"\]\((?!https://github\.com/)", plain)
    assert len(re.findall(r"^### (?:🔴 BLOCK|PASS)", body, flags=re.MULTILINE)) == 1
    assert all(line.isprintable() for line in body.split("\n"))


def test_an_error_of_hostile_words_is_text() -> None:
    fault = Fault("score-file", "the score @octocat #1 is none", "runs/@octocat.csv", "ask @octocat")
    body = render(replace(CASES["broken"](), fault=fault), PAGE)
    assert "@octocat" not in outside_of_code(body)


# sizes


def long_report(suites: int, text: str) -> Report:
    found = threshold(sentence=f"low {text}", detail=text, remedy=text, notes=(text,) * 20)
    n = 400
    items = item_table((1.0,) * n, (0.0,) * n, ids=tuple(f"{text}{row}" for row in range(n)))
    return report_of(
        *(suite_of(replace(found, remedy=f"{row} {text}"), name=f"{row} {text}", items=items) for row in range(suites))
    )


@pytest.mark.parametrize("text", ["x" * 200, "\U000e0001" * 400, "|" * 400, "🟥" * 400, "` " * 300])
@pytest.mark.parametrize("suites", [1, 40])
def test_no_report_makes_a_comment_that_github_would_not_take(suites: int, text: str) -> None:
    body = render(long_report(suites, text), PAGE, sha=SHA, key=text)
    assert len(body.encode()) <= LIMIT < 65_536
    assert body.startswith("### 🔴 BLOCK")
    assert body.count("<details") == body.count("</details>")


def test_what_a_comment_leaves_out_it_names() -> None:
    body = render(long_report(40, "x" * 200), PAGE)
    assert re.search(r"^Left out to stay under \d+ KiB: ", body, flags=re.MULTILINE)
    assert "- and 28 checks more, none worse" in body


def test_the_worst_checks_are_told_first_where_there_are_too_many() -> None:
    well = suite_of(threshold(status=Status.PASS, sentence="fine", remedy=""), items=item_table(RUN_A, RUN_A))
    suites = [replace(well, name=f"s{row}") for row in range(30)]
    body = render(report_of(*suites, suite_of(threshold(), name="bad")), PAGE)
    first: Any = re.search(r"^- (.*)$", body, flags=re.MULTILINE)
    assert first[1].startswith("🔴 `bad` threshold: low 0.550")


def test_in_little_room_the_top_stands_alone() -> None:
    body = render(long_report(40, "x" * 200), PAGE, limit=16_000)
    assert len(body.encode()) <= 16_000
    assert body.startswith("### 🔴 BLOCK")


# a proposed gate.yml


def test_what_a_proposed_configuration_makes_laxer_stands_under_the_first_line() -> None:
    change = ConfigChange("suites[answers].checks.threshold.bar", "0.80", "0.60", Effect.LAXER)
    lines = render(replace(CASES["passing"](), config_changes=(change,)), PAGE).splitlines()
    assert lines[0].startswith("### ")
    assert "laxer" in "\n".join(lines[1:8])
    assert any("`0.80` → `0.60`" in line for line in lines[:10])


def test_thousands_of_changes_leave_room_for_the_verdict() -> None:
    changes = tuple(ConfigChange(f"suites[{'x' * 90}].a{row}", "1", "2", Effect.LAXER) for row in range(5000))
    body = render(replace(CASES["worked"](), config_changes=changes), PAGE)
    assert len(body.encode()) <= LIMIT
    assert body.startswith("### 🔴 BLOCK")
