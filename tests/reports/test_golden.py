"""Whole rendered reports, compared character by character; GATE_REWRITE=1 writes them anew."""

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from gate.reports import json, junit, markdown, text
from gate.results import Report

GOLDEN = Path(__file__).parent / "golden"
RENDERERS: dict[str, Callable[[Report], str]] = {
    "md": markdown.render,
    "json": json.render,
    "xml": junit.render,
    "txt": text.render,
    "verbose.txt": lambda report: text.render(report, verbose=True),
}


@pytest.mark.parametrize("ending", RENDERERS)
@pytest.mark.parametrize("case", ["worked", "passing", "broken", "crowded"])
def test_the_report_is_rendered_as_it_always_was(case: str, ending: str, make: ModuleType) -> None:
    rendered = RENDERERS[ending](make.CASES[case]())
    file = GOLDEN / f"{case}.{ending}"
    if os.environ.get("GATE_REWRITE"):
        file.write_bytes(rendered.encode())
    assert rendered == file.read_bytes().decode()


@pytest.mark.parametrize("ending", RENDERERS)
def test_the_same_report_gives_the_same_bytes(ending: str, make: ModuleType) -> None:
    render = RENDERERS[ending]
    assert render(make.crowded()).encode() == render(make.crowded()).encode()


@pytest.mark.parametrize("ending", RENDERERS)
@pytest.mark.parametrize("case", ["worked", "passing", "broken", "crowded"])
def test_a_report_ends_with_one_line_end_and_prints_in_utf8(case: str, ending: str, make: ModuleType) -> None:
    rendered = RENDERERS[ending](make.CASES[case]())
    assert rendered.encode().endswith(b"\n")
    assert not rendered.endswith("\n\n")


@pytest.mark.parametrize("ending", RENDERERS)
def test_no_character_that_does_not_print_gets_into_a_report(ending: str, make: ModuleType) -> None:
    rendered = RENDERERS[ending](make.crowded())
    assert all(line.isprintable() for line in rendered.split("\n"))
