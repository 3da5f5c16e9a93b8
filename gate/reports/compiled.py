"""The surroundings that all templates share, what they are given, and templates compiled ahead of time.

The image makes the folders of compiled templates, so that no run of it compiles them again.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gate import wording
from gate.reports import escape
from gate.reports.identity import versions_of
from gate.reports.overview import (
    by_reason,
    config_change_lines,
    headline,
    remedies,
    shape_of,
    tell_config_changes,
    waivers_of,
)
from gate.reports.trees import tell_working_tree
from gate.results import Report, ShowText

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from jinja2 import Environment


def make_environment(templates: Path, compiled: Path, *, finalize: Callable[[object], object]) -> "Environment":
    """The templates of a folder, escaped and strict; nothing is ever written beside them.

    Args:
        templates: the folder.
        compiled: the folder of those that were compiled ahead, if there is one.
        finalize: what becomes of every value before it is escaped; markup is not escaped again. A value that is not
            there is an error.
    """
    # imported here: only reports by template need it, and start-up time counts
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    made = Environment(
        loader=FileSystemLoader(templates),
        bytecode_cache=FileSystemBytecodeCache(str(compiled)) if compiled.is_dir() else None,
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # figures and lengths are told alike in every form
    made.filters |= {
        "cut": escape.shorten,
        "counted": wording.count,
        "number": wording.number,
        "beside": wording.number_beside,
        "bar": wording.limit,
        "score": lambda value: f"{value:.6g}",
        "change": lambda value: f"{value:+.6g}",
        "by_reason": by_reason,
    }
    return made


def shared_context(report: Report) -> dict[str, object]:
    """What the templates of every form are given of a report."""
    return {
        "report": report,
        "headline": headline(report),
        "shape": shape_of(report),
        "tree_told": tell_working_tree(report),
        "config_told": tell_config_changes(report),
        "config_changes": config_change_lines(report),
        "remedies": remedies(report),
        "waivers": waivers_of(report),
        "baselines": versions_of(report),
        "snippets": report.show_text is ShowText.SNIPPETS,
    }


def compile_all(environment: "_lru_cache_wrapper[Environment]", folder: Path) -> None:
    """Compile all templates of an environment into the folder; jinja2 compiles anew what has changed since."""
    folder.mkdir(exist_ok=True)
    environment.cache_clear()
    for name in environment().list_templates(extensions=["j2"]):
        environment().get_template(name)
    for compiled in folder.iterdir():
        # jinja2 writes them for its own user alone, and the image runs as any
        compiled.chmod(0o644)
