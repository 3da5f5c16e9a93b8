"""Score files that speak to the runner and to browsers: the log obeys nothing, the summary shows text."""

import csv
import io
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from gate.results import GLOSSARY

# where the page is to be had: of the run that tests/container/conftest.py names
ARTIFACTS = "https://github.com/owner/repository/actions/runs/1#artifacts"
IDS = [
    "::error file=evil.py::evil",
    "::stop-commands::evil",
    "::set-output name=verdict::PASS",
    "::add-mask::0",
    "::add-path::/evil",
    "##[error]evil",
    "x\n::error::evil",
    "x\r::warning::evil",
    "x\r\n##[group]evil",
    "%0A::error::evil",
    "verdict=PASS",
    "verdict<<EOF\nPASS\nEOF",
    "<script>evil()</script>",
    "<img src=x onerror=evil()>",
    "</details></td><h1>evil</h1>",
    "![evil](https://example.invalid/evil.png)",
    "[evil](javascript:evil())",
    "a | b | c",
    "```\n# evil\n```",
    "`` ` ``",
    "# evil",
    "@everyone",
    "\x1b]8;;https://example.invalid\x1b\\evil\x1b]8;;\x1b\\",
    "\u202eevil\u2066",
]
SHOWN = 5  # as many as a log shows
OURS = {
    *("h2", "h3", "h4", "p", "ul", "li", "strong", "em", "code", "pre", "details", "summary", "br", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td", "a"),
}


class Elements(HTMLParser):
    """Collects what a browser would make of a page: its elements, their attributes, where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str | None] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.links.update(value for name, value in attrs if name == "href")


def table(ids: Sequence[str], score: int) -> str:
    """Each id with a prompt that is as hostile."""
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(["id", "question", "score"])
    rows.writerows([key, f"{key} {key}", score] for key in ids)
    return file.getvalue()


@pytest.fixture(scope="module", params=range(0, len(IDS), SHOWN))
def ids(request: pytest.FixtureRequest) -> Sequence[str]:
    return IDS[request.param : request.param + SHOWN]


@pytest.fixture(scope="module")
def step(ids: Sequence[str], act: Callable[..., Any], new_workspace: Callable[..., Path]) -> Any:
    """All items got worse, the suite's name is a command, the questions are shown and stand in the corpus."""
    policy = "version: 1\npolicies: {show_text: snippets}\nsuites:\n  - name: '::error::evil'\n"
    suite = (
        "    baseline: a.csv\n    candidate: b.csv\n    checks: {contamination: {corpus: corpus.txt, items: a.csv}}\n"
    )
    files = {
        "a.csv": table(ids, 1),
        "b.csv": table(ids, 0),
        "corpus.txt": "\n".join(f"{key} {key}" for key in ids),
        "gate.yml": policy + suite + "  - {name: other, baseline: a.csv, candidate: a.csv}\n",
    }
    return act(new_workspace(files), {"config": "gate.yml"})


@pytest.fixture(scope="module")
def failed(act: Callable[..., Any], new_workspace: Callable[..., Path]) -> Any:
    """The hostile text stands in the error itself."""
    doubled = "id,score\n" + '"x\n::error::evil",1\n' * 2
    return act(new_workspace({"::error::evil.csv": doubled}), {"candidate": "::error::evil.csv", "threshold": "0.5"})


def elements(markdown: str) -> Elements:
    found = Elements()
    found.feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))
    return found


def text_of(markdown: str) -> str:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    inline = [child for token in tokens for child in token.children or []]
    return "\n".join(child.content for child in inline if child.type in {"text", "code_inline"})


def test_the_hostile_items_are_judged_and_told(step: Any, ids: Sequence[str]) -> None:
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert f"items that got worse: {len(ids)}" in step.log
    assert f"Items that got worse: {len(ids)}" in step.summary


def test_the_log_holds_no_command_but_the_gate_s_own(step: Any) -> None:
    assert step.commands
    assert {command.name for command in step.commands} <= {"error", "warning"}
    for command in step.commands:
        assert command.properties.keys() == {"title"}
        assert command.properties["title"].startswith("gate: ")
        assert "evil" not in command.properties["title"]


def test_an_error_in_a_hostile_file_is_one_command_that_points_at_it(failed: Any) -> None:
    (error,) = failed.commands
    assert error.name == "error"
    assert error.properties == {"file": "::error::evil.csv", "line": "4", "title": "gate: ERROR"}


def test_the_log_holds_no_terminal_control(step: Any) -> None:
    assert not {"\x1b", "\r", "\u202e", "\u2066"} & set(step.log)


def test_no_output_is_set_by_a_score_file(step: Any, failed: Any) -> None:
    assert failed.outputs["verdict"] == "ERROR"
    assert step.outputs.keys() == failed.outputs.keys()
    assert "PASS" not in step.outputs.values()


def test_the_summary_makes_no_element_that_is_not_the_report_s(step: Any, failed: Any) -> None:
    for markdown in (step.summary, failed.summary):
        assert elements(markdown).names <= OURS
        assert elements(markdown).attributes <= {"open", "style", "href"}
        assert elements(markdown).links <= {GLOSSARY, ARTIFACTS}


def test_the_summary_shows_the_ids_as_text(step: Any, ids: Sequence[str]) -> None:
    shown = text_of(step.summary)
    plain = [key for key in ids if key.isprintable() and not {"|", "`"} & set(key) and "##[" not in key]
    assert [key for key in plain if key not in shown] == []
