"""The page templates' surroundings: every value is made visible, then escaped, whatever it is."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gate import wording
from gate.reports import escape
from gate.reports.compiled import compile_all, make_environment
from gate.reports.html.charts import frame
from gate.reports.overview import STATUS_WORDS, tell_answer
from gate.results import GLOSSARY, Status, Word

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_TEMPLATES = Path(__file__).parent / "templates"
COMPILED = _TEMPLATES / "compiled"

# Names in a list; the JSON in the page has them all.
MOST_NAMES = 50
TEXT_LIMIT = 4000

# Each status and verdict has a shape beside its colour: not all eyes and no printer can be asked to tell colours apart.
MARKS: dict[Status | Word, str] = {
    Status.PASS: "✓",
    Status.WARN: "!",
    Status.FAIL: "✕",
    Status.NOT_RUN: "–",
    Word.PASS: "✓",
    Word.WARN: "!",
    Word.BLOCK: "✕",
    Word.ERROR: "?",
}


@cache
def environment() -> "Environment":
    """The templates, their filters and tests; a value that is not there is an error."""
    # imported here: only this page and markdown need it, and start-up time counts
    from markupsafe import Markup  # noqa: PLC0415

    def finalize(value: object) -> object:
        return value if isinstance(value, Markup) else escape.visible(str(value))

    made = make_environment(_TEMPLATES, COMPILED, finalize=finalize)
    made.globals["glossary"] = GLOSSARY
    made.globals |= {"width": frame.WIDTH, "left": frame.LEFT, "right": frame.RIGHT, "strip": frame.STRIP}
    made.filters |= {
        "at": lambda place: f"{place:.1f}".removesuffix(".0"),
        "flat": lambda text: " ".join(escape.shorten(text, TEXT_LIMIT).split()),
        "percent": wording.percent,
        "confidence": wording.confidence,
        "mark": MARKS.__getitem__,
        "word": STATUS_WORDS.__getitem__,
        "names": list_names,
        "code_marked": mark_code,
        "answer": tell_answer,
    }
    return made


def compile_templates() -> None:
    """Compile all templates of the page into COMPILED, which is made."""
    compile_all(environment, COMPILED)


def mark_code(text: str) -> "Markup":
    """A sentence of the gate: what stands between backticks, as options and commands do, is code."""
    from markupsafe import Markup  # noqa: PLC0415

    parts = escape.visible(text).split("`")
    if len(parts) % 2 == 0:  # one that has no other is text
        parts[-2:] = ["`".join(parts[-2:])]
    marked = (Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))
    return Markup("").join(marked)  # join escapes what is no markup


def list_names(names: Iterable[str]) -> str:
    """The first names, each cut to a length, and how many more there are."""
    return wording.names(tuple(map(escape.shorten, names)), most=MOST_NAMES)
