"""The markdown templates' surroundings: every value is escaped for markdown unless a filter here has done it."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from gate.evidence import BucketEvidence, CoverageEvidence, IntervalEvidence, LeakEvidence
from gate.reports import drawing, escape
from gate.reports.compiled import compile_all, make_environment
from gate.reports.identity import tell_origin
from gate.reports.overview import (
    STATUS_MARKS,
    STATUS_WORDS,
    WORD_MARKS,
    leak_figures,
    notes_of,
    tell_rows,
)
from gate.results import GLOSSARY, CheckResult, Status

if TYPE_CHECKING:
    from jinja2 import Environment

# Rows and names in a list; the JSON report has them all.
MOST_LISTED = 20

_TEMPLATES = Path(__file__).parent / "templates"
COMPILED = _TEMPLATES / "compiled"

_EVIDENCE = {
    "interval": IntervalEvidence,
    "buckets": BucketEvidence,
    "leaks": LeakEvidence,
    "coverage": CoverageEvidence,
}


@cache
def environment() -> "Environment":
    """The templates, their filters and tests.

    A value that no filter has made safe goes through ``escape.prose``, so that none can be forgotten; a value that is
    not there is an error.
    """
    # imported here: only markdown needs it, and start-up time counts
    from markupsafe import Markup  # noqa: PLC0415

    def finalize(value: object) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape.prose(str(value)))  # noqa: S704  # escaped here

    made = make_environment(_TEMPLATES, COMPILED, finalize=finalize)
    made.globals["glossary"] = Markup(GLOSSARY)  # noqa: S704  # our own words
    made.filters |= {
        "code": lambda text, limit=escape.NAME_LIMIT: Markup(escape.code(text, limit)),  # noqa: S704  # escaped here
        "fence": lambda text: Markup(escape.fence(text)),  # noqa: S704  # escaped here
        "listed": lambda names: Markup(list_names(names)),  # noqa: S704  # escaped there
        "mark": lambda word: Markup(f"{WORD_MARKS[word]} {word}"),  # noqa: S704  # our own words
        "status": lambda status: Markup(f"{STATUS_MARKS[status]} {STATUS_WORDS[status]}"),  # noqa: S704  # likewise
        "dot": lambda status: Markup(STATUS_MARKS[status]),  # noqa: S704  # likewise
        # a colon, too, is encoded: a path is never taken for a scheme
        "relative": lambda path: Markup(quote(os.fsencode(path), safe="/")),  # noqa: S704  # likewise
        "address": lambda url: Markup(quote(url, safe=":/~")),  # noqa: S704  # nothing in it can end a link
        "word": lambda status: Markup(STATUS_WORDS[status]),  # noqa: S704  # likewise
        "told_of_rows": tell_rows,
        "sorted_by_need": sorted_by_need,
        "leak_figures": leak_figures,
        "draw_interval": lambda evidence: "\n".join(drawing.draw_interval(evidence)),
        "draw_buckets": lambda evidence: "\n".join(drawing.draw_buckets(evidence)),
        "draw_words": lambda matched: "\n".join(drawing.draw_words(matched, width=drawing.PHONE)),
        "with_evidence": with_evidence,
        "needs_a_look": needs_a_look,
        "notes": notes_of,
        "origin": tell_origin,
    }
    return made


def compile_templates() -> None:
    """Compile all templates into COMPILED, which is made."""
    compile_all(environment, COMPILED)


def list_names(names: Iterable[str]) -> str:
    """The first names as code spans, and how many more there are."""
    every = tuple(names)
    shown = ", ".join(map(escape.code, every[:MOST_LISTED]))
    hidden = len(every) - MOST_LISTED
    return f"{shown} and {hidden} more" if hidden > 0 else shown


def with_evidence(results: Iterable[CheckResult], kind: str) -> list[CheckResult]:
    """The results that have evidence of this kind: ``interval``, ``buckets``, ``leaks`` or ``coverage``."""
    return [result for result in results if isinstance(result.evidence, _EVIDENCE[kind])]


def needs_a_look(results: Iterable[CheckResult]) -> bool:
    """Whether any of the results fails or warns."""
    return any(result.status in {Status.FAIL, Status.WARN} for result in results)


class Fold(NamedTuple):
    """A part of the report that can be folded away."""

    title: str
    results: tuple[CheckResult, ...]
    open: bool


def sorted_by_need(results: Iterable[CheckResult], title: str) -> tuple[Fold, ...]:
    """The results that fail or warn in an open fold, the others in one that is closed; no fold is empty."""
    every = tuple(results)
    needy = tuple(result for result in every if needs_a_look([result]))
    calm = tuple(result for result in every if not needs_a_look([result]))
    folds = (Fold(title, needy, True), Fold(f"Other {title.lower()}" if needy else title, calm, False))
    return tuple(fold for fold in folds if fold.results)
