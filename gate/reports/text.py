"""The report for a terminal or a log: plain lines, coloured only where a person looks on."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TextIO

from gate.reports.escape import terminal
from gate.reports.lines import tell
from gate.reports.listing import Line
from gate.results import Report, ShowText, Status, Word

_STYLES: Mapping[Status | Word | None, str] = {
    Word.PASS: "bold green",
    Word.WARN: "bold yellow",
    Word.BLOCK: "bold red",
    Word.ERROR: "bold magenta",
    Status.PASS: "green",
    Status.WARN: "yellow",
    Status.FAIL: "red",
    Status.NOT_RUN: "dim",
    None: "",
}


def render(report: Report, *, verbose: bool = False, quiet: bool = False) -> str:
    """Render the report as plain lines without colour, never wrapped, the same for the same report.

    Args:
        report: the report.
        verbose: tell everything that markdown tells: distributions, coverage, notes, how to reproduce.
        quiet: the verdict's line only.
    """
    return "".join(f"{line.text}\n" for line in _safe_lines(report, verbose=verbose, quiet=quiet))


def print_text(report: Report, stream: TextIO, *, verbose: bool = False, quiet: bool = False) -> None:
    """Write the report: in colour and wrapped where ``stream`` is a terminal and NO_COLOR is unset, else plainly.

    A terminal is not a public log: there the eval's own text may be quoted whatever ``show_text`` says.
    """
    if stream.isatty() and not os.environ.get("CI"):
        report = replace(report, show_text=ShowText.SNIPPETS)
    lines = _safe_lines(report, verbose=verbose, quiet=quiet)
    encodable = [line._replace(text=_encodable(line.text, stream)) for line in lines]
    if stream.isatty() and not os.environ.get("NO_COLOR"):
        _print_in_colour(encodable, stream)
    else:
        stream.writelines(f"{line.text}\n" for line in encodable)


def _safe_lines(report: Report, *, verbose: bool, quiet: bool) -> list[Line]:
    """Every line made harmless here, at the one way out."""
    lines = list(tell(report, verbose=verbose))
    return [line._replace(text=terminal(line.text)) for line in (lines[:1] if quiet else lines)]


def _print_in_colour(lines: Sequence[Line], stream: TextIO) -> None:
    # imported here: only a terminal needs it, and start-up time counts
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    for line in lines:
        # wrapped here: a terminal may be a log, too (`docker run -t`), and where a line is broken another one begins
        for part in Text(line.text).wrap(console, console.width, overflow="fold"):
            console.print(Text(terminal(part.plain), style=_STYLES[line.tone]), soft_wrap=True)


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
